"""p-boosting: step rules that keep the coefficients b near, or on, the unit sphere of a p-norm.

The p-convex hull of a class of hypotheses holds their combinations with ``||b||_p = (sum b_i^p)^(1/p) = 1``,
b >= 0; for p < 1 the "norm" favours sparse combinations. In round t the cost may be made steeper by the factor
``t^acceleration``: ``exp(-t^acceleration rho)``, which barnes1999 proposes for the sloppy algorithm (equation 6.1) and
did not try; 0 is the cost without it.

The thesis has the exponential cost alone and expects the p-convex hull to combine with flatter ones (chapter 7). For
other costs the naive, sloppy and strict rules take AnyBoost's steps, line searches to the first stationary point, in
place of AdaBoost's closed form, which is that step for the exponential cost.

Source: barnes1999, chapter 4 and, for how the line search treats the first round, appendix B.
"""

import math

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import StepRule, adaboost_step, mean_cost
from weaklearn.costs import Exponential

# Steps that the strict line search tries before it refines: 12 in each power of ten.
_STEPS = np.logspace(-8, 6, 169)
# Of the printed Newton search, with its crude remedy for a curvature that is 0 in floating point.
_TOLERANCE = 1e-3
_MOST_STEPS = 1000
_LEAST_CURVATURE = np.finfo(np.float64).eps
_CRUDE_CURVATURE = 0.01
# Stands for the logarithm of a slope of 0, where every example has it.
_LEAST_LOG = -1e300


class PNormRule(StepRule):
    """What the p-boosting rules share: a cost that is made steeper with time."""

    def __init__(self, p, acceleration=0.0):
        self.p = p
        self.acceleration = acceleration

    def steepness(self, ensemble):
        """The factor of the margins in the round that comes next."""
        return float(len(ensemble.stages) + 1) ** self.acceleration

    def weighting_margins(self, ensemble):
        return ensemble.descent_margins

    def weights(self, ensemble):
        margins = self.steepness(ensemble) * self.weighting_margins(ensemble)
        return ensemble.weigh(ensemble.cost.weights(margins))

    def objective(self, ensemble):
        # Of the round that has just been made, whose number is that of the stages.
        steepness = float(len(ensemble.stages)) ** self.acceleration
        return mean_cost(ensemble, steepness * ensemble.margins) if self.acceleration != 0 else None


class PlainWeights(PNormRule):
    """Weights and steps as AdaBoost (AnyBoost for other costs) would have them, whatever becomes of b."""

    def __init__(self, p, acceleration=0.0):
        super().__init__(p, acceleration)
        self._gained = 0.0

    def weighting_margins(self, ensemble):
        return np.zeros(len(ensemble.margins)) + self._gained

    def plain_step(self, ensemble, hypothesis_margins, error):
        """The step along the hypothesis before the coefficients are changed; 0 if the cost does not fall."""
        steepness = self.steepness(ensemble)
        if isinstance(ensemble.cost, Exponential):
            step = adaboost_step(error) / steepness
        else:
            step = first_stationary_step(
                ensemble.cost,
                steepness * self.weighting_margins(ensemble),
                steepness * hypothesis_margins,
                ensemble.descent_weight,
            )
        self._gained = self._gained + step * hypothesis_margins
        return step

    def restart(self):
        self._gained = 0.0


class Naive(PlainWeights):
    """``b_t = (b'_t)^(1/p)`` with AdaBoost's coefficient b'_t.

    Source: barnes1999, equation 4.3, and of the two options below it for the sample weights the one that it keeps.
    """

    def step(self, ensemble, hypothesis_margins, error):
        step = self.plain_step(ensemble, hypothesis_margins, error)
        if step <= 0:
            return "increasing cost"
        ensemble.add(step ** (1 / self.p), hypothesis_margins)
        return None


class Sloppy(PlainWeights):
    """AdaBoost's step, then all coefficients are divided by their p-norm, in every round.

    Source: barnes1999, section 4.4, which leaves open what the sample weights come from. ``own_weights`` is the letter
    of the text: the normalised F. Without, AdaBoost has its weights and only b is normalised; the best p then lies
    where the thesis reports it.
    """

    def __init__(self, p, acceleration=0.0, own_weights=False):
        super().__init__(p, acceleration)
        self.own_weights = own_weights

    def weighting_margins(self, ensemble):
        return ensemble.descent_margins if self.own_weights else super().weighting_margins(ensemble)

    def step(self, ensemble, hypothesis_margins, error):
        step = self.plain_step(ensemble, hypothesis_margins, error)
        if step <= 0:
            return "increasing cost"
        if not ensemble.stages:
            ensemble.move(hypothesis_margins, 1.0)
        else:
            ensemble.move(hypothesis_margins, step, scale=(1 + step**self.p) ** (-1 / self.p))
        return None


def newton_step(margins, hypothesis_margins, sample_weight, start, steepness=1.0):
    """The step at which the printed search ends, for the summed exponential cost along a hypothesis.

    The tolerance is absolute, so the scale of the weights matters: the program has 1 for every example. Returns the
    last step whose derivative was evaluated.
    """
    following, slope = start, 1.0
    least, largest = np.inf, -np.inf
    last_cost = 1e6
    for _ in range(_MOST_STEPS):
        if abs(slope) < _TOLERANCE:
            break
        step = following
        terms = sample_weight * np.exp(-steepness * (margins + step * hypothesis_margins))
        cost = float(terms.sum())
        slope = -steepness * float((terms * hypothesis_margins).sum())
        curvature = steepness**2 * float((terms * hypothesis_margins**2).sum())
        least, largest = min(slope, least), max(slope, largest)
        if curvature < _LEAST_CURVATURE:
            curvature = _CRUDE_CURVATURE
        following = max(step / 2, step - slope / curvature)
        if abs(cost - last_cost) < _TOLERANCE and least * largest > 0:
            break
        last_cost = cost
    return step


class SloppyNewton(PlainWeights):
    """Sloppy p-boosting with the line search of the program that is printed in barnes1999, appendix B.

    The program differs from `Sloppy` in ways that show after some hundred rounds:

    - the first hypothesis has the coefficient and the step 1, whatever its error;
    - the step is searched by Newton's method from ``0.5 / t`` (t rounds were made before) until the derivative of the
      *summed* cost is below 0.001 in absolute value. As boosting continues, that sum becomes smaller than 0.001 by
      itself, and from then on the search ends where it starts: every step is ``0.5 / t``;
    - a step is never less than half the one before it in the search, and a search whose cost changes by less than 0.001
      without a change of sign of the derivative ends as well;
    - a hypothesis without errors ends the training and is dropped.
    """

    def step(self, ensemble, hypothesis_margins, error):
        if error <= 0:
            return "perfect"
        if not ensemble.stages:
            step, scale = 1.0, 1.0
        else:
            step = newton_step(
                self.weighting_margins(ensemble),
                hypothesis_margins,
                ensemble.descent_weight,
                0.5 / len(ensemble.stages),
                self.steepness(ensemble),
            )
            scale = (1 + step**self.p) ** (-1 / self.p)
        self._gained = self._gained + step * hypothesis_margins
        ensemble.move(hypothesis_margins, step, scale=scale)
        return None


class Strict(PNormRule):
    """A line search along the sphere itself: the least cost of ``(F + alpha h) / (1 + alpha^p)^(1/p)``.

    For p < 1 the cost always rises at first where the average margin is positive; a step is taken only to a
    stationary minimum at alpha > 0, and without one the rule stops ("increasing cost").
    Source: barnes1999, section 4.3 and appendix B, whose search also starts from 1 / (2 t) and goes downhill.
    """

    def step(self, ensemble, hypothesis_margins, error):
        if not ensemble.stages:
            ensemble.move(hypothesis_margins, 1.0)
            return None
        step = strict_step(
            ensemble.margins,
            hypothesis_margins,
            ensemble.sample_weight,
            self.p,
            self.steepness(ensemble),
            start=0.5 / len(ensemble.stages),
            cost=None if isinstance(ensemble.cost, Exponential) else ensemble.cost,
        )
        if step is None:
            return "increasing cost"
        ensemble.move(hypothesis_margins, step, scale=(1 + step**self.p) ** (-1 / self.p))
        return None


def strict_step(margins, hypothesis_margins, sample_weight, p, steepness=1.0, start=0.5, cost=None):
    """The stationary minimum of the strict line cost that a descent from ``start`` comes to; None if there is none.

    The cost is ``C(alpha) = sum_i w_i exp(-s (m_i + alpha u_i) / (1 + alpha^p)^(1/p))`` with the steepness s, and
    its derivative has the sign of ``-G(alpha)``, ``G = sum_i w_i exp(...)_i (u_i - m_i alpha^(p-1))``. A
    stationary minimum is where G goes from positive to negative. If G is 0 up to rounding for small steps,
    C is flat there and 0 is returned: h is F already. Another ``cost`` c has ``-c'`` in place of exp.
    """

    def relative_slope(step):
        step = np.asarray(step, dtype=np.float64)[..., None]
        logs = -steepness * (margins + step * hypothesis_margins) * (1 + step**p) ** (-1 / p)
        if cost is not None:
            logs = np.maximum(cost.log_weights(-logs), _LEAST_LOG)
        weights = sample_weight * np.exp(logs - logs.max(axis=-1, keepdims=True))
        pull = step ** (p - 1)
        terms = weights * (hypothesis_margins - margins * pull)
        return terms.sum(axis=-1) / (weights * (1 + np.abs(margins) * pull)).sum(axis=-1)

    def minimum(low, high):
        return float(brentq(lambda step: float(relative_slope(step)), low, high, xtol=1e-14, rtol=1e-14))

    slopes = relative_slope(_STEPS)
    at = int(np.searchsorted(_STEPS, start))
    if slopes[at] > 0:
        ends = np.flatnonzero(slopes[at:] <= 0)
        if len(ends) == 0:  # the cost falls all the way to h alone
            return float(_STEPS[-1])
        return minimum(_STEPS[at + ends[0] - 1], _STEPS[at + ends[0]])
    falling = np.flatnonzero(slopes[:at] > 0)
    if len(falling):
        return minimum(_STEPS[falling[-1]], _STEPS[falling[-1] + 1])
    # For p < 1 the slope at the smallest step is far from 0; for p = 1 it is 0 where F can only stay as it is,
    # and at that step the curvature of the cost has lowered it by about as much as the step.
    if slopes[0] > -1e-6:
        return 0.0
    # The cost may still fall between two of the steps tried: where it rises least.
    peak = int(np.argmax(slopes[: at + 1]))
    low, high = _STEPS[max(peak - 1, 0)], _STEPS[min(peak + 1, len(_STEPS) - 1)]
    found = minimize_scalar(
        lambda step: -float(relative_slope(step)),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return minimum(found.x, high) if found.fun < 0 and relative_slope(high) < 0 else None


class Gravity(PNormRule):
    """The exponential cost plus ``gravity ||b||_p``, minimised along each hypothesis; F is not normalised.

    Along h the cost is ``A exp(-s alpha) + B exp(s alpha) + gravity (||b||_p^p + alpha^p)^(1/p)`` with the
    weighted costs A of the examples that h gets right and B of the others. For p < 1 alpha = 0 is always a local
    minimum, so the least value counts, and where it is at 0 the rule stops ("increasing cost").
    Source: barnes1999, equation 4.14, with F anywhere in the linear span as it suggests.
    """

    def __init__(self, p, acceleration=0.0, gravity=0.01):
        super().__init__(p, acceleration)
        self.gravity = gravity
        self._power = 0.0  # ||b||_p^p

    def objective(self, ensemble):
        steepness = float(len(ensemble.stages)) ** self.acceleration
        return mean_cost(ensemble, steepness * ensemble.margins) + self.gravity * self._power ** (1 / self.p)

    def step(self, ensemble, hypothesis_margins, error):
        weight, steepness = ensemble.descent_weight, self.steepness(ensemble)
        values = weight * ensemble.cost.value(steepness * ensemble.descent_margins) / weight.sum()
        wrong = float(values[hypothesis_margins < 0].sum())
        right = float(values.sum()) - wrong

        def cost(step):
            pull = self.gravity * (self._power + step**self.p) ** (1 / self.p)
            return right * math.exp(-steepness * step) + wrong * math.exp(steepness * step) + pull

        # Gravity only shortens steps: the plain minimum bounds the search.
        longest = adaboost_step(wrong / (wrong + right)) / steepness
        grid = longest * np.logspace(-6, 0, 61)
        best = min(grid, key=cost)
        at = int(np.searchsorted(grid, best))
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
        found = minimize_scalar(
            cost, bounds=(low, high), method="bounded", options={"xatol": 1e-12 * longest}
        )
        step = float(found.x) if found.fun < cost(best) else float(best)
        if not cost(step) < cost(0.0) * (1 - 1e-12):
            return "increasing cost"
        self._power += step**self.p
        ensemble.add(step, hypothesis_margins)
        return None
