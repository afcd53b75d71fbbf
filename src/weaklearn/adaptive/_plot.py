"""The picture of a session."""

import numpy as np

__all__ = ["session_figure"]

_CURVE, _THRESHOLD, _POINTS = "#0072b2", "#d55e00", "#333333"


def session_figure(session, confidence=0.9):
    """Shares of yes, the fitted curve with its pointwise band, and the thresholds with their intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.add_subplot()
    low, high = session.levels[0], session.levels[-1]
    margin = 0.03 * (high - low)
    counts = session.sampler.counts()
    asked = counts.asked > 0
    if asked.any():
        x = np.linspace(low, high, 201)
        fit = session.sampler.fitted()
        band = fit.predict_interval(x, confidence, n_resamples=400, random_state=session.seed)
        axes.fill_between(x, *band, color=_CURVE, alpha=0.15, linewidth=0, label=f"{confidence:.0%} band")
        axes.plot(x, fit.predict(x), color=_CURVE, label="curve")
        shares = counts.yes[asked] / counts.asked[asked]
        sizes = 18 + 14 * counts.asked[asked]
        axes.scatter(
            counts.levels[asked], shares, s=sizes, facecolor="none", edgecolor=_POINTS, label="share of yes"
        )
        for found in session.estimate(confidence):
            axes.axvspan(found["low"], found["high"], color=_THRESHOLD, alpha=0.12, linewidth=0)
            axes.axvline(
                found["value"], color=_THRESHOLD, linestyle="--", label=f"threshold {found['value']:.4g}"
            )
    axes.set_xlim(low - margin, high + margin)
    axes.set_ylim(-0.04, 1.04)
    axes.set_xlabel("level")
    axes.set_ylabel("probability of yes")
    n = int(counts.asked.sum())
    axes.set_title(f"{session.question or 'Threshold'} ({n} answers)", fontsize=11)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if asked.any():
        figure.legend(loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    return figure
