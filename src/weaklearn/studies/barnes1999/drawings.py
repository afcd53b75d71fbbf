"""Drawings of barnes1999, from trials and, of formulas, without any."""

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel
from matplotlib.patches import Circle

from weaklearn.display import legend_below, new_panel
from weaklearn.display.palette import CLASS_COLOURS, CLASS_MARKERS, COLOURS, FAINT, GREY, MIDDLE
from weaklearn.lab import Figure
from weaklearn.lab.drawings import FigureData, distribution, line_panel

_MARKERS = ("o", "X", "s", "*", "D", "^", "v")
_DOT_AREA = 20.0  # points^2, of an example of mean weight


def best_errors(figure: Figure, data: FigureData) -> list[Panel]:
    """AdaBoost's value of a metric against that of a variant at its best p: a panel per variant, a point per row.

    Bars are one standard deviation over the trials. Options: `metric`, `label`, `groups` (variant to columns), `log`.
    """
    metric, label = figure.options["metric"], figure.options["label"]
    panels = []
    for group, columns in figure.options["groups"].items():
        points = {}
        for row in (row.label for row in figure.rows):
            means = {
                column: data.values(row, column, "best_test_error").mean()
                for column in columns
                if (row, column) in data.results
            }
            if means and (row, "AdaBoost") in data.results:
                chosen = min(means, key=lambda column: means[column])
                points[row] = [data.values(row, column, metric) for column in (chosen, "AdaBoost")]
        if not points:
            continue
        panel, axes = new_panel(f"{label}: {group} at its best p", xlabel=group, ylabel="AdaBoost")
        for k, (row, (ours, reference)) in enumerate(points.items()):
            bars = (_bar(values, figure.options.get("log", False)) for values in (reference, ours))
            style = {"fmt": _MARKERS[k % 7], "color": COLOURS[k % 7], "ecolor": FAINT, "markersize": 8}
            axes.errorbar(ours.mean(), reference.mean(), *bars, label=row, **style)
        ends = np.array([[some.mean() for some in pair] for pair in points.values()])
        if figure.options.get("log"):
            axes.set(xscale="log", yscale="log")
            line = [max(1.0, ends.min() / 3), 3 * ends.max()]
        else:
            line = [0.0, 1.3 * ends.max()]
        axes.plot(line, line, color=MIDDLE, linewidth=1, zorder=1)
        axes.set(xlim=line, ylim=line, aspect="equal")
        legend_below(panel)
        panels.append(panel)
    return panels


def _bar(values: np.ndarray, log: bool) -> list[list[float]]:
    """One standard deviation down and up; on a logarithmic axis not below a tenth of the mean."""
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return [[min(deviation, 0.9 * float(values.mean())) if log else deviation], [deviation]]


def weight_evolution(figure: Figure, data: FigureData) -> list[Panel]:
    """The weights of the examples as areas, one panel per snapshot; the dashed circle is the true boundary."""
    result = data.first
    points = np.column_stack([result["x1"], result["x2"]])
    inside = np.array(result["label"]) > 0
    panels = []
    for t in figure.params["rounds"]:
        panel, axes = new_panel(
            f"Weights after {t} rounds", xlabel="$x_1$", ylabel="$x_2$", size=(5.4, 4.6), grid=False
        )
        weights = np.array(result[f"weights {t}"])
        areas = _DOT_AREA * len(weights) * weights / weights.sum()
        heaviest_first = np.argsort(-areas, kind="stable")
        for label, of_class, colour, marker in zip(
            ("inside", "outside"), (inside, ~inside), CLASS_COLOURS, CLASS_MARKERS, strict=True
        ):
            rows = heaviest_first[of_class[heaviest_first]]
            style = {"c": colour, "marker": marker, "alpha": 0.75, "edgecolors": "white", "linewidths": 0.4}
            axes.scatter(*points[rows].T, s=areas[rows], label=label, **style)
        legend = axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9, frameon=False)
        for handle in legend.legend_handles:
            handle.set_sizes([30.0])
        axes.set_aspect("equal")
        axes.add_patch(
            Circle((0.5, 0.5), math.sqrt(1 / 8), fill=False, linestyle="--", linewidth=1.2, color=GREY)
        )
        panels.append(panel)
    return panels


def margin_evolution(figure: Figure, data: FigureData) -> list[Panel]:
    """The cost as a function of the normalised margin, which steepens, and the distribution of the margins."""
    result = data.first
    rounds = figure.params["rounds"]
    gamma = np.linspace(-0.5, 1, 301)
    costs = {f"{t} rounds": (gamma, np.exp(-result[f"norm {t}"] * gamma)) for t in rounds}
    cost = line_panel("Cost of a normalised margin", "normalised margin", "cost", costs)
    cost.axes[0].set_ylim(0, 4)
    margins = line_panel(
        "Distribution of margins",
        "normalised margin",
        "share of examples at most this",
        {f"{t} rounds": distribution(result[f"margins {t}"]) for t in rounds},
        drawstyle="steps-post",
    )
    margins.axes[0].axvline(0, color=MIDDLE, linewidth=0.8)
    return [cost, margins]


def hulls(figure: Figure, data: FigureData) -> list[Panel]:
    """The p-convex hulls of two functions: curves ``|u|^p + |v|^p = 1``, nested (barnes1999, figure 2.6)."""
    angle = np.linspace(0, 2 * np.pi, 801)
    u, v = np.cos(angle), np.sin(angle)
    u, v = u / np.maximum(np.abs(u), np.abs(v)), v / np.maximum(np.abs(u), np.abs(v))
    lines: dict[str, tuple[Any, ...] | None] = {}
    for p in (0.3, 0.5, 1, 2):
        norm = (np.abs(u) ** p + np.abs(v) ** p) ** (1 / p)
        lines[f"p = {p}"] = u / norm, v / norm
    lines["p = ∞"] = u, v
    panel = line_panel("p-convex hulls of two functions", "u", "v", lines)
    panel.axes[0].plot([1, 0, -1, 0], [0, 1, 0, -1], "o", color="black", markersize=4)
    panel.axes[0].set_aspect("equal")
    return [panel]


def naive_coefficients(figure: Figure, data: FigureData) -> list[Panel]:
    """The naive coefficient against the weighted error (barnes1999, figures 3.2 and 4.3)."""
    error = np.linspace(0.005, 0.495, 200)
    plain = 0.5 * np.log((1 - error) / error)
    lines = {f"p = {p}": (error, plain ** (1 / p)) for p in (0.5, 0.7, 1.0)}
    return [line_panel("Coefficients of naive p-boosting", "weighted error", "coefficient", lines)]


def line_costs(figure: Figure, data: FigureData) -> list[Panel]:
    """The strict line cost by sample history, and of the ten examples (barnes1999, figure 4.5).

    Below p = 0.66974 the cost of the ten has no local minimum, and strict boosting stops.
    """
    alpha = np.linspace(1e-4, 4, 400)
    counts = {(1, 1): 7, (1, -1): 2, (-1, 1): 1, (-1, -1): 0}

    def cost(first, second, p):
        return np.exp(-(first + alpha * second) / (1 + alpha**p) ** (1 / p))

    panels = [
        line_panel(
            f"{u:+d} then {v:+d}", "step", "cost", {f"p = {p}": (alpha, cost(u, v, p)) for p in (0.5, 1, 2)}
        )
        for u, v in counts
    ]
    total = {
        f"p = {p}": (alpha, sum(n * cost(u, v, p) for (u, v), n in counts.items()))
        for p in (0.5, 0.66974, 1, 2)
    }
    return [*panels, line_panel("all ten examples", "step", "cost", total)]
