"""Step rules: how a new hypothesis enters the ensemble, and what weights the next one sees.

A step rule is given the ensemble, the new hypothesis as ``y_i h(x_i)`` and its weighted error, and puts the
hypothesis into the ensemble by a move; or it returns a reason to stop. One instance serves one fit, so a rule may
remember what it needs of earlier rounds. To add a rule, write the class and give it a row in ``STEP_RULES``.

Rules of their own file: p-norms (`_pnorm`), linear programs (`_linear_program`).
"""

import math
import sys
from abc import ABC, abstractmethod

from weaklearn._fast.trees.rounds import PERFECT_RATIO, closed_form_step, exponential_weights
from weaklearn.boosting._line import first_stationary_step, line_edge
from weaklearn.costs import Exponential

_LARGEST_EXPONENT = math.log(sys.float_info.max)


class StepRule(ABC):
    """A rule states `step`; the other methods have the meaning that most rules share."""

    def check(self, cost):
        """Raise ValueError, before any work, if the rule cannot serve this cost."""
        if not cost.is_decreasing:
            raise ValueError(
                f"boosting needs a cost that is nowhere increasing; {type(cost).__name__} increases somewhere."
            )

    def weights(self, ensemble):
        """The weights of the examples in the next round, of any scale."""
        return ensemble.weigh(ensemble.cost.weights(ensemble.descent_margins))

    @abstractmethod
    def step(self, ensemble, hypothesis_margins, error):
        """Put the hypothesis into the ensemble, or return the reason not to."""

    def cost_margins(self, ensemble):
        """The margins that the cost is a function of."""
        return ensemble.margins

    def objective(self, ensemble):
        """The minimised quantity, if it is known already or is not the mean cost of these margins."""
        return

    def restart(self):
        """Forget what the weights came from; most rules remember nothing."""
        return

    def exponential_rate(self, ensemble):
        """The rate, if the next rounds are AdaBoost's with the steps of `ClosedForm`, else None."""
        return

    def count(self, error, step):
        """Take note of a step that was made by `exponential_rate`."""
        return


def mean_cost(ensemble, margins):
    """The weighted mean of the cost at these margins."""
    weight = ensemble.sample_weight
    return float((ensemble.cost.value(margins) * weight).sum() / weight.sum())


def adaboost_step(error):
    """``1/2 ln((1 - e) / e)``; for e = 0 half the logarithm of 1000."""
    return closed_form_step(error)


class ClosedForm(StepRule):
    """The exact line search for the exponential cost: ``alpha = 1/2 ln((1 - e) / e)``.

    An error of exactly 0 has no finite minimum; there (1 - e) / e is taken to be 1000 and boosting
    continues (the ensembles of perceptrons in li2005, section 4.4, always run their 200 rounds).
    Source: barnes1999, theorem 6; li2006, section 3.3.1.

    A step multiplies the mean cost by the sum of the new weights over that of the old ones,
    ``(1 - e) exp(-alpha) + e exp(alpha)``, so the cost is known without looking at the examples again. ``rate`` is the
    share of the step that is taken.
    """

    def __init__(self, rate=1.0):
        self.rate = rate
        # Of F = 0; None after a restart, whose weights are no longer those of the cost.
        self._mean_cost: float | None = 1.0

    def check(self, cost):
        if not isinstance(cost, Exponential):
            raise ValueError(
                f"step='closed_form' is the line search of the exponential cost; {type(cost).__name__} needs "
                "step='line_search'."
            )

    def weights(self, ensemble):
        return ensemble.weigh(exponential_weights(ensemble.descent_margins))

    def exponential_rate(self, ensemble):
        return None if ensemble.is_restarted else self.rate

    def step(self, ensemble, hypothesis_margins, error):
        alpha = self.rate * adaboost_step(error)
        ensemble.add(alpha, hypothesis_margins)
        self.count(error, alpha)

    def count(self, error, step):
        if self._mean_cost is not None:
            # Beyond the largest float with absurd learning rates: the loop ends there.
            growth = error * math.exp(step) if step < _LARGEST_EXPONENT else math.inf
            self._mean_cost *= (1 - error) * math.exp(-step) + growth

    def objective(self, ensemble):
        return self._mean_cost

    def restart(self):
        self._mean_cost = None


class LineSearch(StepRule):
    """Go to the first stationary point of the cost along the hypothesis.

    Source: AnyBoost (li2006, section 3.2.1; pratap2008, algorithm 2).
    """

    def step(self, ensemble, hypothesis_margins, error):
        step = first_stationary_step(
            ensemble.cost, ensemble.descent_margins, hypothesis_margins, ensemble.descent_weight
        )
        if step <= 0:
            return "increasing cost"
        ensemble.add(step, hypothesis_margins)
        return None


class Newton(StepRule):
    """One Newton step: minus the slope of the cost along the hypothesis over its curvature.

    With normalised weights v and the cost's relative curvature r = c'' / (-c'), the step is
    ``sum_i v_i y_i h(x_i) / sum_i v_i r_i``. Source: LogitBoost in table 2.1 of pratap2008.
    """

    def check(self, cost):
        super().check(cost)
        if not (cost.is_convex and cost.is_smooth):
            raise ValueError(f"step='newton' needs a smooth convex cost; {type(cost).__name__} is not.")

    def weights(self, ensemble):
        # Kept for the step of the round: logarithms and exponentials are half of the time of a round.
        self._weights = super().weights(ensemble)
        return self._weights

    def step(self, ensemble, hypothesis_margins, error):
        weights = self._weights
        curvature = (weights * ensemble.cost.decay(ensemble.descent_margins)).sum()
        slope = (weights * hypothesis_margins).sum()
        # A curvature of 0 is a cost that is straight here; no step of a Newton search is longer than this.
        longest = 0.5 * math.log(PERFECT_RATIO)
        step = min(slope / curvature, longest) if curvature > 0 else longest
        ensemble.add(step, hypothesis_margins)


class Average(StepRule):
    """All hypotheses have one vote; the cost is that of the average vote (steps of 1/t).

    The average of t votes is the convex combination ``F_t = (1 - 1/t) F_{t-1} + (1/t) h_t``. Votes are
    counted, not averaged, so that ties are exact. ``offset`` is added to the weights, in units of ``(t / 2)^-4 / 5``
    times the slope: with the cost (1 - rho)^5 and an offset of 1 the weights are ``1 + k^4`` for k misclassifications,
    which is Breiman's arc-x4. Source: ARC-X4 in table 2.1 of pratap2008.
    """

    def __init__(self, offset=0.0):
        self.offset = offset

    def cost_margins(self, ensemble):
        return ensemble.margins / max(1, len(ensemble.stages))

    def weights(self, ensemble):
        t = len(ensemble.stages)
        if self.offset == 0:
            weights = ensemble.cost.weights(self.cost_margins(ensemble))
        else:
            weights = self.offset - ensemble.cost.slope(self.cost_margins(ensemble)) / 5 * (t / 2) ** 4
        return weights * ensemble.sample_weight

    def step(self, ensemble, hypothesis_margins, error):
        ensemble.add(1.0, hypothesis_margins)


class ArcGV(StepRule):
    """AdaBoost's step minus the one that the smallest margin would ask for.

    With the edge g = 1 - 2e and r the smallest normalised margin so far (0 while it is negative):
    ``alpha = atanh(g) - atanh(r)``. The best edge never falls below the largest smallest margin, so the
    step is positive until r is optimal. Source: Arc-gv in pratap2008, section 2.6.
    """

    check = ClosedForm.check

    def __init__(self):
        self._total = 0.0

    def step(self, ensemble, hypothesis_margins, error):
        # Before every example is right, r < 0; atanh(-1) after the first round would be infinite.
        smallest = max(0.0, float(ensemble.margins.min()) / self._total) if self._total > 0 else 0.0
        step = adaboost_step(error) - (math.atanh(smallest) if smallest < 1 else 0.0)
        if step <= 1e-12:
            return "optimal"
        self._total += step
        ensemble.add(step, hypothesis_margins)
        return None


class ConjugateDirection(StepRule):
    """Search along ``d_t = h_t + beta_t d_{t-1}``, ``beta_t = 1 - <h_t, h_{t-1}>`` (Polak-Ribiere).

    The inner product is the weighted mean over the training set; in the first ``n_plain`` rounds beta is 0. Source:
    li2006, algorithm 3.2.
    """

    def __init__(self, n_plain=10):
        self.n_plain = n_plain
        self._previous = None

    def step(self, ensemble, hypothesis_margins, error):
        weight, margins = ensemble.sample_weight, ensemble.margins
        momentum = 0.0
        if len(ensemble.stages) >= max(1, self.n_plain):
            momentum = float(1 - (weight * hypothesis_margins * self._previous).sum() / weight.sum())
            momentum = max(momentum, 0.0)  # it cannot be negative, except by rounding
        direction = ensemble.direction(hypothesis_margins, momentum)
        if line_edge(ensemble.cost, margins, direction, weight, 0.0) <= 0:
            return "increasing cost"
        step = first_stationary_step(ensemble.cost, margins, direction, weight)
        ensemble.move(hypothesis_margins, step, momentum=momentum)
        self._previous = hypothesis_margins
        return None


STEP_RULES: dict[str, type[StepRule]] = {
    "line_search": LineSearch,
    "closed_form": ClosedForm,
    "newton": Newton,
    "average": Average,
    "arc_gv": ArcGV,
    "conjugate": ConjugateDirection,
}


def get_step_rule(step):
    """A fresh step rule by its name, or what a class or function without arguments makes."""
    return STEP_RULES[step]() if isinstance(step, str) else step()
