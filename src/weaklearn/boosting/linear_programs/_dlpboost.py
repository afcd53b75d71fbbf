"""DLPBoost: AdaBoost whose margins are all improved by a linear program."""

import numpy as np
from sklearn.utils._param_validation import StrOptions

from weaklearn._docstrings import documented
from weaklearn.boosting._corrected import CorrectedClassifier
from weaklearn.boosting._hypotheses import vote_key
from weaklearn.boosting.linear_programs._linear_program import dominating_coefficients, least_gain
from weaklearn.costs import Exponential


@documented
class DLPBoostClassifier(CorrectedClassifier):
    """AdaBoost's hypotheses with coefficients that lower no margin and raise their sum.

    With AdaBoost's coefficients a*, normalised to sum 1, solves: maximise ``sum_i v_i m_i(a)`` subject to
    ``m_i(a) = y_i sum_t a_t h_t(x_i) >= m_i(a*)`` for all i, a >= 0, sum_t a_t = 1. So its margin
    distribution dominates AdaBoost's at every point, mostly with fewer hypotheses.

    Parameters
    ----------
    objective : {"mean", "cost", "each"}, default="mean"
        "mean" and "cost" are the weights v of the margins: those of the examples, or these times ``exp(-m_i(a*))``,
        which favours small margins. With "each" the margin of every example is an objective of its own: a first linear
        program maximises the least gain ``m_i(a) - m_i(a*)``, a second the mean margin among all coefficients with
        that gain. No other coefficients raise one of these margins without lowering another.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses of positive weight, trained on the labels -1 and +1.
    cost_ : MarginCost
        The exponential cost, of the rounds; the linear program has another objective.
    cost_curve_ : ndarray
        The mean exponential cost after each round, then that of the corrected, normalised margins.
    error_curve_ : ndarray
        Weighted training error after each round, then after the correction, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        Why the rounds ended: "n_estimators", "no edge".

    See Also
    --------
    LPBoostClassifier : Maximises the smallest margin, with hypotheses of its own.

    Notes
    -----
    AdaBoost often finds the same stump again; equal stumps are one hypothesis here. The program is solved
    to 1e-10; should rounding leave a margin lower by more than 1e-9, AdaBoost's coefficients are kept.
    Stages of the staged methods are the rounds, not normalised, then the correction.

    References
    ----------
    - pratap2008, algorithm 4; objective="cost" is that of section 2.6.4, objective="each" the multi-objective form
      that section 2.6.2 names and does not try.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier, DLPBoostClassifier
    >>> from weaklearn.datasets import make_twonorm
    >>> from weaklearn.stumps import DecisionStump
    >>> X, y = make_twonorm(100, random_state=0)
    >>> plain = AdaBoostClassifier(DecisionStump(), n_estimators=100).fit(X, y)
    >>> better = DLPBoostClassifier(n_estimators=100).fit(X, y)
    >>> normed = plain.decision_function(X) / plain.estimator_weights_.sum()
    >>> gain = y * (better.decision_function(X) - normed)
    >>> bool(gain.min() > -1e-9), len(better.estimators_) < len(plain.estimators_)
    (True, True)
    """

    _scaled = True
    _parameter_constraints: dict = {
        **CorrectedClassifier._parameter_constraints,
        "objective": [StrOptions({"mean", "cost", "each"})],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        objective="mean",
        *,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.objective = objective

    def _corrections(self, signs, hypotheses, coefficients, sample_weight):
        first = _first_equal(hypotheses)
        merged = np.bincount(first, weights=coefficients, minlength=len(first))
        distinct = np.unique(first)
        start = merged[distinct] / merged.sum()
        gain = least_gain(signs[distinct], start) if self.objective == "each" else 0.0
        weight = sample_weight
        if self.objective == "cost":
            weight = weight * Exponential().value(start @ signs[distinct])
        row = np.zeros(len(first))
        row[distinct] = dominating_coefficients(signs[distinct], start, weight, gain)
        return [row]


def _first_equal(hypotheses):
    """For each hypothesis the number of the first that is known to vote alike."""
    seen: dict = {}
    return np.array([seen.setdefault(vote_key(h), t) for t, h in enumerate(hypotheses)])
