"""Drawings of li2006: data complexity (from the first trial or the means of all), margin costs, partitions."""

import numpy as np
from matplotlib.figure import Figure as Panel
from scipy.spatial import ConvexHull

from weaklearn.complexity import complexity
from weaklearn.costs import Bisigmoid, Exponential, Sigmoid
from weaklearn.datasets import make_tangram
from weaklearn.display import ComplexityErrorDisplay, FingerprintDisplay, new_panel
from weaklearn.display.palette import CLASS_COLOURS, COLOURS, FAINT, GREY, MIDDLE
from weaklearn.lab import Figure
from weaklearn.lab.drawings import FigureData, line_panel
from weaklearn.studies.li2006.complexity_trials import ROC_GRID

_CLASS_STYLES = (("x", COLOURS[0]), ("+", COLOURS[1]))
_CATEGORY_NAMES = np.array(["typical", "critical", "noisy"])


def _examples(title, X, y, mask=None) -> Panel:
    """One panel: the examples of a subset by class; those left out as faint dots."""
    panel, axes = new_panel(title, size=(4.2, 4.2), grid=False)
    X, y = np.asarray(X), np.asarray(y)
    mask = np.ones(len(y), dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
    axes.scatter(*X[~mask].T, s=5, color=FAINT, linewidths=0)
    for label, (marker, colour) in enumerate(_CLASS_STYLES):
        here = mask & (y == label)
        axes.scatter(*X[here].T, marker=marker, s=34, color=colour, linewidths=1.3)
    axes.set_aspect("equal")
    axes.spines[:].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    return panel


def disk_subsets(figure: Figure, data: FigureData) -> list[Panel]:
    """Four subsets of the concentric disks and their complexities (figure 1.1)."""
    X, y = np.asarray(data.first["X"]), np.asarray(data.first["y"])
    radius = np.hypot(*X.T)
    inner, middle = figure.options["radii"]
    kinds = {
        "all examples": np.ones(len(y), dtype=bool),
        "the two outer rings": radius > inner,
        "within the middle disk": radius <= middle,
        "the majority class": y == int(y.mean() > 0.5),
    }
    panels = []
    for name, mask in kinds.items():
        value, left_out = complexity(X[mask], y[mask]), int((~mask).sum())
        panels.append(_examples(f"{name}: complexity {value:g}, {left_out} left out", X, y, mask))
    return panels


def clusters(figure: Figure, data: FigureData) -> list[Panel]:
    """Clusters of examples, joined by dotted lines (figures 1.4 and 1.7)."""
    X, ids = np.asarray(data.first["X"]), np.asarray(data.first["clusters"])
    panel = _examples(f"{len(np.unique(ids))} clusters", X, data.first["y"])
    for cluster in np.unique(ids):
        members = X[ids == cluster]
        centre = members.mean(axis=0)
        # From one neighbour to the next around the centre.
        ring = members[np.argsort(np.arctan2(*(members - centre).T))]
        panel.axes[0].plot(*np.concatenate([ring, ring[:1]]).T, color=MIDDLE, linewidth=0.8, linestyle=":")
    return [panel]


def plots(figure: Figure, data: FigureData) -> list[Panel]:
    """The complexity-error plot with principal points circled (figures 1.5 and 1.8)."""
    first = data.first
    searched = "all unions of clusters" if first["exact"] else "unions of clusters met by a local search"
    panel, axes = new_panel(searched, grid=False)
    plot = np.asarray(first["plot"])
    ComplexityErrorDisplay(plot[:, 0], plot[:, 1], points=first["points"]).plot(axes)
    return [panel]


def subsets(figure: Figure, data: FigureData) -> list[Panel]:
    """The recorded principal subsets, from simple to complex (figures 1.6, 1.9 and 1.14 to 1.16).

    Option: `part`, one of equal parts of them: (2, 3) is the second of three.
    """
    first = data.first
    part, n_parts = figure.options.get("part", (1, 1))
    return [
        _examples(
            "({:g}, {:g})".format(*first["shown"][place]), first["X"], first["y"], first["masks"][place]
        )
        for place in np.array_split(np.arange(len(first["shown"])), n_parts)[part - 1]
    ]


def by_size(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean contribution of flipped and clean examples against the size of the set they join (figure 1.11)."""
    x_label, y_label = "size of the set that is joined (means over 11 sizes)", "mean complexity contribution"
    styles = {
        "flipped labels": {"color": COLOURS[1], "linestyle": "-"},
        "clean labels": {"color": COLOURS[0], "linestyle": "--"},
    }
    panels = []
    for row, column in data.results:
        lines = {}
        for metric in ("flipped", "clean"):
            mean, error = (_running_mean(values) for values in data.curve(row, column, metric))
            lines[f"{metric} labels"] = np.arange(len(mean)), mean, error
        panels.append(line_panel(row, x_label, y_label, lines, styles=styles))
    return panels


def _running_mean(values, reach=5):
    """Means over up to 11 neighbouring sizes, fewer at the ends, where the curve bends."""
    values = np.asarray(values)
    around = np.minimum(np.minimum(np.arange(len(values)), np.arange(len(values))[::-1]), reach)
    return np.array([values[i - k : i + k + 1].mean() for i, k in enumerate(around)])


def roc_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Share of flipped labels missed against share of clean ones suspected (figure 1.12)."""
    lines = {}
    for row, column in data.results:
        auc = data.values(row, column, "auc").mean()
        lines[f"{column}, AUC {auc:.3f}"] = ROC_GRID, 1 - data.curve(row, column, "tpr")[0]
    panel = line_panel(
        "False negatives against false positives", "false positive rate", "false negative rate", lines,
        legend_columns=2,
    )  # fmt: skip
    panel.axes[0].set_xlim(0, 0.5)
    return [panel]


def fingerprints(figure: Figure, data: FigureData) -> list[Panel]:
    """Signed distance to the boundary, by index; flipped examples last (figure 1.13)."""
    panels = []
    for (_, column), results in data.results.items():
        first = results[0]
        panel, axes = new_panel(grid=False)
        names = _CATEGORY_NAMES[np.asarray(first["category"], dtype=int)]
        FingerprintDisplay(first["distance"], names, xlabel=f"example ({column}; flipped ones last)").plot(
            axes
        )
        n_clean = len(names) - int(np.sum(first["flipped"]))
        axes.axvline(n_clean + 0.5, color=GREY, linewidth=0.8, linestyle=":")
        panels.append(panel)
    return panels


def cost_functions(figure: Figure, data: FigureData) -> list[Panel]:
    """The margin costs of figure 3.2."""
    rho = np.linspace(-3, 3, 301)
    costs = {"exponential": Exponential(), "sigmoid": Sigmoid(), "bisigmoid 1, 1.05": Bisigmoid()}
    lines = {name: (rho, cost.value(rho)) for name, cost in costs.items()}
    panel = line_panel("Margin costs", "margin", "cost", lines)
    panel.axes[0].set_ylim(0, 4)
    return [panel]


def partition_panels(figure: Figure, data: FigureData) -> list[Panel]:
    """The two dominating partitions of the first trial of each column, on the pieces of the tangram (figure 4.3)."""
    X, y = make_tangram(20_000, random_state=0)
    pieces = {}
    for label in np.unique(y):
        members = X[y == label]  # the pieces are convex
        pieces[label] = members[ConvexHull(members).vertices], members.mean(axis=0)
    colours = {-1: CLASS_COLOURS[0], 0: "white", 1: CLASS_COLOURS[1]}
    panels = []
    for (_, column), results in data.results.items():
        result = results[0]
        for rank, partition in enumerate(np.reshape(result["partitions"], (2, -1))):
            panel, axes = new_panel(
                f"{column}: {result['counts'][rank]:.0f} rounds,\nmean coefficient {result['means'][rank]:.2f}",
                size=(2.7, 3.0),
                grid=False,
            )
            axes.title.set_fontsize(9)
            for (label, (corners, centre)), side in zip(pieces.items(), partition, strict=True):
                axes.fill(*corners.T, facecolor=colours[int(side)], edgecolor="white", alpha=0.8)
                axes.annotate(str(label), centre, ha="center", va="center", fontsize=10)
            axes.set_aspect("equal")
            axes.set_axis_off()
            panels.append(panel)
    return panels
