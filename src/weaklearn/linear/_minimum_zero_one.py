"""The true minimum of the 0/1 error over all hyperplanes, for small problems.

One column: one threshold search. Two columns: every direction in which the order of the projected points
can differ, with a threshold search in each (O(N^3) with a small constant). More columns: a mixed integer
program, solved by HiGHS, in which example i may be bought off with a binary variable,

    min sum_i phi_i z_i   s.t.   y_i (<w, x_i> + b) >= eps - M z_i,   |w_j| <= 1,

on features scaled to [-1, 1]. The program sees only hyperplanes that keep eps away from the examples they
get right, so its certificate is one for that class; the enumeration has no such restriction.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_array, hstack
from sklearn.utils import check_scalar, check_X_y

from weaklearn._fast.line_search import workspace
from weaklearn._fast.plane_search import search_plane
from weaklearn._training import encoded, signed_labels
from weaklearn.linear._base import FeatureRange
from weaklearn.linear._rcd import RCDPerceptron

__all__ = ["ZeroOneMinimum", "minimum_zero_one_error"]

_LARGEST_PLANE = 1500  # distinct points that the enumeration takes on: about half a minute
_MARGIN = 1e-4  # eps above: well above the feasibility tolerance of the solver times M
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
    method : {"threshold", "enumeration", "milp"}
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
        Small: up to 1,500 distinct points in the plane; about 100 rows in higher dimensions.
    y : array-like of shape (n_samples,)
        Two classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights; None means 1 each, so that errors count examples.
    max_time : float, default=60.0
        Seconds for the integer program; when they run out the bound and the best hyperplane so far are returned.
    random_state : int, RandomState instance or None, default=0
        For the descent that supplies a first solution to the integer program.

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
        weights, error, bound = _solve(scaled, y, sample_weight, max_time, random_state)
        method = "milp"
    user = feature_range.weights_to_user(weights)
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
    angle, offset, error, negate = search_plane(X, yw, angles, _ROUNDING, *workspace(len(X)))
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


def _solve(X, y, sample_weight, max_time, random_state):
    """Weight vector, its recounted error and a lower bound by integer programming."""
    n, m = X.shape
    # The largest |<w, x> + b| with |w_j| <= 1, |x_j| <= 1 and a bias that can still matter.
    reach = m + _MARGIN
    big = m + reach + _MARGIN
    signed = csc_array(np.column_stack([X, np.ones(n)]) * y[:, None])
    rows = hstack([signed, csc_array(np.eye(n) * big)], format="csc")
    result = milp(
        c=np.concatenate([np.zeros(m + 1), sample_weight]),
        constraints=LinearConstraint(rows, lb=_MARGIN),
        integrality=np.concatenate([np.zeros(m + 1), np.ones(n)]),
        bounds=Bounds(
            np.concatenate([-np.ones(m), [-reach], np.zeros(n)]),
            np.concatenate([np.ones(m), [reach], np.ones(n)]),
        ),
        options={"time_limit": float(max_time), "mip_rel_gap": 0.0},
    )
    descent = RCDPerceptron(random_state=random_state, n_restarts=3).fit(X, y, sample_weight)
    candidates = [np.append(descent.coef_[0], descent.intercept_[0])]
    if result.x is not None:
        candidates.append(_widest(X, y, result.x[m + 1 :] < 0.5))
    errors = [_recount(X, y, sample_weight, weights) for weights in candidates]
    best = int(np.argmin(errors))
    bound = 0.0 if result.mip_dual_bound is None else max(0.0, float(result.mip_dual_bound))
    if (sample_weight == np.floor(sample_weight)).all():
        bound = float(np.ceil(bound - 1e-6))
    # The solver cannot see hyperplanes closer than eps to an example; a better one was found all the same.
    return candidates[best], errors[best], min(bound, errors[best])


def _widest(X, y, right):
    """The hyperplane that keeps the given examples right with the largest slack."""
    m = X.shape[1]
    rows = np.column_stack([X[right], np.ones(right.sum())]) * y[right, None]
    result = linprog(
        np.append(np.zeros(m + 1), -1.0),
        A_ub=np.column_stack([-rows, np.ones(len(rows))]),
        b_ub=np.zeros(len(rows)),
        bounds=[(-1, 1)] * m + [(None, None), (None, 1)],
    )
    return result.x[:-1]


def _recount(X, y, sample_weight, weights):
    scores = X @ weights[:-1] + weights[-1]
    return float(sample_weight @ (y * scores <= 1e-12 * np.abs(weights).sum()))
