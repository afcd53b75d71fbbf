"""Sample complexity: error against the number of examples, and the number that is enough against the dimension.

The results of `weaklearn.kernel.sample_complexity` and `weaklearn.kernel.fit_growth` are used by the names of their
attributes. Confidence bands are t intervals around means over runs.
"""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.display._style import Display, curve_style, finish
from weaklearn.display.palette import COLOURS, DASHES, GREY

_WANTED = 0.1  # the error that is small enough
_CONFIDENCE = 0.95


@documented
class SampleComplexityDisplay(Display):
    """Mean error against the number of training examples, with a confidence band and a dot where it is small enough.

    A thin line marks an error of 10%.

    Parameters
    ----------
    result : weaklearn.kernel.SampleComplexity

    Attributes
    ----------
    band : ndarray of shape (2, n_sizes)
        Lower and upper ends of the 95% confidence intervals; nan where a single run has no standard error.
    line_ : matplotlib line
    found_ : matplotlib line
        The dot.
    wanted_line_ : matplotlib line or None
        None if the axes had one already.

    References
    ----------
    - may2020, part II.

    Examples
    --------
    >>> from weaklearn.datasets import make_little_bit
    >>> from weaklearn.display import SampleComplexityDisplay
    >>> from weaklearn.kernel import sample_complexity
    >>> from weaklearn.linear import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier(fit_intercept=False)
    >>> result = sample_complexity(model, make_little_bit, 20, n_test=500, random_state=0)
    >>> display = SampleComplexityDisplay(result, name="least squares").plot()
    >>> int(display.found_.get_xdata()[0]) == result.n_samples
    True
    """

    def __init__(self, result, *, name=None):
        self.result = result
        self.name = name

    @property
    def band(self):
        from scipy.stats import t  # a second to import, for bands alone

        freedom = np.maximum(np.asarray(self.result.runs) - 1, 1)
        reach = np.asarray(self.result.standard_errors) * t.ppf(0.5 + _CONFIDENCE / 2, freedom)
        errors = np.asarray(self.result.errors)
        return np.clip([errors - reach, errors + reach], 0, 1)

    def _draw(self, ax, **line_keywords):
        sizes, errors = np.asarray(self.result.sizes), 100 * np.asarray(self.result.errors)
        style = {"label": self.name, **curve_style(ax, line_keywords)}
        (self.line_,) = ax.plot(sizes, errors, **style)
        colour = self.line_.get_color()
        ax.fill_between(sizes, *(100 * self.band), color=colour, alpha=0.18, linewidth=0)
        self.wanted_line_ = None
        if not any(line.get_gid() == "wanted" for line in ax.get_lines()):
            self.wanted_line_ = ax.axhline(100 * _WANTED, color=GREY, linewidth=0.8, gid="wanted")
        found = self.result.n_samples
        (self.found_,) = ax.plot(
            [found], [np.interp(found, sizes, errors)], marker="o", color=colour, markersize=6
        )
        ax.set(xlabel="training examples", ylabel="test error (%)")
        ax.set_ylim(bottom=0)
        finish(ax)


# By kind of growth: the curve, and how it is written.
_GROWTHS = {
    "linear": (lambda a, b, n: a + b * n, "{a:.3g} {sign} {size:.3g} n"),
    "log": (lambda a, b, n: a + b * np.log(n), "{a:.3g} {sign} {size:.3g} log n"),
    "exponential": (lambda a, b, n: a * np.exp(b * n), "{a:.3g} exp({b:.3g} n)"),
}


@documented
class GrowthDisplay(Display):
    """How many examples are enough against the dimension, with the fitted curve and bounds of the theory.

    Parameters
    ----------
    dimensions, samples : array-like of shape (n_points,)
        Dimensions and sample complexities.
    spread : array-like of shape (n_points,) or (2, n_points), default=None
        Lengths of the error bars, or of their lower and upper halves.
    growth : weaklearn.kernel.Growth, default=None
        The curves fitted by `fit_growth`; None draws no curve.
    kind : {"linear", "log", "exponential"}, default=None
        Which of them to draw; None means the best.
    bounds : dict of str to callable, default=None
        Names and bounds to draw beside the curve: functions of the dimension, such as
        `weaklearn.linear.novikoff_bound`.

    Attributes
    ----------
    points_ : matplotlib line
    curve_ : matplotlib line or None
    bound_lines_ : dict of str to matplotlib line

    References
    ----------
    - may2020, figures 9 and 10.

    Examples
    --------
    >>> from weaklearn.display import GrowthDisplay
    >>> from weaklearn.kernel import fit_growth
    >>> from weaklearn.linear import winnow_disjunction_bound
    >>> n, m = [10, 20, 40, 80], [11, 16, 21, 25]
    >>> display = GrowthDisplay(
    ...     n, m, growth=fit_growth(n, m), bounds={"mistake bound": lambda n: winnow_disjunction_bound(1, n)}
    ... ).plot()
    >>> display.curve_.get_label()
    '-4.41 + 6.78 log n'
    """

    def __init__(self, dimensions, samples, *, spread=None, growth=None, kind=None, bounds=None, name=None):
        if kind is not None and kind not in _GROWTHS:
            raise ValueError(f"kind must be one of {sorted(_GROWTHS)} or None; got {kind!r}.")
        self.dimensions = np.asarray(dimensions, dtype=np.float64)
        self.samples = np.asarray(samples, dtype=np.float64)
        self.spread = None if spread is None else np.asarray(spread, dtype=np.float64)
        self.growth = growth
        self.kind = kind if kind is not None or growth is None else growth.best
        self.bounds = dict(bounds or {})
        self.name = name

    @classmethod
    @documented
    def from_sample_complexity(cls, dimensions, results, *, ax=None, **keywords):
        """Estimates over dimensions; the error bars are their intervals.

        An end of an interval that no number of examples settled has no bar. Further keywords are parameters of the
        class.

        Parameters
        ----------
        dimensions : array-like of shape (n_points,)
        results : sequence of weaklearn.kernel.SampleComplexity
            One for each dimension.
        """
        samples = np.array([result.n_samples for result in results], dtype=np.float64)
        settled = [[end if end in result.sizes else np.nan for end in result.interval] for result in results]
        low, high = np.array(settled).T
        spread = np.nan_to_num([samples - low, high - samples])
        return cls(dimensions, samples, spread=spread, **keywords).plot(ax)

    def _draw(self, ax):
        earlier = sum(line.get_gid() == "points" for line in ax.get_lines())
        colour = COLOURS[earlier % len(COLOURS)]
        style = {
            "marker": ("o", "^", "s", "D")[earlier % 4],
            "markersize": 4,
            "color": colour,
            "linestyle": "",
        }
        label = self.name or "estimate"
        (self.points_,) = ax.plot(self.dimensions, self.samples, label=label, gid="points", **style)
        if self.spread is not None:
            style = {"fmt": "none", "ecolor": colour, "elinewidth": 1, "capsize": 2}
            ax.errorbar(self.dimensions, self.samples, yerr=self.spread, **style)
        n = np.linspace(self.dimensions.min(), self.dimensions.max(), 200)
        self.curve_ = None
        if self.growth is not None:
            curve, text = _GROWTHS[self.kind]
            a, b = self.growth.coefficients[self.kind]
            label = text.format(a=round(a, 9), b=b, sign="-" if b < 0 else "+", size=abs(b))
            (self.curve_,) = ax.plot(n, curve(a, b, n), color=colour, label=label)
        self.bound_lines_ = {}
        for place, (name, bound) in enumerate(self.bounds.items()):
            dashed = {"color": GREY, "linestyle": DASHES[1 + place % 3], "linewidth": 1.2}
            (self.bound_lines_[name],) = ax.plot(n, [bound(value) for value in n], label=name, **dashed)
        ax.set(xlabel="dimension n", ylabel="training examples that are enough")
        ax.set_ylim(bottom=0)
        finish(ax)
