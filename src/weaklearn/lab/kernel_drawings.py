"""Drawings of the digits experiments (may2020, part I) and of sample complexities (part II)."""

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Panel

    from weaklearn.lab._spec import Figure
    from weaklearn.lab.curves import FigureData

__all__ = [
    "class_counts",
    "confusion",
    "example_digits",
    "growth_curves",
    "hardest_examples",
    "support_counts",
]

_BLUE, _ORANGE, _GREY = "#0072b2", "#d55e00", "#7f7f7f"


def _panel(width: float, height: float) -> "Panel":
    from matplotlib.figure import Figure as Panel

    return Panel(figsize=(width, height), layout="constrained")


def _only(data: "FigureData") -> list[Any]:
    """The trials of a figure with one row and one column."""
    (results,) = data.results.values()
    return list(results)


def _show_image(axes: Any, pixels: Any, title: str) -> None:
    side = round(math.sqrt(len(pixels)))
    axes.imshow(np.reshape(pixels, (side, side)), cmap="gray", interpolation="nearest")
    axes.set_title(title, fontsize=9)
    axes.set_axis_off()


def example_digits(figure: "Figure", data: "FigureData") -> "Panel":
    """One example of each class as an image."""
    result = _only(data)[0]
    images = np.reshape(result["pixels"], (len(result["classes"]), -1))
    panel = _panel(7.5, 3.2)
    for place, (label, pixels) in enumerate(zip(result["classes"], images, strict=True)):
        _show_image(panel.add_subplot(2, 5, place + 1), pixels, f"{label:g}")
    return panel


def class_counts(figure: "Figure", data: "FigureData") -> "Panel":
    """Number of examples of each class."""
    result = _only(data)[0]
    panel = _panel(5.4, 3.4)
    axes = panel.add_subplot()
    bars = axes.bar([f"{label:g}" for label in result["classes"]], result["counts"], color=_BLUE)
    axes.bar_label(bars, fontsize=8, fmt="%d")
    axes.set_xlabel("class")
    axes.set_ylabel("examples")
    axes.spines[["top", "right"]].set_visible(False)
    return panel


def hardest_examples(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """The five examples that the machines of all runs have wrong most often, and how often examples are wrong."""
    from weaklearn.lab._sources import load_source

    X, y = load_source(figure.rows[0].describe())
    runs = _only(data)
    counts = Counter(int(number) for result in runs for number in result["wrong"])
    images = _panel(7.5, 2.0)
    for place, (number, count) in enumerate(counts.most_common(5)):
        title = f"labelled {y[number]}\nwrong in {count} of {len(runs)}"
        _show_image(images.add_subplot(1, 5, place + 1), X[number], title)
    often = _panel(5.4, 3.2)
    axes = often.add_subplot()
    sizes = Counter(counts.values())
    axes.bar(list(sizes), list(sizes.values()), color=_BLUE)
    axes.set_yscale("log")
    axes.set_xlabel(f"runs in which an example is wrong (of {len(runs)})")
    axes.set_ylabel("examples")
    axes.set_title(f"{len(counts)} examples are wrong at least once", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    return [images, often]


def support_counts(figure: "Figure", data: "FigureData") -> "Panel":
    """Support of each machine, one line for each row of the table."""
    panel = _panel(5.6, 4.0)
    axes = panel.add_subplot()
    rows = [row.label for row in figure.rows if data.columns_of(row.label)]
    for place, row in enumerate(rows):
        (results,) = (some for (label, _), some in data.results.items() if label == row)
        machines = sum(name.startswith("support ") for name in results[0])
        counts = np.array([[result[f"support {k}"] for k in range(machines)] for result in results])
        shade = 0.25 + 0.75 * place / max(1, len(rows) - 1)
        axes.plot(range(machines), counts.mean(axis=0), marker="o", ms=3, color=_BLUE, alpha=shade, label=row)
    axes.set_yscale("log")
    axes.set_xticks(range(machines))
    axes.set_xlabel("machine")
    axes.set_ylabel("examples with a coefficient")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    panel.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return panel


def confusion(figure: "Figure", data: "FigureData") -> "Panel":
    """Of the wrong examples of each class, the shares taken for each other class: mean and deviation over runs."""
    runs = _only(data)
    size = 1 + max(int(name.split()[1]) for name in runs[0] if name.startswith("confusion "))
    shares = np.zeros((len(runs), size, size))
    for number, result in enumerate(runs):
        for name, value in result.items():
            if name.startswith("confusion "):
                i, j = (int(part) for part in name.split()[1:])
                shares[number, i, j] = value
    mean, spread = shares.mean(axis=0), shares.std(axis=0)
    panel = _panel(6.6, 5.6)
    axes = panel.add_subplot()
    image = axes.imshow(mean, cmap="Blues", vmin=0)
    for i in range(size):
        for j in range(size):
            if mean[i, j] > 0:
                colour = "white" if mean[i, j] > 0.6 * mean.max() else "black"
                text = f"{mean[i, j]:.2f}\n±{spread[i, j]:.2f}"
                axes.text(j, i, text, ha="center", va="center", fontsize=6, color=colour)
    axes.set_xticks(range(size))
    axes.set_yticks(range(size))
    axes.set_xlabel("taken for")
    axes.set_ylabel("class")
    panel.colorbar(image, label="share of the wrong examples of the class")
    return panel


def growth_curves(figure: "Figure", data: "FigureData") -> "list[Panel]":
    """Sample complexity against dimension, one panel for each learner.

    With the option `fits`, also the fitted curve and, for the perceptron and winnow, the mistake bound of the theory.
    """
    from weaklearn.kernel import fit_growth, perceptron_mistake_bound, winnow_mistake_bound

    bounds = {
        "Perceptron": lambda n: perceptron_mistake_bound(math.sqrt(n), 1.0),
        "Winnow": winnow_mistake_bound,
    }
    row = figure.rows[0].label
    panels = []
    for column in figure.columns:
        if column.name not in data.columns_of(row):
            continue
        dimensions = np.array(column.algorithm.params["dimensions"])
        mean, error = data.curve(row, column.name, "samples")
        panel = _panel(4.6, 3.6)
        axes = panel.add_subplot()
        axes.errorbar(dimensions, mean, yerr=error, fmt="o", ms=4, color=_BLUE, label="estimate")
        if figure.options.get("fits"):
            kind = column.algorithm.params["kind"]
            a, b = fit_growth(dimensions, mean).coefficients[kind]
            n = np.linspace(dimensions[0], dimensions[-1], 200)
            curve, text = {
                "linear": (a + b * n, f"{a:.2f} + {b:.3f} n"),
                "log": (a + b * np.log(n), f"{a:.2f} + {b:.3f} log n"),
                "exponential": (a * np.exp(b * n), f"{a:.2f} exp({b:.3f} n)"),
            }[kind]
            axes.plot(n, curve, color=_ORANGE, label=text)
            if column.name in bounds:
                label = "bound on mistakes"
                axes.plot(n, [bounds[column.name](x) for x in n], color=_GREY, linestyle="--", label=label)
        axes.set_xlabel("dimension n")
        axes.set_ylabel("examples m for 10% error")
        axes.set_title(column.name, fontsize=11)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=8, frameon=False)
        panels.append(panel)
    return panels
