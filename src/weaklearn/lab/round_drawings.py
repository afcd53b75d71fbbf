"""Drawings of boosting round by round, which several documents share.

Each function takes a `Figure` and its `FigureData` and returns one matplotlib figure per panel. Curves are means
over trials; a run that ended early counts up to its last round, so that a mean is over the runs that were still
going, as in barnes1999, figure 6.4.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES, MIDDLE
from weaklearn.lab._spec import Figure
from weaklearn.lab.curves import FigureData

__all__ = ["learning_curves", "line_panel", "quantities", "round_curves"]


def line_panel(
    title: str,
    x_label: str,
    y_label: str,
    lines: Mapping[str, tuple[Any, Any]],
    log_x: bool = False,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
) -> Panel:
    """One panel of labelled curves, told apart by colour and dash."""
    panel, axes = new_panel(title, xlabel=x_label, ylabel=y_label)
    for k, (label, (x, y)) in enumerate(lines.items()):
        style = {"color": COLOURS[k % 7], "linestyle": DASHES[(k + k // 7) % 4], "linewidth": 1.4}
        axes.plot(x, y, label=label, **{**style, **(styles or {}).get(label, {})})
    if log_x:
        axes.set_xscale("log")
    legend_below(panel)
    return panel


def _curve(results: Sequence[Mapping[str, Any]], metric: str, rounds: Sequence[int]) -> tuple[list, list]:
    """Rounds and means over the runs that reached them; beyond the last run's end there is nothing."""
    x, y = [], []
    for k, t in enumerate(rounds):
        values = [result[metric][k] for result in results if result.get("n_rounds", math.inf) >= t]
        if values:
            x.append(t)
            y.append(math.fsum(values) / len(values))
    return x, y


def round_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Means over trials against rounds, one panel per row, group of columns and metric.

    Options: `metrics`, metric to axis label; `groups`, name to columns (default: all in one); `styles`, column to
    keyword arguments of ``plot``; `log` (True): the axis of the rounds; `log_y`: metrics with a logarithmic axis.
    """
    rounds, options = figure.params["rounds"], figure.options
    panels = []
    for row in figure.rows:
        present = data.columns_of(row.label)
        for metric, label in options["metrics"].items():
            for group, columns in options.get("groups", {"": present}).items():
                lines = {
                    column: _curve(data.results[row.label, column], metric, rounds)
                    for column in columns
                    if column in present
                }
                if not lines:
                    continue
                title = ", ".join(part for part in (row.label, group) if part) + f": {label}"
                panel = line_panel(
                    title, "rounds", label, lines, options.get("log", True), options.get("styles")
                )
                if metric in options.get("log_y", ()):
                    panel.axes[0].set_yscale("log")
                panels.append(panel)
    return panels


def learning_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Test and training error against rounds, one panel per row and column, all to one scale."""
    rounds = figure.params["rounds"]
    lines = {
        (row.label, column): {
            name: _curve(data.results[row.label, column], metric, rounds)
            for name, metric in (("test", "test_errors"), ("training", "train_errors"))
        }
        for row in figure.rows
        for column in data.columns_of(row.label)
    }
    highest = max((max(y, default=0.0) for pair in lines.values() for _, y in pair.values()), default=0.0)
    styles = {
        "test": {"color": "black", "linestyle": "-"},
        "training": {"color": MIDDLE, "linestyle": "--"},
    }
    panels = []
    for (row, column), pair in lines.items():
        panel = line_panel(f"{row}, {column}", "rounds", "error (%)", pair, True, styles)
        last = max(x[-1] for x, _ in pair.values())
        panel.axes[0].set(xlim=(1, max(10, last)), ylim=(0, 1.05 * highest))
        panels.append(panel)
    return panels


def quantities(figure: Figure, data: FigureData) -> list[Panel]:
    """Scalar metrics against a number: option `x` gives it for every row or column, `metrics` the panels.

    Options: `x` maps names of rows (or, with `by` = "column", of columns) to numbers; `series` maps them to the name of
    their line; `reference`, a column that is a level for all x; `mark_least`: metrics whose least value on each
    line gets a dot; `styles` and `log_y` as in `round_curves`.
    """
    options = figure.options
    by_column = options.get("by", "row") == "column"
    panels = []
    for metric, label in options["metrics"].items():
        lines: dict[str, tuple[list[float], list[float]]] = {}
        levels: dict[str, float] = {}
        for (row, column), results in data.results.items():
            name, other = (column, row) if by_column else (row, column)
            mean = float(np.mean([result[metric] for result in results]))
            # What is 0 but for rounding would fill its panel with noise.
            mean = mean if abs(mean) > 1e-12 else 0.0
            if name == options.get("reference"):
                levels[name] = mean
            if name not in options["x"]:
                continue
            series = options.get("series", {}).get(name, other)
            # The other name says nothing where there is only one of it.
            one = len(figure.rows if by_column else figure.columns) == 1
            line = series if one or series == other else f"{series}, {other}"
            x, y = lines.setdefault(line, ([], []))
            x.append(options["x"][name])
            y.append(mean)
        if not lines:
            continue
        title = f"{figure.rows[0].label}: {label}" if by_column else label
        panel = line_panel(title, options.get("x_label", "p"), label, lines, False, options.get("styles"))
        axes = panel.axes[0]
        for drawn in axes.get_lines():
            drawn.set(marker="o", markersize=3)
        for line, level in levels.items():
            axes.axhline(level, color="black", linewidth=2.2, label=line)
        if metric in options.get("mark_least", ()):
            for drawn, (x, y) in zip(axes.get_lines(), lines.values(), strict=False):
                best = int(np.argmin(y))
                axes.plot(x[best], y[best], "o", color=drawn.get_color(), markersize=7)
        if metric in options.get("log_y", ()):
            axes.set_yscale("log")
        for old in panel.legends:
            old.remove()
        legend_below(panel)
        panels.append(panel)
    return panels
