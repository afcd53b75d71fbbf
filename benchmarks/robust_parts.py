"""Other stacks and noise models for `RobustClassifier`, measured in seconds: members are fitted once and kept.

    python -m benchmarks.robust_parts --noise clean 20% asymmetric --minutes 8     fit what is missing, then compare
    python -m benchmarks.robust_parts --minutes 0                                  compare what there is

For each table, split and kind of noise, the members' scores of training rows (held out) and of test rows are written
to a folder. A variant is a function from these scores to probabilities of the test rows; add yours to `VARIANTS`.
Differences are paired, their standard errors are over tables. Members are those of the second round, with weights from
the first.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from benchmarks.noisy_tables import ROBUST_DEVELOPMENT, flipped, split
from weaklearn.robust import RobustClassifier
from weaklearn.robust import _stack as stacks
from weaklearn.robust._noise import NoiseLink


class Parts(NamedTuple):
    """What a variant works with: calibrated log-odds (members, rows, classes), given and true codes, names."""

    held_out: np.ndarray
    test: np.ndarray
    codes: np.ndarray
    weight: np.ndarray
    true: np.ndarray
    names: tuple


def fit_parts(table, number, kind, path):
    """Fit the machine to one table and write its parts."""
    X, y, X_test, y_test, random = split(table, number, n_train=(150, 300, 450)[number % 3], n_test=1000)
    given = flipped(X, y, kind, random)
    model = RobustClassifier(random_state=number).fit(X, given)
    known = np.isin(y_test, model.classes_)
    machine = model._machine
    np.savez_compressed(
        path,
        held_out=machine.held_out_members.astype(np.float32),
        test=machine.member_log_odds(X_test[known]).astype(np.float32),
        codes=machine.data.codes,
        weight=model._rows.weight,
        true=np.searchsorted(model.classes_, y_test[known]),
        names=[member.name for member in machine.members],
    )


def read_parts(path):
    with np.load(path) as file:
        held_out, test = file["held_out"].astype(float), file["test"].astype(float)
        return Parts(held_out, test, file["codes"], file["weight"], file["true"], tuple(file["names"]))


def stacked(parts, pull, without=()):
    """Log-odds of training and test rows by a stack with this pull to equal weights, without some members."""
    used = [k for k, name in enumerate(parts.names) if name not in without]
    L, T = parts.held_out[used], parts.test[used]
    v, c = stacks._fit(L, parts.codes, parts.weight, 1 / len(used), pull * len(used))
    return np.tensordot(v, L, 1) + c, np.tensordot(v, T, 1) + c


def linked(parts, pull=stacks._TOWARDS_EQUAL, without=()):
    S, T = stacked(parts, pull, without)
    return NoiseLink(S, parts.codes, parts.weight).class_probability(T)


VARIANTS = {
    "as it is": linked,
    "no noise model": lambda parts: softmax(stacked(parts, stacks._TOWARDS_EQUAL)[1], axis=1),
    "equal weights": lambda parts: linked(parts, 1e6),
    "pull 1": lambda parts: linked(parts, 1.0),
    "no forests": lambda parts: linked(parts, without=("extra trees", "random forest")),
    "no random forest": lambda parts: linked(parts, without=("random forest",)),
}


def measure(P, true):
    """Error in percent and log loss."""
    own = P[np.arange(len(true)), true]
    return 100 * np.mean(P.argmax(axis=1) != true), -np.mean(np.log(np.maximum(own, 1e-6)))


def report(folder, tables, kinds, splits):
    reference = next(iter(VARIANTS))
    for kind in kinds:
        found = {name: [] for name in VARIANTS}
        for table in tables:
            paths = [folder / f"{table}_{number}_{kind}.npz" for number in range(splits)]
            parts = [read_parts(path) for path in paths if path.exists()]
            for name, variant in VARIANTS.items():
                if parts:
                    found[name].append(np.mean([measure(variant(one), one.true) for one in parts], axis=0))
        n = len(found[reference])
        if n < 2:
            continue
        print(f"{kind}, {n} tables: error in %, difference ± s.e.; log loss, difference ± s.e.")
        base = np.array(found[reference])
        for name, values in found.items():
            mean, d = np.mean(values, axis=0), np.array(values) - base
            error = d.std(axis=0, ddof=1) / np.sqrt(n)
            print(
                f"  {name:20s}{mean[0]:7.2f} {d[:, 0].mean():+.2f} ± {error[0]:.2f}"
                f"{mean[1]:9.3f} {d[:, 1].mean():+.3f} ± {error[1]:.3f}"
            )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path("robust_parts"))
    parser.add_argument("--tables", nargs="+", default=list(ROBUST_DEVELOPMENT))
    parser.add_argument("--noise", nargs="+", default=["clean", "20%", "asymmetric"])
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=8)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    stop = time.monotonic() + 60 * options.minutes
    for number in range(options.splits):
        for kind in options.noise:
            for table in options.tables:
                path = options.folder / f"{table}_{number}_{kind}.npz"
                if not path.exists() and time.monotonic() < stop:
                    fit_parts(table, number, kind, path)
    report(options.folder, options.tables, options.noise, options.splits)


if __name__ == "__main__":
    main()
