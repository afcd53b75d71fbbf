"""Clusters of one class each that are tight and keep their distance from the other classes."""

import numpy as np
from scipy.spatial.distance import cdist

from weaklearn._training import check_X_y

__all__ = ["class_clusters"]


def class_clusters(X, y, n_clusters):
    """Merge examples of the same class until the given number of clusters is left.

    Each step joins the two clusters of one class whose union has the smallest ratio of its diameter to its distance
    from the nearest example of another class: tight, and not close to the others. (li2006 chose clusters by these
    criteria by hand, footnote 6.)

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    n_clusters : int
        At least the number of classes.

    Returns
    -------
    ndarray of shape (n_samples,)
        Cluster numbers 0, 1, ..., in the order of their first examples.

    Examples
    --------
    >>> from weaklearn.complexity import class_clusters
    >>> class_clusters([[0], [1], [5], [9], [10], [12]], [0, 0, 1, 0, 0, 0], 3)
    array([0, 0, 1, 2, 2, 2])
    """
    X, y = check_X_y(X, y, dtype=np.float64)
    n_classes = len(np.unique(y))
    if not n_classes <= n_clusters <= len(y):
        raise ValueError(
            f"n_clusters must be between the number of classes, {n_classes}, and of examples, {len(y)}; "
            f"got {n_clusters!r}."
        )
    distance = cdist(X, X)
    different = y[:, None] != y
    gap = np.where(different, distance, np.inf).min(axis=1)
    cluster = np.arange(len(y))
    # diameter[i, j]: of the union of clusters i and j (complete linkage keeps it exact under merging).
    diameter = distance.copy()
    alive = np.ones(len(y), dtype=bool)
    for _ in range(len(y) - n_clusters):
        nearest = np.minimum(gap[:, None], gap)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(diameter == 0, 0.0, diameter / nearest)
        ratio[different | ~alive | ~alive[:, None]] = np.inf
        np.fill_diagonal(ratio, np.inf)
        i, j = sorted(np.unravel_index(np.argmin(ratio), ratio.shape))
        cluster[cluster == j] = i
        alive[j] = False
        own = max(diameter[i, j], diameter[i, i], diameter[j, j])
        diameter[i] = diameter[:, i] = np.maximum(np.maximum(diameter[i], diameter[j]), own)
        gap[i] = min(gap[i], gap[j])
    return np.unique(cluster, return_inverse=True)[1]
