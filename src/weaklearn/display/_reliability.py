"""Predicted probabilities against observed frequencies."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, finish
from weaklearn.display.palette import COLOURS, GREY


@documented
class ReliabilityDisplay(Display):
    """Reliability diagram: how often the positive class occurs where it was predicted with a given probability.

    Bins have equal width. A calibrated classifier is on the diagonal, within the error bars of two standard errors.
    Dots grow with the share of rows in their bin.

    Parameters
    ----------
    predicted, observed : array-like of shape (n_bins,)
        Mean predicted probability and share of the positive class in each bin that is not empty.
    counts : array-like of shape (n_bins,)
        Rows in each bin.

    Attributes
    ----------
    expected_calibration_error : float
        The mean over rows of the distance between ``predicted`` and ``observed`` in their bins. Even a perfectly
        calibrated classifier has about 0.01 to 0.02 with 2,000 rows.
    line_ : matplotlib line

    Examples
    --------
    >>> from weaklearn.display import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], n_bins=2)
    >>> display.predicted, display.observed
    (array([0.2, 0.8]), array([0., 1.]))
    >>> round(display.expected_calibration_error, 3)
    0.2
    """

    def __init__(self, predicted, observed, counts, *, name=None):
        self.predicted = np.asarray(predicted, dtype=np.float64)
        self.observed = np.asarray(observed, dtype=np.float64)
        self.counts = np.asarray(counts)
        self.name = name

    @property
    def expected_calibration_error(self):
        gap = np.abs(self.predicted - self.observed)
        return float(self.counts @ gap / self.counts.sum())

    @classmethod
    @documented
    def from_predictions(cls, y_true, probability, *, positive=None, n_bins=10, name=None, ax=None):
        """From labels and probabilities of the positive class.

        Parameters
        ----------
        probability : array-like of shape (n_samples,)
            Of the positive class.
        positive : label, default=None
            The positive class; None means the last of the sorted labels.
        n_bins : int, default=10
            The number of bins between 0 and 1.
        """
        y_true, p = np.asarray(y_true), np.asarray(probability, dtype=np.float64)
        if p.shape != y_true.shape or p.ndim != 1 or len(p) == 0:
            raise ValueError(
                f"one probability of the positive class is needed for each label; got arrays of shape {y_true.shape} "
                f"and {p.shape}."
            )
        if not ((p >= 0) & (p <= 1)).all():
            raise ValueError("probabilities must be between 0 and 1.")
        if not isinstance(n_bins, int | np.integer) or n_bins < 1:
            raise ValueError(f"n_bins must be a positive integer; got {n_bins!r}.")
        occurred = y_true == (np.unique(y_true)[-1] if positive is None else positive)
        bins = np.minimum((p * n_bins).astype(int), n_bins - 1)
        counts = np.bincount(bins, minlength=n_bins)
        kept = counts > 0
        predicted = np.bincount(bins, weights=p, minlength=n_bins)[kept] / counts[kept]
        observed = np.bincount(bins, weights=occurred, minlength=n_bins)[kept] / counts[kept]
        return cls(predicted, observed, counts[kept], name=name).plot(ax)

    @classmethod
    @documented
    def from_estimator(cls, estimator, X, y, *, positive=None, n_bins=10, name=None, ax=None):
        """From a fitted classifier and test rows.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba`` and ``classes_``.
        positive : label, default=None
            The class whose probabilities are shown; None means the last one.
        n_bins : int, default=10
            The number of bins between 0 and 1.
        name : str, default=None
            For the legend; None means the class of the estimator.
        """
        classes = list(estimator.classes_)
        positive = classes[-1] if positive is None else positive
        if positive not in classes:
            raise ValueError(f"positive={positive!r} is not a class; the classes are {classes}.")
        probability = estimator.predict_proba(X)[:, classes.index(positive)]
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, probability, positive=positive, n_bins=n_bins, name=name, ax=ax)

    def _draw(self, ax):
        ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, zorder=0.5)
        used = len([line for line in ax.get_lines() if line.get_marker() == "."])
        colour = COLOURS[used % len(COLOURS)]
        label = f"{self.name + ': ' if self.name else ''}ECE {self.expected_calibration_error:.3f}"
        (self.line_,) = ax.plot(self.predicted, self.observed, ".-", color=colour, label=label)
        # The spread of a share is that of the predicted probability: it is not 0 where all or none occurred.
        error = 2 * np.sqrt(self.predicted * (1 - self.predicted) / self.counts)
        ax.errorbar(self.predicted, self.observed, error, fmt="none", color=colour, linewidth=0.9)
        size = 10 + 150 * self.counts / self.counts.sum()
        ax.scatter(self.predicted, self.observed, size, color=colour, alpha=0.5, linewidth=0)
        ax.set(xlabel="predicted probability", ylabel="observed frequency")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        finish(ax)
