"""Plots of boosting: the distribution of margins, and errors and costs against rounds.

Any ensemble of two classes works that has ``decision_function`` and ``classes_``, ``estimator_weights_`` where margins
are normalised, and the curves that are drawn. Displays are below the learners in the package and import none.
"""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, curve_style, finish
from weaklearn.display.palette import GREY

_LABELS = {"error": "error (%)", "cost": "mean cost"}


def signs(y, classes):
    """+1.0 for classes[1] and -1.0 for classes[0]."""
    y, classes = np.asarray(y), np.asarray(classes)
    if len(classes) != 2:
        raise ValueError(f"This display needs two classes; got {len(classes)}: {classes.tolist()}.")
    if not np.isin(y, classes).all():
        raise ValueError(f"y holds labels other than {classes.tolist()}.")
    return np.where(y == classes[1], 1.0, -1.0)


def _p_norm(coefficients, p):
    """``(sum |alpha|^p)^(1/p)``, or 1 for an ensemble without votes."""
    if isinstance(p, str) or not p > 0:
        raise ValueError(f"normalize must be True, False or a number p > 0; got {p!r}.")
    sizes = np.abs(np.asarray(coefficients, dtype=np.float64))
    largest = sizes.max(initial=0.0)
    return largest * ((sizes / largest) ** p).sum() ** (1 / p) if largest > 0 else 1.0


@documented
class MarginDisplay(Display):
    """The cumulative distribution of margins: the share of examples with a margin of at most t.

    The height of the curve at 0, where a thin line stands, is the error. Draw several ensembles on the same
    axes to compare them: a curve that lies below another everywhere dominates it.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        In any order.

    Attributes
    ----------
    margins : ndarray of shape (n_samples,)
        Sorted.
    cumulated : ndarray of shape (n_samples,)
        The share of examples up to each of them.
    line_ : matplotlib line
    zero_line_ : matplotlib line or None
        None if the axes had one already.

    References
    ----------
    - barnes1999, figure 3.6 (b); pratap2008, figures 2.9, 2.12 and 2.23 to 2.28.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> from weaklearn.display import MarginDisplay
    >>> X, y = make_ring(100, random_state=0)
    >>> display = MarginDisplay.from_estimator(AdaBoostClassifier(n_estimators=50).fit(X, y), X, y)
    >>> display.cumulated[[0, -1]]
    array([0.01, 1.  ])
    """

    def __init__(self, margins, *, name=None):
        self.margins = np.sort(np.asarray(margins, dtype=np.float64))
        self.cumulated = np.arange(1, len(self.margins) + 1) / len(self.margins)
        self.name = name

    @classmethod
    @documented
    def from_estimator(cls, ensemble, X, y, *, normalize=True, name=None, ax=None, **line_keywords):
        """Margins of an ensemble on labelled examples; further keywords are for matplotlib's ``step``.

        Parameters
        ----------
        ensemble : fitted classifier of two classes
        normalize : bool or float, default=True
            Divide by the 1-norm of the coefficients, not at all (False), or by their p-norm (a number p).
        name : str, default=None
            For the legend; None means the class of the ensemble.
        """
        norm = 1.0
        if normalize is not False:
            norm = _p_norm(ensemble.estimator_weights_, 1.0 if normalize is True else normalize)
        margins = signs(y, ensemble.classes_) * ensemble.decision_function(X) / norm
        name = type(ensemble).__name__.removesuffix("Classifier") if name is None else name
        return cls(margins, name=name).plot(ax, **line_keywords)

    @classmethod
    @documented
    def from_predictions(cls, y_true, scores, *, name=None, ax=None, **line_keywords):
        """Margins from labels and scores; further keywords are for matplotlib's ``step``.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Two classes; the larger one is positive.
        scores : array-like of shape (n_samples,)
            F(x), normalised or not.
        """
        margins = signs(y_true, np.unique(y_true)) * np.asarray(scores, dtype=np.float64)
        return cls(margins, name=name).plot(ax, **line_keywords)

    def _draw(self, ax, **line_keywords):
        self.zero_line_ = None
        if not any(line.get_gid() == "zero" for line in ax.get_lines()):
            self.zero_line_ = ax.axvline(0, color=GREY, linewidth=0.8, gid="zero")
        # From 0 at the first margin: the jump there belongs to the plot.
        x = np.concatenate([self.margins[:1], self.margins])
        y = np.concatenate([[0.0], self.cumulated])
        style = {"label": self.name, **curve_style(ax, line_keywords)}
        (self.line_,) = ax.step(x, y, where="post", **style)
        ax.set(xlabel="margin", ylabel="share of examples with at most this margin", ylim=(-0.02, 1.02))
        finish(ax)


@documented
class BoostingCurveDisplay(Display):
    """Cost or error of an ensemble after each round, the rounds on a logarithmic axis.

    Costs have a logarithmic axis too, unless some are not positive.

    Parameters
    ----------
    curves : dict of str to array-like of shape (n_rounds,)
        Names for the legend, and the values after rounds 1, 2, ...; errors as shares.
    quantity : {"error", "cost"}, default="error"

    Attributes
    ----------
    lines_ : dict of str to matplotlib line

    References
    ----------
    - barnes1999, figures 3.7, 6.4 and 6.5; li2006, figure 3.1; pratap2008, figures 2.1 to 2.7.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> from weaklearn.display import BoostingCurveDisplay
    >>> X, y = make_ring(100, noise=0.1, random_state=0)
    >>> model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> X_test, y_test = make_ring(1000, random_state=1)
    >>> display = BoostingCurveDisplay.from_estimator(model, X_test, y_test)
    >>> sorted(display.lines_)
    ['test', 'training']
    """

    def __init__(self, curves, *, quantity="error"):
        if quantity not in _LABELS:
            raise ValueError(f"quantity must be one of {sorted(_LABELS)}; got {quantity!r}.")
        self.curves = {name: np.asarray(curve, dtype=np.float64) for name, curve in curves.items()}
        self.quantity = quantity

    @classmethod
    @documented
    def from_estimator(
        cls, ensemble, X=None, y=None, *, quantity="error", name=None, ax=None, **line_keywords
    ):
        """The curve on the training set, and with X and y the error on a test set.

        Further keywords are for matplotlib's ``plot``.

        Parameters
        ----------
        ensemble : fitted ensemble
            With ``error_curve_`` or ``cost_curve_``; with ``staged_decision_function`` if X is given.
        X, y : array-like, default=None
            Test examples; only for the error.
        quantity : {"error", "cost"}, default="error"
        name : str, default=None
            Put before the words of the legend; to compare ensembles on the same axes.
        """
        if X is not None and quantity != "error":
            raise ValueError('A test set can be given for quantity="error" only.')
        prefix = "" if name is None else f"{name}, "
        recorded = ensemble.error_curve_ if quantity == "error" else ensemble.cost_curve_
        curves = {f"{prefix}training": recorded}
        if X is not None:
            sides = signs(y, ensemble.classes_)
            # A score of exactly 0 is an error.
            stages = ensemble.staged_decision_function(X)
            curves[f"{prefix}test"] = [np.mean(sides * scores <= 0) for scores in stages]
        return cls(curves, quantity=quantity).plot(ax, **line_keywords)

    def _draw(self, ax, **line_keywords):
        percent = 100 if self.quantity == "error" else 1
        self.lines_ = {}
        for name, curve in self.curves.items():
            rounds = np.arange(1, len(curve) + 1)
            style = {"label": name, **curve_style(ax, line_keywords)}
            (self.lines_[name],) = ax.plot(rounds, percent * curve, **style)
        ax.set(xscale="log", xlabel="rounds", ylabel=_LABELS[self.quantity])
        if self.quantity == "error":
            ax.set_ylim(bottom=0)
        elif all((curve > 0).all() for curve in self.curves.values()):
            ax.set_yscale("log")
        finish(ax)
