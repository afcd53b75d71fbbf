"""`RobustClassifier` against its peers with wrong labels in training: the numbers of docs/robust.md.

    python -m benchmarks.robust --splits 5                          the tables of the report
    python -m benchmarks.robust --tables development --splits 3     those on which settings were chosen
    python -m benchmarks.robust --tables pima --noise clean 20%     some of them

Errors are percentages of clean test rows. Every result is appended to a file (one JSON record per line); rerun the same
command to resume. Differences are paired, their standard errors are over tables.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.special import softmax

from benchmarks.noisy_tables import CHECK, NOISE, REPORT, ROBUST_DEVELOPMENT, flipped, split


def peers(seed, n_classes):
    """Classifiers of others, with the settings that people use."""
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "SVC grid": make_pipeline(
            StandardScaler(), GridSearchCV(SVC(), {"C": [0.1, 1, 10], "gamma": ["scale", 0.01]}, cv=3)
        ),
        "forest": RandomForestClassifier(200, random_state=seed),
        "HistGB": HistGradientBoostingClassifier(random_state=seed, early_stopping=True),
        "xgboost": EarlyStoppedXGBoost(seed),
    }


class EarlyStoppedXGBoost:
    """xgboost of depth 2, stopped on a fifth of the rows."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, X, y):
        from sklearn.model_selection import train_test_split
        from xgboost import XGBClassifier

        few = np.bincount(y).min() < 3
        parts = train_test_split(X, y, test_size=0.2, random_state=self.seed, stratify=None if few else y)
        self.model = XGBClassifier(
            n_estimators=500, max_depth=2, learning_rate=0.1, early_stopping_rounds=20, random_state=self.seed
        )
        self.model.fit(parts[0], parts[2], eval_set=[(parts[1], parts[3])], verbose=False)
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


def ours(X, y, seed, variants):
    """Probabilities of our variants as functions of test rows, with the CPU time of the first."""
    from weaklearn.robust import RobustClassifier
    from weaklearn.robust._noise import NoiseLink
    from weaklearn.robust.machine import Machine, merge_rows

    start = time.process_time()
    model = RobustClassifier(random_state=seed).fit(X, y)
    found = {"robust": (model.predict_proba, time.process_time() - start)}
    if not variants:
        return found
    machine = model._machine
    found["no noise model"] = (lambda T: softmax(machine.log_odds(T), axis=1), np.nan)

    def equal(T):
        codes, weight = machine.data.codes, model._rows.weight
        noise = NoiseLink(machine.held_out_members.mean(axis=0), codes, weight)
        return noise.class_probability(machine.member_log_odds(T).mean(axis=0))

    found["equal weights"] = (equal, np.nan)
    for name, settings in {"no refit": {"refit": False}, "no forests": {"n_trees": 0}}.items():
        start = time.process_time()
        other = Machine(**settings).fit(merge_rows(X, y, np.ones(len(y))), y.max() + 1, seed)
        found[name] = (other.probability, time.process_time() - start)
    return found


def measure(table, number, kind, columns, variants):
    X, y, X_test, y_test, random = split(table, number)
    given = flipped(X, y, kind, random)
    classes = np.unique(given)
    codes = np.searchsorted(classes, given)
    contenders = {}
    if "robust" in columns:
        contenders.update(ours(X, codes, number, variants))
    for name, model in peers(number, len(classes)).items():
        if name in columns:
            start = time.process_time()
            model.fit(X, codes)
            predict = getattr(model, "predict_proba", None)
            if predict is None or name == "SVC grid":
                predict = None
            contenders[name] = (predict or model.predict, time.process_time() - start)
    for name, (predict, seconds) in contenders.items():
        P = predict(X_test)
        guess = P if P.ndim == 1 else P.argmax(axis=1)
        record = {"error": 100 * float(np.mean(classes[guess] != y_test)), "seconds": seconds}
        if P.ndim == 2:
            full = np.zeros((len(P), y.max() + 1))
            full[:, classes] = P
            record["log_loss"] = float(-np.log(np.maximum(full[np.arange(len(P)), y_test], 1e-6)).mean())
        yield {"table": table, "split": number, "noise": kind, "who": name, **record}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", nargs="+", default=["report"])
    parser.add_argument("--noise", nargs="+", default=list(NOISE))
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--columns", nargs="+", default=["robust", *peers(0, 2)])
    parser.add_argument("--variants", action="store_true", help="Also measure the machine without its parts.")
    parser.add_argument("--file", type=Path, default=Path("robust.jsonl"))
    options = parser.parse_args()
    named = {"report": REPORT, "development": ROBUST_DEVELOPMENT, "check": CHECK}
    tables = [table for name in options.tables for table in named.get(name, (name,))]
    records = []
    if options.file.exists():
        records = [json.loads(line) for line in options.file.read_text().splitlines()]
    done = {(r["table"], r["split"], r["noise"], r["who"]) for r in records}
    with options.file.open("a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers that do not converge
        for table in tables:
            for number in range(options.splits):
                for kind in options.noise:
                    missing = [c for c in options.columns if (table, number, kind, c) not in done]
                    for record in measure(table, number, kind, missing, options.variants):
                        records.append(record)
                        file.write(json.dumps(record) + "\n")
                        file.flush()
    report([r for r in records if r["table"] in tables and r["noise"] in options.noise], options.noise)


def report(records, kinds):
    """Mean error, paired difference to ours with its standard error over tables, log loss, CPU seconds."""
    names = list(dict.fromkeys(r["who"] for r in records))
    tables = list(dict.fromkeys(r["table"] for r in records))

    def mean(who, kind, what, table=None):
        values = [
            r[what]
            for r in records
            if r["who"] == who
            and r["noise"] == kind
            and table in (None, r["table"])
            and r.get(what) is not None
        ]
        return np.mean(values) if values else np.nan

    print(
        f"{'error %':16s}" + "".join(f"{kind:>22s}" for kind in kinds) + "  worst table for robust, seconds"
    )
    for who in names:
        cells, all_differences = "", {}
        for kind in kinds:
            d = np.array([mean("robust", kind, "error", t) - mean(who, kind, "error", t) for t in tables])
            for t, value in zip(tables, d, strict=True):
                all_differences.setdefault(t, []).append(value)
            d = d[np.isfinite(d)]
            cells += f"{mean(who, kind, 'error'):8.2f} ({d.mean():+.2f}±{d.std(ddof=1) / len(d) ** 0.5:.2f})"
        worst = max(all_differences, key=lambda t: np.nanmean(all_differences[t]))
        seconds = np.mean([r["seconds"] for r in records if r["who"] == who])  # NaN where it is not separable
        print(f"{who:16s}{cells}  {worst} {np.nanmean(all_differences[worst]):+.2f}  {seconds:.2f}")
    print(f"{'log loss':16s}" + "".join(f"{kind:>12s}" for kind in kinds))
    for who in names:
        print(f"{who:16s}" + "".join(f"{mean(who, kind, 'log_loss'):12.3f}" for kind in kinds))


if __name__ == "__main__":
    main()
