"""DOOM: AdaBoost's hypotheses, recombined for a piecewise linear cost that gives up hopeless examples."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._corrected import CorrectedClassifier
from weaklearn.boosting._stages import Correction

_OUTER = 0.1  # how far the cost falls below margin 0 and beyond theta
_N_TRIED = 10


@dataclass(frozen=True)
class Ramp:
    """The cost of a margin in [-1, 1]: from 1.2 at -1 to 1.1 at 0, steeply to 0.1 at theta, and to 0 at 1.

    Slopes are those to the right: a margin of 0 is to grow.
    """

    theta: float = 0.2

    def value(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        inner = 1 + _OUTER - margin / self.theta
        return np.where(
            margin <= 0,
            1 + _OUTER - _OUTER * margin,
            np.where(margin <= self.theta, inner, _OUTER * (1 - margin) / (1 - self.theta)),
        )

    def slope(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        outer = np.where(margin < 0, -_OUTER, -_OUTER / (1 - self.theta))
        return np.where((margin >= 0) & (margin < self.theta), -1 / self.theta, outer)


def recombine(cost, votes, coefficients, sample_weight, n_steps):
    """Lower ``sum_i w_i c(sum_t a_t votes_ti)`` over convex combinations a, by exchanges between two hypotheses.

    Each step moves coefficient from a hypothesis in use with a large gradient to one with a small gradient, as far as
    lowers the cost most: between margins 0 and theta the cost is linear in the step, so its least value lies at one of
    the steps where a margin reaches either, or at the end. The steepest of the ten times ten steepest pairs that lowers
    the cost is taken: at a kink the steepest of all need not.

    ``votes`` are ``y_i h_t(x_i)``, of shape (n_hypotheses, n_samples); the coefficients are nonnegative, of sum 1.
    Returns the list of the coefficients after each step: fewer than n_steps if an exchange no longer lowers the cost.
    """
    path = []
    margins = coefficients @ votes
    now = float(sample_weight @ cost.value(margins))
    for _ in range(n_steps):
        gradient = votes @ (sample_weight * cost.slope(margins))
        used = np.flatnonzero(coefficients > 0)
        gaining = np.argsort(gradient, kind="stable")[:_N_TRIED]
        losing = used[np.argsort(-gradient[used], kind="stable")[:_N_TRIED]]
        pairs = sorted((gradient[to] - gradient[away], to, away) for to in gaining for away in losing)
        for _, to, away in pairs:
            step, then = _exchange(cost, margins, votes[to] - votes[away], sample_weight, coefficients[away])
            if then < now - 1e-12 * sample_weight.sum():
                break
        else:
            break
        coefficients = coefficients.copy()
        coefficients[to] += step
        coefficients[away] -= step
        margins, now = coefficients @ votes, then
        path.append(coefficients)
    return path


def _exchange(cost, margins, way, sample_weight, longest):
    """The step along `way` of the least cost, and that cost."""
    moving = way != 0
    ends = np.concatenate([(end - margins[moving]) / way[moving] for end in (0.0, cost.theta)])
    steps = np.append(ends[(ends > 0) & (ends < longest)], longest)
    totals = cost.value(margins + steps[:, None] * way) @ sample_weight
    best = int(np.argmin(totals))
    return steps[best], float(totals[best])


@documented
class DoomClassifier(CorrectedClassifier):
    """DOOM: the convex combination of AdaBoost's hypotheses that lowers a piecewise linear cost of the margins.

    The cost falls steeply between the margins 0 and theta and is nearly flat elsewhere, so that an example far on the
    wrong side is given up. It is not convex: `recombine` finds a local minimum from AdaBoost's combination.

    Parameters
    ----------
    theta : float, default=0.2
        The margin, between 0 and 1, beyond which little is gained. Choose it by cross-validation.
    n_descent : int, default=200
        The largest number of exchanges between two coefficients.

    Attributes
    ----------
    cost_ : MarginCost
        The exponential cost, by which the rounds are AdaBoost's.
    cost_curve_ : ndarray
        The mean exponential cost after each round, then the mean piecewise linear cost of the same
        combination over its sum, and after each exchange.
    error_curve_ : ndarray
        Weighted training error after each round, at the start of the exchanges, then after each of them, as a share;
        F(x) = 0 is an error.
    stop_reason_ : str
        Why the rounds ended: "n_estimators", "no edge", "perfect".

    See Also
    --------
    Doom2Classifier : DOOM II, which finds its hypotheses for the cost as well.

    Notes
    -----
    The source searches over all of the simplex by gradient projection and chooses theta on held-out examples; the
    exchanges here stay in the simplex by themselves. barnes1999, chapter 7, asks for p-boosting to be compared with it.

    References
    ----------
    - L. Mason, P. Bartlett, J. Baxter: Improved generalization through explicit optimization of margins. Machine
      Learning 38, 2000.
    - barnes1999, section 3.7 and chapter 7.

    Examples
    --------
    >>> from weaklearn.boosting import DoomClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(100, noise=0.2, random_state=0)
    >>> model = DoomClassifier(n_estimators=40).fit(X, y)
    >>> round(float(model.estimator_weights_.sum()), 10)
    1.0
    """

    _scaled = True
    _parameter_constraints: dict = {
        **CorrectedClassifier._parameter_constraints,
        "theta": [Interval(Real, 0, 1, closed="neither")],
        "n_descent": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        theta=0.2,
        n_descent=200,
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
        self.theta = theta
        self.n_descent = n_descent

    def _corrections(self, signs, hypotheses, coefficients, sample_weight):
        start = coefficients / coefficients.sum()
        return [start, *recombine(Ramp(self.theta), signs, start, sample_weight, self.n_descent)]

    def _set_rounds(self, rounds, reason):
        super()._set_rounds(rounds, reason)
        rows = [stage.coefficients for stage in self._stages if isinstance(stage, Correction)]
        if rows:
            weight, signs = self._training_weight, self._signs[: self.n_iter_].astype(np.float64)
            costs = [weight @ Ramp(self.theta).value(row @ signs) / weight.sum() for row in rows]
            self.cost_curve_ = np.append(self.cost_curve_[: -len(rows)], costs)
