"""One call from a labelled table to another one like it, with a report on how close it is."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import ks_2samp
from sklearn.base import clone
from sklearn.utils import check_random_state

from weaklearn.cloning._adaboost import AdaBoostCloner
from weaklearn.cloning._cloner import LABELLED_TABLE, gaussian_complexity


@dataclass(frozen=True)
class CloneReport:
    """How close a clone is to its original.

    Attributes
    ----------
    n_original, n_clone : int
    complexity_original, complexity_clone : float
        Support vectors plus errors of a Gaussian SVM, per example, on standardised columns, of at most 500 examples.
    value_distance : float
        The largest difference between the distribution functions of the values (margins or rho-values) in the
        original and in the clone.
    noisy_original, noisy_clone : float
        Shares of examples to which the cloner gives another class.
    class_shares_original, class_shares_clone : dict
    setting : str
        What the cloner was matched to.
    """

    n_original: int
    n_clone: int
    complexity_original: float
    complexity_clone: float
    value_distance: float
    noisy_original: float
    noisy_clone: float
    class_shares_original: dict
    class_shares_clone: dict
    setting: str

    def __str__(self):
        shares = ", ".join(
            f"{label} {100 * share:.1f}% ({100 * self.class_shares_clone[label]:.1f}%)"
            for label, share in self.class_shares_original.items()
        )
        return "\n".join(
            [
                f"clone of {self.n_clone} examples of an original of {self.n_original}; {self.setting}",
                f"complexity {self.complexity_original:.3f} (clone {self.complexity_clone:.3f})",
                f"noisy examples {100 * self.noisy_original:.1f}% (clone {100 * self.noisy_clone:.1f}%)",
                f"distance of the value distributions {self.value_distance:.3f}",
                f"classes: {shares}",
            ]
        )


class Clone(NamedTuple):
    """A cloned data set, how close it is, and the fitted cloner for more of them."""

    X: Any
    y: np.ndarray
    report: CloneReport
    cloner: Any


@LABELLED_TABLE
def clone_dataset(X, y, n_samples=None, *, cloner=None, selection=True, random_state=None):
    """Make a data set like the given one, with other examples.

    Parameters
    ----------
    n_samples : int, default=None
        Size of the clone; None means that of the original.
    cloner : AdaBoostCloner, RhoCloner or None, default=None
        An unfitted cloner; None means ``AdaBoostCloner()``.
    selection : bool, default=True
        Whether the clone gets the original's mix of easy, critical and noisy examples. False labels inputs as drawn.
    random_state : int, RandomState instance or None, default=None
        The same number gives the same clone.

    Returns
    -------
    Clone
        ``X, y, report, cloner``; ``print(report)`` says how close the clone is.

    Examples
    --------
    >>> from weaklearn.cloning import clone_dataset
    >>> from weaklearn.datasets import make_yinyang
    >>> X, y = make_yinyang(200, random_state=0)
    >>> copy = clone_dataset(X, y, random_state=0)
    >>> copy.X.shape, copy.report.value_distance < 0.1
    ((200, 2), True)
    >>> copy.report.class_shares_original == copy.report.class_shares_clone
    True
    """
    rng = check_random_state(random_state)
    cloner = AdaBoostCloner() if cloner is None else clone(cloner)
    if cloner.random_state is None:
        cloner.set_params(random_state=rng.randint(2**31 - 1))
    cloner.fit(X, y)
    X_clone, y_clone = cloner.sample(n_samples, selection=selection, random_state=rng)
    return Clone(X_clone, y_clone, closeness(cloner, X_clone, y_clone), cloner)


def closeness(cloner, X, y):
    """The `CloneReport` of a clone (X, y) that a cloner fitted to the original made."""
    values = cloner.example_values(X, y)
    # As many as the original was measured on: the measure is per example, and falls with their number.
    subset = slice(min(len(y), len(cloner.values_), 500))
    setting = ", ".join(
        f"{name[:-1]} {getattr(cloner, name):g}"
        for name in ("n_estimators_", "noise_")
        if hasattr(cloner, name)
    )
    original = cloner.classes_[cloner._codes]
    return CloneReport(
        n_original=len(original),
        n_clone=len(y),
        complexity_original=cloner.complexity_,
        complexity_clone=gaussian_complexity(cloner._encoded(X)[subset], y[subset]),
        value_distance=float(ks_2samp(cloner.values_, values, method="asymp").statistic),
        noisy_original=float(np.mean(cloner.values_ <= 0)),
        noisy_clone=float(np.mean(values <= 0)),
        class_shares_original=_shares(original, cloner.classes_),
        class_shares_clone=_shares(y, cloner.classes_),
        setting=f"{type(cloner).__name__} matched at {setting}"
        if len(cloner.ladder_) > 1
        else type(cloner).__name__,
    )


def _shares(y, classes):
    return {label: float(np.mean(y == label)) for label in classes.tolist()}
