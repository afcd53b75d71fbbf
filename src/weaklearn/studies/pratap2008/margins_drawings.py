"""Drawings of pratap2008, chapter 2: margins and coefficients."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES, MIDDLE
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.lab.round_drawings import line_panel, round_curves
from weaklearn.studies.pratap2008.margins_trials import MARGIN_GRID

__all__ = ["coefficient_distributions", "coefficients_by_round", "margin_panels"]


def margin_panels(figure: Figure, data: FigureData) -> list[Panel]:
    """Distribution functions of the margins, one panel per row; then the curves of option `metrics`.

    The option `margins_of` names the columns whose margins are drawn; all by default.
    """
    panels = []
    margins_of = figure.options.get("margins_of", [column.name for column in figure.columns])
    for row in figure.rows:
        columns = [column for column in data.columns_of(row.label) if column in margins_of]
        lines = {
            column: (MARGIN_GRID, data.curve(row.label, column, "distribution")[0]) for column in columns
        }
        if not lines:
            continue
        panel = line_panel(f"{row.label}: margins", "margin", "share of examples at most this", lines)
        # Where no curve has risen yet, or all have arrived, there is nothing to see.
        rising = [np.array(y) > 1e-3 for _, y in lines.values()]
        arrived = [np.array(y) > 0.999 for _, y in lines.values()]
        seen = np.flatnonzero(np.any(rising, axis=0) & ~np.all(arrived, axis=0))
        if len(seen):
            panel.axes[0].set_xlim(MARGIN_GRID[max(seen[0] - 2, 0)], MARGIN_GRID[min(seen[-1] + 2, 80)])
        panels.append(panel)
    return panels + (round_curves(figure, data) if "metrics" in figure.options else [])


def coefficients_by_round(figure: Figure, data: FigureData) -> list[Panel]:
    """The coefficient of each distinct stump at the round that found it, a panel per algorithm, to one scale."""
    results = {column: some[0] for (_, column), some in data.results.items()}
    highest = max(max(result["coefficients"]) for result in results.values())
    panels = []
    for k, (column, result) in enumerate(results.items()):
        rounds, sizes = np.array(result["rounds"]), np.array(result["coefficients"])
        kept = sizes > 0
        panel, axes = new_panel(
            f"{column}: {kept.sum()} hypotheses, test error {result['test_error']:.1f}%",
            xlabel="round that found the hypothesis",
            ylabel="coefficient",
        )
        axes.vlines(rounds[kept], 0, sizes[kept], color=COLOURS[k], linewidth=0.9)
        axes.plot(rounds[kept], sizes[kept], ".", color=COLOURS[k], markersize=4)
        if not kept.all():
            axes.plot(
                rounds[~kept],
                np.full((~kept).sum(), -0.02 * highest),
                "|",
                color=MIDDLE,
                markersize=5,
                label=f"left out ({(~kept).sum()})",
            )
            legend_below(panel)
        axes.set_ylim(-0.05 * highest, 1.05 * highest)
        panels.append(panel)
    return panels


def coefficient_distributions(figure: Figure, data: FigureData) -> list[Panel]:
    """The share of hypotheses with at most a given coefficient, those that were left out not counted."""
    panel, axes = new_panel(
        f"{figure.rows[0].label}: coefficients",
        xlabel="coefficient",
        ylabel="share of hypotheses at most this",
    )
    for k, ((_, column), some) in enumerate(data.results.items()):
        sizes = np.sort([size for size in some[0]["coefficients"] if size > 0])
        axes.step(
            np.concatenate([sizes[:1], sizes]),
            np.arange(len(sizes) + 1) / len(sizes),
            where="post",
            color=COLOURS[k],
            linestyle=DASHES[k % 4],
            linewidth=1.4,
            label=f"{column} ({len(sizes)} hypotheses)",
        )
    axes.set_xscale("log")
    legend_below(panel)
    return [panel]
