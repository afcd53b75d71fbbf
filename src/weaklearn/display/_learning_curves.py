"""Learning curves: error against the number of examples, and the number that is enough against the dimension.

The results of `weaklearn.kernel.sample_complexity` and `weaklearn.kernel.fit_growth` are read by the names of their
attributes. Confidence bands are t intervals around means over runs; where runs stopped early because the answer was
clear, they are narrow in runs and wide in t.
"""

import numpy as np

from weaklearn.display._style import axes_for, curve_style, finish
from weaklearn.display.palette import COLOURS, DASHES, GREY

__all__ = ["GrowthDisplay", "LearningCurveDisplay"]


class LearningCurveDisplay:
    """Mean error against the number of training examples, with a confidence band.

    Parameters
    ----------
    sizes, errors : array-like of shape (n_sizes,)
        Numbers of examples, and mean errors as shares.
    standard_errors, runs : array-like of shape (n_sizes,), default=None
        Of each mean its standard error, nan where it is not known, and the number of runs; None draws no band.
    n_samples : int, default=None
        The number of examples that was found to be enough: a dot on the curve.
    wanted : float, default=None
        The error that is small enough: a thin line.
    confidence : float, default=0.95
        Of the band.
    name : str, default=None
        For the legend.

    Attributes
    ----------
    line_ : matplotlib line
    band_ : matplotlib collection or None
    found_ : matplotlib line or None
        The dot.
    wanted_line_ : matplotlib line or None
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    References
    ----------
    - may2020, part II.

    Examples
    --------
    >>> from weaklearn.datasets import make_little_bit
    >>> from weaklearn.display import LearningCurveDisplay
    >>> from weaklearn.kernel import sample_complexity
    >>> from weaklearn.linear import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier(fit_intercept=False)
    >>> result = sample_complexity(model, make_little_bit, 20, n_test=500, random_state=0)
    >>> display = LearningCurveDisplay.from_sample_complexity(result, name="least squares")
    >>> int(display.found_.get_xdata()[0]) == result.n_samples
    True
    """

    def __init__(
        self, sizes, errors, *, standard_errors=None, runs=None, n_samples=None, wanted=None, confidence=0.95,
        name=None,
    ):  # fmt: skip
        if (standard_errors is None) != (runs is None):
            raise ValueError("A band needs both standard_errors and runs.")
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must lie between 0 and 1; got {confidence!r}.")
        self.sizes, self.errors = np.asarray(sizes), np.asarray(errors, dtype=np.float64)
        self.standard_errors, self.runs = standard_errors, runs
        self.n_samples = n_samples
        self.wanted = wanted
        self.confidence = confidence
        self.name = name

    @classmethod
    def from_sample_complexity(
        cls, result, *, wanted=0.1, confidence=0.95, name=None, ax=None, **line_keywords
    ):
        """The curve behind an estimated sample complexity.

        Parameters
        ----------
        result : weaklearn.kernel.SampleComplexity
        wanted : float, default=0.1
            The error it was estimated for; None draws no line.
        confidence : float, default=0.95
        name : str, default=None
            For the legend.
        ax : matplotlib axes, default=None
            None opens a new figure.
        **line_keywords
            For matplotlib's ``plot``.

        Returns
        -------
        LearningCurveDisplay
        """
        return cls(
            result.sizes,
            result.errors,
            standard_errors=result.standard_errors,
            runs=result.runs,
            n_samples=result.n_samples,
            wanted=wanted,
            confidence=confidence,
            name=name,
        ).plot(ax, **line_keywords)

    @property
    def band(self):
        """Lower and upper ends of the confidence intervals, or None."""
        if self.standard_errors is None:
            return None
        from scipy.stats import t  # a second to import, for bands alone

        runs = np.asarray(self.runs)
        reach = np.asarray(self.standard_errors) * t.ppf(0.5 + self.confidence / 2, np.maximum(runs - 1, 1))
        return np.clip([self.errors - reach, self.errors + reach], 0, 1)

    def plot(self, ax=None, **line_keywords):
        """Draw the curve.

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
        self.ax_ = ax = axes_for(ax)
        self.figure_ = ax.figure
        style = {"label": self.name, **curve_style(ax, line_keywords)}
        (self.line_,) = ax.plot(self.sizes, 100 * self.errors, **style)
        colour = self.line_.get_color()
        self.band_ = self.found_ = self.wanted_line_ = None
        band = self.band
        if band is not None:
            low, high = 100 * band
            self.band_ = ax.fill_between(self.sizes, low, high, color=colour, alpha=0.18, linewidth=0)
        if self.wanted is not None and not any(line.get_gid() == "wanted" for line in ax.get_lines()):
            self.wanted_line_ = ax.axhline(100 * self.wanted, color=GREY, linewidth=0.8, gid="wanted")
        if self.n_samples is not None:
            height = 100 * np.interp(self.n_samples, self.sizes, self.errors)
            (self.found_,) = ax.plot([self.n_samples], [height], marker="o", color=colour, markersize=6)
        ax.set(xlabel="training examples", ylabel="test error (%)")
        ax.set_ylim(bottom=0)
        finish(ax)
        return self


# By kind of growth: the curve, and how it is written.
_GROWTHS = {
    "linear": (lambda a, b, n: a + b * n, "{a:.3g} {sign} {size:.3g} n"),
    "log": (lambda a, b, n: a + b * np.log(n), "{a:.3g} {sign} {size:.3g} log n"),
    "exponential": (lambda a, b, n: a * np.exp(b * n), "{a:.3g} exp({b:.3g} n)"),
}


class GrowthDisplay:
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
    bounds : dict of str to callable or array-like of shape (n_points,), default=None
        Names and bounds to draw beside the curve: functions of the dimension, such as
        `weaklearn.linear.novikoff_bound`, or their values at `dimensions`.
    name : str, default=None
        For the legend.

    Attributes
    ----------
    points_ : matplotlib line
    curve_ : matplotlib line or None
    bound_lines_ : dict of str to matplotlib line
    ax_ : matplotlib axes
    figure_ : matplotlib figure

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
    def from_sample_complexity(
        cls, dimensions, results, *, growth=None, kind=None, bounds=None, name=None, ax=None
    ):
        """Estimates over dimensions; the error bars are their intervals.

        An end of an interval that no number of examples settled has no bar.

        Parameters
        ----------
        dimensions : array-like of shape (n_points,)
        results : sequence of weaklearn.kernel.SampleComplexity
            One for each dimension.
        growth, kind, bounds, name
            As for the class.
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        GrowthDisplay
        """
        samples = np.array([result.n_samples for result in results], dtype=np.float64)
        settled = [[end if end in result.sizes else np.nan for end in result.interval] for result in results]
        low, high = np.array(settled).T
        return cls(
            dimensions, samples, spread=np.nan_to_num([samples - low, high - samples]), growth=growth, kind=kind,
            bounds=bounds, name=name,
        ).plot(ax)  # fmt: skip

    def plot(self, ax=None):
        """Draw points, curve and bounds.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None opens a new figure.

        Returns
        -------
        self
        """
        self.ax_ = ax = axes_for(ax)
        self.figure_ = ax.figure
        earlier = sum(line.get_gid() == "points" for line in ax.get_lines())
        colour = COLOURS[earlier % len(COLOURS)]
        marker = {
            "marker": ("o", "^", "s", "D")[earlier % 4],
            "markersize": 4,
            "color": colour,
            "linestyle": "",
        }
        (self.points_,) = ax.plot(
            self.dimensions, self.samples, label=self.name or "estimate", gid="points", **marker
        )
        if self.spread is not None:
            ax.errorbar(
                self.dimensions,
                self.samples,
                yerr=self.spread,
                fmt="none",
                ecolor=colour,
                elinewidth=1,
                capsize=2,
            )
        n = np.linspace(self.dimensions.min(), self.dimensions.max(), 200)
        self.curve_ = None
        if self.growth is not None:
            curve, text = _GROWTHS[self.kind]
            a, b = self.growth.coefficients[self.kind]
            label = text.format(a=round(a, 9), b=b, sign="-" if b < 0 else "+", size=abs(b))
            (self.curve_,) = ax.plot(n, curve(a, b, n), color=colour, label=label)
        self.bound_lines_ = {}
        for place, (name, bound) in enumerate(self.bounds.items()):
            x, y = (n, [bound(value) for value in n]) if callable(bound) else (self.dimensions, bound)
            style = {"color": GREY, "linestyle": DASHES[1 + place % 3], "linewidth": 1.2}
            (self.bound_lines_[name],) = ax.plot(x, y, label=name, **style)
        ax.set(xlabel="dimension n", ylabel="training examples that are enough")
        ax.set_ylim(bottom=0)
        finish(ax)
        return self
