"""Drawings of pratap2008, chapter 4: complexities of clones, and what each way of choosing achieves."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import BLUE, COLOURS, GREY, VERMILLION
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData

__all__ = ["complexity_histograms", "method_bars"]

_COLOURS = {"original": GREY, "clone": BLUE}


def complexity_histograms(figure: Figure, data: FigureData) -> list[Panel]:
    """Complexities of fresh sets and of clones of one set, one panel per row and column; the line is the source."""
    panels = []
    for (row, column), results in data.results.items():
        panel, axes = new_panel(
            f"{row}, {column}", xlabel="complexity per example", size=(5.4, 3.6), grid=False
        )
        values = {name: [result[name] for result in results] for name in ("original", "clone")}
        low, high = min(map(min, values.values())), max(map(max, values.values()))
        edges = np.linspace(low - 0.01, high + 0.01, 21)
        for name, colour in _COLOURS.items():
            axes.hist(values[name], bins=edges.tolist(), color=colour, alpha=0.6, label=f"{name} sets")
        axes.axvline(results[0]["source"], color=VERMILLION, linestyle="--", label="the set that was cloned")
        legend_below(panel)
        panels.append(panel)
    return panels


_METHODS = {
    "in": "in-sample",
    "cv": "5-fold CV",
    "rho": "rho-cloning",
    "adaboost": "AdaBoost-cloning",
    "oracle": "oracle",
}


def method_bars(figure: Figure, data: FigureData) -> list[Panel]:
    """The mean of a metric (option `metric`: "hit" or "error") for each way of choosing, target by target."""
    metric = figure.options["metric"]
    results = [
        (row, list(data.results[row.label, figure.columns[0].name]))
        for row in figure.rows
        if data.columns_of(row.label)
    ]
    shown = [name for name in _METHODS if f"{metric}_{name}" in results[0][1][0]]
    label = {"hit": "hit rate (%)", "error": "out-of-sample error (%)"}[metric]
    panel, axes = new_panel(ylabel=label, size=(9.0, 4.0), grid=False)
    x = np.arange(len(results) + 1)
    for k, name in enumerate(shown):
        heights = [np.mean([trial[f"{metric}_{name}"] for trial in trials]) for _, trials in results]
        heights.append(np.mean(heights))
        width = 0.8 / len(shown)
        places = x + (k - len(shown) / 2 + 0.5) * width
        axes.bar(places, heights, width, color=COLOURS[k], label=_METHODS[name])
    axes.set_xticks(x, [row.label for row, _ in results] + ["all"], fontsize=7)
    legend_below(panel, columns=5)
    return [panel]
