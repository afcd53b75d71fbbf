"""Does `weaklearn.compare` choose well? Its recommendation against that of plain 10-fold cross-validation.

``python -m benchmarks.compare collect FOLDER [light]`` fits every default classifier to ten training parts and to the
whole of many small tables (held-out rows give the true errors) and keeps what each row cost, a file for each table;
files that are there are not made again. ``light`` leaves three classifiers out that take two thirds of the time.
``python -m benchmarks.compare choose FOLDER`` lets `compare` race over these fits and prints the true regret of both,
for the classifiers that all tables have, and for all classifiers on the tables that have all.

`STUDY` is what the prior of `compare` was fitted to (``python -m benchmarks.compare prior FOLDER``); nothing was
chosen on `REPORT`. Generated tables have 80 to 250 rows, and every third or so has 10 or 20% wrong labels in training.
"""

import sys
import time
import warnings
import zlib
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from benchmarks import noisy_tables, packaged_tables
from weaklearn import datasets
from weaklearn.comparison._compare import _Race
from weaklearn.comparison._fits import Judged, given_probability
from weaklearn.comparison._models import default_models
from weaklearn.engines import Outcome
from weaklearn.tables import TableEncoder

N_FOLDS = 10
_N_TEST = 3000
_ENGINES = ("network", "svm", "rbf", "tree", "polynomial", "prototypes")
_NAMED = ("twonorm", "ringnorm", "threenorm", "yinyang")
_KINDS = (*noisy_tables.GENERATED, *_NAMED, *_ENGINES)
STUDY = (
    *("pima", "german", "yeast1", "contraceptive", "medical costs", "red wine"),
    *("vehicle", "bikes", "segment", "page-blocks0", "mortgage", "saheart"),
    *(f"generated-{k}" for k in range(1000, 1030)),
)
_REAL = (
    *("australian", "breast", "wdbc", "mammographic", "laser", "quake", "white wine", "satimage", "puma32h"),
    *("compactiv", "wizmir", "vowel0", "car", "flare-F", "ele_1", "votes84_all", "shuttle-c0-vs-c4"),
    *("abalone9-18", "autoMPG6", "ionosphere"),
)
# Five generated tables after each real one, so that a run that is cut short has both.
REPORT = tuple(
    name for k, real in enumerate(_REAL) for name in (real, *(f"generated-{5 * k + j}" for j in range(5)))
)
# What ``light`` leaves out: two thirds of the time.
DEAR = ("stacked ensemble", "noise-tolerant boosting", "AdaBoost.ECC of stumps")
_MEDIANS = ("puma32h", "compactiv", "wizmir", "mortgage", *packaged_tables._REGRESSION)


def table(name):
    """X_train, y_train (as given), X_test, y_test (true)."""
    rng = np.random.RandomState(zlib.crc32(name.encode()))
    n, noise = rng.choice([80, 150, 250]), rng.choice(["clean", "clean", "10%", "20%"])
    if name.startswith("generated"):
        kind = _KINDS[rng.randint(len(_KINDS))]
        X, y = _generated(kind, n + _N_TEST, rng)
    else:
        X, y = _real(name)
        order = rng.permutation(len(y))
        n = min(n, len(y) // 3)
        X, y = X[order], y[order]
    y = np.unique(y, return_inverse=True)[1]
    given = noisy_tables.flipped(X[:n], y[:n], noise if name.startswith("generated") else "clean", rng)
    # A class of one or two rows cannot be in every training part.
    few = np.isin(given, np.flatnonzero(np.bincount(given) < 3))
    return X[:n][~few], given[~few], X[n : n + _N_TEST], y[n : n + _N_TEST]


def _generated(kind, n, rng):
    if kind in noisy_tables.GENERATED:
        return noisy_tables.GENERATED[kind](n, rng)
    if kind in _NAMED:
        return getattr(datasets, f"make_{kind}")(n, random_state=rng)
    engine = datasets.DataEngine(
        int(rng.choice([2, 4, 8])),
        family=kind,
        complexity=float(rng.choice([2, 4, 8])),
        seed=rng.randint(10**6),
    )
    return engine.sample(n, random_state=rng)


def _real(name):
    if name in {record.name for record in datasets.available()}:
        data = datasets.load(name)
        return np.asarray(data.X, dtype=float), data.y
    return packaged_tables.load_packaged(name, median=name in _MEDIANS)


def collect(folder, names, *, folds_too=True, without=()):
    """Fit and keep: wrong and log loss for each classifier and row, true errors, seconds for each fit.

    Without ``folds_too`` the true errors alone; classifiers named in ``without`` are left out (NaN).
    """
    folder.mkdir(exist_ok=True)
    for name in names:
        path = folder / f"{name}.npz"
        if path.exists():
            continue
        started = time.process_time()
        X, y, X_test, y_test = table(name)
        models = default_models(len(np.unique(y)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            folds = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(X, y))
            fold = np.empty(len(y), dtype=int)
            for k, (_, test) in enumerate(folds):
                fold[test] = k
            wrong, loss = np.zeros((len(models), len(y))), np.full((len(models), len(y)), np.nan)
            seconds, truth = np.zeros((len(models), N_FOLDS)), np.zeros(len(models))
            for m, (title, _, estimator) in enumerate(models):
                if title in without:
                    wrong[m], truth[m] = np.nan, np.nan
                    continue
                model = make_pipeline(TableEncoder(), estimator)
                for k, (train, test) in enumerate(folds if folds_too else []):
                    begun = time.process_time()
                    fitted = clone(model).fit(X[train], y[train])
                    wrong[m, test] = fitted.predict(X[test]) != y[test]
                    probability = given_probability(fitted, X[test])
                    if probability is not None:
                        place = np.searchsorted(fitted.classes_, y[test])
                        loss[m, test] = -np.log(np.clip(probability[np.arange(len(test)), place], 1e-6, 1))
                    seconds[m, k] = time.process_time() - begun
                truth[m] = np.mean(clone(model).fit(X, y).predict(X_test) != y_test)
        np.savez(
            path,
            fold=fold,
            wrong=wrong,
            loss=loss,
            seconds=seconds,
            truth=truth,
            n=len(y),
            shape=X.shape,
            names=[m for m, _, _ in models],
            n_test=len(y_test),
            n_classes=len(np.unique(y)),
        )
        print(
            f"{name}: {len(y)} rows, {X.shape[1]} columns, {time.process_time() - started:.0f} s", flush=True
        )


class Recorded:
    """An engine whose fits were made by `collect`."""

    def __init__(self, kept, models):
        self.kept, self.models = kept, models

    def run(self, function, tasks, *, shared):
        """The outcomes of the tasks."""
        for index, task in enumerate(tasks):
            m, rows = self.models[task.model], self.kept["fold"] == task.split
            seconds = float(self.kept["seconds"][m, task.split])
            yield Outcome(
                index, Judged(self.kept["wrong"][m, rows], self.kept["loss"][m, rows], np.nan, seconds)
            )


def choose(folder):
    """Print true and stated regret, in points, and the CPU time of the folds."""
    files = {name: folder / f"{name}.npz" for name in REPORT}
    tables = {name: dict(np.load(path)) for name, path in files.items() if path.exists()}
    full = {name: kept for name, kept in tables.items() if not np.isnan(kept["truth"]).any()}
    light = [m for m, (name, _, _) in enumerate(default_models(2)) if name not in DEAR]
    for title, chosen, models in (("light", tables, light), ("all", full, list(range(9)))):
        for kind in ("generated", "real", ""):
            found = [
                _regrets(kept, models)
                for name, kept in chosen.items()
                if not kind or name.startswith("generated") == (kind == "generated")
            ]
            _print_regrets(f"{title}, {kind or 'all tables'}", np.array(found))


def _regrets(kept, models):
    """True regret by cross-validation and by `compare`; the stated one and its bound; seconds of both."""
    names = [name for name, _, _ in default_models(int(kept["n_classes"]))]
    truth, loss = kept["truth"][models], kept["loss"][models].mean(axis=1)
    error = kept["wrong"][models].mean(axis=1)
    plain = int(np.lexsort((np.nan_to_num(loss, nan=np.inf), error))[0])
    race = _Race([names[m] for m in models], int(kept["n"]), N_FOLDS, 1, None)
    race.run(None, Recorded(kept, models))
    results, stated, most = race.results([False] * len(models))
    ours = [names[m] for m in models].index(results[0].name)
    seconds = kept["seconds"][models]
    raced = sum(seconds[m, : len(parts)].sum() for m, parts in race.judged.items())
    return truth[plain] - truth.min(), truth[ours] - truth.min(), stated, most, seconds.sum(), raced


def _print_regrets(title, found):
    if len(found) < 2:
        return
    plain, ours, stated, most, full, raced = found.T
    difference = 100 * (ours - plain)
    error = difference.std(ddof=1) / np.sqrt(len(found))
    print(
        f"{title}: {len(found)} tables; regret of 10-fold cross-validation {100 * plain.mean():.2f}, of compare "
        f"{100 * ours.mean():.2f}, difference {difference.mean():+.2f} +- {error:.2f}; stated {100 * stated.mean():.2f}"
        f", below the stated bound on {np.mean(ours <= most):.0%}; CPU {full.mean():.1f} s and {raced.mean():.1f} s"
    )


def prior(folder):
    """Print what `weaklearn.comparison._choice` knows before: real tables count half, generated ones half."""
    rows, weights = [], []
    for name in STUDY:
        with np.load(folder / f"{name}.npz") as kept:
            truth = kept["truth"][:-1]
        u = max(truth.min(), 0.005)
        rows.append((truth - truth.mean()) / np.sqrt(u * (1 - u)))
        weights.append(name.startswith("generated"))
    weights = np.where(weights, 0.5 / sum(weights), 0.5 / (len(weights) - sum(weights)))
    mean = weights @ np.array(rows)
    covariance = np.cov(np.transpose(rows), aweights=weights)
    print(np.array2string(mean, separator=", ", precision=2))
    print(np.array2string(covariance, separator=", ", precision=3, suppress_small=True, max_line_width=110))


if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what == "collect":
        collect(folder, STUDY, folds_too=False)
        collect(folder, REPORT, without=DEAR if "light" in sys.argv else ())
    else:
        {"prior": prior, "choose": choose}[what](folder)
