"""Drawings of figures that several studies share, and the pieces that drawings of studies are made of.

A drawing function takes a `Figure` and its `FigureData` and returns one matplotlib figure per panel, so that a report
can set panels side by side or, on a phone, one below the other. Curves are means over trials, with bands of one
standard error where a drawing says so. Round by round, a run that ended early counts up to its last round: a mean is
over the runs that were still going, as in barnes1999, figure 6.4.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES, MIDDLE
from weaklearn.lab._sample import mean_and_error
from weaklearn.lab._spec import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

__all__ = [
    "FigureData", "distribution", "error_curves", "learning_curves", "line_panel", "quantities", "round_curves",
]  # fmt: skip

_METRIC_TITLES = {"train_error": "training error (%)", "test_error": "test error (%)"}


@dataclass(frozen=True)
class FigureData:
    """The results of the trials behind a figure, by (row, column)."""

    results: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]

    @property
    def rows(self) -> list[str]:
        """The rows that have results."""
        return list(dict.fromkeys(row for row, _ in self.results))

    @property
    def first(self) -> Mapping[str, Any]:
        """The first trial of a figure that shows one run."""
        return next(iter(self.results.values()))[0]

    def columns_of(self, row: str) -> list[str]:
        """The columns that have results on `row`."""
        return [column for some_row, column in self.results if some_row == row]

    def values(self, row: str, column: str, metric: str) -> np.ndarray:
        """A metric of every trial of a cell."""
        return np.array([result[metric] for result in self.results[row, column]])

    def curve(self, row: str, column: str, metric: str) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard error of a list-valued metric, point by point."""
        pairs = [mean_and_error(values) for values in self.values(row, column, metric).T]
        return np.array([mean for mean, _ in pairs]), np.array([error or 0.0 for _, error in pairs])


def line_panel(
    title: str,
    xlabel: str,
    ylabel: str,
    lines: Mapping[str, tuple[Any, ...] | None],
    *,
    levels: Mapping[str, float] | None = None,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
    legend_columns: int = 3,
    **keywords: Any,
) -> "Panel":
    """One panel of labelled curves, told apart by colour and dash.

    Parameters
    ----------
    title, xlabel, ylabel : str
    lines : mapping
        From labels to x and y, and with a third array to a band of this half-width around y. None leaves a curve out,
        and its colour.
    levels : mapping, optional
        From labels to heights: horizontal lines.
    styles : mapping, optional
        From labels to keyword arguments of ``plot``.
    legend_columns : int
    **keywords
        Of ``plot``, for all curves.
    """
    panel, axes = new_panel(title, xlabel=xlabel, ylabel=ylabel)
    for k, (label, line) in enumerate(lines.items()):
        if line is None:
            continue
        x, y, *band = line
        style = {"color": COLOURS[k % 7], "linestyle": DASHES[(k + k // 7) % 4], "linewidth": 1.4, **keywords}
        (drawn,) = axes.plot(x, y, label=label, **{**style, **(styles or {}).get(label, {})})
        if band:
            low, high = np.array(y) - band[0], np.array(y) + band[0]
            axes.fill_between(x, low, high, color=drawn.get_color(), alpha=0.15, linewidth=0)
    for label, level in (levels or {}).items():
        axes.axhline(level, color="black", linewidth=2.2, label=label)
    legend_below(panel, columns=legend_columns)
    return panel


def distribution(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The distribution function of values, for a curve with ``drawstyle="steps-post"``."""
    values = np.sort(values)
    return np.concatenate([values[:1], values]), np.arange(len(values) + 1) / len(values)


def error_curves(figure: Figure, data: FigureData) -> "list[Panel]":
    """Mean error against epochs on a logarithmic axis, with bands; one panel per data set and metric.

    The protocol must be "curve". Options: `metrics`, a list (default: training and test error);
    `styles`, from column names to keyword arguments of matplotlib's ``plot``; `y_range`, from
    metrics to [low, high].
    """
    epochs = np.array(figure.params["epochs"])
    shown = epochs > 0  # epoch 0 has no place on a log axis
    panels = []
    for row in data.rows:
        for metric in figure.options.get("metrics", list(_METRIC_TITLES)):
            lines: dict[str, tuple[Any, ...] | None] = {}
            for column in (column.name for column in figure.columns):
                lines[column] = None
                if column in data.columns_of(row):
                    mean, error = data.curve(row, column, metric)
                    lines[column] = epochs[shown], mean[shown], error[shown]
            title = _METRIC_TITLES.get(metric, metric)
            panel = line_panel(f"{row}: {title}", "epochs", title, lines, styles=figure.options.get("styles"))
            panel.axes[0].set(xscale="log", ylim=figure.options.get("y_range", {}).get(metric))
            panels.append(panel)
    return panels


def _still_going(
    results: Sequence[Mapping[str, Any]], metric: str, rounds: Sequence[int]
) -> tuple[list, list]:
    """Rounds and means over the runs that reached them; beyond the last run's end there is nothing."""
    x, y = [], []
    for k, t in enumerate(rounds):
        values = [result[metric][k] for result in results if result.get("n_rounds", math.inf) >= t]
        if values:
            x.append(t)
            y.append(math.fsum(values) / len(values))
    return x, y


def round_curves(figure: Figure, data: FigureData) -> "list[Panel]":
    """Means over trials against rounds, one panel per row, group of columns and metric.

    Options: `metrics`, metric to axis label; `groups`, name to columns (default: all in one); `styles`, column to
    keyword arguments of ``plot``; `log` (True): the axis of the rounds; `log_y`: metrics with a logarithmic axis.
    """
    rounds, options = figure.params["rounds"], figure.options
    panels = []
    for row in data.rows:
        present = data.columns_of(row)
        for metric, label in options["metrics"].items():
            for group, columns in options.get("groups", {"": present}).items():
                lines = {
                    column: _still_going(data.results[row, column], metric, rounds)
                    for column in columns
                    if column in present
                }
                if not lines:
                    continue
                title = ", ".join(part for part in (row, group) if part) + f": {label}"
                panel = line_panel(title, "rounds", label, lines, styles=options.get("styles"))
                if options.get("log", True):
                    panel.axes[0].set_xscale("log")
                if metric in options.get("log_y", ()):
                    panel.axes[0].set_yscale("log")
                panels.append(panel)
    return panels


def learning_curves(figure: Figure, data: FigureData) -> "list[Panel]":
    """Test and training error against rounds, one panel per row and column, all to one scale."""
    rounds = figure.params["rounds"]
    metrics = {"test": "test_errors", "training": "train_errors"}
    lines = {
        cell: {name: _still_going(results, metric, rounds) for name, metric in metrics.items()}
        for cell, results in data.results.items()
    }
    highest = max((max(y, default=0.0) for pair in lines.values() for _, y in pair.values()), default=0.0)
    styles = {
        "test": {"color": "black", "linestyle": "-"},
        "training": {"color": MIDDLE, "linestyle": "--"},
    }
    panels = []
    for (row, column), pair in lines.items():
        panel = line_panel(f"{row}, {column}", "rounds", "error (%)", pair, styles=styles)
        last = max(x[-1] for x, _ in pair.values())
        panel.axes[0].set(xscale="log", xlim=(1, max(10, last)), ylim=(0, 1.05 * highest))
        panels.append(panel)
    return panels


def quantities(figure: Figure, data: FigureData) -> "list[Panel]":
    """Scalar metrics against a number: option `x` gives it for every row or column, `metrics` the panels.

    Options: `x` maps names of rows (or, with `by` = "column", of columns) to numbers; `series` maps them to the name of
    their line; `reference`, a column that is a level for all x; `mark_least`: metrics whose least value on each
    line gets a dot; `styles` as in `round_curves`.
    """
    options = figure.options
    by_column = options.get("by", "row") == "column"
    panels = []
    for metric, label in options["metrics"].items():
        lines: dict[str, tuple[list[float], list[float]]] = {}
        levels: dict[str, float] = {}
        for row, column in data.results:
            name, other = (column, row) if by_column else (row, column)
            mean = float(data.values(row, column, metric).mean())
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
        panel = line_panel(
            title, options.get("x_label", "p"), label, lines, levels=levels, styles=options.get("styles"),
            marker="o", markersize=3,
        )  # fmt: skip
        axes = panel.axes[0]
        if metric in options.get("mark_least", ()):
            for drawn, (x, y) in zip(axes.get_lines(), lines.values(), strict=False):
                best = int(np.argmin(y))
                axes.plot(x[best], y[best], "o", color=drawn.get_color(), markersize=7)
        panels.append(panel)
    return panels
