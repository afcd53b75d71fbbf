"""The drawing of a session for notebooks and papers: the curve with its thresholds. Pages have charts of their own."""

from itertools import cycle

import numpy as np

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import BLACK, BLUE, GREEN, GREY, PINK, VERMILLION

__all__ = ["session_figure"]

_SIZE = (5.2, 3.8)
# One colour for each target; a session has at most a few.
_TARGETS = (VERMILLION, GREEN, PINK)


def session_figure(session, confidence=0.9):
    """Share of yes at each level, the fitted curve with its pointwise band, and the thresholds with their intervals."""
    bottom = _guess_rate(session.sampler)
    word = "a correct answer" if bottom > 0 else "yes"
    figure, axes = new_panel(xlabel="level", ylabel=f"probability of {word}", size=_SIZE)
    n = len(session.sampler.history)
    question = session.question.replace("{level}", "…") or "Threshold"
    # Dollar signs in a question do not start a formula.
    axes.set_title(f"{question} ({n} answer{'' if n == 1 else 's'})", fontsize=11, parse_math=False)
    low, high = session.levels[0], session.levels[-1]
    limits = _on_the_levels(session, axes.xaxis)
    counts = session.sampler.counts()
    asked = counts.asked > 0
    lowest = bottom
    for target in session.targets:
        if hasattr(target, "level"):
            axes.axhline(target.level, color=GREY, linewidth=0.9, linestyle=":")
    if asked.any():
        spread = np.linspace if axes.get_xscale() == "linear" else np.geomspace
        x = spread(low, high, 201)
        fit = session.sampler.fitted()
        band = fit.predict_interval(x, confidence, n_resamples=400, random_state=session.seed)
        axes.fill_between(x, *band, color=BLUE, alpha=0.15, linewidth=0, label=f"{confidence:.0%} band")
        axes.plot(x, fit.predict(x), color=BLUE, label="fitted curve")
        shares = counts.yes[asked] / counts.asked[asked]
        lowest = min(bottom, float(shares.min()))  # luck can be worse than guessing
        sizes = 18 + 14 * counts.asked[asked]
        axes.scatter(
            counts.levels[asked],
            shares,
            s=sizes,
            facecolor="none",
            edgecolor=BLACK,
            label=f"share {'correct' if bottom > 0 else 'of yes'}",
        )
        for colour, found in zip(cycle(_TARGETS), session.estimate(confidence), strict=False):
            # An end of the interval may lie beyond the levels.
            ends = np.clip([found["low"], found["high"]], *limits)
            axes.axvspan(*ends, color=colour, alpha=0.12, linewidth=0)
            label = f"threshold {found['value']:.4g}"
            axes.axvline(found["value"], color=colour, linestyle="--", label=label)
    axes.set_xlim(*limits)
    if bottom > 0:
        axes.axhline(bottom, color=GREY, linewidth=0.9, label="guessing")
    axes.set_ylim(lowest - 0.04, 1.04)
    legend_below(figure, columns=4)
    return figure


def _guess_rate(sampler):
    """The known guess rate, where the curve begins; 0 if there is none or it is not known."""
    rate = getattr(sampler, "guess_rate", 0.0)
    return float(rate) if isinstance(rate, int | float) else 0.0


def _on_the_levels(session, axis):
    """Levels that a sampler takes by their logarithms are drawn that way; returns the limits with a margin."""
    low, high = session.levels[0], session.levels[-1]
    if getattr(session.sampler, "scale", "linear") == "log":
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(lambda value, _: "")
        factor = (high / low) ** 0.03
        return low / factor, high * factor
    margin = 0.03 * (high - low)
    return low - margin, high + margin
