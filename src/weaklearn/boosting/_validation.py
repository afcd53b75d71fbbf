"""Choosing the number of rounds by data that the ensemble was not trained on.

The choice is the first round of least weighted validation error; a margin of exactly 0 is an error.
"""

import numpy as np


def least_error_round(curve, n_iter_no_change=None):
    """The number of rounds to keep: the first minimum before ``n_iter_no_change`` rounds without a lower one.

    >>> least_error_round(np.array([0.4, 0.2, 0.3, 0.3, 0.1]))
    5
    >>> least_error_round(np.array([0.4, 0.2, 0.3, 0.3, 0.1]), n_iter_no_change=2)
    2
    """
    best = 0
    for t, error in enumerate(curve):
        if error < curve[best]:
            best = t
        elif n_iter_no_change is not None and t - best >= n_iter_no_change:
            break
    return best + 1


def split_off(y, share, rng):
    """Rows to train on and rows held out, the same share of each class (but at least one stays in each)."""
    held_out = np.zeros(len(y), dtype=bool)
    for label in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == label))
        held_out[rows[: min(round(share * len(rows)), len(rows) - 1)]] = True
    if not held_out.any():
        raise ValueError(
            f"validation_fraction={share!r} of {len(y)} examples holds out none; ask for a larger share."
        )
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


class HeldOut:
    """Watches a run: the error on held-out examples after each round, in ``errors``."""

    def __init__(self, run, X, y, sample_weight, n_iter_no_change):
        self._scores, self._wrong, self._y = run.tracker(X), run.wrong, y
        self._share = sample_weight / sample_weight.sum()
        self._n_iter_no_change = n_iter_no_change
        self.errors = []

    def __call__(self, hypothesis, stage):
        """Look at a new round; True if the error has not fallen for ``n_iter_no_change`` rounds."""
        self._scores.advance(stage, hypothesis)
        self.errors.append(float(self._share[self._wrong(self._y, self._scores.total)].sum()))
        if self._n_iter_no_change is None:
            return False
        return len(self.errors) - 1 - int(np.argmin(self.errors)) >= self._n_iter_no_change


def fold_curve(fold_run, X, y, sample_weight, n_folds, n_rounds, rng):
    """Mean validation error over stratified folds, after each number of rounds.

    ``fold_run`` makes a finished run from row numbers. A run that ended early stays as it ended.
    """
    fold_of = np.empty(len(y), dtype=np.int64)
    for label in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == label))
        if len(rows) < n_folds:
            raise ValueError(
                f"n_folds={n_folds} needs {n_folds} examples of each class; one has {len(rows)}."
            )
        fold_of[rows] = np.arange(len(rows)) % n_folds
    total = np.zeros(n_rounds)
    for fold in range(n_folds):
        run = fold_run(np.flatnonzero(fold_of != fold))
        rows = np.flatnonzero(fold_of == fold)
        weight = sample_weight[rows]
        last = float(weight.sum())  # without any round every row is an error
        tracker, rounds = run.tracker(X[rows]), run.rounds
        for t, (stage, hypothesis) in enumerate(zip(rounds.stages, rounds.hypotheses, strict=True)):
            tracker.advance(stage, hypothesis)
            last = float(weight[run.wrong(y[rows], tracker.total)].sum())
            total[t] += last
        total[len(rounds.stages) :] += last
    return total / sample_weight.sum()
