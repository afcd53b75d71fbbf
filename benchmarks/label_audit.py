"""`LabelAuditor` against cleanlab on labels made wrong on purpose; docs/label_audit.md has those of the lab study.

    python -m benchmarks.label_audit --splits 3                          the tables of the report
    python -m benchmarks.label_audit --tables development --splits 2     those on which settings were chosen
    python -m benchmarks.label_audit --review                            mistakes of people, 40 reviewed random rows

At most 400 rows of a table are audited; the other rows test what training with the weights buys. cleanlab gets
out-of-fold probabilities of logistic regression, LightGBM, a random forest and their mean. Results are appended to a
file; rerun the same command to resume.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import copy
import json
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score

from benchmarks.noisy_tables import DEVELOPMENT, LARGE, REPORT, flipped, split
from weaklearn.labels._sample_count import draw

KINDS = ("clean", "5%", "10%", "20%", "asymmetric", "near")


def learners(seed):
    from lightgbm import LGBMClassifier
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "lightgbm": LGBMClassifier(random_state=seed, verbose=-1, n_jobs=1),
        "forest": RandomForestClassifier(200, random_state=seed),
    }


def out_of_fold(X, y, seed):
    """Out-of-fold probabilities and CPU seconds of each learner."""
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    folds = StratifiedKFold if np.bincount(y).min() >= 5 else KFold
    for name, model in learners(seed).items():
        start = time.process_time()
        P = cross_val_predict(
            model, X, y, cv=folds(5, shuffle=True, random_state=seed), method="predict_proba"
        )
        yield name, P, time.process_time() - start


def judged(wrong, P, listed, count, interval=None):
    """The measures of one audit; ``wrong`` is the truth, P the probabilities."""
    n, k = len(wrong), max(len(listed), 1)
    hits = wrong[listed].sum()
    record = {
        "count_error": 100 * abs(count - wrong.sum()) / n,
        "count_bias": 100 * (count - wrong.sum()) / n,
        "brier": float(np.mean((P - wrong) ** 2)),
        "flags": 100 * len(listed) / n,
    }
    if wrong.any():
        record["ap"] = float(average_precision_score(wrong, P))
        record["f1"] = float(2 * hits / (len(listed) + wrong.sum()))
        record["precision"] = float(hits / k)
        record["said"] = float(P[listed].mean()) if len(listed) else np.nan
    if interval is not None:
        # The count is a whole number: an end that rounds to it contains it.
        record["covered"] = float(round(interval[0]) <= wrong.sum() <= round(interval[1]))
        record["width"] = 100 * (interval[1] - interval[0]) / n
    return record


def peers(X, given, wrong, seed):
    from cleanlab.count import num_label_issues
    from cleanlab.filter import find_label_issues

    total, seconds = 0.0, 0.0
    found = [(name, P, s) for name, P, s in out_of_fold(X, given, seed)]
    for _, P, s in found:
        total, seconds = total + P / len(found), seconds + s
    for name, P, s in [*found, ("mean", total, seconds)]:
        listed = find_label_issues(given, P, return_indices_ranked_by="self_confidence", n_jobs=1)
        doubt = 1 - P[np.arange(len(given)), given]
        yield f"cleanlab {name}", judged(wrong, doubt, listed, num_label_issues(given, P)) | {"seconds": s}


def ours(X, given, wrong, seed):
    from weaklearn.labels import LabelAuditor

    start = time.process_time()
    auditor = LabelAuditor(random_state=seed).fit(X, given)
    record = judged(
        wrong, auditor.wrong_probability_, auditor.flagged_, auditor.n_wrong_, auditor.n_wrong_interval_
    )  # fmt: skip
    return auditor, record | {"seconds": time.process_time() - start}


def downstream(X, given, weight, X_test, y_test, seed):
    """Mean change of the test error, in points, when three learners get the weights."""
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(X)
    Z, Z_test = scaler.transform(X), scaler.transform(X_test)
    changes = []
    for model in (
        LogisticRegression(max_iter=1000),
        RandomForestClassifier(100, random_state=seed),
        HistGradientBoostingClassifier(max_iter=50, random_state=seed),
    ):
        plain = np.mean(model.fit(Z, given).predict(Z_test) != y_test)
        changes.append(
            100 * (np.mean(model.fit(Z, given, sample_weight=weight).predict(Z_test) != y_test) - plain)
        )
    return float(np.mean(changes))


def measure(table, number, kind, n_rows, with_peers, with_downstream):
    X, y, X_test, y_test, random = split(table, number, n_train=n_rows)
    noisy = flipped(X, y, kind, random)
    wrong = noisy != y
    classes, given = np.unique(noisy, return_inverse=True)
    auditor, record = ours(X, given, wrong, number)
    if with_downstream:
        true = np.searchsorted(classes, np.clip(y_test, classes[0], classes[-1]))
        record["downstream"] = downstream(X, given, auditor.sample_weight_, X_test, true, number)
    here = {"table": table, "split": number, "noise": kind}
    yield {**here, "who": "auditor", **record}
    if with_peers:
        for name, record in peers(X, given, wrong, number):
            yield {**here, "who": name, **record}


def reviewed_samples(
    tables=("pima", "vehicle", "ionosphere", "twonorm"), n_splits=2, n_draws=20, n_reviewed=40
):
    """Count error (points), coverage and width (points) of the 90% interval, before and after a random sample."""
    from weaklearn.labels import LabelAuditor

    kinds = ("clean", "10%", "20%", "trainee", "boundary", "human")
    names = ("model", "sample", "both", "answer")
    heads = "".join(f"{f'{name}: error, covers, width':>34s}" for name in names)
    print(f"{'':10s}{heads}  disagrees")
    for kind in kinds:
        found: dict = {name: [] for name in names}
        disagrees = []
        for table in tables:
            for number in range(n_splits):
                X, y, _, _, random = split(table, number, n_train=300)
                given = flipped(X, y, kind, random)
                wrong = int(np.sum(given != y))
                auditor = LabelAuditor(random_state=number).fit(X, given)
                P, order = auditor.wrong_probability_, auditor._order
                for seed in range(n_draws):
                    one = copy.deepcopy(auditor)
                    # The sample is drawn once in a life; here, many times, to see how it varies.
                    rows, one._sample_factor = draw(P[order], np.random.RandomState(seed))
                    one._sample_rows = order[rows]
                    rows = one.review_sample(n_reviewed)
                    # A label that no row has any more cannot be given back: such a row is unclear.
                    known = set(one.classes_.tolist())
                    one.update({int(row): y[row] if y[row] in known else "unclear" for row in rows})
                    estimates = dict(one.n_wrong_estimates_)
                    estimates["answer"] = (one.n_wrong_, *one.n_wrong_interval_)
                    disagrees.append(one.disagrees_)
                    for name, (count, low, high) in estimates.items():
                        covered = np.floor(low) <= wrong <= np.ceil(high)
                        n = len(y)
                        found[name].append((100 * abs(count - wrong) / n, covered, 100 * (high - low) / n))
        means = [np.mean(found[name], axis=0) for name in names]
        cells = "".join(f"{error:20.1f}{100 * covered:6.0f}%{width:7.1f}" for error, covered, width in means)
        print(f"{kind:10s}{cells}{100 * np.mean(disagrees):10.0f}%", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", nargs="+", default=["report"])
    parser.add_argument("--noise", nargs="+", default=list(KINDS))
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--no-downstream", action="store_true")
    parser.add_argument("--file", type=Path, default=Path("label_audit.jsonl"))
    parser.add_argument("--review", action="store_true")
    options = parser.parse_args()
    if options.review:
        reviewed_samples()
        return
    named = {"report": REPORT, "development": DEVELOPMENT, "large": LARGE}
    tables = [table for name in options.tables for table in named.get(name, (name,))]
    records = []
    if options.file.exists():
        records = [json.loads(line) for line in options.file.read_text().splitlines()]
    done = {(r["table"], r["split"], r["noise"]) for r in records}
    with options.file.open("a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers that do not converge
        for table in tables:
            for number in range(options.splits):
                for kind in options.noise:
                    if (table, number, kind) in done:
                        continue
                    for record in measure(
                        table, number, kind, options.rows, not options.no_peers, not options.no_downstream
                    ):  # fmt: skip
                        records.append(record)
                        file.write(json.dumps(record) + "\n")
                        file.flush()
    report([r for r in records if r["table"] in tables and r["noise"] in options.noise], options.noise)


MEASURES = (
    "ap",
    "f1",
    "precision",
    "said",
    "count_error",
    "count_bias",
    "brier",
    "covered",
    "width",
    "downstream",
)


def report(records, kinds):
    """Means by noise kind, and the worst tables of the downstream change."""
    names = list(dict.fromkeys(r["who"] for r in records))
    tables = list(dict.fromkeys(r["table"] for r in records))

    def mean(what, **where):
        values = [r[what] for r in records if what in r and all(r[k] == v for k, v in where.items())]
        return np.nanmean(values) if values else np.nan

    for what in (*MEASURES, "seconds"):
        print(f"{what:18s}" + "".join(f"{kind:>12s}" for kind in kinds) + f"{'all':>12s}")
        for who in names:
            values = [mean(what, who=who, noise=kind) for kind in kinds] + [mean(what, who=who)]
            if np.isfinite(values).any():
                print(f"  {who:16s}" + "".join(f"{value:12.3f}" for value in values))
    print("by table: ap (auditor, cleanlab mean), count bias, said - precision, downstream")
    for table in tables:
        here = {"table": table, "who": "auditor"}
        print(
            f"  {table:14s}{mean('ap', **here):8.3f}{mean('ap', table=table, who='cleanlab mean'):8.3f}"
            f"{mean('count_bias', **here):8.2f}{mean('said', **here) - mean('precision', **here):8.2f}"
            f"{mean('downstream', **here):8.2f}"
        )


if __name__ == "__main__":
    main()
