"""Boosting with wrong labels, against scikit-learn and xgboost: the numbers of docs/boosting.md.

    python -m benchmarks.noise --splits 100                        the rings and four real sets
    python -m benchmarks.noise --sets ring10 pima --splits 20      some of them
    python -m benchmarks.noise --sets generated --splits 20        the problems on which the preset was chosen

Errors are percentages of clean test examples that are classified wrongly; a fixed number of *training* labels,
the stated share, is flipped. Rings have 50 training and 5,000 test examples, drawn anew in every split; generated
problems 60 or 200 and 2,000; real sets are shuffled and cut 80:20. A split is seeded by the name of the set and
the number of the split, so all classifiers see the same examples, the clean and the flipped version too.

Every error is written to a file (one JSON record per line) as soon as it is known: stop with Ctrl-C whenever you
like, and the same command goes on from there. A row of the table counts the splits that all columns have. Errors of
earlier code stay in the file: take it away, or name another, to measure anew. Not a matter of speed, so
``python -m benchmarks`` does not run it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

N_ROUNDS = 100
FLIPPED = 0.2
GENERATORS = ("yinyang", "leftsin", "twonorm", "concentric_disks")


class Problem(NamedTuple):
    """A row of the table: a set, how many of its examples train, and the share of them with a wrong label."""

    title: str
    name: str
    noise: float
    n_train: int | None = None  # None: four fifths of a real set


RINGS = {f"ring{k}": [Problem(f"ring{k}", "ring", k / 100, 50)] for k in (10, 20, 30, 0)}
REAL = {
    name: [Problem(f"{name}, 20% flipped", name, FLIPPED), Problem(f"{name}, clean", name, 0.0)]
    for name in ("pima", "cleveland", "ionosphere", "wdbc")
}
SETS = {
    **RINGS,
    **REAL,
    "generated": [
        Problem(f"{name} {n}, {'20% flipped' if noise else 'clean'}", name, noise, n)
        for noise in (FLIPPED, 0.0)
        for name in GENERATORS
        for n in (60, 200)
    ],
}
DEFAULT_SETS = (*RINGS, *REAL)


def split(problem, number):
    """Training and test examples: X_train, y_train, X_test, y_test, the labels -1 and +1."""
    from weaklearn import datasets

    rng = np.random.RandomState([zlib.crc32(f"{problem.name} {problem.n_train}".encode()), number])
    if problem.n_train is None:
        data = datasets.load(problem.name)
        order = rng.permutation(len(data.y))
        n_train = round(0.8 * len(order))
        X, y = data.X[order], np.where(data.y == np.unique(data.y)[1], 1, -1)[order]
    else:
        n_train = problem.n_train
        n_test = 5000 if problem.name == "ring" else 2000
        X, y = getattr(datasets, f"make_{problem.name}")(n_train + n_test, random_state=rng)
    y_train = y[:n_train].copy()
    y_train[rng.permutation(n_train)[: round(problem.noise * n_train)]] *= -1
    return X[:n_train], y_train, X[n_train:], y[n_train:]


def classifiers(number):
    """The columns of the table, and what cannot be had."""
    from sklearn.ensemble import AdaBoostClassifier as PeerAdaBoost
    from sklearn.tree import DecisionTreeClassifier

    from weaklearn.boosting import AdaBoostClassifier, NoiseTolerantBoostClassifier
    from weaklearn.stumps import DecisionStump

    found = {
        "AdaBoost": AdaBoostClassifier(DecisionStump(), N_ROUNDS),
        "noise-tolerant": NoiseTolerantBoostClassifier(random_state=number),
        "scikit-learn": PeerAdaBoost(
            DecisionTreeClassifier(max_depth=1), n_estimators=N_ROUNDS, random_state=number
        ),
    }
    try:
        from xgboost import XGBClassifier
    except ImportError:
        return found, ["xgboost"]
    found["xgboost"] = XGBClassifier(max_depth=1, n_estimators=N_ROUNDS, n_jobs=1, random_state=number)
    return found, []


def error(model, X_train, y_train, X_test, y_test):
    """Percent of the test examples that are wrong after training."""
    model.fit(X_train, (y_train + 1) // 2)
    return 100.0 * float(np.mean(model.predict(X_test) != (y_test + 1) // 2))


class Errors:
    """Errors by (problem, classifier, split), and the file that keeps them.

    Parameters
    ----------
    path : Path
        A record per line. A line that a kill left half written is dropped.
    """

    def __init__(self, path):
        self.path = path
        self.found = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        for line in whole.splitlines():
            record = json.loads(line)
            self.found[record["problem"], record["classifier"], record["split"]] = record["error"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if whole != text:
            path.write_text(whole, encoding="utf-8")

    def add(self, problem, classifier, number, value):
        """Keep an error."""
        record = {"problem": problem, "classifier": classifier, "split": number, "error": value}
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")
        self.found[problem, classifier, number] = value

    def rows(self, problem, names, numbers):
        """One row of errors for each split that all of ``names`` have."""
        keys = [[(problem, name, number) for name in names] for number in numbers]
        return np.array(
            [[self.found[key] for key in row] for row in keys if all(k in self.found for k in row)]
        )


def measure(problems, numbers, errors):
    """Find the errors that the file does not have, all problems of a split before the next split."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    names, _ = classifiers(0)
    todo = [
        (number, problem)
        for number in numbers
        for problem in problems
        if any((problem.title, name, number) not in errors.found for name in names)
    ]
    columns = (TextColumn("splits"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        total = len(numbers) * len(problems)
        task = progress.add_task("splits", total=total, completed=total - len(todo))
        for number, problem in todo:
            parts = split(problem, number)
            for name, model in classifiers(number)[0].items():
                if (problem.title, name, number) not in errors.found:
                    errors.add(problem.title, name, number, error(model, *parts))
            progress.advance(task)


def table(problems, numbers, errors, names):
    """The lines of a Markdown table: mean errors, and our preset's paired difference from each of the others."""
    others = [name for name in names if name != "noise-tolerant"]
    header = ["", "splits", "noise-tolerant", *(part for name in others for part in (name, "difference"))]
    yield "| " + " | ".join(header) + " |"
    yield "|---" * len(header) + "|"
    for problem in problems:
        found = errors.rows(problem.title, ["noise-tolerant", *others], numbers)
        if len(found) < 2:
            continue
        cells = [problem.title, str(len(found)), f"{found[:, 0].mean():.2f}"]
        for theirs in found.T[1:]:
            gap = found[:, 0] - theirs
            standard_error = gap.std(ddof=1) / np.sqrt(len(gap))
            cells += [f"{theirs.mean():.2f}", f"{gap.mean():+.2f} ± {standard_error:.2f}"]
        yield "| " + " | ".join(cells) + " |"


def main(arguments=None):
    """Entry point."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--splits", type=int, default=20, help="how many splits of each set")
    parser.add_argument("--first", type=int, default=0, help="the number of the first split")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(DEFAULT_SETS))
    parser.add_argument("--store", type=Path, default=Path("reproduction/noise.jsonl"))
    given = parser.parse_args(arguments)
    if given.splits < 2:
        parser.error(f"--splits must be at least 2, for standard errors; got {given.splits}")
    problems = [problem for name in given.sets for problem in SETS[name]]
    numbers = range(given.first, given.first + given.splits)
    errors = Errors(given.store)
    names, missing = classifiers(0)
    for name in missing:
        print(f"{name} is not installed: its column is left out", file=sys.stderr)
    stopped = False
    try:
        measure(problems, numbers, errors)
    except KeyboardInterrupt:
        stopped = True
        print(f"stopped; what was measured is in {given.store}", file=sys.stderr)
    print("\n".join(table(problems, numbers, errors, names)))
    return 130 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
