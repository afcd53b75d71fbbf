"""Plots of two-dimensional data: the decision boundary, and the weights that boosting gives to examples."""

import numpy as np

from weaklearn.display._ensembles import cost_of, cost_weights, norm_of, plane, scores_after, signs
from weaklearn.display._style import axes_for, finish
from weaklearn.display.palette import CLASS_COLOURS, CLASS_MARKERS, TINTS, WHITE

__all__ = ["BoundaryDisplay", "SampleWeightDisplay"]


class BoundaryDisplay:
    """The scores F(x) over a part of the plane as shades, and the boundary F = 0 as a line.

    Examples, if given, are marked by class; those on the wrong side are ringed.

    Parameters
    ----------
    x0, x1 : array-like of shape (n0,) and (n1,)
        The coordinates of the grid.
    scores : array-like of shape (n1, n0)
        F at (x0[j], x1[i]).
    X : array-like of shape (n_samples, 2), default=None
        Examples.
    y : array-like of shape (n_samples,), default=None
        Their labels.
    classes : array-like of shape (2,), default=None
        The negative and the positive class; None means those in y.
    margins : array-like of shape (n_samples,), default=None
        ``y F(x)`` of the examples; those <= 0 are wrong.

    Attributes
    ----------
    mesh_ : matplotlib QuadMesh
    boundary_ : matplotlib contour set or None
        None if F has one sign on the whole grid.
    points_ : dict of label to matplotlib collection
    errors_ : matplotlib collection or None
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, figures 2.2 and A.1.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> from weaklearn.display import BoundaryDisplay
    >>> X, y = make_ring(100, random_state=0)
    >>> model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> display = BoundaryDisplay.from_estimator(model, X, y, resolution=40)
    >>> display.scores.shape
    (40, 40)
    """

    def __init__(self, x0, x1, scores, *, X=None, y=None, classes=None, margins=None):
        self.x0, self.x1 = np.asarray(x0, dtype=np.float64), np.asarray(x1, dtype=np.float64)
        self.scores = np.asarray(scores, dtype=np.float64)
        if self.scores.shape != (len(self.x1), len(self.x0)):
            raise ValueError(
                f"scores must have the shape (len(x1), len(x0)) = {(len(self.x1), len(self.x0))}; "
                f"got {self.scores.shape}."
            )
        self.X = None if X is None else plane(X)
        self.y = None if y is None else np.asarray(y)
        self.classes = np.unique(y) if classes is None and y is not None else classes
        self.margins = None if margins is None else np.asarray(margins, dtype=np.float64)

    @classmethod
    def from_estimator(
        cls, model, X, y=None, *, n_rounds=None, normalize=False, resolution=200, padding=0.05, ax=None
    ):
        """The scores of a classifier around the points X.

        Parameters
        ----------
        model : fitted classifier of two classes
            With ``decision_function``.
        X : array-like of shape (n_samples, 2)
            The grid covers their range. They are drawn if y is given.
        y : array-like of shape (n_samples,), default=None
        n_rounds : int, default=None
            Draw the ensemble after this many rounds (needs ``staged_decision_function``).
        normalize : bool or float, default=False
            Divide the scores by the 1-norm of all coefficients (True) or by their p-norm (a number p).
        resolution : int, default=200
            Grid points along each axis.
        padding : float, default=0.05
            How far the grid goes beyond X, as a share of its range.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        BoundaryDisplay
        """
        points = plane(X)
        x0, x1 = grid(points, resolution, padding)
        norm = norm_of(model, normalize)
        scores = grid_scores(model, x0, x1, n_rounds) / norm
        margins = None
        if y is not None:
            margins = signs(y, model.classes_) * scores_after(model, points, n_rounds) / norm
        shown = points if y is not None else None
        display = cls(x0, x1, scores, X=shown, y=y, classes=model.classes_, margins=margins)
        return display.plot(ax)

    @classmethod
    def from_predictions(cls, x0, x1, scores, *, ax=None):
        """Scores on a grid.

        Parameters
        ----------
        x0, x1 : array-like of shape (n0,) and (n1,)
        scores : array-like of shape (n1, n0)
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        BoundaryDisplay
        """
        return cls(x0, x1, scores).plot(ax)

    def plot(self, ax=None):
        """Draw the shades, the boundary and the examples.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        self
        """
        from matplotlib.colors import LinearSegmentedColormap

        self.ax_ = axes_for(ax, figsize=(5.0, 4.4))
        self.figure_ = self.ax_.figure
        shades = LinearSegmentedColormap.from_list(
            "classes", [CLASS_COLOURS[0], TINTS[0], WHITE, TINTS[1], CLASS_COLOURS[1]]
        )
        # A few extreme scores would leave the rest of the plane without a shade.
        limit = np.quantile(np.abs(self.scores), 0.98) or 1.0
        self.mesh_ = self.ax_.pcolormesh(
            self.x0,
            self.x1,
            self.scores,
            cmap=shades,
            vmin=-limit,
            vmax=limit,
            alpha=0.55,
            shading="nearest",
            rasterized=True,
        )
        self.boundary_ = draw_boundary(self.ax_, self.x0, self.x1, self.scores)
        self.points_, self.errors_ = {}, None
        if self.X is not None:
            self.points_ = {
                label: self.ax_.scatter(
                    *self.X[self.y == label].T,
                    s=24,
                    c=colour,
                    marker=marker,
                    edgecolors="white",
                    linewidths=0.6,
                )
                for label, colour, marker in zip(self.classes, CLASS_COLOURS, CLASS_MARKERS, strict=True)
            }
            for label, points in self.points_.items():
                points.set_label(str(label))
        if self.X is not None and self.margins is not None and (self.margins <= 0).any():
            wrong = self.X[self.margins <= 0]
            self.errors_ = self.ax_.scatter(
                *wrong.T, s=85, facecolors="none", edgecolors="black", linewidths=1.1, label="wrong"
            )
        frame(self.ax_, self.x0, self.x1)
        return self


class SampleWeightDisplay:
    """The weight of each example as the area of its dot, at one moment of boosting.

    Draw several moments side by side to see the weight move to the hard examples. The areas are
    shares of the total weight times the number of examples: 1, the weight that all have at first, is
    a small dot on every panel.

    Parameters
    ----------
    X : array-like of shape (n_samples, 2)
    y : array-like of shape (n_samples,)
        Two classes.
    weights : array-like of shape (n_samples,)
        Non-negative, not all 0.

    Attributes
    ----------
    relative_weights : ndarray of shape (n_samples,)
        Of mean 1.
    points_ : dict of label to matplotlib collection
    boundary_ : matplotlib contour set or None
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - barnes1999, figure 3.3.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> from weaklearn.display import SampleWeightDisplay
    >>> X, y = make_ring(100, random_state=0)
    >>> model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> early = SampleWeightDisplay.from_estimator(model, X, y, n_rounds=1)
    >>> len(set(early.relative_weights.round(9)))
    2
    """

    _dot_area = 20.0  # points^2, of the mean weight

    def __init__(self, X, y, weights):
        self.X, self.y = plane(X), np.asarray(y)
        weights = np.asarray(weights, dtype=np.float64)
        if not ((weights >= 0).all() and weights.sum() > 0):
            raise ValueError("weights must be non-negative and not all 0.")
        self.relative_weights = weights * (len(weights) / weights.sum())
        self._grid = None

    @classmethod
    def from_estimator(
        cls,
        ensemble,
        X,
        y,
        *,
        n_rounds=None,
        cost=None,
        sample_weight=None,
        boundary=True,
        resolution=150,
        ax=None,
    ):
        """The weights after some rounds, ``-c'(y_i F(x_i))`` times the sample weights.

        These are the weights of the next round wherever it follows the slope of the cost. Sloppy and naive
        p-boosting keep AdaBoost's weights, arc-x4 adds 1, and restarts draw theirs.

        Parameters
        ----------
        ensemble : fitted classifier of two classes
            With ``staged_decision_function``.
        X : array-like of shape (n_samples, 2)
            The training set.
        y : array-like of shape (n_samples,)
        n_rounds : int, default=None
            After this many rounds; None means all, 0 the beginning.
        cost : MarginCost or str, default=None
            None means the ensemble's ``cost_``, and the exponential of AdaBoost if it has no such attribute
            (those of other packages). LPBoost, whose ``cost_`` is None, needs one to be named.
        sample_weight : array-like of shape (n_samples,), default=None
        boundary : bool, default=True
            Draw the boundary of the ensemble after these rounds.
        resolution : int, default=150
            Grid points along each axis for the boundary.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        SampleWeightDisplay
        """
        points = plane(X)
        cost = cost_of(ensemble, cost)
        margins = signs(y, ensemble.classes_) * scores_after(ensemble, points, n_rounds)
        weights = cost_weights(ensemble, cost, margins, n_rounds)
        if sample_weight is not None:
            weights = weights * np.asarray(sample_weight, dtype=np.float64)
        display = cls(points, y, weights)
        if boundary and n_rounds != 0:
            x0, x1 = grid(points, resolution, 0.05)
            display._grid = x0, x1, grid_scores(ensemble, x0, x1, n_rounds)
        return display.plot(ax)

    def plot(self, ax=None):
        """Draw the dots, the heaviest below the others.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        self
        """
        self.ax_ = axes_for(ax, figsize=(4.6, 4.4))
        self.figure_ = self.ax_.figure
        self.boundary_ = None if self._grid is None else draw_boundary(self.ax_, *self._grid)
        heaviest_first = np.argsort(-self.relative_weights, kind="stable")
        self.points_ = {}
        for label, colour, marker in zip(np.unique(self.y), CLASS_COLOURS, CLASS_MARKERS, strict=True):
            rows = heaviest_first[self.y[heaviest_first] == label]
            self.points_[label] = self.ax_.scatter(
                *self.X[rows].T,
                s=self._dot_area * self.relative_weights[rows],
                c=colour,
                marker=marker,
                alpha=0.75,
                edgecolors="white",
                linewidths=0.4,
                label=str(label),
            )
        frame(self.ax_, *grid(self.X, 2, 0.05), equal_dots=True)
        return self


def grid(X, resolution, padding):
    """Coordinates along both axes that cover the points X and a little more."""
    low, high = X.min(axis=0), X.max(axis=0)
    pad = np.where(high > low, padding * (high - low), 1.0)
    return tuple(np.linspace(low[k] - pad[k], high[k] + pad[k], resolution) for k in (0, 1))


def grid_scores(model, x0, x1, n_rounds=None):
    """F on the grid, of shape (len(x1), len(x0))."""
    points = np.stack(np.meshgrid(x0, x1), axis=-1).reshape(-1, 2)
    return scores_after(model, points, n_rounds).reshape(len(x1), len(x0))


def draw_boundary(ax, x0, x1, scores):
    """The line between F > 0 and F <= 0, if both occur."""
    if (scores > 0).all() or (scores <= 0).all():
        return None
    # Signs, not scores: an ensemble of stumps is a step function, and its boundary should look like one.
    return ax.contour(x0, x1, np.where(scores > 0, 1.0, -1.0), levels=[0.0], colors="black", linewidths=1.1)


def frame(ax, x0, x1, *, equal_dots=False):
    """Limits, names of the axes, and a legend beside the plot, where it hides no point."""
    ax.set(xlabel="$x_1$", ylabel="$x_2$", xlim=(x0[0], x0[-1]), ylim=(x1[0], x1[-1]))
    finish(ax, legend=False, grid=False)
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        legend = ax.legend(
            handles,
            labels,
            loc="center left",
            bbox_to_anchor=(1.0, 0.5),
            fontsize=9,
            frameon=False,
            handletextpad=0.2,
        )
        if equal_dots:
            for handle in legend.legend_handles:
                handle.set_sizes([30.0])
