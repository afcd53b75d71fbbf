"""What the docstrings of the boosted classifiers have in common."""

from weaklearn._docstrings import CLASSIFIER, Blocks

__all__ = ["documented"]

documented = Blocks(
    """
    Parameters
    ----------
    estimator : object, default={default}
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    cost : str or MarginCost, default={default}
        The cost that is minimised, nowhere increasing; see `weaklearn.costs`.
    n_estimators : int, default={default}
        The largest number of rounds.
    perfect : {"continue", "stop"}, default={default}
        Whether to continue after a hypothesis without errors, which is kept in either case.
    n_restarts : int, default={default}
        How often, at most, boosting restarts where a hypothesis has no edge: a bootstrap sample of the
        examples replaces their weights, and the ensemble is kept.
    validation_fraction : float or None, default={default}
        Choose the number of rounds, up to ``n_estimators``, by examples held out from training: this share of each
        class, between 0 and 1. The rounds up to the least error on them are kept. None keeps all rounds.
    cv : int or None, default={default}
        Choose the number of rounds by this many stratified folds, at least 2: the least mean error over them gives
        the number of rounds of a fit to all examples.
    n_iter_no_change : int or None, default={default}
        With ``validation_fraction`` or ``cv``, look no further after this many rounds without a lower validation
        error; None looks at all rounds.
    warm_start : bool, default={default}
        Whether ``fit`` continues the last fit, on the same data, up to a larger ``n_estimators``. The result
        is that of one long fit.
    random_state : int, RandomState instance or None, default={default}
        Seeds the weak learner, resampling, restarts and validation. Plain boosting of stumps is deterministic.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_hypotheses,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_hypotheses,)
        Their weighted errors in the rounds that made them.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The share of the coefficients that belongs to each feature; only if the hypotheses have importances.
    cost_ : MarginCost
        The cost that is minimised.
    cost_curve_ : ndarray of shape (n_iter_,)
        The mean cost after each round.
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators" (all rounds were run), "no edge" (a hypothesis had a weighted error of 1/2 or more;
        it is not kept, and if it is the first, the ensemble is empty and predicts ``classes_[0]``),
        "perfect" (a hypothesis without errors, with ``perfect="stop"``) or "validation".
    n_iter_ : int
        The number of rounds.
    validation_curve_ : ndarray
        With ``validation_fraction`` or ``cv``: the validation error after each round.
    classes_ : ndarray of shape (2,)
        The class labels, sorted.
    """,
    base=CLASSIFIER,
    only_with={"validation_curve_": "cv"},
)
