"""AnyBoost, with any margin cost and any step rule, and its preset LogitBoost."""

from sklearn.utils._param_validation import StrOptions

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import STEP_RULES, Newton, get_step_rule
from weaklearn.costs import Logistic, MarginCost, get_cost

__all__ = ["AnyBoostClassifier", "LogitBoostClassifier"]


@documented
class AnyBoostClassifier(BoostedClassifier):
    """Gradient descent in function space: any margin cost, any step rule.

    Round t trains the weak learner with the weights ``-w_i c'(y_i F(x_i))``, which makes h_t the steepest
    direction for the cost ``C(F) = sum_i w_i c(y_i F(x_i)) / sum_i w_i``, and adds it with a coefficient
    that the step rule chooses.

    Parameters
    ----------
    step : str or callable, default="line_search"
        How a hypothesis enters the ensemble. "line_search": up to the first stationary point of the cost;
        "closed_form": by AdaBoost's formula (exponential cost); "newton": one Newton step (smooth convex
        costs); "average": one vote each, the cost being that of the average vote; "arc_gv": by Arc-gv's
        formula (exponential cost); "conjugate": along conjugate directions. A callable makes a step rule of
        your own.

    Attributes
    ----------
    stop_reason_ : str
        "n_estimators", "no edge" (as in `AdaBoostClassifier`), "increasing cost" (no step lowers the cost),
        "optimal", "perfect", "validation".

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
        validation_fraction=None,
        n_folds=None,
        n_iter_no_change=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            n_restarts=n_restarts,
            validation_fraction=validation_fraction,
            n_folds=n_folds,
            n_iter_no_change=n_iter_no_change,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.cost = cost
        self.step = step

    def _preset(self):
        return get_cost(self.cost), get_step_rule(self.step)


@documented
class LogitBoostClassifier(BoostedClassifier):
    """The logistic cost, minimised by Newton steps.

    Minimises ``sum_i w_i ln(1 + exp(-y_i F(x_i)))``. Round t weights the examples by ``w_i / (1 + exp(y_i
    F(x_i)))`` and adds h_t with one Newton step, ``sum_i v_i y_i h_t(x_i) / sum_i v_i / (1 + exp(-y_i
    F(x_i)))`` with those weights v. F estimates the log-odds.

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
