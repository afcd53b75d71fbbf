"""The 0/1 minimiser on the data sets of li2005: training error, test error, test error with wrong labels.

Trials are those of the lab's experiment ``zero_one_frontier``, kept in a store: a run that was stopped goes on where it
was, a longer one adds splits, and ``weaklearn reproduce zero_one_frontier --store FILE`` shares it. All differences are
paired: every algorithm sees the same splits and the same wrong labels.
"""

import sys

import numpy as np

from weaklearn.lab import Experiment, Profile, Store, Trial, make_plan, run_plan
from weaklearn.lab._progress import observer_for
from weaklearn.studies.own.zero_one_frontier import EXPERIMENT

OURS, MINIMUM = "0/1, noise=auto", "0/1"


def errors(number, columns, n_splits, store):
    """Run a table of the experiment: {column: array (n_sets, n_splits)} in percent, and the names of the sets.

    Only splits that every column has are returned, so that a run that was stopped gives a smaller table.
    """
    table = next(t for t in EXPERIMENT.tables if t.number == number)
    wanted = [c for c in table.columns if columns is None or c.name in columns]
    part = Experiment(
        name=EXPERIMENT.name,
        source=EXPERIMENT.source,
        title=table.title,
        tables=(table,),
        profiles={"all": Profile(n_trials=n_splits, columns=tuple(c.name for c in wanted))},
    )
    run_plan(make_plan([part], "all"), store, workers=1, observer=observer_for(sys.stderr))
    found = np.full((len(wanted), len(table.rows), n_splits), np.nan)
    for j, column in enumerate(wanted):
        for i, row in enumerate(table.rows):
            trials = Trial.series(table.protocol, row, column.algorithm, n_splits)
            results = store.results([trial.key for trial in trials])
            for k, trial in enumerate(trials):
                if trial.key in results:
                    found[j, i, k] = results[trial.key][table.metric]
    found = found[:, :, np.isfinite(found).all(axis=(0, 1))]
    return {c.name: found[j] for j, c in enumerate(wanted)}, [row.label for row in table.rows]


def _print_means(found, names):
    n_splits = next(iter(found.values())).shape[1]
    print(f"mean error in percent, {n_splits} splits")
    print(f"{'':24s}" + " ".join(f"{name[:10]:>11s}" for name in names))
    for label, values in found.items():
        print(f"{label:24s}" + " ".join(f"{mean:11.1f}" for mean in values.mean(axis=1)))


def _print_differences(found, ours, peers):
    for peer in peers:
        difference = found[ours] - found[peer]
        spread = difference.std(axis=1, ddof=1) / np.sqrt(difference.shape[1])
        cells = (f"{m:+.2f} ({s:.2f})" for m, s in zip(difference.mean(axis=1), spread, strict=True))
        print(f"{'minus ' + peer:24s}" + " ".join(f"{cell:>11s}" for cell in cells))


def training(n_splits, store):
    """Table 2: on how many splits did anything have a smaller training error than the 0/1 minimiser?"""
    found, names = errors("2", None, n_splits, store)
    _print_means(found, names)
    for peer in (name for name in found if name != MINIMUM):
        beaten = (found[peer] < found[MINIMUM] - 1e-9).sum()
        print(
            f"{peer}: smaller training error than the 0/1 minimiser on {beaten} of {found[peer].size} splits"
        )


def test(n_splits, store):
    """Table 3: the regularised classifier against averaged perceptron and linear SVM."""
    columns = (OURS, MINIMUM, "averaged perceptron", "linear SVM", "logistic")
    found, names = errors("3", columns, n_splits, store)
    _print_means(found, names)
    peers = ("averaged perceptron", "linear SVM")
    _print_differences(found, OURS, peers)
    worst = np.max([(found[OURS] - found[peer]).mean(axis=1) for peer in peers], axis=0)
    print(f"worse than one of the two by more than 0.3 points on {(worst > 0.3).sum()} of {len(worst)} sets")
    print(f"better than both by at least 0.5 points on {(worst <= -0.5).sum()} of {len(worst)} sets")


def flips(n_splits, store, number="4"):
    """Table 4: a fifth of the training labels flipped, in the half that lies farther from the boundary."""
    found, names = errors(number, (OURS, "linear SVM", "logistic"), n_splits, store)
    _print_means(found, names)
    peers = ("logistic", "linear SVM")
    _print_differences(found, OURS, peers)
    worst = np.max([(found[OURS] - found[peer]).mean(axis=1) for peer in peers], axis=0)
    print(f"better than both on {(worst < 0).sum()} of {len(worst)} sets")


def blocks(n_splits, store):
    """Table 5: the farthest fifth flipped, a block of examples that agree on the wrong label."""
    flips(n_splits, store, "5")


def run_part(name, n_splits, path):
    with Store(path) as store:
        {"training": training, "test": test, "flips": flips, "blocks": blocks}[name](n_splits, store)
