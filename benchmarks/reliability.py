"""Expected calibration error of every classifier with ``predict_proba``: see docs/robust.md.

    python -m benchmarks.reliability                               all classifiers
    python -m benchmarks.reliability --only AdaBoost Robust        those whose names start like this
    python -m benchmarks.reliability --rows 500 --seeds 1          less of everything

Training labels are flipped with probability 0 or 0.2; the 2,000 test rows of each problem have true labels, so that a
classifier is asked for the probability of the *true* label. Each cell is the mean and the greatest value over problems
and seeds of the mean distance between predicted and observed frequencies in ten bins of the probability of one class.
Columns "own" are the classifier's own probabilities, "wrapped" those of ``CalibratedClassifier(..., labels="true")``.
"chance" is what probabilities that are exactly right have. Results are appended to a file (one JSON record per line);
rerun the same command to resume.
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
from scipy.special import expit

from weaklearn import boosting, multiclass
from weaklearn.datasets import make_ringnorm, make_threenorm, make_twonorm
from weaklearn.linear import ZeroOneClassifier
from weaklearn.robust import CalibratedClassifier, RobustClassifier
from weaklearn.trees import SmallTree

PROBLEMS = {"twonorm": make_twonorm, "ringnorm": make_ringnorm, "threenorm": make_threenorm}
N_TEST = 2000
CLASSIFIERS = {
    "RobustClassifier": RobustClassifier(random_state=0),
    'ZeroOneClassifier("auto")': ZeroOneClassifier("auto", random_state=0),
    "AdaBoostClassifier": boosting.AdaBoostClassifier(),
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
    """Training rows with given labels, test rows with true ones; labels are -1 and +1."""
    X, y = PROBLEMS[problem](n, random_state=seed)
    # A stream of its own: flips must not depend on X.
    random = np.random.RandomState([seed, 777])
    given = np.where(random.rand(n) < noise, -y, y)
    return X, given, *PROBLEMS[problem](N_TEST, random_state=10_000 + seed)


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


def measure(name, problem, n, noise, seed, wrapped):
    X, given, X_test, true = draw(problem, n, noise, seed)
    model = CLASSIFIERS[name]
    if wrapped:
        model = CalibratedClassifier(model, labels="true", random_state=seed)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of runs that end at their last round
        P = model.fit(X, given).predict_proba(X_test)[:, 1]
    own = np.clip(np.where(true > 0, P, 1 - P), 1e-6, None)
    return {
        "ece": calibration_error(P, true > 0),
        "log_loss": float(-np.log(own).mean()),
        "error": float(np.mean((P > 0.5) != (true > 0))),
        "seconds": time.process_time() - start,
    }


def report(records, rows):
    """Print one line for each classifier."""
    kinds = [(n, noise, wrapped) for n in rows for noise in (0.0, 0.2) for wrapped in (False, True)]
    titles = [f"{n:,} {noise:.0%} {'wrapped' if wrapped else 'own'}" for n, noise, wrapped in kinds]
    print(f"{'mean (greatest)':30s}" + "".join(f"{title:>20s}" for title in titles))
    for name in CLASSIFIERS:
        cells = ""
        for kind in kinds:
            found = [
                r["ece"] for r in records if (r["name"], r["n"], r["noise"], r["wrapped"]) == (name, *kind)
            ]
            cells += f"{f'{np.mean(found):.3f} ({np.max(found):.3f})' if found else '':>20s}"
        if cells.strip():
            print(f"{name:30s}{cells}")
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
