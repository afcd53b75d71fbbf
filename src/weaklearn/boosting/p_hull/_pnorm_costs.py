"""p-boosting with any margin cost: the naive, sloppy and strict rules without AdaBoost's closed form.

barnes1999 has the exponential cost alone and expects the p-convex hull to combine with flatter ones (chapter 7). The
steps are then those of AnyBoost, line searches to the first stationary point; for the exponential cost that is
AdaBoost's step, and these rules give what `weaklearn.boosting.p_hull._pnorm` gives.
"""

import numpy as np

from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import StepRule
from weaklearn.boosting.p_hull._pnorm import PNormRule, Strict

__all__ = ["NaiveCost", "SloppyCost", "StrictCost"]


class _AnyBoostWeights(PNormRule):
    """Weights as AnyBoost would have them, whatever becomes of the coefficients."""

    check = StepRule.check

    def __init__(self, p, acceleration=0.0):
        super().__init__(p, acceleration)
        self._gained = 0.0

    def weighting_margins(self, ensemble):
        return np.zeros(len(ensemble.margins)) + self._gained

    def anyboost_step(self, ensemble, hypothesis_margins):
        """The step along the hypothesis from AnyBoost's own combination; 0 if the cost does not fall."""
        steepness = self.steepness(ensemble)
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


class NaiveCost(_AnyBoostWeights):
    """``b_t = (b'_t)^(1/p)`` with AnyBoost's coefficient b'_t.

    Parameters
    ----------
    p, acceleration : float
    own_weights : bool, default=False
        Whether weights and steps come from F itself rather than from AnyBoost's own combination.
    """

    def __init__(self, p, acceleration=0.0, own_weights=False):
        super().__init__(p, acceleration)
        self.own_weights = own_weights

    def weighting_margins(self, ensemble):
        return ensemble.descent_margins if self.own_weights else super().weighting_margins(ensemble)

    def step(self, ensemble, hypothesis_margins, error):
        step = self.anyboost_step(ensemble, hypothesis_margins)
        if step <= 0:
            return "increasing cost"
        ensemble.add(step ** (1 / self.p), hypothesis_margins)
        return None


class SloppyCost(_AnyBoostWeights):
    """AnyBoost's step, then all coefficients are divided by their p-norm, in every round.

    Parameters
    ----------
    p, acceleration : float
    normalised_weights : bool, default=False
        Whether weights and steps come from the normalised F rather than from AnyBoost's own combination.
    """

    def __init__(self, p, acceleration=0.0, normalised_weights=False):
        super().__init__(p, acceleration)
        self.normalised_weights = normalised_weights

    def weighting_margins(self, ensemble):
        return ensemble.descent_margins if self.normalised_weights else super().weighting_margins(ensemble)

    def step(self, ensemble, hypothesis_margins, error):
        step = self.anyboost_step(ensemble, hypothesis_margins)
        if step <= 0:
            return "increasing cost"
        if not ensemble.stages:
            ensemble.move(hypothesis_margins, 1.0)
        else:
            ensemble.move(hypothesis_margins, step, scale=(1 + step**self.p) ** (-1 / self.p))
        return None


class StrictCost(Strict):
    """The stationary minimum of the cost along the hull itself."""

    check = StepRule.check

    def line_cost(self, ensemble):
        return ensemble.cost
