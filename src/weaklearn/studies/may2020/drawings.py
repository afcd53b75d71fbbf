"""Drawings of may2020: the digits (part I) and sample complexities (part II)."""

import math
from collections import Counter, defaultdict
from itertools import permutations
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Panel
from matplotlib.ticker import LogLocator, NullLocator

from weaklearn.display import ClassConfusionDisplay, GrowthDisplay, legend_below, new_panel
from weaklearn.display.palette import BLUE, COLOURS, DASHES, VERMILLION
from weaklearn.kernel import fit_growth
from weaklearn.lab import Figure, load_source
from weaklearn.lab.drawings import FigureData
from weaklearn.linear import novikoff_bound, winnow_disjunction_bound

_WIDE_RANGE = 10.0  # a logarithmic axis from this ratio of the largest to the smallest count on


def _only(data: FigureData) -> list[Any]:
    """The trials of a figure with one row and one column."""
    (results,) = data.results.values()
    return list(results)


def _images(images: Any, titles: list[str], size: tuple[float, float], title_share: float) -> Panel:
    """Images in rows of five, each below its title, which has a share of the height."""
    panel, axes = new_panel(size=size, grid=False)
    axes.set_axis_off()
    n_columns = min(5, len(titles))
    width, height = 1 / n_columns, 1 / math.ceil(len(titles) / n_columns)
    for k, (image, title) in enumerate(zip(images, titles, strict=True)):
        row, column = divmod(k, n_columns)
        place = ((column + 0.05) * width, 1 - (row + 1) * height, 0.9 * width, (1 - title_share) * height)
        inset = axes.inset_axes(place)
        inset.imshow(image, cmap="gray", interpolation="nearest")
        inset.set_title(title, fontsize=8)
        inset.set_axis_off()
    return panel


def example_digits(figure: Figure, data: FigureData) -> Panel:
    """One example of each class as an image."""
    result = data.first
    side = math.isqrt(len(result["pixels"]) // len(result["classes"]))
    images = np.reshape(result["pixels"], (-1, side, side))
    return _images(images, [f"{label:g}" for label in result["classes"]], (7.5, 3.4), 0.15)


def class_counts(figure: Figure, data: FigureData) -> Panel:
    """Number of examples of each class."""
    result = data.first
    panel, axes = new_panel(xlabel="class", ylabel="examples", size=(5.4, 3.4), grid=False)
    bars = axes.bar([f"{label:g}" for label in result["classes"]], result["counts"], color=BLUE)
    axes.bar_label(bars, fontsize=8, fmt="%d")
    return panel


def hardest_examples(figure: Figure, data: FigureData) -> list[Panel]:
    """The five examples that the machines of all runs have wrong most often, and how often examples are wrong."""
    X, y = load_source(figure.rows[0].data.describe())
    classes = np.unique(y)
    runs = _only(data)
    mistakes: dict[int, Counter] = defaultdict(Counter)  # of each example, what it was taken for
    for result in runs:
        for example, taken in zip(result["wrong"], result["taken"], strict=True):
            mistakes[int(example)][classes[int(taken)]] += 1
    # Of equals the first.
    hardest = sorted(mistakes, key=lambda example: (-mistakes[example].total(), example))[:5]
    titles = []
    for example in hardest:
        taken_for = " or ".join(str(label) for label, _ in mistakes[example].most_common(2))
        often = f"wrong in {mistakes[example].total()} of {len(runs)}\n" if len(runs) > 1 else ""
        titles.append(f"labelled {y[example]}\n{often}taken for {taken_for}")
    side = math.isqrt(X.shape[1])
    images = _images(X[hardest].reshape(-1, side, side), titles, (7.7, 2.0), 0.3)
    sizes = Counter(counter.total() for counter in mistakes.values())
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
    """Support of each machine, one line for each row of the table; bars are one standard deviation over the runs."""
    panel, axes = new_panel(xlabel="machine", ylabel="support examples", size=(6.6, 4.0))
    means = []
    for k, (row, column) in enumerate(data.results):
        n_machines = sum(name.startswith("support ") for name in data.results[row, column][0])
        counts = np.array([data.values(row, column, f"support {i}") for i in range(n_machines)])
        means.append(counts.mean(axis=1))
        spread = counts.std(axis=1, ddof=1) if counts.shape[1] > 1 else None
        style = {"color": COLOURS[k % 7], "linestyle": DASHES[(k + k // 7) % 4], "linewidth": 1.0}
        axes.errorbar(
            range(n_machines), means[-1], spread, label=row, capsize=2, marker="o", markersize=4, **style
        )
    axes.set_xticks(range(n_machines))
    if np.min(means) > 0 and np.max(means) >= _WIDE_RANGE * np.min(means):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        axes.set_ylim(bottom=0)
    legend_below(panel)
    return panel


def confusion(figure: Figure, data: FigureData) -> Panel:
    """Of the wrong examples of each class, the shares taken for each other class: mean and deviation over runs."""
    runs = _only(data)
    size = 1 + max(int(name.split()[1]) for name in runs[0] if name.startswith("confusion "))
    shares = np.zeros((len(runs), size, size))
    for i, j in permutations(range(size), 2):
        shares[:, i, j] = [result[f"confusion {i} {j}"] for result in runs]
    panel, axes = new_panel(size=(6.6, 5.6), grid=False)
    mean, deviations = shares.mean(axis=0), shares.std(axis=0)
    ClassConfusionDisplay(mean, range(size), deviations=deviations, of="errors").plot(axes)
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


def growth_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Sample complexity against dimension, one panel for each learner.

    With the option `fits`, also the fitted curve and, for the perceptron and winnow, the mistake bound of the theory.
    """
    bounds = {
        "Perceptron": {"mistakes at most (Novikoff)": lambda n: novikoff_bound(math.sqrt(n), 1.0)},
        "Winnow": {"mistakes at most": lambda n: winnow_disjunction_bound(1, n)},
    }
    row = figure.rows[0].label
    panels = []
    for column in figure.columns:
        if column.name not in data.columns_of(row):
            continue
        dimensions = column.algorithm.params["dimensions"]
        mean, error = data.curve(row, column.name, "samples")
        theory = {}
        if figure.options.get("fits"):
            theory = {
                "growth": fit_growth(dimensions, mean),
                "kind": column.algorithm.params["kind"],
                "bounds": bounds.get(column.name),
            }
        panel, axes = new_panel(column.name, size=(4.6, 3.6), grid=False)
        GrowthDisplay(dimensions, mean, spread=error, **theory).plot(axes)
        axes.set_ylabel("examples m for 10% error")
        panels.append(panel)
    return panels
