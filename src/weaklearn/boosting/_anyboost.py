"""AnyBoost, with any margin cost and any step rule, and its presets: LogitBoost, CGBoost, Breiman's arcing."""

from numbers import Integral

from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import STEP_RULES, ArcGV, Average, ConjugateDirection, Newton, get_step_rule
from weaklearn.costs import ArcX4, Exponential, Logistic, get_cost


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


@documented
class CGBoostClassifier(BoostedClassifier):
    """Boosting along conjugate directions: lower costs in as many rounds.

    Round t searches along ``d_t = h_t + beta_t d_{t-1}`` with ``beta_t = 1 - <h_t, h_{t-1}>``, the inner
    product being the mean over the training set, and goes to the first stationary point of the cost. So a
    round changes the coefficients of earlier hypotheses too; the ensemble still has one hypothesis per
    round.

    Parameters
    ----------
    n_plain : int, default=10
        The number of first rounds with beta = 0, where plain gradient descent is more efficient.

    Attributes
    ----------
    stop_reason_ : str
        "n_estimators", "no edge", "increasing cost" (the conjugate direction does not descend).

    See Also
    --------
    AnyBoostClassifier : Plain gradient descent; with ``step="conjugate"`` this algorithm, with validation.
    weaklearn.costs.Bisigmoid : The cost that li2006 minimises with it.

    Notes
    -----
    With the exponential cost it overfits faster than AdaBoost; its use is with bounded costs. `truncated`
    and the staged methods are exact because steps and betas of all rounds are kept.

    References
    ----------
    - li2006, algorithms 3.1 and 3.2, equation 3.3. "The first several iterations" with beta = 0 are 10
      here: 5, 10 and 30 give the same results, 1 spoils the bisigmoid cost.

    Examples
    --------
    >>> from weaklearn.boosting import AnyBoostClassifier, CGBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(100, noise=0.2, random_state=0)
    >>> plain = AnyBoostClassifier(n_estimators=100).fit(X, y)
    >>> conjugate = CGBoostClassifier(n_estimators=100).fit(X, y)
    >>> bool(conjugate.cost_curve_[-1] < 0.5 * plain.cost_curve_[-1])
    True
    """

    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "n_plain": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        cost="exponential",
        n_plain=10,
        n_estimators=100,
        *,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.cost = cost
        self.n_plain = n_plain

    def _preset(self):
        return get_cost(self.cost), ConjugateDirection(self.n_plain)


@documented
class ArcX4Classifier(BoostedClassifier):
    """Arc-x4: every hypothesis has one vote, often misclassified examples have large weights.

    An example that k of the hypotheses so far got wrong has the weight ``w_i (1 + k^4)``. Up to the 1 this
    is gradient descent on ``sum_i w_i (1 - y_i F(x_i))^5`` over averages of votes, with steps of 1/t.

    Attributes
    ----------
    cost_ : MarginCost
        ``(1 - margin)^5``, a cost of the average vote.
    cost_curve_ : ndarray
        The mean of ``(1 - y_i F(x_i) / t)^5`` after each round.

    See Also
    --------
    AnyBoostClassifier : ``cost="arc_x4", step="average"`` is exactly the cost of the table, with weights k^4.

    Notes
    -----
    Without the 1 an example that was always right has the weight 0 from the second round on, and the weak
    learner never sees it again until it is wrong; Breiman's own algorithm has it.

    References
    ----------
    - pratap2008, table 2.1 (ARC-X4).

    Examples
    --------
    >>> from weaklearn.boosting import ArcX4Classifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = ArcX4Classifier(n_estimators=50).fit(X, y)
    >>> set(model.estimator_weights_.tolist())
    {1.0}
    """

    def _preset(self):
        return ArcX4(), Average(offset=1.0)


@documented
class ArcGVClassifier(BoostedClassifier):
    """Arc-gv: AdaBoost's weights, with steps that maximise the smallest margin.

    With the edge ``g_t = 1 - 2 e_t`` and the smallest normalised margin ``r_t = min_i y_i F(x_i) / sum_s
    alpha_s`` so far, ``alpha_t = 1/2 ln((1 + g_t) / (1 - g_t)) - 1/2 ln((1 + r_t) / (1 - r_t))``.

    Attributes
    ----------
    stop_reason_ : str
        "n_estimators", "no edge", "optimal" (the smallest margin is as large as the edge, hence as large as any
        combination has it), "perfect", "validation".

    See Also
    --------
    LPBoostClassifier : The largest smallest margin by linear programming.

    Notes
    -----
    A negative r_t counts as 0, which is AdaBoost's step: after one round with an error r_t is -1 and the
    formula infinite.

    References
    ----------
    - pratap2008, sections 2.6 and 2.6.3, after Breiman (1998).

    Examples
    --------
    >>> from weaklearn.boosting import ArcGVClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = ArcGVClassifier(n_estimators=1000).fit(X, y)
    >>> normed = y * model.decision_function(X) / model.estimator_weights_.sum()
    >>> round(float(normed.min()), 2)  # the largest there is: 1/9
    0.09
    """

    def _preset(self):
        return Exponential(), ArcGV()
