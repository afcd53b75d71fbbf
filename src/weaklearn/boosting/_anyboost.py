"""AnyBoost: any margin cost, any step rule."""

from sklearn.utils._param_validation import StrOptions

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import STEP_RULES, get_step_rule
from weaklearn.costs import MarginCost, get_cost

__all__ = ["AnyBoostClassifier"]


class AnyBoostClassifier(BoostedClassifier):
    """Gradient descent in function space: any margin cost, any step rule.

    Round t trains the weak learner with the weights ``-w_i c'(y_i F(x_i))``, which makes h_t the steepest
    direction for the cost ``C(F) = sum_i w_i c(y_i F(x_i)) / sum_i w_i``, and adds it with a coefficient
    that the step rule chooses.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    cost : str or MarginCost, default="exponential"
        The cost that is minimised, nowhere increasing; see `weaklearn.costs`.
    step : str or callable, default="line_search"
        How a hypothesis enters the ensemble. "line_search": up to the first stationary point of the cost;
        "closed_form": by AdaBoost's formula (exponential cost); "newton": one Newton step (smooth convex
        costs); "average": one vote each, the cost being that of the average vote; "arc_gv": by Arc-gv's
        formula (exponential cost); "conjugate": along conjugate directions. A callable makes a step rule of
        your own.
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
        The cost that is minimised: ``cost``, or what its name stands for.
    cost_curve_ : ndarray
        The mean cost after each round.
    error_curve_ : ndarray
        Weighted training error after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators", "no edge" (as in `AdaBoostClassifier`), "increasing cost" (no step lowers the cost),
        "optimal", "perfect", "validation".
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
    CGBoostClassifier : Conjugate directions.
    AlphaBoostClassifier : Corrects the coefficients afterwards.

    Notes
    -----
    With the exponential cost the line search has AdaBoost's closed form, and `AnyBoostClassifier` is
    `AdaBoostClassifier` up to the last digits. Where the cost falls without end along a hypothesis, the step is
    AdaBoost's for a hypothesis without errors, ``1/2 ln 1000``.

    References
    ----------
    - li2006, section 3.2.1; pratap2008, algorithm 2 and table 2.1; barnes1999, theorem 5.

    Examples
    --------
    >>> from weaklearn.boosting import AnyBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = AnyBoostClassifier(cost="logistic", n_estimators=20).fit(X, y)
    >>> bool((model.cost_curve_[1:] < model.cost_curve_[:-1]).all())
    True
    """

    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "cost": [str, MarginCost],
        "step": [StrOptions(set(STEP_RULES)), callable],
    }

    def __init__(
        self,
        estimator=None,
        cost="exponential",
        step="line_search",
        n_estimators=100,
        *,
        perfect="continue",
        n_restarts=0,
        validation=None,
        patience=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            n_restarts=n_restarts,
            validation=validation,
            patience=patience,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.cost = cost
        self.step = step

    def _preset(self):
        return get_cost(self.cost), get_step_rule(self.step)
