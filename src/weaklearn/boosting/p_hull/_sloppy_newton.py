"""Sloppy p-boosting with the line search of the program that is printed in barnes1999, appendix B.

The program differs from AdaBoost's step with normalisation in ways that show after some hundred rounds:

- margins are kept unnormalised, so that the weights are those of the unnormalised combination; only b is divided by
  its p-norm;
- the first hypothesis has the coefficient and the step 1, whatever its error;
- the step is searched by Newton's method from ``0.5 / t`` (t rounds were made before) until the derivative of the
  *summed* cost is below 0.001 in absolute value. As boosting continues, that sum becomes smaller than 0.001 by itself,
  and from then on the search ends where it starts: every step is ``0.5 / t``;
- a step is never less than half the one before it in the search, and a search whose cost changes by less than 0.001
  without a change of sign of the derivative ends as well;
- a hypothesis without errors ends the training and is dropped.
"""

import numpy as np

from weaklearn.boosting.p_hull._pnorm import PlainWeights

__all__ = ["SloppyNewton", "newton_step"]

_TOLERANCE = 1e-3
_MOST_STEPS = 1000
# The program's crude remedy for a curvature that is 0 in floating point.
_LEAST_CURVATURE = np.finfo(np.float64).eps
_CRUDE_CURVATURE = 0.01


def newton_step(margins, hypothesis_margins, sample_weight, start, steepness=1.0):
    """The step at which the printed search ends, for the summed exponential cost along a hypothesis.

    Parameters
    ----------
    margins, hypothesis_margins, sample_weight : ndarray of shape (n_samples,)
        The tolerance is absolute, so the scale of the weights matters: the program has 1 for every example.
    start : float
        Positive.
    steepness : float, default=1.0
        The factor of the margins in the cost.

    Returns
    -------
    float
        Positive; the last step whose derivative was evaluated.
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
    """The step of the printed program, then b is divided by its p-norm; weights of the unnormalised margins."""

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
