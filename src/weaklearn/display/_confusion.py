"""Confusion of classes, in one run or over several.

Conventions: shares are means over runs, deviations are those of single runs around them (their squares divided by the
number of runs, as in may2020). A class without examples, or without errors where the errors are divided up, counts as
a row of zeros.
"""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, finish

_WHOLES = {"class": "share of the true class (%)", "errors": "share of the errors on the true class (%)"}
_MOST_CLASSES_WITH_NUMBERS = 12


@documented
class ClassConfusionDisplay(Display):
    """Which classes are taken for which: for each true class (row) the shares of the predictions (columns).

    Parameters
    ----------
    shares : array-like of shape (n_classes, n_classes)
        Rows sum to 1, or are 0 for classes without examples.
    classes : sequence
    deviations : array-like of shape (n_classes, n_classes), default=None
        How far the shares of single runs are from their mean; None for a single run.
    of : {"class", "errors"}, default="class"
        What a row is divided by: all examples of the true class, or those that are wrong. The first tells how
        often a class is taken for another one, the second what it is taken for when it is wrong.

    Attributes
    ----------
    image_ : matplotlib image
        Correct predictions are left out, so that the colours tell the errors apart.
    text_ : dict of (int, int) to matplotlib text
        The numbers in the cells; empty with more than 12 classes.

    References
    ----------
    - may2020, table 5.

    Examples
    --------
    Two runs; when "a" is wrong, it is mostly taken for "b":

    >>> from weaklearn.display import ClassConfusionDisplay
    >>> true, predicted = ["a", "a", "b", "c"], [["b", "c", "b", "c"], ["b", "b", "b", "b"]]
    >>> runs = ClassConfusionDisplay.from_runs([true, true], predicted, of="errors")
    >>> runs.shares
    array([[0.  , 0.75, 0.25],
           [0.  , 0.  , 0.  ],
           [0.  , 0.5 , 0.  ]])
    >>> runs.deviations[0]
    array([0.  , 0.25, 0.25])
    """

    def __init__(self, shares, classes, *, deviations=None, of="class"):
        if of not in _WHOLES:
            raise ValueError(f"of must be one of {sorted(_WHOLES)}; got {of!r}.")
        self.shares = np.asarray(shares, dtype=np.float64)
        self.classes = np.asarray(classes)
        self.deviations = None if deviations is None else np.asarray(deviations, dtype=np.float64)
        self.of = of
        side = max(4.2, 0.52 * min(len(self.classes), _MOST_CLASSES_WITH_NUMBERS))
        self._size = side + 0.9, side

    @classmethod
    @documented
    def from_estimator(cls, model, X, y, *, of="class", ax=None):
        """Confusion of a fitted classifier on labelled examples.

        Parameters
        ----------
        model : fitted classifier
        of : {"class", "errors"}, default="class"
            What a row is divided by.
        """
        return cls.from_predictions(y, model.predict(X), of=of, ax=ax)

    @classmethod
    @documented
    def from_predictions(cls, y_true, y_pred, *, of="class", ax=None):
        """Confusion of given predictions.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,)
        of : {"class", "errors"}, default="class"
            What a row is divided by.
        """
        return cls.from_runs([y_true], [y_pred], of=of, ax=ax)

    @classmethod
    @documented
    def from_runs(cls, y_true, y_pred, *, of="class", ax=None):
        """Mean and spread of the confusion over runs.

        Parameters
        ----------
        y_true, y_pred : sequence of array-like of shape (n_samples,)
            Labels and predictions of each run; runs may have test sets of different sizes.
        of : {"class", "errors"}, default="class"
            What a row is divided by.
        """
        from sklearn.metrics import confusion_matrix  # a second to import, for this display alone

        runs = [(np.asarray(t), np.asarray(p)) for t, p in zip(y_true, y_pred, strict=True)]
        if not runs:
            raise ValueError("There are no runs to show.")
        classes = np.unique(np.concatenate([labels for run in runs for labels in run]))
        counts = np.array([confusion_matrix(t, p, labels=classes) for t, p in runs])
        if of == "errors":
            counts[:, range(len(classes)), range(len(classes))] = 0
        shares = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)
        deviations = shares.std(axis=0) if len(runs) > 1 else None
        return cls(shares.mean(axis=0), classes, deviations=deviations, of=of).plot(ax)

    def _draw(self, ax):
        n_classes = len(self.classes)
        errors = 100 * self.shares
        np.fill_diagonal(errors, np.nan)
        self.image_ = ax.imshow(errors, cmap="Blues", vmin=0)
        self.text_ = {}
        if n_classes <= _MOST_CLASSES_WITH_NUMBERS:
            self._write(ax, errors)
        ticks = range(n_classes), [str(name) for name in self.classes]
        ax.set_xticks(*ticks)
        ax.set_yticks(*ticks)
        ax.set(xlabel="predicted", ylabel="true")
        ax.figure.colorbar(self.image_, ax=ax, label=_WHOLES[self.of], shrink=0.8)
        finish(ax, legend=False, grid=False)

    def _write(self, ax, errors):
        """Put the shares, and the deviations below them, into the cells."""
        decimals = 1 if self.of == "class" else 0
        dark = 0.6 * np.nanmax(errors, initial=0)
        for i, j in np.argwhere(errors > 0).tolist():
            text = f"{errors[i, j]:.{decimals}f}"
            if self.deviations is not None:
                text += f"\n±{100 * self.deviations[i, j]:.{decimals}f}"
            colour = "white" if errors[i, j] > dark else "black"
            self.text_[i, j] = ax.text(j, i, text, ha="center", va="center", fontsize=7, color=colour)
