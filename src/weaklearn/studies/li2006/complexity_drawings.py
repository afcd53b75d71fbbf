"""Drawings of the data complexity experiments, from the first trial or from the means of all."""

import numpy as np
from matplotlib.figure import Figure as Panel

from weaklearn.complexity import complexity
from weaklearn.display import ComplexityErrorDisplay, FingerprintDisplay, new_panel
from weaklearn.display.palette import COLOURS, DASHES, FAINT, GREY, MIDDLE
from weaklearn.lab import Figure
from weaklearn.lab.curves import FigureData
from weaklearn.studies.li2006.complexity_trials import ROC_GRID

__all__ = ["by_size", "clusters", "disk_subsets", "fingerprints", "plots", "roc_curves", "subsets"]

_CLASS_STYLES = (("x", COLOURS[0]), ("+", COLOURS[1]))
_SQUARE = (4.2, 4.2)
_CATEGORY_NAMES = np.array(["typical", "critical", "noisy"])


def _first(data: FigureData):
    return next(iter(data.results.values()))[0]


def _scatter(axes, X, y, mask=None):
    """Examples of a subset by class; those left out as faint dots."""
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


def disk_subsets(figure: Figure, data: FigureData) -> list[Panel]:
    """Four subsets of the concentric disks and their complexities (figure 1.1)."""
    first = _first(data)
    X, y = np.asarray(first["X"]), np.asarray(first["y"])
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
        value = complexity(X[mask], y[mask])
        panel, axes = new_panel(
            f"{name}: complexity {value:g}, {int((~mask).sum())} left out", size=_SQUARE, grid=False
        )
        _scatter(axes, X, y, mask)
        panels.append(panel)
    return panels


def clusters(figure: Figure, data: FigureData) -> list[Panel]:
    """Clusters of examples, joined by dotted lines (figures 1.4 and 1.7)."""
    first = _first(data)
    X, ids = np.asarray(first["X"]), np.asarray(first["clusters"])
    panel, axes = new_panel(f"{len(np.unique(ids))} clusters", size=_SQUARE, grid=False)
    for cluster in np.unique(ids):
        members = X[ids == cluster]
        centre = members.mean(axis=0)
        # From one neighbour to the next around the centre.
        ring = members[np.argsort(np.arctan2(*(members - centre).T))]
        axes.plot(*np.concatenate([ring, ring[:1]]).T, color=MIDDLE, linewidth=0.8, linestyle=":")
    _scatter(axes, X, first["y"])
    return [panel]


def plots(figure: Figure, data: FigureData) -> list[Panel]:
    """The complexity-error plot with principal points circled (figures 1.5 and 1.8)."""
    first = _first(data)
    searched = "all unions of clusters" if first["exact"] else "unions of clusters met by a local search"
    panel, axes = new_panel(searched, grid=False)
    plot = np.asarray(first["plot"])
    ComplexityErrorDisplay(plot[:, 0], plot[:, 1], points=first["points"]).plot(axes)
    return [panel]


def subsets(figure: Figure, data: FigureData) -> list[Panel]:
    """Selected principal subsets (figures 1.6 and 1.9)."""
    first = _first(data)
    panels = []
    for (value, error), mask in zip(first["shown"], first["masks"], strict=True):
        panel, axes = new_panel(f"({value:g}, {error:g})", size=_SQUARE, grid=False)
        _scatter(axes, first["X"], first["y"], mask)
        panels.append(panel)
    return panels


def by_size(figure: Figure, data: FigureData) -> list[Panel]:
    """Mean contribution of flipped and clean examples against the size of the set they join (figure 1.11)."""
    panels = []
    for row, column in data.results:
        panel, axes = new_panel(
            row,
            xlabel="size of the set that is joined (means over 11 sizes)",
            ylabel="mean complexity contribution",
        )
        for metric, colour, dash in (("flipped", COLOURS[1], "-"), ("clean", COLOURS[0], "--")):
            mean, error = (_running_mean(values) for values in data.curve(row, column, metric))
            sizes = np.arange(len(mean))
            axes.plot(sizes, mean, color=colour, linestyle=dash, linewidth=1.3, label=f"{metric} labels")
            axes.fill_between(sizes, mean - error, mean + error, color=colour, alpha=0.15, linewidth=0)
        axes.legend(frameon=False)
        panels.append(panel)
    return panels


def _running_mean(values, reach=5):
    """Means over up to 11 neighbouring sizes, fewer at the ends, where the curve bends."""
    values = np.asarray(values)
    around = np.minimum(np.minimum(np.arange(len(values)), np.arange(len(values))[::-1]), reach)
    return np.array([values[i - k : i + k + 1].mean() for i, k in enumerate(around)])


def roc_curves(figure: Figure, data: FigureData) -> list[Panel]:
    """Share of flipped labels missed against share of clean ones suspected (figure 1.12)."""
    panel, axes = new_panel(
        "False negatives against false positives",
        xlabel="false positive rate",
        ylabel="false negative rate",
    )
    for k, (row, column) in enumerate(data.results):
        mean, _ = data.curve(row, column, "tpr")
        auc = np.mean([result["auc"] for result in data.results[row, column]])
        style = {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}
        axes.plot(ROC_GRID, 1 - np.array(mean), label=f"{column}, AUC {auc:.3f}", linewidth=1.5, **style)
    axes.set_xlim(0, 0.5)
    axes.legend(frameon=False)
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
