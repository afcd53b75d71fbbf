"""Curves against the rounds of boosting: cost, error, coefficients."""

import numpy as np

from weaklearn.display._ensembles import name_of, p_norm, signs
from weaklearn.display._style import axes_for, curve_style, finish
from weaklearn.display.palette import COLOURS

__all__ = ["BoostingCurveDisplay", "CoefficientDisplay"]

_LABELS = {"error": "error (%)", "cost": "mean cost"}


class BoostingCurveDisplay:
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
    ax_ : matplotlib axes
    figure_ : matplotlib figure

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
    def from_estimator(
        cls, ensemble, X=None, y=None, *, quantity="error", name=None, ax=None, **line_keywords
    ):
        """The curve on the training set, and with X and y the error on a test set.

        Parameters
        ----------
        ensemble : fitted ensemble
            With ``error_curve_`` or ``cost_curve_``; with ``staged_decision_function`` if X is given.
        X, y : array-like, default=None
            Test examples; only for the error.
        quantity : {"error", "cost"}, default="error"
        name : str, default=None
            Put before the words of the legend; to compare ensembles on the same axes.
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        BoostingCurveDisplay
        """
        if X is not None and quantity != "error":
            raise ValueError('A test set can be given for quantity="error" only.')
        prefix = "" if name is None else f"{name}, "
        recorded = ensemble.error_curve_ if quantity == "error" else ensemble.cost_curve_
        curves = {f"{prefix}training": recorded}
        if X is not None:
            stages = ensemble.staged_decision_function(X)
            curves[f"{prefix}test"] = _errors(signs(y, ensemble.classes_), stages)
        return cls(curves, quantity=quantity).plot(ax, **line_keywords)

    @classmethod
    def from_predictions(cls, y_true, staged_scores, *, name="error", ax=None, **line_keywords):
        """The error of given scores after each round.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Two classes; the larger one is positive.
        staged_scores : iterable of array-like of shape (n_samples,)
            F(x) after each round.
        name : str, default="error"
        ax, **line_keywords
            As for `from_estimator`.

        Returns
        -------
        BoostingCurveDisplay
        """
        errors = _errors(signs(y_true, np.unique(y_true)), staged_scores)
        return cls({name: errors}).plot(ax, **line_keywords)

    def plot(self, ax=None, **line_keywords):
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        self
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        percent = 100 if self.quantity == "error" else 1
        self.lines_ = {}
        for name, curve in self.curves.items():
            rounds = np.arange(1, len(curve) + 1)
            style = {"label": name, **curve_style(self.ax_, line_keywords)}
            (self.lines_[name],) = self.ax_.plot(rounds, percent * curve, **style)
        self.ax_.set(xscale="log", xlabel="rounds", ylabel=_LABELS[self.quantity])
        if self.quantity == "error":
            self.ax_.set_ylim(bottom=0)
        elif all((curve > 0).all() for curve in self.curves.values()):
            self.ax_.set_yscale("log")
        finish(self.ax_)
        return self


def _errors(y, stages):
    """Shares of errors after each round; F(x) = 0 is one."""
    return np.array([np.mean(y * np.asarray(scores) <= 0) for scores in stages])


class CoefficientDisplay:
    """The size of each hypothesis' coefficient against the round that made it, on logarithmic axes.

    Coefficients of 0, which have no place on a logarithmic axis, stand as ticks on the lower edge; negative
    ones are hollow.

    Parameters
    ----------
    coefficients : array-like of shape (n_hypotheses,)
    name : str, default=None
        For the legend.

    Attributes
    ----------
    points_ : matplotlib line
        The positive coefficients.
    negative_points_ : matplotlib line or None
    zero_ticks_ : matplotlib line or None
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, figure 6.5; pratap2008, figures 2.10 and 2.13.

    Examples
    --------
    >>> from weaklearn.display import CoefficientDisplay
    >>> display = CoefficientDisplay([0.5, 0.0, 0.2, -0.1]).plot()
    >>> display.points_.get_xdata()
    array([1, 3])
    """

    def __init__(self, coefficients, *, name=None):
        self.coefficients = np.asarray(coefficients, dtype=np.float64)
        self.name = name

    @classmethod
    def from_estimator(cls, ensemble, *, normalize=True, name=None, ax=None, **point_keywords):
        """The coefficients of an ensemble.

        Parameters
        ----------
        ensemble : fitted ensemble
            With ``estimator_weights_``.
        normalize : bool or float, default=True
            Divide by their 1-norm, not at all (False), or by their p-norm (a number p).
        name : str, default=None
            For the legend; None means the class of the ensemble.
        ax : matplotlib axes, default=None
            None opens a new figure.
        **point_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        CoefficientDisplay
        """
        coefficients = np.asarray(ensemble.estimator_weights_, dtype=np.float64)
        if normalize is not False:
            coefficients = coefficients / p_norm(coefficients, 1.0 if normalize is True else normalize)
        name = name_of(ensemble) if name is None else name
        return cls(coefficients, name=name).plot(ax, **point_keywords)

    def plot(self, ax=None, **point_keywords):
        """Draw the coefficients.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.
        **point_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        self
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        earlier = sum(line.get_gid() == "points" for line in self.ax_.get_lines())
        style = {
            "linestyle": "",
            "marker": ("o", "^", "s", "D")[earlier % 4],
            "markersize": 3.5,
            "markeredgewidth": 0.8,
            "color": COLOURS[earlier % len(COLOURS)],
            **point_keywords,
        }
        rounds = np.arange(1, len(self.coefficients) + 1)
        sizes = np.abs(self.coefficients)
        positive, negative, zero = (
            np.flatnonzero(test) for test in (self.coefficients > 0, self.coefficients < 0, sizes == 0)
        )
        (self.points_,) = self.ax_.plot(
            rounds[positive], sizes[positive], label=self.name, gid="points", **style
        )
        self.negative_points_ = self.zero_ticks_ = None
        if len(negative):
            hollow = {**style, "markerfacecolor": "none", "label": _joined(self.name, "negative")}
            (self.negative_points_,) = self.ax_.plot(rounds[negative], sizes[negative], **hollow)
        if len(zero):
            # Heights in shares of the axes: on the edge whatever the range of the others.
            edge = {
                **style,
                "marker": "|",
                "markersize": 9,
                "label": _joined(self.name, f"zero ({len(zero)})"),
            }
            (self.zero_ticks_,) = self.ax_.plot(
                rounds[zero],
                np.full(len(zero), 0.015 + 0.03 * earlier),
                transform=self.ax_.get_xaxis_transform(),
                **edge,
            )
        self.ax_.set(xscale="log", yscale="log", xlabel="round", ylabel="coefficient")
        finish(self.ax_)
        return self


def _joined(name, word):
    return word if name is None else f"{name}, {word}"
