"""The decision boundary of a classifier in the plane."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._boosting import signs
from weaklearn.display._style import Display, finish
from weaklearn.display.palette import CLASS_COLOURS, CLASS_MARKERS, TINTS, WHITE

_PADDING = 0.05  # how far the grid goes beyond the examples, as a share of their range


def _plane(X):
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"This display needs two features; got an array of shape {X.shape}.")
    return X


@documented
class BoundaryDisplay(Display):
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

    _size = (5.0, 4.4)

    def __init__(self, x0, x1, scores, *, X=None, y=None, classes=None, margins=None):
        self.x0, self.x1 = np.asarray(x0, dtype=np.float64), np.asarray(x1, dtype=np.float64)
        self.scores = np.asarray(scores, dtype=np.float64)
        if self.scores.shape != (len(self.x1), len(self.x0)):
            raise ValueError(
                f"scores must have the shape (len(x1), len(x0)) = {(len(self.x1), len(self.x0))}; "
                f"got {self.scores.shape}."
            )
        self.X = None if X is None else _plane(X)
        self.y = None if y is None else np.asarray(y)
        self.classes = np.unique(y) if classes is None and y is not None else classes
        self.margins = None if margins is None else np.asarray(margins, dtype=np.float64)

    @classmethod
    @documented
    def from_estimator(cls, model, X, y=None, *, resolution=200, ax=None):
        """The scores of a classifier around the points X.

        Parameters
        ----------
        model : fitted classifier of two classes
            With ``decision_function``.
        X : array-like of shape (n_samples, 2)
            The grid covers their range. They are drawn if y is given.
        y : array-like of shape (n_samples,), default=None
        resolution : int, default=200
            Grid points along each axis.
        """
        points = _plane(X)
        low, high = points.min(axis=0), points.max(axis=0)
        pad = np.where(high > low, _PADDING * (high - low), 1.0)
        x0, x1 = (np.linspace(low[k] - pad[k], high[k] + pad[k], resolution) for k in (0, 1))
        grid = np.stack(np.meshgrid(x0, x1), axis=-1).reshape(-1, 2)
        scores = np.reshape(model.decision_function(grid), (resolution, resolution))
        if y is None:
            return cls(x0, x1, scores).plot(ax)
        margins = signs(y, model.classes_) * model.decision_function(points)
        return cls(x0, x1, scores, X=points, y=y, classes=model.classes_, margins=margins).plot(ax)

    def _draw(self, ax):
        from matplotlib.colors import LinearSegmentedColormap

        shades = LinearSegmentedColormap.from_list(
            "classes", [CLASS_COLOURS[0], TINTS[0], WHITE, TINTS[1], CLASS_COLOURS[1]]
        )
        # A few extreme scores would leave the rest of the plane without a shade.
        limit = np.quantile(np.abs(self.scores), 0.98) or 1.0
        style = {"vmin": -limit, "vmax": limit, "alpha": 0.55, "shading": "nearest", "rasterized": True}
        self.mesh_ = ax.pcolormesh(self.x0, self.x1, self.scores, cmap=shades, **style)
        self.boundary_, self.points_, self.errors_ = None, {}, None
        positive = self.scores > 0
        if positive.any() and not positive.all():
            # Signs, not scores: an ensemble of stumps is a step function, and its boundary should look like one.
            side = np.where(positive, 1.0, -1.0)
            self.boundary_ = ax.contour(self.x0, self.x1, side, levels=[0.0], colors="black", linewidths=1.1)
        if self.X is not None:
            for label, colour, marker in zip(self.classes, CLASS_COLOURS, CLASS_MARKERS, strict=True):
                style = {"s": 24, "c": colour, "marker": marker, "edgecolors": "white", "linewidths": 0.6}
                self.points_[label] = ax.scatter(*self.X[self.y == label].T, label=str(label), **style)
        if self.X is not None and self.margins is not None and (self.margins <= 0).any():
            wrong = self.X[self.margins <= 0]
            self.errors_ = ax.scatter(
                *wrong.T, s=85, facecolors="none", edgecolors="black", linewidths=1.1, label="wrong"
            )
        ax.set(xlabel="$x_1$", ylabel="$x_2$", xlim=self.x0[[0, -1]], ylim=self.x1[[0, -1]])
        finish(ax, legend=False, grid=False)
        if self.points_:
            # Beside the plot, where it hides no point.
            ax.legend(
                loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False, handletextpad=0.2
            )
