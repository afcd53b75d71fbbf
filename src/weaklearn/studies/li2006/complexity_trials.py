"""Trials of li2006, chapter 1: flipped labels, decompositions, contributions.

Flipped labels are a fixed number of examples, drawn without replacement, whose labels are exchanged. Features of real
sets are centred and scaled to standard deviation 1, as distances need; artificial ones are taken as they are.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from sklearn.metrics import roc_auc_score, roc_curve

from weaklearn.complexity import principal_subsets
from weaklearn.datasets import flip_labels
from weaklearn.engines import import_function
from weaklearn.lab import Trial, protocol, seed_from

# False positive rates at which ROC curves are recorded.
ROC_GRID = np.linspace(0.0, 1.0, 101)


def noisy_examples(trial: Trial, flip: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Examples of the training part, their labels after flipping, and which were flipped."""
    X, _, y, _ = trial.split()
    rng = np.random.default_rng(seed_from(purpose="flip", seed=trial.data_seed, share=flip))
    noisy, flipped = flip_labels(y, flip, random_state=rng)
    if trial.data is not None and trial.data["kind"] == "real":
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return X, noisy, flipped


@protocol("flipped_labels", version=1)
def flipped_labels(trial: Trial, flip: float = 0.1) -> dict[str, Any]:
    """How well an estimator's ``contribution_`` tells flipped labels from the others.

    Records `auc`, `tpr` (a list: the share of flipped labels found at the false positive rates 0, 0.01, ..., 1), and
    the mean contributions `flipped` and `clean`.
    """
    X, y, flipped = noisy_examples(trial, flip)
    score = trial.build().fit(X, y).contribution_
    fpr, tpr, _ = roc_curve(flipped, score)
    return {
        "auc": roc_auc_score(flipped, score),
        "tpr": np.interp(ROC_GRID, fpr, tpr),
        "flipped": score[flipped].mean(),
        "clean": score[~flipped].mean(),
    }


def _increases(trial: Trial, X: np.ndarray, y: np.ndarray, n_permutations: int, stop: int) -> tuple[Any, Any]:
    """Random orders of the examples, and the increase of complexity as each of the first ``stop`` joins."""
    rng = np.random.default_rng(trial.algorithm_seed)
    orders = np.array([rng.permutation(len(y)) for _ in range(n_permutations)], dtype=np.int64)
    return orders, np.diff(trial.build().prepare(X, y).path_complexities(orders, 0, stop), axis=1)


@protocol("contribution_by_size", version=1)
def contribution_by_size(trial: Trial, flip: float = 0.1, n_permutations: int = 100) -> dict[str, Any]:
    """Mean increase of complexity against the size of the set that an example joins.

    The algorithm is a complexity measure. Records the lists `flipped` and `clean`, one entry for each size from 0 on,
    and their means over sizes of at least n / 8, `flipped_mean` and `clean_mean`.
    """
    X, y, flipped = noisy_examples(trial, flip)
    n = len(y)
    orders, increases = _increases(trial, X, y, n_permutations, n)
    joined = flipped[orders]
    counts = joined.sum(axis=0)
    by_size = {
        "flipped": (increases * joined).sum(axis=0) / np.maximum(counts, 1),
        "clean": (increases * ~joined).sum(axis=0) / np.maximum(n_permutations - counts, 1),
    }
    late = slice(n // 8, None)
    return {
        **by_size,
        "flipped_mean": increases[:, late][joined[:, late]].mean(),
        "clean_mean": increases[:, late][~joined[:, late]].mean(),
    }


def _decomposed(
    trial: Trial, n_clusters: int, max_subsets: int = 2**20
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Examples, their classes (0 or 1), and principal subsets by the trial's measure, over unions of clusters."""
    X, _, y, _ = trial.split()
    codes = np.unique(y, return_inverse=True)[1]
    options = {"measure": trial.build(), "random_state": trial.algorithm_seed, "n_jobs": 1}
    return X, codes, principal_subsets(X, codes, clusters=n_clusters, max_subsets=max_subsets, **options)


@protocol("decomposition", version=1)
def decomposition(
    trial: Trial, n_clusters: int, max_subsets: int = 2**20, n_shown: int = 12
) -> dict[str, Any]:
    """Principal points and subsets of a small set, over unions of automatic clusters.

    The algorithm is a complexity measure. Records `n_points`, `n_subsets`, `complexity` (of the whole set), and, for
    the drawings, `X`, `y` (0 or 1), `clusters`, `plot`, `points`, and `masks`: one principal subset for each of at most
    ``n_shown`` points, evenly chosen, with `shown`, their points.
    """
    X, codes, found = _decomposed(trial, n_clusters, max_subsets)
    chosen = np.unique(np.linspace(0, len(found.points) - 1, n_shown).round().astype(int))
    return {
        "n_points": float(len(found.points)),
        "n_subsets": float(sum(map(len, found.subsets))),
        "complexity": float(found.points[-1, 0]),
        "exact": float(found.exact),
        "X": X,
        "y": codes,
        "clusters": found.clusters,
        "plot": found.plot[:, :2],
        "points": found.points,
        "masks": np.array([found.subsets[k][0] for k in chosen]),
        "shown": found.points[chosen],
    }


@protocol("li2006.every_subset", version=1)
def every_subset(
    trial: Trial, n_clusters: int, max_subsets: int = 2**20, most: int | None = None
) -> dict[str, Any]:
    """All principal subsets of a small set, at most ``most`` of a principal point.

    The algorithm is a complexity measure. Records `n_subsets`, how many there are, `X`, `y` (0 or 1), `masks` and
    `shown`: the examples of each subset, by complexity, and its point (complexity, errors).
    """
    X, codes, found = _decomposed(trial, n_clusters, max_subsets)
    masks = [some[:most] for some in found.subsets]
    return {
        "n_subsets": float(sum(map(len, found.subsets))),
        "X": X,
        "y": codes,
        "masks": np.concatenate(masks),
        "shown": np.repeat(found.points, [len(some) for some in masks], axis=0),
    }


@protocol("fingerprint", version=1)
def fingerprint(trial: Trial, target: str, flip: float = 0.1) -> dict[str, Any]:
    """Contributions beside the signed distance to the class boundary of a known target in the plane.

    ``target`` is "module:function" of the noise-free class. The distance is that to the nearest point of the other
    class on a grid of 500 x 500; flipped examples come last. Records `contribution`, `category` (0, 1, 2), `distance`
    and `flipped`.
    """
    X, y, flipped = noisy_examples(trial, flip)
    order = np.argsort(flipped, kind="stable")
    X, y, flipped = X[order], y[order], flipped[order]
    pruner = trial.build().fit(X, y)
    function = import_function(target)
    side = 1.2 * np.abs(X).max()
    axis = np.linspace(-side, side, 500)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    grid_class, own = function(grid), function(X)
    distance = np.empty(len(X))
    for label in (-1, 1):
        tree = cKDTree(grid[grid_class == -label])
        distance[own == label] = label * tree.query(X[own == label])[0]
    codes = {"typical": 0, "critical": 1, "noisy": 2}
    return {
        "contribution": pruner.contribution_,
        "category": [codes[name] for name in pruner.category_],
        "distance": distance,
        "flipped": flipped.astype(float),
    }


@protocol("weaklearn.lab.studies.li2006.claims_trials:principal_points", version=1)
def principal_points(
    trial: Trial, n_clusters: int, max_subsets: int, points: Sequence[Sequence[int]]
) -> dict[str, float]:
    """The principal points of a small Yin-Yang set beside given ones, and its two small disks.

    For each given point (c, e): `errors at c`, the fewest errors of a subset of complexity at most c, and
    `complexity at e`, the least complexity of a subset with at most e errors. Also `in_disks`, the examples in the
    small disks, and `disk_complexity`: the least complexity of a principal subset of both classes that has all examples
    of a small disk, for the disk where that is larger (the complexity of the whole set if both are empty).
    """
    X, _, found = _decomposed(trial, n_clusters, max_subsets)
    complexities, errors = found.points[:, 0], found.points[:, 1]
    result: dict[str, float] = {}
    for complexity, error in points:
        result[f"errors at {complexity}"] = float(errors[complexities <= complexity].min())
        result[f"complexity at {error}"] = float(complexities[errors <= error].min())
    # Those of `make_yinyang`: radius 0.18, around (0.5, 0) and (-0.5, 0).
    disks = [np.hypot(X[:, 0] - centre, X[:, 1]) <= 0.18 for centre in (0.5, -0.5)]
    needed = [
        min(
            complexity
            for complexity, masks in zip(complexities, found.subsets, strict=True)
            if complexity > 0 and masks[:, disk].all(axis=1).any()
        )
        for disk in disks
        if disk.any()
    ]
    result["in_disks"] = float(sum(disk.sum() for disk in disks))
    result["disk_complexity"] = float(max(needed, default=complexities[-1]))
    return result


@protocol("weaklearn.lab.studies.li2006.claims_trials:alike_sizes", version=1)
def alike_sizes(trial: Trial, flip: float, n_permutations: int, n_sizes: int) -> dict[str, float]:
    """Up to which size of the set that they join flipped and clean examples contribute alike.

    Records `alike`, the largest number of examples present at which the mean contribution of flipped examples is not
    above that of clean ones by two standard errors.
    """
    X, y, flipped = noisy_examples(trial, flip)
    orders, increases = _increases(trial, X, y, n_permutations, n_sizes)
    alike = 0
    for size in range(n_sizes):
        joined = flipped[orders[:, size]]
        two = [increases[:, size][joined], increases[:, size][~joined]]
        error = math.sqrt(sum(values.var(ddof=1) / len(values) for values in two))
        if two[0].mean() - two[1].mean() < 2 * error:
            alike = size
    return {"alike": float(alike)}


@protocol("li2006_contribution_windows", version=1)
def contribution_windows(
    trial: Trial, flip: float, n_permutations: int, windows: Sequence[Sequence[int]]
) -> dict[str, float]:
    """Mean increase of complexity by flipped and by clean examples that join sets of certain sizes.

    Records, for each window (first, last) of sizes, `flipped first-last` and `clean first-last`, and `gap first-last`,
    their difference.
    """
    X, y, flipped = noisy_examples(trial, flip)
    orders, increases = _increases(trial, X, y, n_permutations, len(y))
    joined = flipped[orders]
    result: dict[str, float] = {}
    for first, last in windows:
        name, sizes = f"{first}-{last}", slice(first, last + 1)
        noisy, clean = (increases[:, sizes][kind[:, sizes]].mean() for kind in (joined, ~joined))
        result |= {f"flipped {name}": noisy, f"clean {name}": clean, f"gap {name}": noisy - clean}
    return result


@protocol("li2006_rings", version=1)
def rings(trial: Trial, n_clusters: int, radii: Sequence[float]) -> dict[str, float]:
    """Whether the two outer rings of the concentric disks, without the inner disk, are a principal subset: `rings`.

    Also `n_inner`, the number of examples of the inner disk; without any, `rings` is 0.
    """
    X, _, found = _decomposed(trial, n_clusters)
    inner = np.hypot(*X.T) <= min(radii)
    masks = np.concatenate(found.subsets)
    return {
        "rings": float(inner.any() and (masks == ~inner).all(axis=1).any()),
        "n_inner": float(inner.sum()),
    }
