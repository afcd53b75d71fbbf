"""`LabelAuditor` against cleanlab on labels made wrong on purpose; docs/label_audit.md has those of the lab study.

    python -m benchmarks.label_audit --splits 3                          the tables of the report
    python -m benchmarks.label_audit --tables development --splits 2     those on which settings were chosen
    python -m benchmarks.label_audit --review                            mistakes of people, 40 reviewed random rows
    python -m benchmarks.label_audit --annotators                        several raters, beside CROWDLAB

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
import pandas
from sklearn.metrics import average_precision_score

from benchmarks.noisy_tables import DEVELOPMENT, LARGE, REPORT, flipped, split

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
                for seed in range(n_draws):
                    one = copy.deepcopy(auditor)
                    # The sample is drawn once in a life; here, many times, to see how it varies.
                    one._draw(np.random.RandomState(seed))
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


def simulated_raters(random, n_raters, n_labels, n=300, K=3):
    """X, true labels, and answers (NaN: none) of raters who are right in 60 to 95% of the rows."""
    true = random.randint(0, K, n)
    X = random.randn(n, 6) + 1.2 * np.eye(6)[true]
    quality = random.uniform(0.6, 0.95, n_raters)
    answers = np.full((n, n_raters), np.nan)
    for row in range(n):
        for rater in random.permutation(n_raters)[:n_labels]:
            right = random.rand() < quality[rater]
            answers[row, rater] = true[row] if right else (true[row] + random.randint(1, K)) % K
    return X, true, answers, quality


def _majority(answers):
    """The most frequent answer of each row (the first of several), and the share of each rater's that agree with it."""
    counts = np.array([(answers == k).sum(axis=1) for k in range(int(np.nanmax(answers)) + 1)]).T
    label = counts.argmax(axis=1)
    known = np.isfinite(answers)
    agree = np.array([np.mean((answers[:, r] == label)[known[:, r]]) for r in range(answers.shape[1])])
    return label, agree


def _consensus(X, answers, seed):
    """Label and rater quality by each way to a consensus; those that need columns only if there are any."""
    from cleanlab.multiannotator import get_label_quality_multiannotator

    from weaklearn.labels import AnnotatorConsensus, LabelAuditor

    yield "majority vote", *_majority(answers)
    for name, smoothing in (("Dawid-Skene", 0.01), ("AnnotatorConsensus", 20.0)):
        found = AnnotatorConsensus(smoothing=smoothing).fit(answers)
        yield name, found.label_.astype(int), found.rater_quality_
    if X is None:
        return
    auditor = LabelAuditor(random_state=seed)
    found = AnnotatorConsensus(auditor=auditor).fit(answers, X)
    yield "AnnotatorConsensus, X", found.label_.astype(int), found.rater_quality_
    if (np.isfinite(answers).sum(axis=1) < 2).all():
        return  # CROWDLAB asks for rows with several labels
    probabilities = {name: P for name, P, _ in out_of_fold(X, _majority(answers)[0], seed)}
    probabilities["mean"] = np.mean(list(probabilities.values()), axis=0)
    for name, P in probabilities.items():
        result = get_label_quality_multiannotator(pandas.DataFrame(answers), P, verbose=False)
        label = result["label_quality"]["consensus_label"].to_numpy()
        stats = result["annotator_stats"].sort_index()
        yield f"CROWDLAB, {name}", label, stats["annotator_quality"].to_numpy()


def annotators(n_repeats=3):
    """Share of right consensus labels and error of the raters' quality, in points; paired with ours."""
    found: dict = {}
    for n_labels in (1, 2, 3, 4):
        for n_raters in (3, 5, 8, 10):
            for seed in range(n_repeats if n_raters >= n_labels else 0):
                random = np.random.RandomState([n_labels, n_raters, seed])
                X, true, answers, quality = simulated_raters(random, n_raters, n_labels)
                for name, label, said in _consensus(X, answers, seed):
                    measured = 100 * np.mean(label == true), 100 * np.mean(np.abs(said - quality))
                    found.setdefault(name, {}).setdefault(n_labels, []).append(measured)
    ours = {"X": found["AnnotatorConsensus, X"], "": found["AnnotatorConsensus"]}
    print("labels a row: right, ours minus this (+- standard error), error of the quality")
    for name, by_labels in found.items():
        peer = ours["X" if name.startswith("CROWDLAB") else ""]
        cells = []
        for n_labels, values in by_labels.items():
            right, error = np.mean(values, axis=0)
            ahead = np.array(peer[n_labels])[:, 0] - np.array(values)[:, 0]
            spread = ahead.std(ddof=1) / np.sqrt(len(ahead))
            cells.append(f"{n_labels}: {right:5.1f} {ahead.mean():+5.1f} +- {spread:3.1f} {error:5.1f}")
        print(f"{name:24s}" + " | ".join(cells))


def diagnoses(n_repeats=20):
    """Real raters: 30 patients, 6 psychiatrists, 5 diagnoses (Fleiss 1971; in the package pyirr).

    There is no truth: k of the six answers are shown, and the consensus is compared with the majority of all six.
    """
    from importlib.util import find_spec

    where = find_spec("pyirr")
    if where is None:
        print("the table of real raters is in the package pyirr, which is not installed")
        return
    frame = pandas.read_csv(
        Path(next(iter(where.submodule_search_locations))) / "data" / "diagnoses.csv", index_col=0
    )
    names, codes = np.unique(frame.to_numpy().astype(str), return_inverse=True)
    codes = codes.reshape(frame.shape).astype(float)
    counts = np.sort([(codes == k).sum(axis=1) for k in range(len(names))], axis=0)
    clear = counts[-1] > counts[-2]
    target = _majority(codes)[0]
    print(f"diagnoses: {len(codes)} rows, {clear.sum()} with one majority; right of these, in percent")
    for k in (1, 2, 3, 4):
        right: dict = {}
        for seed in range(n_repeats):
            random = np.random.RandomState(seed)
            shown = np.full(codes.shape, np.nan)
            for row in range(len(codes)):
                chosen = random.permutation(codes.shape[1])[:k]
                shown[row, chosen] = codes[row, chosen]
            for name, label, _ in _consensus(None, shown, seed):
                right.setdefault(name, []).append(100 * np.mean((label == target)[clear]))
        print(f"{k} labels a row: " + ", ".join(f"{name} {np.mean(v):.1f}" for name, v in right.items()))


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
    parser.add_argument("--annotators", action="store_true")
    options = parser.parse_args()
    if options.annotators:
        annotators()
        diagnoses()
        return
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
