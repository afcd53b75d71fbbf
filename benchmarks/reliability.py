"""Expected calibration error of every classifier with ``predict_proba``: see docs/robust.md.

    python -m benchmarks.reliability                               all classifiers
    python -m benchmarks.reliability --only AdaBoost Robust        those whose names start like this
    python -m benchmarks.reliability --rows 500 --seeds 1          less of everything

Training labels are flipped with probability 0 or 0.2, and there are two questions to ask of the 2,000 test rows of
each problem: for the probability of the *true* label, or of a label *given* like those of the training rows, with as
many flipped. Only a classifier that models wrong labels can answer the first: `RobustClassifier`, and
``CalibratedClassifier(..., labels="true")``. Each cell is the mean and the greatest value over problems and seeds of
the mean distance between predicted and observed frequencies in ten bins of the probability of one class. Columns "own"
are the classifier's own probabilities, "wrapped" those of ``CalibratedClassifier`` with the labels that are asked for.
"chance" is what probabilities that are exactly right have. A second list says by what factor the own log-odds would
have to be stretched, judged by the training rows and by the test rows, and what calibration error is left with the
latter. Results are appended to a file (one JSON record per line); rerun the same command to resume.
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
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

from weaklearn import boosting, multiclass
from weaklearn.datasets import make_ringnorm, make_threenorm, make_twonorm
from weaklearn.linear import ZeroOneClassifier
from weaklearn.robust import CalibratedClassifier, RobustClassifier
from weaklearn.stumps import DecisionStump
from weaklearn.trees import SmallTree

PROBLEMS = {"twonorm": make_twonorm, "ringnorm": make_ringnorm, "threenorm": make_threenorm}
N_TEST = 2000
CLASSIFIERS = {
    "RobustClassifier": RobustClassifier(random_state=0),
    'ZeroOneClassifier("auto")': ZeroOneClassifier("auto", random_state=0),
    "AdaBoostClassifier": boosting.AdaBoostClassifier(DecisionStump()),
    "LogitBoostClassifier": boosting.LogitBoostClassifier(),
    "AnyBoostClassifier": boosting.AnyBoostClassifier(),
    "NoiseTolerantBoostClassifier": boosting.NoiseTolerantBoostClassifier(random_state=0),
    "AlphaBoostClassifier": boosting.AlphaBoostClassifier(),
    "CGBoostClassifier": boosting.CGBoostClassifier(),
    "AdaBoostRegClassifier": boosting.AdaBoostRegClassifier(),
    "ArcGVClassifier": boosting.ArcGVClassifier(),
    "SAMMEClassifier": multiclass.SAMMEClassifier(random_state=0),
    "AdaBoostECCClassifier": multiclass.AdaBoostECCClassifier(random_state=0),
    "AdaBoostERPClassifier": multiclass.AdaBoostERPClassifier(random_state=0),
    "SmallTree": SmallTree(),
}
# They allow for wrong labels themselves.
NOT_WRAPPED = ("RobustClassifier",)


def draw(problem, n, noise, seed):
    """Training rows with given labels, test rows with true and with given ones; labels are -1 and +1."""
    X, y = PROBLEMS[problem](n, random_state=seed)
    X_test, true = PROBLEMS[problem](N_TEST, random_state=10_000 + seed)
    # A stream of its own: flips must not depend on X.
    random = np.random.RandomState([seed, 777])
    given = np.where(random.rand(n) < noise, -y, y)
    return X, given, X_test, {"true": true, "given": np.where(random.rand(N_TEST) < noise, -true, true)}


def calibration_error(probability, positive, n_bins=10):
    """Mean distance between predicted and observed frequencies, weighted by the rows in each bin."""
    bins = np.minimum((n_bins * probability).astype(int), n_bins - 1)
    gap = np.bincount(bins, probability - positive, minlength=n_bins)
    return float(np.abs(gap).sum() / len(probability))


def chance(problem, n_draws=20):
    """The calibration error of exact probabilities, from the densities of the problem's classes."""
    random = np.random.RandomState(0)
    X, _ = PROBLEMS[problem](N_TEST, random_state=1)
    p = expit(_log_odds(problem, X))
    return float(np.mean([calibration_error(p, random.rand(N_TEST) < p) for _ in range(n_draws)]))


def _log_odds(problem, X):
    """Of +1; Breiman's problems in 20 dimensions, centres at 2 / sqrt(20) = a."""
    d = X.shape[1]
    a = 2 / np.sqrt(d)

    def density(centre, variance=1.0):
        return -((X - centre) ** 2).sum(axis=1) / (2 * variance) - d / 2 * np.log(variance)

    if problem == "twonorm":
        odds = density(a) - density(-a)
    elif problem == "ringnorm":
        odds = density(0.0, 4.0) - density(1 / np.sqrt(d))
    else:
        sign = np.resize([1.0, -1.0], d)
        odds = np.logaddexp(density(a), density(-a)) - np.log(2) - density(a * sign)
    return odds


def best_slope(probability, positive):
    """The factor of the log-odds that has the least log loss, between 1/32 and 32."""
    odds, sign = logit(np.clip(probability, 1e-9, 1 - 1e-9)), np.where(positive, 1, -1)
    found = minimize_scalar(
        lambda log_slope: np.logaddexp(0, -sign * np.exp(log_slope) * odds).mean(),
        bounds=(-np.log(32), np.log(32)),
        method="bounded",
    )
    return float(np.exp(found.x))


def measure(name, problem, n, noise, seed, wrapped):
    """Calibration error, log loss and error of both kinds of test labels; CPU seconds of the fit."""
    X, y, X_test, labels = draw(problem, n, noise, seed)
    model = CLASSIFIERS[name]
    if wrapped:
        model = CalibratedClassifier(model, random_state=seed)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of runs that end at their last round
        model.fit(X, y)
    found = {"seconds": time.process_time() - start}
    for asked, test in labels.items():
        if wrapped:
            model.set_params(labels=asked)  # which needs no other fit
        P = model.predict_proba(X_test)[:, 1]
        own = np.clip(np.where(test > 0, P, 1 - P), 1e-6, None)
        found[asked] = {
            "ece": calibration_error(P, test > 0),
            "log_loss": float(-np.log(own).mean()),
            "error": float(np.mean((P > 0.5) != (test > 0))),
        }
    if not wrapped:
        test = labels["given"] > 0  # P is the same for both questions
        slope = best_slope(P, test)
        stretched = expit(slope * logit(np.clip(P, 1e-9, 1 - 1e-9)))
        found["slopes"] = {
            "training": best_slope(model.predict_proba(X)[:, 1], y > 0),
            "test": slope,
            "ece": calibration_error(stretched, test),
        }
    return found


def report(records, rows):
    """Print one line for each classifier."""
    kinds = [(n, noise, asked, wrapped)
             for n in rows
             for noise, questions in ((0.0, ("given",)), (0.2, ("given", "true")))
             for asked in questions
             for wrapped in (False, True)]  # fmt: skip
    titles = [
        f"{n:,} {'clean' if noise == 0 else f'{noise:.0%} {asked}'} {'wrapped' if wrapped else 'own'}"
        for n, noise, asked, wrapped in kinds
    ]
    print(f"{'mean (greatest)':30s}" + "".join(f"{title:>25s}" for title in titles))
    for name in CLASSIFIERS:
        cells = ""
        for n, noise, asked, wrapped in kinds:
            key = (name, n, noise, wrapped)
            found = [r[asked]["ece"] for r in records if (r["name"], r["n"], r["noise"], r["wrapped"]) == key]
            cells += f"{f'{np.mean(found):.3f} ({np.max(found):.3f})' if found else '':>25s}"
        if cells.strip():
            print(f"{name:30s}{cells}")
    print(
        "\nfactors of the own log-odds that are best for given labels: training rows, test rows (error then)"
    )
    for record in sorted(records, key=lambda r: (r["name"], r["n"], r["noise"])):
        if record["n"] in rows and "slopes" in record:
            slopes = record["slopes"]
            print(
                f"{record['name']:30s} {record['problem']:10s} {record['n']:6,} {record['noise']:4.0%}"
                f"{slopes['training']:8.2f}{slopes['test']:8.2f}  ({slopes['ece']:.3f})"
            )
    exact = {problem: chance(problem) for problem in PROBLEMS}
    print("chance: " + ", ".join(f"{problem} {value:.3f}" for problem, value in exact.items()))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--rows", nargs="+", type=int, default=[500, 2000])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--file", type=Path, default=Path("reliability.jsonl"))
    options = parser.parse_args()
    records = []
    if options.file.exists():
        records = [json.loads(line) for line in options.file.read_text().splitlines()]
    keys = ("name", "problem", "n", "noise", "seed", "wrapped")
    known = {tuple(r[key] for key in keys) for r in records}
    stop = time.monotonic() + 60 * options.minutes
    jobs = [
        (name, problem, n, noise, seed, wrapped)
        for n in options.rows
        for seed in range(options.seeds)
        for name in CLASSIFIERS
        if name.startswith(tuple(options.only))
        for problem in PROBLEMS
        for noise in (0.0, 0.2)
        for wrapped in ((False,) if name in NOT_WRAPPED else (False, True))
    ]
    with options.file.open("a") as file:
        for job in jobs:
            if job in known or time.monotonic() > stop:
                continue
            record = dict(zip(keys, job, strict=True)) | measure(*job)
            file.write(json.dumps(record) + "\n")
            file.flush()
            records.append(record)
    missing = len(set(jobs) - {tuple(r[key] for key in keys) for r in records})
    report(records, options.rows)
    if missing:
        print(f"{missing} of {len(jobs)} fits are missing: rerun the same command to resume.")


if __name__ == "__main__":
    main()
