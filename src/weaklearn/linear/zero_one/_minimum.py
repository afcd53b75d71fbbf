"""The true minimum of the 0/1 error over all hyperplanes, for small problems.

One column: one threshold search. Two columns: every direction in which the order of the projected points
can differ, with a threshold search in each (O(N^3) with a small constant). More columns: the mixed integer program

    min sum_i phi_i z_i   s.t.   y_i (<w, x_i> + b) > 0 where z_i = 0,   z_i in {0, 1},

by the search of `ZeroOneClassifier` and the branch and bound of its certificate.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state, check_scalar

from weaklearn._compilations import working_time
from weaklearn._fast.line_search import workspace
from weaklearn._fast.plane_search import search_plane
from weaklearn._training import check_X_y, encoded, signed_labels
from weaklearn.linear._base import FeatureRange
from weaklearn.linear.zero_one._centre import away_from_points
from weaklearn.linear.zero_one._certificate import certify
from weaklearn.linear.zero_one._problem import zero_one_problem
from weaklearn.linear.zero_one._search import Clock, search

_LARGEST_PLANE = 1500  # distinct points that the enumeration takes on: about half a minute
_ROUNDING = 4e-16  # of a projection of points in [-1, 1]^2
_SAME_ANGLE = 1e-13


class ZeroOneMinimum(NamedTuple):
    """The best hyperplane found and what is known about it.

    Attributes
    ----------
    error : float
        Sum of the weights of the examples that it gets wrong, recounted.
    coef : ndarray of shape (n_features,)
    intercept : float
        The second of the two classes is predicted where ``x @ coef + intercept > 0``.
    lower_bound : float
        No hyperplane has a smaller error.
    optimal : bool
        Whether error and bound meet.
    method : {"threshold", "enumeration", "branch and bound"}
        How it was found.
    """

    error: float
    coef: np.ndarray
    intercept: float
    lower_bound: float
    optimal: bool
    method: str


def minimum_zero_one_error(X, y, sample_weight=None, *, max_time=60.0, random_state=0):
    """Smallest 0/1 training error of any linear threshold classifier, with a certificate.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Small: up to 1,500 distinct points in the plane; about 100 rows in higher dimensions, more if few of them
        are wrong.
    y : array-like of shape (n_samples,)
        Two classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights; None means 1 each, so that errors count examples.
    max_time : float, default=60.0
        Seconds for more than two columns, not counting compilation; when they run out the bound and the best hyperplane
        so far are returned.
    random_state : int, RandomState instance or None, default=0
        For the search that comes before the proof.

    Returns
    -------
    ZeroOneMinimum

    References
    ----------
    li2005, section 3, defines the error; the document has no exact method.

    Examples
    --------
    >>> from weaklearn.linear import minimum_zero_one_error
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> best = minimum_zero_one_error(X, [0, 1, 1, 0])
    >>> best.error, best.optimal
    (1.0, True)
    """
    check_scalar(max_time, "max_time", (int, float), min_val=0, include_boundaries="neither")
    X, y = check_X_y(X, y, dtype=np.float64)
    (X, codes, sample_weight), _ = encoded("minimum_zero_one_error", X, y, sample_weight, binary=True)
    y = signed_labels(codes)
    feature_range = FeatureRange.of(X)
    scaled = feature_range.apply(X)
    if X.shape[1] <= 2:
        weights, error, method = _enumerate(scaled, y * sample_weight)
        bound = error
    else:
        weights, bound = _search_and_prove(scaled, y, sample_weight, max_time, random_state)
        method = "branch and bound"
    user = feature_range.weights_to_user(weights)
    if method == "branch and bound":
        error = float(sample_weight @ (y * (X @ user[:-1] + user[-1]) <= 0))
    return ZeroOneMinimum(
        error, user[:-1], float(user[-1]), bound, bool(bound >= error - 1e-9 * sample_weight.sum()), method
    )


def _enumerate(X, yw):
    """Weight vector, error and method for one or two columns."""
    if X.shape[1] == 1:
        X = np.column_stack([X, np.zeros(len(X))])
        angles, method = np.zeros(1), "threshold"
    else:
        angles, method = _distinguishing_angles(np.unique(X, axis=0)), "enumeration"
    angle, offset, error, negate = search_plane(X, yw, angles, _ROUNDING, workspace(len(X)))
    weights = np.array([np.cos(angle), np.sin(angle), offset]) * (-1.0 if negate else 1.0)
    if method == "threshold":
        weights = weights[[0, 2]]
    return weights, float(error), method


def _distinguishing_angles(points):
    """One direction inside every interval of directions in which the points project in the same order."""
    n = len(points)
    if n > _LARGEST_PLANE:
        raise ValueError(
            f"the exact search in the plane takes at most {_LARGEST_PLANE} distinct points; X has {n}. "
            "Use RCDPerceptron, or a sample of the rows."
        )
    if n == 1:
        return np.zeros(1)
    i, j = np.triu_indices(n, 1)
    difference = points[j] - points[i]
    # Two points swap places in the direction at right angles to their difference.
    critical = np.sort((np.arctan2(difference[:, 1], difference[:, 0]) + np.pi / 2) % np.pi)
    critical = critical[np.diff(critical, prepend=-np.inf) > _SAME_ANGLE]
    following = np.append(critical[1:], critical[0] + np.pi)
    wide = following - critical > _SAME_ANGLE
    return (critical + 0.5 * (following - critical))[wide]


def _search_and_prove(X, y, sample_weight, max_time, random_state):
    """Weight vector and lower bound for more than two columns."""
    deadline = working_time() + max_time
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    rng = np.random.default_rng(seed)
    problem = zero_one_problem(X, y, sample_weight)
    found = search(problem, rng, Clock(200, max_time / 2))
    weights, bound = certify(problem, found.weights, deadline, rng)
    return away_from_points(problem, weights, rng), bound
