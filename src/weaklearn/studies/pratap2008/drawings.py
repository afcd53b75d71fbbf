"""Drawings of pratap2008: margins and coefficients, monotone fits, complexities of clones and what choices achieve."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import BLUE, COLOURS, GREY, MIDDLE, VERMILLION
from weaklearn.lab import Figure
from weaklearn.lab.drawings import FigureData, distribution, line_panel, round_curves
from weaklearn.studies.pratap2008.margins_trials import MARGIN_GRID

_SETS = {"original": GREY, "clone": BLUE}
_METHODS = {
    "in": "in-sample",
    "cv": "5-fold CV",
    "rho": "rho-cloning",
    "adaboost": "AdaBoost-cloning",
    "oracle": "oracle",
}


def margin_panels(figure: Figure, data: FigureData) -> list[Panel]:
    """Distribution functions of the margins, one panel per row; then the curves of option `metrics`.

    The option `margins_of` names the columns whose margins are drawn; all by default.
    """
    panels = []
    margins_of = figure.options.get("margins_of", [column.name for column in figure.columns])
    for row in data.rows:
        columns = [column for column in data.columns_of(row) if column in margins_of]
        lines = {column: (MARGIN_GRID, data.curve(row, column, "distribution")[0]) for column in columns}
        if not lines:
            continue
        panel = line_panel(f"{row}: margins", "margin", "share of examples at most this", lines)
        # Where no curve has risen yet, or all have arrived, there is nothing to see.
        rising = [y > 1e-3 for _, y in lines.values()]
        arrived = [y > 0.999 for _, y in lines.values()]
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
            places, style = np.full((~kept).sum(), -0.02 * highest), {"color": MIDDLE, "markersize": 5}
            axes.plot(rounds[~kept], places, "|", label=f"left out ({len(places)})", **style)
            legend_below(panel)
        axes.set_ylim(-0.05 * highest, 1.05 * highest)
        panels.append(panel)
    return panels


def coefficient_distributions(figure: Figure, data: FigureData) -> list[Panel]:
    """The share of hypotheses with at most a given coefficient, those that were left out not counted."""
    lines = {}
    for (_, column), some in data.results.items():
        sizes = [size for size in some[0]["coefficients"] if size > 0]
        lines[f"{column} ({len(sizes)} hypotheses)"] = distribution(sizes)
    title, y_label = f"{figure.rows[0].label}: coefficients", "share of hypotheses at most this"
    panel = line_panel(title, "coefficient", y_label, lines, drawstyle="steps-post")
    panel.axes[0].set_xscale("log")
    return [panel]


def deviations(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean deviation against the number of levels, one panel per target."""
    return _curves(figure, data, "deviation", figure.params["sizes"], "number of levels", "deviation")


def mean_squared_errors(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean squared error against additional answers, one panel per threshold."""
    answers = range(len(data.first["curve"]))
    return _curves(figure, data, "curve", answers, "answers after one per level", "mean squared error")


def _curves(figure, data, metric, x, x_label, y_label) -> list[Panel]:
    panels = []
    for row in data.rows:
        present = data.columns_of(row)
        names = [column.name for column in figure.columns]
        lines = {name: (x, *data.curve(row, name, metric)) if name in present else None for name in names}
        panel = line_panel(row, x_label, y_label, lines)
        panel.axes[0].set_ylim(bottom=0)
        panels.append(panel)
    return panels


def complexity_histograms(figure: Figure, data: FigureData) -> list[Panel]:
    """Complexities of fresh sets and of clones of one set, one panel per row and column; the line is the source."""
    panels = []
    for (row, column), results in data.results.items():
        panel, axes = new_panel(
            f"{row}, {column}", xlabel="complexity per example", size=(5.4, 3.6), grid=False
        )
        values = {name: data.values(row, column, name) for name in _SETS}
        low, high = min(map(min, values.values())), max(map(max, values.values()))
        edges = np.linspace(low - 0.01, high + 0.01, 21)
        for name, colour in _SETS.items():
            axes.hist(values[name], bins=edges.tolist(), color=colour, alpha=0.6, label=f"{name} sets")
        axes.axvline(results[0]["source"], color=VERMILLION, linestyle="--", label="the set that was cloned")
        legend_below(panel)
        panels.append(panel)
    return panels


def method_bars(figure: Figure, data: FigureData) -> list[Panel]:
    """The mean of a metric (option `metric`: "hit" or "error") for each way of choosing, target by target."""
    metric, (column,) = figure.options["metric"], (column.name for column in figure.columns)
    shown = [name for name in _METHODS if f"{metric}_{name}" in data.first]
    label = {"hit": "hit rate (%)", "error": "out-of-sample error (%)"}[metric]
    panel, axes = new_panel(ylabel=label, size=(9.0, 4.0), grid=False)
    x = np.arange(len(data.rows) + 1)
    for k, name in enumerate(shown):
        heights = [data.values(row, column, f"{metric}_{name}").mean() for row in data.rows]
        heights.append(np.mean(heights))
        width = 0.8 / len(shown)
        places = x + (k - len(shown) / 2 + 0.5) * width
        axes.bar(places, heights, width, color=COLOURS[k], label=_METHODS[name])
    axes.set_xticks(x, [*data.rows, "all"], fontsize=7)
    legend_below(panel, columns=5)
    return [panel]
