"""Drawing functions for the figures of experiments.

A drawing function takes a `Figure` and its `FigureData` and returns one matplotlib figure per
panel, so that a report can set panels side by side or, on a phone, one below the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES
from weaklearn.lab._spec import Figure
from weaklearn.lab.comparison._sample import mean_and_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

__all__ = ["FigureData", "error_curves"]

_METRIC_TITLES = {"train_error": "training error (%)", "test_error": "test error (%)"}


@dataclass(frozen=True)
class FigureData:
    """The results of the trials behind a figure, by (row, column)."""

    results: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]

    def curve(self, row: str, column: str, metric: str) -> tuple[list[float], list[float]]:
        """Mean and standard error of a list-valued metric, point by point."""
        points = zip(*(result[metric] for result in self.results[row, column]), strict=True)
        pairs = [mean_and_error(values) for values in points]
        return [mean for mean, _ in pairs], [error or 0.0 for _, error in pairs]

    def columns_of(self, row: str) -> list[str]:
        """The columns that have results on `row`."""
        return [column for some_row, column in self.results if some_row == row]


def error_curves(figure: Figure, data: FigureData) -> "list[Panel]":
    """Mean error against epochs on a logarithmic axis, one panel per data set and metric.

    The protocol must be "curve". Options: `metrics`, a list (default: training and test error);
    `styles`, from column names to keyword arguments of matplotlib's ``plot``; `y_range`, from
    metrics to [low, high]. Bands are one standard error of the mean.
    """
    metrics = figure.options.get("metrics", ["train_error", "test_error"])
    rows = [row.label for row in figure.rows if data.columns_of(row.label)]
    return [_errors(figure, data, row, metric) for row in rows for metric in metrics]


def _errors(figure: Figure, data: FigureData, row: str, metric: str) -> "Panel":
    epochs = figure.params["epochs"]
    styles = figure.options.get("styles", {})
    shown = [i for i, epoch in enumerate(epochs) if epoch > 0]  # epoch 0 has no place on a log axis
    title = _METRIC_TITLES.get(metric, metric)
    panel, axes = new_panel(f"{row}: {title}", xlabel="epochs", ylabel=title)
    present = data.columns_of(row)
    for position, column in enumerate(column.name for column in figure.columns):
        if column not in present:
            continue
        mean, error = data.curve(row, column, metric)
        x, y = [epochs[i] for i in shown], [mean[i] for i in shown]
        dash = DASHES[(position // len(COLOURS) + position) % len(DASHES)]
        style = {"color": COLOURS[position % len(COLOURS)], "linestyle": dash}
        (line,) = axes.plot(x, y, label=column, **{"linewidth": 1.4, **style, **styles.get(column, {})})
        low, high = [mean[i] - error[i] for i in shown], [mean[i] + error[i] for i in shown]
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    if metric in figure.options.get("y_range", {}):
        axes.set_ylim(*figure.options["y_range"][metric])
    legend_below(panel)
    return panel
