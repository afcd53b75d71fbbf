"""Drawings of barnes1999; those that show formulas are in `formula_drawings`."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel
from matplotlib.patches import Circle

from weaklearn.display import SampleWeightDisplay, legend_below, new_panel
from weaklearn.display.palette import COLOURS, DASHES, FAINT, GREY, MIDDLE
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.lab.round_drawings import line_panel

__all__ = ["best_errors", "margin_evolution", "weight_evolution"]

_MARKERS = ("o", "X", "s", "*", "D", "^", "v")


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
        panel, axes = new_panel(f"{label}: {group} at its best p", xlabel=group, ylabel="AdaBoost")
        for k, (row, (ours, reference)) in enumerate(points.items()):
            axes.errorbar(
                ours.mean(),
                reference.mean(),
                xerr=_bar(ours, figure.options.get("log", False)),
                yerr=_bar(reference, figure.options.get("log", False)),
                fmt=_MARKERS[k % 7],
                color=COLOURS[k % 7],
                ecolor=FAINT,
                markersize=8,
                label=row,
            )
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


def _only(figure: Figure, data: FigureData) -> Mapping[str, Any]:
    """The first trial of a figure that shows one run."""
    return next(iter(data.results.values()))[0]


def weight_evolution(figure: Figure, data: FigureData) -> list[Panel]:
    """The weights of the examples as areas, one panel per snapshot; the dashed circle is the true boundary."""
    result = _only(figure, data)
    points = np.column_stack([result["x1"], result["x2"]])
    labels = np.where(np.array(result["label"]) > 0, "inside", "outside")
    panels = []
    for t in figure.params["rounds"]:
        panel, axes = new_panel(f"Weights after {t} rounds", size=(5.4, 4.6), grid=False)
        SampleWeightDisplay(points, labels, result[f"weights {t}"]).plot(axes)
        axes.set_aspect("equal")
        axes.add_patch(
            Circle((0.5, 0.5), math.sqrt(1 / 8), fill=False, linestyle="--", linewidth=1.2, color=GREY)
        )
        panels.append(panel)
    return panels


def margin_evolution(figure: Figure, data: FigureData) -> list[Panel]:
    """The cost as a function of the normalised margin, which steepens, and the distribution of the margins."""
    result = _only(figure, data)
    rounds = figure.params["rounds"]
    gamma = np.linspace(-0.5, 1, 301)
    costs = {f"{t} rounds": (gamma, np.exp(-result[f"norm {t}"] * gamma)) for t in rounds}
    cost = line_panel("Cost of a normalised margin", "normalised margin", "cost", costs)
    cost.axes[0].set_ylim(0, 4)
    distribution, axes = new_panel(
        "Distribution of margins", xlabel="normalised margin", ylabel="share of examples at most this"
    )
    for k, t in enumerate(rounds):
        margins = np.array(result[f"margins {t}"])
        x = np.concatenate([margins[:1], margins])
        y = np.arange(len(margins) + 1) / len(margins)
        axes.step(
            x, y, where="post", color=COLOURS[k], linestyle=DASHES[k], linewidth=1.4, label=f"{t} rounds"
        )
    axes.axvline(0, color=MIDDLE, linewidth=0.8)
    legend_below(distribution)
    return [cost, distribution]
