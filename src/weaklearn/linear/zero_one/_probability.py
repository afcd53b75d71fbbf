r"""From held-out scores to probabilities: :math:`P(+1 \mid s) = r + (1 - 2 r) / (1 + e^{-(a s + b)})`, a >= 0.

With r = 0 this is the sigmoid of Platt (1999). If a share r of the labels is wrong, even rows far from the boundary
have the label of their side with probability 1 - r only, which no sigmoid can say. a, b and r, on a grid, minimise the
log loss of held-out scores. The targets are Platt's, :math:`(n_+ + 1) / (n_+ + 2)` and :math:`1 / (n_- + 2)` instead
of 1 and 0: they keep a and b finite where the classes are separable.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

_RATES = np.arange(0, 0.41, 0.05)


class NoisySigmoid(NamedTuple):
    """Slope and intercept of the log-odds, and the share of wrong labels."""

    slope: float
    intercept: float
    rate: float

    def __call__(self, scores):
        """Probabilities of the positive class."""
        return self.rate + (1 - 2 * self.rate) * expit(self.slope * scores + self.intercept)


def sigmoid_objective(parameters, scores, target, weight, rate):
    """Mean log loss of slope and intercept, and its gradient."""
    s = expit(parameters[0] * scores + parameters[1])
    p = np.clip(rate + (1 - 2 * rate) * s, 1e-12, 1 - 1e-12)
    value = -(weight @ (target * np.log(p) + (1 - target) * np.log1p(-p)))
    slope = weight * (p - target) / (p * (1 - p)) * (1 - 2 * rate) * s * (1 - s)
    return value / weight.sum(), np.array([slope @ scores, slope.sum()]) / weight.sum()


def fit_sigmoid(scores, positive, weight, *, intercept=True):
    """Fit to held-out scores; without any, or with those of one class only, to the share of the positive class.

    Without an intercept a score of 0 has probability 1/2, so that the more probable class is the predicted one.
    """
    total, up = weight.sum(), float(weight @ positive)
    spread = float(np.sqrt(np.mean(scores**2))) if len(scores) else 0.0
    if spread == 0 or up == 0 or up == total:
        return NoisySigmoid(0.0, float(logit((up + 1) / (total + 2))), 0.0)
    target = np.where(positive, (up + 1) / (up + 2), 1 / (total - up + 2))
    start, least, best = np.array([1.0, 0.0]), np.inf, NoisySigmoid(0.0, 0.0, 0.0)
    for rate in _RATES:
        found = minimize(
            sigmoid_objective,
            start,
            (scores / spread, target, weight, rate),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, 50), (-20, 20) if intercept else (0, 0)],
        )
        start = found.x
        if found.fun < least:
            least, best = found.fun, NoisySigmoid(float(found.x[0] / spread), float(found.x[1]), float(rate))
    return best
