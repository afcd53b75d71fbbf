"""Drawings of pratap2008, chapter 3: deviations of fits, errors of thresholds."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData

__all__ = ["deviations", "mean_squared_errors"]


def deviations(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean deviation against the number of levels, one panel per target."""
    sizes = figure.params["sizes"]
    return [
        _curves(figure, data, row, "deviation", sizes, "number of levels", "deviation")
        for row in _rows(figure, data)
    ]


def mean_squared_errors(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean squared error against additional answers, one panel per threshold."""
    rows = _rows(figure, data)
    n_points = len(next(iter(data.results.values()))[0]["curve"])
    x = list(range(n_points))
    label = "answers after one per level"
    return [_curves(figure, data, row, "curve", x, label, "mean squared error") for row in rows]


def _rows(figure: Figure, data: FigureData) -> list[str]:
    return [row.label for row in figure.rows if data.columns_of(row.label)]


def _curves(figure, data, row, metric, x, x_label, y_label) -> Panel:
    panel, axes = new_panel(row, xlabel=x_label, ylabel=y_label)
    present = data.columns_of(row)
    for position, column in enumerate(column.name for column in figure.columns):
        if column not in present:
            continue
        mean, error = (np.array(part) for part in data.curve(row, column, metric))
        style = {"color": COLOURS[position % len(COLOURS)], "linestyle": DASHES[position % len(DASHES)]}
        axes.plot(x, mean, label=column, linewidth=1.4, **dict[str, Any](style))
        axes.fill_between(x, mean - error, mean + error, color=style["color"], alpha=0.15, linewidth=0)
    axes.set_ylim(bottom=0)
    legend_below(panel)
    return panel
