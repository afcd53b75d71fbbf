"""AlphaBoost: AnyBoost, then conjugate gradient descent on the coefficients."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._corrected import CorrectedClassifier
from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import ClosedForm, LineSearch
from weaklearn.costs import Exponential, get_cost


@documented
class AlphaBoostClassifier(CorrectedClassifier):
    """AnyBoost whose coefficients are improved together afterwards.

    After ``n_estimators`` rounds the hypotheses are fixed, and ``C(alpha) = sum_i w_i c(y_i sum_t alpha_t
    h_t(x_i))`` is lowered by ``n_descent`` steps of conjugate gradients (Polak-Ribiere).

    Parameters
    ----------
    n_descent : int, default=50
        The number of steps of conjugate gradients.
    step_size : float or None, default=None
        A fixed step, in units of the gradient of the mean cost; the descent ends when it no longer lowers the cost.
        None searches along every direction.

    Attributes
    ----------
    cost_curve_ : ndarray
        The mean cost after each round, then after each step of the descent.
    error_curve_ : ndarray
        Weighted training error after each round, then after each step of the descent, as a share; F(x) = 0
        is an error.
    stop_reason_ : str
        Why the rounds ended: "n_estimators", "no edge", "increasing cost".

    See Also
    --------
    CGBoostClassifier : Conjugate directions while the ensemble grows.

    Notes
    -----
    The lower cost does not help: pratap2008 finds higher test errors than AdaBoost's, and so do we.
    Coefficients may become negative. Stages of the staged methods are the rounds, then the steps of the
    descent.

    References
    ----------
    - pratap2008, algorithm 3 (with a fixed step; the experiments of section 2.5 had a line search).

    Examples
    --------
    >>> from weaklearn.boosting import AlphaBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(100, noise=0.2, random_state=0)
    >>> model = AlphaBoostClassifier(n_estimators=40, n_descent=20).fit(X, y)
    >>> len(model.cost_curve_), bool(model.cost_curve_[-1] < model.cost_curve_[39])
    (60, True)
    """

    _parameter_constraints: dict = {
        **CorrectedClassifier._parameter_constraints,
        "n_descent": [Interval(Integral, 0, None, closed="left")],
        "step_size": [None, Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        n_descent=50,
        cost="exponential",
        *,
        step_size=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.n_descent = n_descent
        self.cost = cost
        self.step_size = step_size

    def _preset(self):
        cost = get_cost(self.cost)
        return cost, ClosedForm() if isinstance(cost, Exponential) else LineSearch()

    def _corrections(self, signs, hypotheses, coefficients, sample_weight):
        return descend(self.cost_, signs, coefficients, sample_weight, self.n_descent, self.step_size)


def descend(cost, votes, coefficients, sample_weight, n_steps, step_size=None):
    """Lower ``C(a) = sum_i w_i c(sum_t a_t votes_ti)``, w of sum 1, by nonlinear conjugate gradients.

    The direction is ``d = g + beta d'`` with the negative gradient g and Polak and Ribiere's
    ``beta = <g, g - g'> / <g', g'>``; where that does not descend, g itself. Coefficients may become negative.
    Source: pratap2008, algorithm 3, which has a fixed step; its experiments used a line search. The algorithm moves
    along the direction of the step before, which must be a slip: its first step would go nowhere.

    ``votes`` are ``y_i h_t(x_i)``, of shape (n_hypotheses, n_samples). A fixed ``step_size`` is in units of the
    gradient of C; None searches to the first stationary point. Returns the list of the coefficients after each step:
    fewer than n_steps if a step no longer lowers the cost.
    """
    path, previous, direction = [], None, None
    for _ in range(n_steps):
        margins = coefficients @ votes
        # Normalised weights: the gradient up to a factor, which beta must not mix between steps.
        weights = cost.weights(margins) * sample_weight
        scale = cost.log_weights(margins).max()
        gradient = votes @ weights / sample_weight.sum()
        if not gradient.any():
            break
        beta = 0.0
        if previous is not None:
            factor = np.exp(previous[1] - scale)
            earlier = previous[0] * factor
            beta = (
                float(gradient @ (gradient - earlier) / (earlier @ earlier)) if np.isfinite(factor) else 0.0
            )
        new = gradient if direction is None or beta == 0 else gradient + beta * factor * direction
        if new @ gradient <= 0:
            new = gradient
        if step_size is None:
            step = first_stationary_step(cost, margins, new @ votes, sample_weight)
        else:
            step = _fixed_step(cost, margins, new @ votes, sample_weight, step_size * np.exp(scale))
        if step <= 0:
            break
        previous, direction = (gradient, scale), new
        coefficients = coefficients + step * new
        path.append(coefficients)
    return path


def _fixed_step(cost, margins, direction, sample_weight, step):
    """The step if it lowers the cost, else 0."""
    now, then = (sample_weight @ cost.value(at) for at in (margins, margins + step * direction))
    return step if then < now else 0.0
