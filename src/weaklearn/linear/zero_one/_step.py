"""The exact 0/1 line search as a function of its own (li2005, Algorithms 3 and 4)."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_consistent_length

from weaklearn._fast.line_search import search_line, workspace
from weaklearn._training import check_array, check_weights

# The quotient of two floats is right to half a unit in the last place; gaps narrower than a few dozen
# such units between breakpoints are taken for rounding.
_RELATIVE_GAP = 1e-14


class ZeroOneStep(NamedTuple):
    """A best step along a line.

    Attributes
    ----------
    step : float
        The step alpha: the new scores are ``score_w + step * score_d``.
    error : float
        Sum of the weights of the examples that are then wrong.
    negate : bool
        Whether the new weight vector, and with it all scores, is to be negated as well.
    """

    step: float
    error: float
    negate: bool


def zero_one_step(score_w, score_d, y, sample_weight=None, negation=False):
    r"""Step that minimises the weighted 0/1 error along a line, exactly.

    Solves

    .. math:: \min_{\alpha} \sum_i \varphi_i [y_i (s_i + \alpha d_i) \le 0],

    and with ``negation`` also over the sign of the whole vector.

    Parameters
    ----------
    score_w : array-like of shape (n_samples,)
        Scores s of the examples under the present weight vector.
    score_d : array-like of shape (n_samples,)
        Scores d under the direction; examples with a 0 do not change.
    y : array-like of shape (n_samples,)
        Labels, -1 or +1.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights; None means 1 each, so that ``error`` counts examples.
    negation : bool, default=False
        Algorithm 4 of li2005 if False, Algorithm 3 if True.

    Returns
    -------
    ZeroOneStep
        ``(step, error, negate)``. Of equally good steps the largest (the first threshold ``-step`` in
        sorted order) is returned: the midpoint between two breakpoints, or one unit beyond the last one. If no
        example moves, the step is 0.

    Notes
    -----
    A score of exactly 0 is an error, also after negation. Expected time is linear in n_samples.

    References
    ----------
    li2005, section 3.1, Algorithms 3 and 4.

    Examples
    --------
    >>> from weaklearn.linear import zero_one_step
    >>> zero_one_step([2.0, -1.0, 0.5], [1.0, 1.0, 1.0], [1, 1, -1])
    ZeroOneStep(step=2.0, error=1.0, negate=False)
    """
    score_w = _vector(score_w, "score_w")
    score_d = _vector(score_d, "score_d")
    y = _vector(y, "y")
    check_consistent_length(score_w, score_d, y)
    if not np.isin(y, (-1.0, 1.0)).all():
        raise ValueError(f"y must hold -1 and +1 only; found {np.setdiff1d(y, (-1.0, 1.0))[:3]}.")
    sample_weight = check_weights(sample_weight, score_w)
    kept = sample_weight > 0
    s, d = score_w[kept], score_d[kept]
    yw = y[kept] * sample_weight[kept]
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # A breakpoint beyond the largest float cannot be reached by any step.
        d[~np.isfinite(s / d)] = 0.0
    step, error, negate = search_line(s, d, yw, 0.0, 0.0, _RELATIVE_GAP, bool(negation), workspace(len(s)))
    return ZeroOneStep(float(step), float(error), bool(negate))


def _vector(values, name):
    return check_array(
        values, ensure_2d=False, ensure_min_samples=1, dtype=np.float64, input_name=name
    ).ravel()
