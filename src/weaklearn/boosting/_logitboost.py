"""LogitBoost: the logistic cost, minimised by Newton steps."""

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import Newton
from weaklearn.costs import Logistic

__all__ = ["LogitBoostClassifier"]


class LogitBoostClassifier(BoostedClassifier):
    """The logistic cost, minimised by Newton steps.

    Minimises ``sum_i w_i ln(1 + exp(-y_i F(x_i)))``. Round t weights the examples by ``w_i / (1 + exp(y_i
    F(x_i)))`` and adds h_t with one Newton step, ``sum_i v_i y_i h_t(x_i) / sum_i v_i / (1 + exp(-y_i
    F(x_i)))`` with those weights v. F estimates the log-odds.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    n_estimators : int, default=100
        The largest number of rounds.
    perfect : {"continue", "stop"}, default="continue"
        What to do after a hypothesis without errors, which is kept in either case.
    n_restarts : int, default=0
        How often, where a hypothesis has no edge, the weights are replaced by a bootstrap sample of the
        examples and boosting goes on with the same ensemble.
    validation : float, int or None, default=None
        How the number of rounds is chosen, up to ``n_estimators``. A float between 0 and 1 holds out that share
        of each class and keeps the rounds up to the least error on it; an int of at least 2 is a number of
        folds: the least mean error over them gives the number of rounds of a fit to all examples. None
        takes all rounds.
    patience : int or None, default=None
        With ``validation``, look no further than so many rounds without a lower validation error.
    warm_start : bool, default=False
        Go on from the last fit, on the same data, when ``n_estimators`` was raised. The outcome is that of one
        long fit.
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner, resampling, restarts and validation; plain boosting of stumps uses none.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray
        Their coefficients.
    estimator_errors_ : ndarray
        Their weighted errors in the rounds that made them.
    cost_ : MarginCost
        The logistic cost.
    cost_curve_ : ndarray
        The mean cost after each round.
    error_curve_ : ndarray
        Weighted training error after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators" (all rounds were run), "no edge" (a hypothesis had a weighted error of 1/2 or more;
        it is not kept, and if it is the first, the ensemble is empty and predicts ``classes_[0]``),
        "perfect", "validation".
    n_iter_ : int
        The number of rounds.
    validation_curve_ : ndarray
        With ``validation``: the validation error after each round.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had column names that are all strings.

    See Also
    --------
    AnyBoostClassifier : ``cost="logistic"`` with other steps.

    Notes
    -----
    This is the method of pratap2008's table: hypotheses are classifiers, chosen by weighted error.
    Friedman, Hastie and Tibshirani's LogitBoost fits real-valued trees by least squares instead.

    References
    ----------
    - pratap2008, table 2.1.

    Examples
    --------
    >>> from weaklearn.boosting import LogitBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> LogitBoostClassifier(n_estimators=60).fit(X, y).score(X, y)
    1.0
    """

    def _preset(self):
        return Logistic(), Newton()
