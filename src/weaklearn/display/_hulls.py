"""The geometry of p-boosting: p-convex hulls, and the cost along one of them."""

from itertools import islice

import numpy as np

from weaklearn.display._ensembles import p_norm, plane, signs
from weaklearn.display._style import axes_for, curve_style, finish
from weaklearn.display.palette import GREY

__all__ = ["LineSearchDisplay", "PConvexHullDisplay"]


class LineSearchDisplay:
    """The cost along the p-convex hull, as strict p-boosting sees it when a hypothesis h comes in.

    ``C(alpha) = sum_i w_i exp(-(m_i + alpha v_i) / (1 + alpha^p)^(1/p))``, where ``m_i = y_i F(x_i)`` are the
    margins so far (coefficients of p-norm 1) and ``v_i = y_i h(x_i)`` the votes. A dot marks the lowest local
    minimum, hollow if it costs more than alpha = 0; a curve without a dot offers no step, and strict
    boosting stops.

    Parameters
    ----------
    margins : array-like of shape (n_samples,), or dict of p to such arrays
        ``y F(x)``; they depend on p if F was scaled by its p-norm.
    votes : array-like of shape (n_samples,)
        ``y h(x)``, +1 or -1.
    p : sequence of float, default=(0.5, 1, 2)
    sample_weight : array-like of shape (n_samples,), default=None
        How often each example counts; None means once.
    alpha : array-like, default=None
        Where to draw, in increasing order; None means from 0 to 2, densely near 0, where curves of p < 1
        are steep.

    Attributes
    ----------
    costs : dict of p to ndarray
        C at each alpha.
    lines_, minima_ : dict of p to matplotlib line
        `minima_` has no entry where the curve has no local minimum between its ends.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, section 4.3.3, equations 4.10 to 4.13 and figure 4.5.

    Examples
    --------
    The example of the source: of ten examples seven are right twice, two right and then wrong, one wrong and
    then right. Only p above 0.66974 has a local minimum.

    >>> from weaklearn.display import LineSearchDisplay
    >>> display = LineSearchDisplay([1, 1, -1], [1, -1, 1], sample_weight=[7, 2, 1]).plot()
    >>> sorted(display.minima_)
    [1.0, 2.0]
    """

    def __init__(self, margins, votes, *, p=(0.5, 1, 2), sample_weight=None, alpha=None):
        self.votes = np.asarray(votes, dtype=np.float64)
        self.p = tuple(np.atleast_1d(p).tolist())
        if not all(value > 0 for value in self.p):
            raise ValueError(f"p must be positive; got {self.p}.")
        self.alpha = 2 * np.linspace(0, 1, 401) ** 2 if alpha is None else np.asarray(alpha, dtype=np.float64)
        weights = (
            np.ones(len(self.votes)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        )
        self.costs = {
            value: line_cost(
                margins[value] if isinstance(margins, dict) else margins,
                self.votes,
                self.alpha,
                value,
                weights,
            )
            for value in self.p
        }

    @classmethod
    def from_estimator(
        cls, ensemble, X, y, *, n_rounds=1, p=(0.5, 1, 2), alpha=None, ax=None, **line_keywords
    ):
        """The line search that follows some rounds of an ensemble, towards its next hypothesis.

        Parameters
        ----------
        ensemble : fitted classifier of two classes
            With ``estimators_`` (trained on the labels -1 and +1), of which more than n_rounds are there,
            and ``estimator_weights_``.
        X : array-like of shape (n_samples, n_features)
            The training set.
        y : array-like of shape (n_samples,)
        n_rounds : int, default=1
        p : sequence of float, default=(0.5, 1, 2)
            For each p the first n_rounds coefficients are scaled to p-norm 1.
        alpha : array-like, default=None
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        LineSearchDisplay
        """
        if not 1 <= n_rounds < len(ensemble.estimators_):
            raise ValueError(
                f"n_rounds must leave a next hypothesis: between 1 and {len(ensemble.estimators_) - 1}; "
                f"got {n_rounds!r}."
            )
        y = signs(y, ensemble.classes_)
        votes = [y * hypothesis.predict(X) for hypothesis in islice(ensemble.estimators_, n_rounds + 1)]
        coefficients = np.asarray(ensemble.estimator_weights_[:n_rounds], dtype=np.float64)
        total = coefficients @ np.array(votes[:-1])
        margins = {value: total / p_norm(coefficients, value) for value in np.atleast_1d(p).tolist()}
        return cls(margins, votes[-1], p=p, alpha=alpha).plot(ax, **line_keywords)

    def plot(self, ax=None, **line_keywords):
        """Draw the costs.

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
        self.lines_, self.minima_ = {}, {}
        for p, cost in self.costs.items():
            style = {"label": f"p = {p:g}", **curve_style(self.ax_, line_keywords)}
            (self.lines_[p],) = self.ax_.plot(self.alpha, cost, **style)
            best = lowest_local_minimum(cost)
            if best is not None:
                colour = self.lines_[p].get_color()
                (self.minima_[p],) = self.ax_.plot(
                    [self.alpha[best]],
                    [cost[best]],
                    "o",
                    markersize=7,
                    color=colour,
                    markerfacecolor=colour if cost[best] < cost[0] else "white",
                )
        self.ax_.set(xlabel=r"step $\alpha$ towards the new hypothesis", ylabel="cost along the hull")
        finish(self.ax_)
        return self


def line_cost(margins, votes, alpha, p, weights):
    """C(alpha) of `LineSearchDisplay` at each alpha >= 0."""
    # (1 + alpha^p)^(1/p) by logarithms: alpha^p and its root overflow for small p.
    with np.errstate(divide="ignore"):
        norm = np.exp(np.logaddexp(0.0, p * np.log(alpha)) / p)
    line = (np.asarray(margins, dtype=np.float64) + alpha[:, None] * votes) / norm[:, None]
    return np.exp(-line) @ weights


def lowest_local_minimum(values):
    """The index of the lowest value with higher ones before and after it, or None."""
    # Higher by more than rounding: for p = 1 examples that do not change sides give an exactly flat cost.
    least_rise = 1e-12 * np.abs(values).max()
    highest_before = np.maximum.accumulate(values)
    highest_after = np.maximum.accumulate(values[::-1])[::-1]
    lower = np.flatnonzero(np.minimum(highest_before, highest_after) - values > least_rise)
    return int(lower[np.argmin(values[lower])]) if len(lower) else None


class PConvexHullDisplay:
    """p-convex hulls of two functions, as curves ``|u|^p + |v|^p = 1`` around the origin.

    Parameters
    ----------
    p : sequence of float, default=(0.5, 1, 2)
        Positive; infinity gives the square. The hulls are nested: a smaller p lies inside a larger one.
    vectors : array-like of shape (2, 2), default=None
        The two functions as points of the plane, one per row; None means (1, 0) and (0, 1).

    Attributes
    ----------
    hulls : dict of p to ndarray of shape (n_points, 2)
        Points on each hull, the first again at the end.
    lines_ : dict of p to matplotlib line
    points_ : matplotlib line
        The functions and their opposites.
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, definition 12 and figure 2.6.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.display import PConvexHullDisplay
    >>> inner, outer = PConvexHullDisplay(p=[0.5, 1]).hulls.values()
    >>> bool(np.allclose(np.sqrt(np.abs(inner)).sum(axis=1), 1)), bool(np.allclose(np.abs(outer).sum(axis=1), 1))
    (True, True)
    """

    def __init__(self, p=(0.5, 1, 2), *, vectors=None):
        self.p = tuple(np.atleast_1d(p).tolist())
        if not all(value > 0 for value in self.p):
            raise ValueError(f"p must be positive; got {self.p}.")
        self.vectors = np.eye(2) if vectors is None else plane(vectors)
        if len(self.vectors) != 2:
            raise ValueError(f"vectors must be two points of the plane; got {len(self.vectors)}.")
        self.hulls = {value: unit_curve(value) @ self.vectors for value in self.p}

    def plot(self, ax=None, **line_keywords):
        """Draw the hulls.

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
        self.ax_ = axes_for(ax, figsize=(5.6, 4.2))
        self.figure_ = self.ax_.figure
        for draw in (self.ax_.axhline, self.ax_.axvline):
            draw(0, color=GREY, linewidth=0.6)
        self.lines_ = {}
        for p, hull in self.hulls.items():
            name = f"p = {p:g}".replace("inf", "∞")
            style = {"label": name, **curve_style(self.ax_, line_keywords)}
            (self.lines_[p],) = self.ax_.plot(*hull.T, **style)
        ends = np.concatenate([self.vectors, -self.vectors])
        (self.points_,) = self.ax_.plot(*ends.T, "o", color="black", markersize=4)
        self.ax_.set(xlabel="$u$", ylabel="$v$")
        self.ax_.set_aspect("equal")
        finish(self.ax_, legend=False)
        # Beside the plot: the outer hulls fill their box.
        self.ax_.legend(
            loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False, handlelength=2.8
        )
        return self


def unit_curve(p, n_quarter=200):
    """Points with ``|u|^p + |v|^p = 1``, once around, the corners among them."""
    # Equal steps of the angle; each direction is then scaled to p-norm 1.
    angle = np.linspace(0, 2 * np.pi, 4 * n_quarter + 1)
    directions = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    directions[np.abs(directions) < 1e-15] = 0.0
    largest = np.abs(directions).max(axis=1, keepdims=True)
    if np.isinf(p):
        return directions / largest
    directions /= largest
    return directions / (np.abs(directions) ** p).sum(axis=1, keepdims=True) ** (1 / p)
