"""Drawings of pratap2008, chapter 4: complexities of clones, and what each way of choosing achieves."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.lab._spec import Figure
from weaklearn.lab.curves import FigureData

__all__ = ["complexity_histograms", "method_bars"]

_COLOURS = {"original": "#5d6672", "clone": "#0072b2"}


def complexity_histograms(figure: Figure, data: FigureData) -> list[Panel]:
    """Complexities of fresh sets and of clones of one set, one panel per row and column; the line is the source."""
    panels = []
    for (row, column), results in data.results.items():
        panel = Panel(figsize=(5.4, 3.6), layout="constrained")
        axes = panel.add_subplot()
        values = {name: [result[name] for result in results] for name in ("original", "clone")}
        low, high = min(map(min, values.values())), max(map(max, values.values()))
        edges = np.linspace(low - 0.01, high + 0.01, 21)
        for name, colour in _COLOURS.items():
            axes.hist(values[name], bins=edges.tolist(), color=colour, alpha=0.6, label=f"{name} sets")
        axes.axvline(results[0]["source"], color="#d55e00", linestyle="--", label="the set that was cloned")
        axes.set_xlabel("complexity per example")
        axes.set_title(f"{row}, {column}", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
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
    panel = Panel(figsize=(9.0, 4.0), layout="constrained")
    axes = panel.add_subplot()
    x = np.arange(len(results) + 1)
    for k, name in enumerate(shown):
        heights = [np.mean([trial[f"{metric}_{name}"] for trial in trials]) for _, trials in results]
        heights.append(np.mean(heights))
        axes.bar(
            x + (k - len(shown) / 2 + 0.5) * 0.8 / len(shown), heights, 0.8 / len(shown), label=_METHODS[name]
        )
    axes.set_xticks(x, [row.label for row, _ in results] + ["all"], fontsize=7)
    axes.set_ylabel({"hit": "hit rate (%)", "error": "out-of-sample error (%)"}[metric])
    axes.spines[["top", "right"]].set_visible(False)
    panel.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)
    return [panel]
