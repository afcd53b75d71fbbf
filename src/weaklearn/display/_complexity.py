"""Plots of data complexity: what a set is made of, and which of its examples stand out."""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, curve_style, finish
from weaklearn.display.palette import COLOURS, GREY

# Category to marker and colour, as in li2006, figure 1.13: dots, empty circles, filled squares.
_CATEGORY_STYLES = {
    "typical": {"marker": ".", "s": 12, "color": GREY, "linewidths": 0},
    "critical": {"marker": "o", "s": 26, "facecolors": "none", "edgecolors": COLOURS[0], "linewidths": 1.2},
    "noisy": {"marker": "s", "s": 26, "color": COLOURS[1], "linewidths": 0},
}
# Beyond this many points a vector image is slower to open than it is worth.
_MANY = 3000


@documented
class ComplexityErrorDisplay(Display):
    """A complexity-error plot: subsets as points, principal points circled, subset paths as lines.

    Parameters
    ----------
    complexity, error : array-like
        The points of the plot, or of one path.
    points : array-like of shape (n_points, 2), default=None
        Principal points, (complexity, error).
    path : bool, default=False
        Whether the points are a path, to be joined.

    References
    ----------
    - li2006, figures 1.2, 1.3, 1.5, 1.8 and 1.10.

    Examples
    --------
    >>> from weaklearn.complexity import principal_subsets
    >>> from weaklearn.display import ComplexityErrorDisplay
    >>> found = principal_subsets([[0], [1], [2], [3]], [0, 1, 0, 0], clusters=None)
    >>> ComplexityErrorDisplay.from_subsets(found).ax_.get_xlabel()
    'complexity'
    """

    def __init__(self, complexity, error, *, points=None, path=False, name=None):
        self.complexity = np.asarray(complexity, dtype=np.float64)
        self.error = np.asarray(error, dtype=np.float64)
        self.points = None if points is None else np.asarray(points, dtype=np.float64)
        self.path = path
        self.name = name

    @classmethod
    @documented
    def from_subsets(cls, subsets, *, name=None, ax=None):
        """The plot of what `weaklearn.complexity.principal_subsets` returned.

        Parameters
        ----------
        subsets : PrincipalSubsets
        """
        return cls(subsets.plot[:, 0], subsets.plot[:, 1], points=subsets.points, name=name).plot(ax)

    @classmethod
    @documented
    def from_path(cls, path, *, name=None, ax=None, **line_keywords):
        """The path that `weaklearn.complexity.complexity_error_path` returned.

        Further keywords are for matplotlib's ``plot``.

        Parameters
        ----------
        path : ComplexityErrorPath
        """
        return cls(path.complexity, path.error, path=True, name=name).plot(ax, **line_keywords)

    def _draw(self, ax, **line_keywords):
        if self.path:
            style = curve_style(ax, line_keywords)
            ax.plot(self.complexity, self.error, label=self.name, **style)
        else:
            many = len(self.complexity) > _MANY
            style = {"s": 5, "color": GREY, "alpha": 0.6, "linewidths": 0, "rasterized": many}
            ax.scatter(self.complexity, self.error, label=self.name, **style)
        if self.points is not None:
            style = {"markersize": 7, "markerfacecolor": "none", "markeredgecolor": COLOURS[1]}
            ax.plot(*self.points.T, marker="o", linestyle="none", label="principal points", **style)
        ax.set(xlabel="complexity", ylabel="examples left out")
        finish(ax)


@documented
class ContributionDisplay(Display):
    """The contributions of all examples, the largest first, with a band of two standard errors.

    Parameters
    ----------
    contribution : array-like of shape (n_samples,)
    standard_error : array-like of shape (n_samples,), default=None
    thresholds : (float, float), default=None
        Drawn as lines.

    Attributes
    ----------
    order : ndarray
        Examples by contribution, the largest first.

    Examples
    --------
    >>> from weaklearn.display import ContributionDisplay
    >>> display = ContributionDisplay([0.1, 2.5, 0.4], [0.1, 0.2, 0.1]).plot()
    >>> display.order.tolist()
    [1, 2, 0]
    """

    def __init__(self, contribution, standard_error=None, *, thresholds=None):
        self.contribution = np.asarray(contribution, dtype=np.float64)
        self.standard_error = None if standard_error is None else np.asarray(standard_error, dtype=np.float64)
        self.thresholds = thresholds
        self.order = np.argsort(-self.contribution, kind="stable")

    def _draw(self, ax):
        rank = np.arange(1, len(self.order) + 1)
        value = self.contribution[self.order]
        if self.standard_error is not None:
            band = 2 * self.standard_error[self.order]
            ax.fill_between(rank, value - band, value + band, color=COLOURS[0], alpha=0.25, linewidth=0)
        ax.plot(rank, value, color=COLOURS[0], linewidth=1.4)
        for threshold in self.thresholds or ():
            ax.axhline(threshold, color=GREY, linewidth=0.9, linestyle="--")
        ax.set(xlabel="rank", ylabel="contribution")
        finish(ax)


@documented
class FingerprintDisplay(Display):
    """Every example by its number and its signed distance to the class boundary; the category tells the marker.

    Examples far from zero with the mark of noise are the suspicious ones; critical ones should lie along zero.

    Parameters
    ----------
    distance : array-like of shape (n_samples,)
        Signed: positive on the side of the positive class, or, as a margin, where the label agrees.
    category : array-like of shape (n_samples,) of {"typical", "critical", "noisy"}
        Such as ``category_`` of a `weaklearn.complexity.ComplexityPruner`.
    xlabel, ylabel : str
        What the axes show.

    References
    ----------
    - li2006, figure 1.13.

    Examples
    --------
    >>> from weaklearn.display import FingerprintDisplay
    >>> display = FingerprintDisplay([0.5, -0.2], ["typical", "noisy"]).plot()
    >>> display.ax_.get_ylabel()
    'signed distance to the boundary'
    """

    def __init__(self, distance, category, *, xlabel="example", ylabel="signed distance to the boundary"):
        self.distance = np.asarray(distance, dtype=np.float64)
        self.category = np.asarray(category)
        self.xlabel = xlabel
        self.ylabel = ylabel
        unknown = set(np.unique(self.category)) - set(_CATEGORY_STYLES)
        if unknown:
            raise ValueError(
                f"category must be one of {', '.join(_CATEGORY_STYLES)}; found {sorted(unknown)}."
            )

    def _draw(self, ax):
        number = np.arange(1, len(self.distance) + 1)
        ax.axhline(0, color=GREY, linewidth=0.8)
        many = len(number) > _MANY
        for name, style in _CATEGORY_STYLES.items():
            here = self.category == name
            label = f"{name} ({here.sum()})"
            ax.scatter(number[here], self.distance[here], label=label, rasterized=many, **style)
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel)
        finish(ax, legend=False)
        ax.legend(fontsize=9, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
