"""DLPBoost: AdaBoost whose margins are all improved by a linear program."""

import numpy as np
from sklearn.utils._param_validation import StrOptions

from weaklearn.boosting._corrected import CorrectedClassifier
from weaklearn.boosting._hypotheses import vote_key
from weaklearn.boosting._linear_program import dominating_coefficients
from weaklearn.boosting._steps import ClosedForm
from weaklearn.costs import Exponential

__all__ = ["DLPBoostClassifier"]


class DLPBoostClassifier(CorrectedClassifier):
    """AdaBoost's hypotheses with coefficients that lower no margin and raise their sum.

    With AdaBoost's coefficients a*, normalised to sum 1, solves: maximise ``sum_i v_i m_i(a)`` subject to
    ``m_i(a) = y_i sum_t a_t h_t(x_i) >= m_i(a*)`` for all i, a >= 0, sum_t a_t = 1. So its margin
    distribution dominates AdaBoost's at every point, with fewer hypotheses.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    n_estimators : int, default=100
        The largest number of rounds.
    objective : {"mean", "cost"}, default="mean"
        The weights v of the margins: those of the examples, or these times ``exp(-m_i(a*))``, which favours
        small margins.
    perfect : {"continue", "stop"}, default="continue"
        What to do after a hypothesis without errors, which is kept in either case.
    n_restarts : int, default=0
        How often, where a hypothesis has no edge, the weights are replaced by a bootstrap sample of the
        examples and boosting goes on with the same ensemble.
    warm_start : bool, default=False
        Go on from the last fit, on the same data, when ``n_estimators`` was raised. The outcome is that of one
        long fit.
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner, resampling, restarts and validation; plain boosting of stumps uses none.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses of positive weight, trained on the labels -1 and +1.
    estimator_weights_ : ndarray
        Their coefficients.
    estimator_errors_ : ndarray
        Their weighted errors in the rounds that made them.
    cost_ : MarginCost
        The exponential cost, of the rounds; the linear program has another objective.
    cost_curve_ : ndarray
        The mean exponential cost after each round, then that of the corrected, normalised margins.
    error_curve_ : ndarray
        Weighted training error after each round, then after the correction, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        Why the rounds ended: "n_estimators", "no edge", "perfect".
    n_iter_ : int
        The number of rounds.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had column names that are all strings.

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
    - pratap2008, algorithm 4; objective="cost" is that of section 2.6.4.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier, DLPBoostClassifier
    >>> from weaklearn.datasets import make_twonorm
    >>> X, y = make_twonorm(100, random_state=0)
    >>> plain = AdaBoostClassifier(n_estimators=100).fit(X, y)
    >>> better = DLPBoostClassifier(n_estimators=100).fit(X, y)
    >>> normed = plain.decision_function(X) / plain.estimator_weights_.sum()
    >>> gain = y * (better.decision_function(X) - normed)
    >>> bool(gain.min() > -1e-9), len(better.estimators_) < len(plain.estimators_)
    (True, True)
    """

    _parameter_constraints: dict = {
        **CorrectedClassifier._parameter_constraints,
        "objective": [StrOptions({"mean", "cost"})],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        objective="mean",
        *,
        perfect="continue",
        n_restarts=0,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            n_restarts=n_restarts,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.objective = objective

    def _preset(self):
        return Exponential(), ClosedForm()

    def _corrections(self, signs, hypotheses, coefficients, sample_weight):
        first = _first_equal(hypotheses)
        merged = np.bincount(first, weights=coefficients, minlength=len(first))
        distinct = np.unique(first)
        start = merged[distinct] / merged.sum()
        weight = sample_weight
        if self.objective == "cost":
            weight = weight * Exponential().value(start @ signs[distinct])
        row = np.zeros(len(first))
        row[distinct] = dominating_coefficients(signs[distinct], start, weight)
        return [row]


def _first_equal(hypotheses):
    """For each hypothesis the number of the first that is known to vote alike."""
    seen: dict = {}
    return np.array([seen.setdefault(vote_key(h), t) for t, h in enumerate(hypotheses)])
