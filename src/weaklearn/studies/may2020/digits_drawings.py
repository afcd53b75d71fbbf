"""Drawings of may2020, part I: the digits."""

import math
from collections import Counter
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.display import ClassConfusionDisplay, HardestExamplesDisplay, SupportCountDisplay, new_panel
from weaklearn.display._images import draw_images
from weaklearn.display.palette import BLUE, VERMILLION
from weaklearn.lab import Figure, load_source
from weaklearn.lab.curves import FigureData

__all__ = [
    "class_counts",
    "confusion",
    "example_digits",
    "hardest_examples",
    "single_runs",
    "support_counts",
]


def _only(data: FigureData) -> list[Any]:
    """The trials of a figure with one row and one column."""
    (results,) = data.results.values()
    return list(results)


def example_digits(figure: Figure, data: FigureData) -> Panel:
    """One example of each class as an image."""
    result = _only(data)[0]
    side = math.isqrt(len(result["pixels"]) // len(result["classes"]))
    images = np.reshape(result["pixels"], (-1, side, side))
    panel, axes = new_panel(size=(7.5, 3.4), grid=False)
    titles = [f"{label:g}" for label in result["classes"]]
    draw_images(axes, images, titles, title_share=0.15)
    return panel


def class_counts(figure: Figure, data: FigureData) -> Panel:
    """Number of examples of each class."""
    result = _only(data)[0]
    panel, axes = new_panel(xlabel="class", ylabel="examples", size=(5.4, 3.4), grid=False)
    bars = axes.bar([f"{label:g}" for label in result["classes"]], result["counts"], color=BLUE)
    axes.bar_label(bars, fontsize=8, fmt="%d")
    return panel


def hardest_examples(figure: Figure, data: FigureData) -> list[Panel]:
    """The five examples that the machines of all runs have wrong most often, and how often examples are wrong."""
    X, y = load_source(figure.rows[0].data.describe())
    classes = np.unique(y)
    runs = _only(data)
    answers = np.tile(y, (len(runs), 1))
    for answer, result in zip(answers, runs, strict=True):
        answer[np.asarray(result["wrong"], dtype=int)] = classes[np.asarray(result["taken"], dtype=int)]
    images, axes = new_panel(size=(7.7, 2.0), grid=False)
    HardestExamplesDisplay.from_predictions(X, y, answers, ax=axes)
    counts = np.count_nonzero(answers != y, axis=0)
    sizes = Counter(counts[counts > 0].tolist())
    often, axes = new_panel(
        f"{sizes.total()} examples are wrong at least once",
        xlabel=f"runs in which an example is wrong (of {len(runs)})",
        ylabel="examples",
        size=(5.4, 3.2),
        grid=False,
    )
    axes.bar(list(sizes), list(sizes.values()), color=BLUE)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.locator_params(axis="x", integer=True)
    return [images, often]


def support_counts(figure: Figure, data: FigureData) -> Panel:
    """Support of each machine, one line for each row of the table."""
    counts = {}
    for (row, _), results in data.results.items():
        machines = sum(name.startswith("support ") for name in results[0])
        counts[row] = [[result[f"support {k}"] for k in range(machines)] for result in results]
    panel, axes = new_panel(size=(6.6, 4.0), grid=False)
    SupportCountDisplay(counts).plot(axes)
    return panel


def confusion(figure: Figure, data: FigureData) -> Panel:
    """Of the wrong examples of each class, the shares taken for each other class: mean and deviation over runs."""
    runs = _only(data)
    size = 1 + max(int(name.split()[1]) for name in runs[0] if name.startswith("confusion "))
    shares = np.array(
        [
            [[result.get(f"confusion {i} {j}", 0.0) for j in range(size)] for i in range(size)]
            for result in runs
        ]
    )
    panel, axes = new_panel(size=(6.6, 5.6), grid=False)
    display = ClassConfusionDisplay(
        shares.mean(axis=0), range(size), deviations=shares.std(axis=0), of="errors"
    )
    display.plot(axes)
    return panel


def single_runs(figure: Figure, data: FigureData) -> list[Panel]:
    """Test errors of single runs beside the published ones, both sorted, and how often each choice was made.

    Options: `errors`, the published test errors, and `choices`, from the name of each candidate, in the order of the
    grid, to how many published runs chose it.
    """
    runs = _only(data)
    choices = figure.options["choices"]
    ours = sorted(result["test_error"] for result in runs)
    chosen = [sum(result[f"chosen {place}"] for result in runs) for place in range(len(choices))]
    kinds = {
        "published": (sorted(figure.options["errors"]), list(choices.values()), VERMILLION, "^"),
        "ours": (ours, chosen, BLUE, "o"),
    }
    size = (4.8, 3.6)
    errors, left = new_panel(
        xlabel="share of runs with a smaller error (%)", ylabel="test error (%)", size=size
    )
    often, right = new_panel(ylabel="runs with this choice (%)", size=size)
    for place, (name, (values, counts, colour, marker)) in enumerate(kinds.items()):
        deviation = f" ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""
        shares = 100 * (np.arange(len(values)) + 0.5) / len(values)
        left.plot(
            shares, values, linestyle="", marker=marker, markersize=4, color=colour,
            label=f"{name}, {np.mean(values):.2f}{deviation}",
        )  # fmt: skip
        heights = 100 * np.asarray(counts) / len(values)
        right.bar(
            np.arange(len(choices)) + 0.4 * (place - 0.5), heights, width=0.38, color=colour, label=name
        )
    crowded = sum(map(len, choices)) > 40
    turned = {"rotation": 30, "ha": "right", "fontsize": 8} if crowded else {"fontsize": 9}
    right.set_xticks(range(len(choices)), list(choices), **turned)
    for axes in (left, right):
        axes.legend(fontsize=8, frameon=False)
    return [errors, often]
