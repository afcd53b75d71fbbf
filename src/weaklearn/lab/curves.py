"""Drawing functions for the figures of experiments.

A drawing function takes a `Figure` and its `FigureData` and returns one matplotlib figure per
panel, so that a report can set panels side by side or, on a phone, one below the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weaklearn.display._style import COLOURS, DASHES
from weaklearn.lab._spec import Figure
from weaklearn.lab.comparison._compare import mean_and_error

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
    return [_panel(figure, data, row, metric) for row in rows for metric in metrics]


def _panel(figure: Figure, data: FigureData, row: str, metric: str) -> "Panel":
    # `FigureData` is imported with the lab; matplotlib only when something is drawn.
    from matplotlib.figure import Figure as Panel

    epochs = figure.params["epochs"]
    styles = figure.options.get("styles", {})
    shown = [i for i, epoch in enumerate(epochs) if epoch > 0]  # epoch 0 has no place on a log axis
    panel = Panel(figsize=(5.4, 4.2), layout="constrained")
    axes = panel.add_subplot()
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
    axes.set_xlabel("epochs")
    axes.set_ylabel(_METRIC_TITLES.get(metric, metric))
    axes.set_title(f"{row}: {_METRIC_TITLES.get(metric, metric)}", fontsize=11)
    if metric in figure.options.get("y_range", {}):
        axes.set_ylim(*figure.options["y_range"][metric])
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False, handlelength=3)
    return panel
