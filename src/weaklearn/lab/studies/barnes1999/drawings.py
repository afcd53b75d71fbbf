"""Drawings of the boosting experiments.

Each function takes a `Figure` and its `FigureData` and returns one matplotlib figure per panel. Curves are means
over trials; a run that ended early counts up to its last round, so that a mean is over the runs that were still
going on, as in barnes1999, figure 6.4.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.lab.studies.barnes1999.trials import MARGIN_GRID

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

    from weaklearn.lab._spec import Figure
    from weaklearn.lab.curves import FigureData

__all__ = [
    "best_errors",
    "coefficient_distributions",
    "coefficients_by_round",
    "learning_curves",
    "line_panel",
    "margin_evolution",
    "margin_panels",
    "quantities",
    "round_curves",
    "weight_evolution",
]

# Colours that stay apart for colour-blind readers; dashes tell curves apart without any colour.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_DASHES = ("-", "--", "-.", ":")
_MARKERS = ("o", "X", "s", "*", "D", "^", "v")


def _panel(title: str, x: str, y: str, figsize: tuple[float, float] = (5.4, 4.2)) -> "tuple[Panel, Any]":
    from matplotlib.figure import Figure as Panel

    panel = Panel(figsize=figsize, layout="constrained")
    axes = panel.add_subplot()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return panel, axes


def _legend(panel: "Panel") -> None:
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False, handlelength=3)


def line_panel(
    title: str,
    x_label: str,
    y_label: str,
    lines: Mapping[str, tuple[Any, Any]],
    log_x: bool = False,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
) -> "Panel":
    panel, axes = _panel(title, x_label, y_label)
    for k, (label, (x, y)) in enumerate(lines.items()):
        style = {"color": _COLOURS[k % 7], "linestyle": _DASHES[(k + k // 7) % 4], "linewidth": 1.4}
        axes.plot(x, y, label=label, **{**style, **(styles or {}).get(label, {})})
    if log_x:
        axes.set_xscale("log")
    _legend(panel)
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


def round_curves(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Means over trials against rounds, one panel per row, group of columns and metric.

    Options: `metrics`, metric to axis label; `groups`, name to columns (default: all in one); `styles`, column to
    keyword arguments of ``plot``; `log` (True): the axis of the rounds; `log_y`: metrics with a logarithmic axis.
    """
    rounds, options = figure.protocol.params["rounds"], figure.options
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


def learning_curves(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Test and training error against rounds, one panel per row and column, all to one scale."""
    rounds = figure.protocol.params["rounds"]
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
        "training": {"color": "#888888", "linestyle": "--"},
    }
    panels = []
    for (row, column), pair in lines.items():
        panel = line_panel(f"{row}, {column}", "rounds", "error (%)", pair, True, styles)
        last = max(x[-1] for x, _ in pair.values())
        panel.axes[0].set(xlim=(1, max(10, last)), ylim=(0, 1.05 * highest))
        panels.append(panel)
    return panels


def quantities(figure: "Figure", data: "FigureData") -> "list[Panel]":
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
        _legend(panel)
        panels.append(panel)
    return panels


def margin_panels(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Distribution functions of the margins, one panel per row; then the curves of option `metrics`."""
    panels = []
    for row in figure.rows:
        columns = data.columns_of(row.label)
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


def best_errors(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """AdaBoost's value of a metric against that of a variant at its best p: a panel per variant, a point per row.

    Bars are one standard deviation over the trials. Options: `metric`, `label`, `groups` (variant to columns), `log`.
    """
    metric, label = figure.options["metric"], figure.options["label"]
    panels = []
    for group, columns in figure.options["groups"].items():
        points = {}
        for row in (row.label for row in figure.rows):
            means = {
                column: np.mean([result["best_test_error"] for result in data.results[row, column]])
                for column in columns
                if (row, column) in data.results
            }
            if means and (row, "AdaBoost") in data.results:
                chosen = min(means, key=lambda column: means[column])
                both = (data.results[row, chosen], data.results[row, "AdaBoost"])
                points[row] = [np.array([result[metric] for result in some]) for some in both]
        if not points:
            continue
        panel, axes = _panel(f"{label}: {group} at its best p", group, "AdaBoost")
        for k, (row, (ours, reference)) in enumerate(points.items()):
            axes.errorbar(
                ours.mean(),
                reference.mean(),
                xerr=_bar(ours, figure.options.get("log", False)),
                yerr=_bar(reference, figure.options.get("log", False)),
                fmt=_MARKERS[k % 7],
                color=_COLOURS[k % 7],
                ecolor="#cccccc",
                markersize=8,
                label=row,
            )
        ends = np.array([[some.mean() for some in pair] for pair in points.values()])
        if figure.options.get("log"):
            axes.set(xscale="log", yscale="log")
            line = [max(1.0, ends.min() / 3), 3 * ends.max()]
        else:
            line = [0.0, 1.3 * ends.max()]
        axes.plot(line, line, color="#888888", linewidth=1, zorder=1)
        axes.set(xlim=line, ylim=line, aspect="equal")
        _legend(panel)
        panels.append(panel)
    return panels


def _bar(values: np.ndarray, log: bool) -> list[list[float]]:
    """One standard deviation down and up; on a logarithmic axis not below a tenth of the mean."""
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return [[min(deviation, 0.9 * float(values.mean())) if log else deviation], [deviation]]


def _only(figure: "Figure", data: "FigureData") -> Mapping[str, Any]:
    """The first trial of a figure that shows one run."""
    return next(iter(data.results.values()))[0]


def weight_evolution(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The weights of the examples as areas, one panel per snapshot; the dashed circle is the true boundary."""
    from matplotlib.patches import Circle

    from weaklearn.display import SampleWeightDisplay

    result = _only(figure, data)
    points = np.column_stack([result["x1"], result["x2"]])
    labels = np.where(np.array(result["label"]) > 0, "inside", "outside")
    panels = []
    for t in figure.protocol.params["rounds"]:
        panel, axes = _panel(f"Weights after {t} rounds", "", "", (5.4, 4.6))
        SampleWeightDisplay(points, labels, result[f"weights {t}"]).plot(axes)
        axes.grid(visible=False)
        axes.set_aspect("equal")
        axes.add_patch(
            Circle((0.5, 0.5), math.sqrt(1 / 8), fill=False, linestyle="--", linewidth=1.2, color="#444444")
        )
        panels.append(panel)
    return panels


def margin_evolution(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The cost as a function of the normalised margin, which steepens, and the distribution of the margins."""
    result = _only(figure, data)
    rounds = figure.protocol.params["rounds"]
    gamma = np.linspace(-0.5, 1, 301)
    costs = {f"{t} rounds": (gamma, np.exp(-result[f"norm {t}"] * gamma)) for t in rounds}
    cost = line_panel("Cost of a normalised margin", "normalised margin", "cost", costs)
    cost.axes[0].set_ylim(0, 4)
    distribution, axes = _panel(
        "Distribution of margins", "normalised margin", "share of examples at most this"
    )
    for k, t in enumerate(rounds):
        margins = np.array(result[f"margins {t}"])
        x = np.concatenate([margins[:1], margins])
        y = np.arange(len(margins) + 1) / len(margins)
        axes.step(
            x, y, where="post", color=_COLOURS[k], linestyle=_DASHES[k], linewidth=1.4, label=f"{t} rounds"
        )
    axes.axvline(0, color="#888888", linewidth=0.8)
    _legend(distribution)
    return [cost, distribution]


def coefficients_by_round(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The coefficient of each distinct stump at the round that found it, a panel per algorithm, to one scale."""
    results = {column: some[0] for (_, column), some in data.results.items()}
    highest = max(max(result["coefficients"]) for result in results.values())
    panels = []
    for k, (column, result) in enumerate(results.items()):
        rounds, sizes = np.array(result["rounds"]), np.array(result["coefficients"])
        kept = sizes > 0
        panel, axes = _panel(
            f"{column}: {kept.sum()} hypotheses, test error {result['test_error']:.1f}%",
            "round that found the hypothesis",
            "coefficient",
        )
        axes.vlines(rounds[kept], 0, sizes[kept], color=_COLOURS[k], linewidth=0.9)
        axes.plot(rounds[kept], sizes[kept], ".", color=_COLOURS[k], markersize=4)
        if not kept.all():
            axes.plot(
                rounds[~kept],
                np.full((~kept).sum(), -0.02 * highest),
                "|",
                color="#888888",
                markersize=5,
                label=f"left out ({(~kept).sum()})",
            )
            _legend(panel)
        axes.set_ylim(-0.05 * highest, 1.05 * highest)
        panels.append(panel)
    return panels


def coefficient_distributions(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The share of hypotheses with at most a given coefficient, those that were left out not counted."""
    panel, axes = _panel(
        f"{figure.rows[0].label}: coefficients", "coefficient", "share of hypotheses at most this"
    )
    for k, ((_, column), some) in enumerate(data.results.items()):
        sizes = np.sort([size for size in some[0]["coefficients"] if size > 0])
        axes.step(
            np.concatenate([sizes[:1], sizes]),
            np.arange(len(sizes) + 1) / len(sizes),
            where="post",
            color=_COLOURS[k],
            linestyle=_DASHES[k % 4],
            linewidth=1.4,
            label=f"{column} ({len(sizes)} hypotheses)",
        )
    axes.set_xscale("log")
    _legend(panel)
    return [panel]
