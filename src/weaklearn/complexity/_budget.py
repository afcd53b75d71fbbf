"""The price of an error, and what a complexity-error plot says about outliers at that price.

With a lookup table for the examples that a hypothesis gets wrong, the complexity of a set is
``C(D) = min_h |h| + price * errors(h)`` (li2006, definition 1.3). A principal point (c, e) with
``c + price * e = C(D)`` explains all but e examples and pays for those alone: such points are the *rightmost segment*,
and the examples that their subsets leave out are outliers at that price.
"""

import math

import numpy as np

__all__ = ["budget_complexity", "error_price", "hypothesis_points", "noise_at_price", "rightmost_segment"]


def error_price(noise):
    """The complexity of one error, in bits, if a share `noise` of the labels is wrong: ``log2(1 / noise - 1)``.

    With a prior ``2^-|h|`` of hypotheses and labels flipped with probability `noise`, the hypothesis of least
    ``|h| + price * errors`` is the most probable one.

    Parameters
    ----------
    noise : float
        From 0 to 1/2; 0 gives an infinite price, 1/2 none.

    Returns
    -------
    float

    References
    ----------
    li2006, section 1.3.3.

    Examples
    --------
    >>> from weaklearn.complexity import error_price, noise_at_price
    >>> round(error_price(0.1), 3)
    3.17
    >>> round(noise_at_price(error_price(0.1)), 10)
    0.1
    """
    if not 0 <= noise <= 0.5:
        raise ValueError(f"noise must be from 0 to 0.5, got {noise!r}")
    return math.inf if noise == 0 else math.log2(1 / noise - 1)


def noise_at_price(price):
    """The share of wrong labels at which one error has that price: ``1 / (1 + 2^price)``.

    Parameters
    ----------
    price : float
        Not negative.

    Returns
    -------
    float
    """
    if not price >= 0:
        raise ValueError(f"price must not be negative, got {price!r}")
    return 0.0 if price > 1000 else 1 / (1 + 2.0**price)


def budget_complexity(points, price):
    """The least ``complexity + price * errors`` over the points of a complexity-error plot.

    Parameters
    ----------
    points : array-like of shape (n_points, 2)
        Pairs (complexity, errors), principal or not: subsets and hypotheses give the same least value.
    price : float
        The complexity of one error, see `error_price`.

    Returns
    -------
    float

    References
    ----------
    li2006, definition 1.3 and theorem 1.4.

    Examples
    --------
    >>> from weaklearn.complexity import budget_complexity
    >>> budget_complexity([[0, 4], [3, 1], [9, 0]], price=2.0)
    5.0
    """
    points = _checked(points)
    if not price >= 0:
        raise ValueError(f"price must not be negative, got {price!r}")
    return float(_totals(points, price).min())


def rightmost_segment(points, price):
    """The principal points (c, e) with ``c + price * e`` equal to the complexity of the set.

    Parameters
    ----------
    points : array-like of shape (n_points, 2)
        Pairs (complexity, errors); points that are not principal are left out.
    price : float
        The complexity of one error.

    Returns
    -------
    ndarray of shape (n_segment, 2)
        By complexity. The examples that a subset of such a point leaves out are outliers: each costs its full price.

    References
    ----------
    li2006, definition 1.7 and theorem 1.5.

    Examples
    --------
    >>> from weaklearn.complexity import rightmost_segment
    >>> rightmost_segment([[0, 6], [4, 2], [6, 1], [8, 0]], price=2.0)
    array([[4., 2.],
           [6., 1.],
           [8., 0.]])
    """
    front = _principal(_checked(points))
    total = _totals(front, price)
    least = budget_complexity(points, price)
    return front[total <= least + 1e-9 * max(1.0, abs(least))]


def hypothesis_points(sizes, predictions, y):
    """The hypothesis-based complexity-error plot: a point for each hypothesis.

    Parameters
    ----------
    sizes : array-like of shape (n_hypotheses,)
        How complex each hypothesis is.
    predictions : array-like of shape (n_hypotheses, n_samples)
        What each hypothesis says.
    y : array-like of shape (n_samples,)

    Returns
    -------
    ndarray of shape (n_hypotheses, 2)
        Pairs (complexity, errors).

    References
    ----------
    li2006, section 1.4.1. Its principal points are those of the subset-based plot (theorem 1.4), if the complexity of
    a subset is the size of the smallest hypothesis that replicates it.

    Examples
    --------
    >>> from weaklearn.complexity import hypothesis_points
    >>> hypothesis_points([1, 5], [[0, 0, 0], [0, 1, 0]], [0, 1, 0])
    array([[1., 1.],
           [5., 0.]])
    """
    sizes, predictions, y = np.asarray(sizes, dtype=np.float64), np.asarray(predictions), np.asarray(y)
    if y.ndim != 1 or predictions.shape != (len(sizes), len(y)):
        raise ValueError(
            f"predictions must have one row for each of {len(sizes)} hypotheses and one column for each of "
            f"{y.size} labels; got shape {predictions.shape}"
        )
    return np.column_stack([sizes, (predictions != y).sum(axis=1)]).astype(np.float64)


def _checked(points):
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0:
        raise ValueError(f"points must be pairs (complexity, errors), got shape {points.shape}")
    return points


def _totals(points, price):
    # No errors cost nothing, however high the price.
    return points[:, 0] + np.where(points[:, 1] > 0, price, 0.0) * np.maximum(points[:, 1], 1.0)


def _principal(points):
    """Pairs that no other one improves on: along rising complexity, those with fewer errors than any before."""
    points = np.unique(points, axis=0)  # by complexity, then by errors
    before = np.concatenate([[np.inf], np.minimum.accumulate(points[:, 1])[:-1]])
    return points[points[:, 1] < before]
