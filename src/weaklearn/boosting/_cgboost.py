"""CGBoost: conjugate gradients in function space."""

from numbers import Integral

from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import ConjugateDirection
from weaklearn.costs import MarginCost, get_cost

__all__ = ["CGBoostClassifier"]


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
        "n_estimators", "no edge", "increasing cost" (the conjugate direction does not descend), "perfect",
        "validation".

    See Also
    --------
    AnyBoostClassifier : Plain gradient descent.
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
        "cost": [str, MarginCost],
        "n_plain": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        cost="exponential",
        n_plain=10,
        n_estimators=100,
        *,
        perfect="continue",
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
            validation_fraction=validation_fraction,
            n_folds=n_folds,
            n_iter_no_change=n_iter_no_change,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.cost = cost
        self.n_plain = n_plain

    def _preset(self):
        return get_cost(self.cost), ConjugateDirection(self.n_plain)
