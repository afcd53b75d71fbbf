"""Trials of li2006, appendix 1.A: every principal subset of a small set."""

from typing import Any

import numpy as np

from weaklearn.complexity import principal_subsets
from weaklearn.lab import Trial, protocol


@protocol("li2006.every_subset", version=1)
def every_subset(
    trial: Trial, n_clusters: int, max_subsets: int = 2**20, most: int | None = None
) -> dict[str, Any]:
    """All principal subsets of a small set, at most ``most`` of a principal point.

    The algorithm is a complexity measure. Records `n_subsets`, how many there are, `X`, `y` (0 or 1), `masks` and
    `shown`: the examples of each subset, by complexity, and its point (complexity, errors).
    """
    X, _, y, _ = trial.split()
    codes = np.unique(y, return_inverse=True)[1]
    found = principal_subsets(
        X,
        codes,
        clusters=n_clusters,
        measure=trial.build(),
        max_subsets=max_subsets,
        random_state=trial.algorithm_seed,
        n_jobs=1,
    )
    pairs = [
        (point, mask)
        for point, masks in zip(found.points, found.subsets, strict=True)
        for mask in masks[:most]
    ]
    return {
        "n_subsets": float(sum(map(len, found.subsets))),
        "X": X,
        "y": codes,
        "masks": np.array([mask for _, mask in pairs]),
        "shown": np.array([point for point, _ in pairs]),
    }
