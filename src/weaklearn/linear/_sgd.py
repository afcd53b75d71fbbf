"""Stochastic gradient descent on a margin cost.

Conventions: those of `weaklearn.linear._online`; at a kink of the cost the slope is the left derivative
(see `weaklearn.costs`), so that descent on the perceptron criterion is Rosenblatt's rule.
"""

import warnings
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn import costs
from weaklearn._docstrings import documented
from weaklearn._fast.online import EXPONENTIAL, LOGISTIC, ONE_KNOT, gradient_epochs
from weaklearn.linear._base import LinearThresholdClassifier, fit_of_path
from weaklearn.linear._online import initial_weights, signed_rows, weighted_trials

# The costs with a compiled slope: kind, knot, level, rise. All costs of li2005, Table 1, that have a slope
# are linear up to a knot and flat beyond it.
_COMPILED = {
    costs.PerceptronCriterion: (ONE_KNOT, 0.0, -1.0, 0.0),
    costs.Hinge: (ONE_KNOT, 1.0, -1.0, 0.0),
    costs.LeastSquares: (ONE_KNOT, np.inf, -2.0, 2.0),
    costs.ModifiedLeastSquares: (ONE_KNOT, 1.0, -2.0, 2.0),
    costs.Logistic: (LOGISTIC, 0.0, 0.0, 0.0),
    costs.Exponential: (EXPONENTIAL, 0.0, 0.0, 0.0),
}


def _descend(cost, rows, step_size, trials, weights, path):
    """What `gradient_epochs` does, for a cost that only Python can evaluate."""
    for epoch, presented in enumerate(trials):
        for k in presented:
            weights -= step_size[k] * float(cost.slope(rows[k] @ weights)) * rows[k]
        path[epoch] = weights


@documented
class SGDPerceptron(LinearThresholdClassifier):
    r"""Stochastic gradient descent on a margin cost.

    Reduces :math:`C(w) = \sum_k \varphi_k c(y_k \langle w, x_k \rangle)`, with :math:`x_k` extended by a 1
    for the bias, by one step for each trial,

    .. math:: w \leftarrow w - \eta\, N \varphi_k\, c'(y_k \langle w, x_k \rangle)\, y_k x_k.

    Parameters
    ----------
    cost : str or MarginCost, default="hinge"
        A cost of `weaklearn.costs` or its name. The perceptron criterion, hinge, least squares, modified
        least squares, logistic and exponential costs run compiled; any other cost is evaluated in Python,
        one example at a time, which is some hundred times slower.
    learning_rate : float, default=0.002
        The constant :math:`\eta`.

    Warns
    -----
    ConvergenceWarning
        If the weights left the range of floats: the learning rate is too large for the data and their
        weights. The run then ends at the last epoch with finite weights.

    References
    ----------
    li2005, section 2 with Table 1, and section 4.2 (SGD-hinge, SGD-mls).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn.costs import ModifiedLeastSquares
    >>> from weaklearn.linear import SGDPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> SGDPerceptron(ModifiedLeastSquares(), max_iter=100, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    _parameter_constraints: dict = {
        "cost": [StrOptions(set(costs.COSTS)), costs.MarginCost],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        cost="hinge",
        *,
        learning_rate=0.002,
        init="zero",
        max_iter=2000,
        order="random",
        weighting="reweight",
        keep_path=False,
        random_state=None,
    ):
        self.cost = cost
        self.learning_rate = learning_rate
        self.init = init
        self.max_iter = max_iter
        self.order = order
        self.weighting = weighting
        self.keep_path = keep_path
        self.random_state = random_state

    def _fit_signed(self, X, y, sample_weight, rng, start):
        cost = costs.get_cost(self.cost)
        if isinstance(cost, costs.ZeroOne):
            raise ValueError("cost must have a slope to descend; that of the 0/1 loss is 0 everywhere.")
        blocks, strength = weighted_trials(self.order, self.weighting, self.max_iter, sample_weight, rng)
        rows = signed_rows(X, y)
        step_size = self.learning_rate * strength
        compiled = _COMPILED.get(type(cost))
        weights = initial_weights(self.init, start, X, y, sample_weight)
        path = [weights[None, :].copy()]
        for trials in blocks:
            block = np.empty((len(trials), len(weights)))
            if compiled is None:
                _descend(cost, rows, step_size, trials, weights, block)
            else:
                gradient_epochs(rows, step_size, trials, *compiled, weights, block)
            path.append(block)
            if not np.isfinite(block[-1]).all():
                break
        vectors = np.concatenate(path)
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            vectors = vectors[: finite.argmin()]
            warnings.warn(
                f"The weights left the range of floats in epoch {len(vectors)}: learning_rate="
                f"{self.learning_rate!r} is too large. The weights of epoch {len(vectors) - 1} are kept.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return fit_of_path(X, y, sample_weight, vectors)
