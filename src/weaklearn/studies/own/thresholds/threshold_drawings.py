"""Drawings of the threshold study."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS
from weaklearn.lab import Figure
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.own.thresholds.curve_cases import CASES

_MARKERS = "os^D"
_MOST = 30  # a step exactly between two levels is found to within a millionth by some methods
_MAIN = ("S-shaped", "badly fitted")


def over_the_least(figure: Figure, data: FigureData) -> list[Panel]:
    """The error of every method over the least one, by cases; the title counts yes/no cases within 10% of the least."""
    metric = figure.options["metric"]
    names = [column.name for column in figure.columns]
    rows = [row.label for row in figure.rows if len(data.columns_of(row.label)) == len(names)]
    if not rows:
        return []
    errors = np.array([[data.values(row, name, metric).mean() for name in names] for row in rows])
    good, total = within_ten_percent(rows, errors)
    panel, axes = new_panel(
        f"{names[0]} within 10% of the least: {good} of {total}",
        xlabel=f"mean squared error over the least ({_MOST}: or more)",
        size=(7.0, 1.5 + 0.22 * len(rows)),
    )
    ratios = np.minimum(errors / errors.min(axis=1, keepdims=True), _MOST)
    for position, name in enumerate(names):
        style = {"marker": _MARKERS[position], "color": COLOURS[position], "linestyle": "none"}
        axes.plot(ratios[:, position], np.arange(len(rows)), label=name, **style)
    axes.axvline(1.1, color="0.6", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(np.arange(len(rows)), rows)
    axes.invert_yaxis()
    legend_below(panel)
    return [panel]


def within_ten_percent(rows, errors):
    """In how many of the yes/no cases the first column is within 10% of the least, and of how many."""
    main = [CASES[row].group in _MAIN for row in rows]
    good = errors[:, 0] <= 1.1 * errors.min(axis=1)
    return int(np.sum(good[main])), int(np.sum(main))
