"""The one boosting loop: a generator of rounds.

Each round weights the examples by ``-slope(margin) * sample_weight``, asks the weak learner for a
hypothesis h with values in {-1, +1}, and lets the step rule give it a coefficient. This is gradient
descent in function space (AnyBoost: li2006, section 3.2.1; barnes1999, section 3.4): the best weighted
error and the steepest direction are the same thing.

Conventions:

- The margin of example i is ``y_i F(x_i)``, with F the weighted sum of hypotheses, not normalised. It
  starts at 0. A margin of exactly 0 counts as a training error.
- A hypothesis whose weighted error is 1/2 or more (up to 1e-12 of the weight, which is rounding) has
  no edge: the loop ends with the reason "no edge" and that hypothesis is not part of the ensemble. So
  the ensemble is empty, and F is 0, where already the first one has none (AnyBoost returns F_0 = 0).
- A round's error is measured under the weights that its hypothesis was trained with.
"""

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Ensemble", "Round", "boosting_rounds", "learning_curves"]

NO_EDGE = 1e-12


class Ensemble:
    """What the rounds so far have built: coefficients and margins are the step rule's to change.

    Attributes
    ----------
    coefficients : list of float
        One for each hypothesis.
    margins : ndarray of shape (n_samples,)
        ``y_i F(x_i)``; replaced in each round, never changed in place.
    stop_reason : str or None
        Why the loop ended; None while it goes on.
    """

    def __init__(self, n_samples):
        self.coefficients = []
        self.margins = np.zeros(n_samples)
        self.stop_reason = None

    def add(self, coefficient, hypothesis_margins):
        """Add a hypothesis, given by ``y_i h(x_i)``, and leave the other coefficients alone."""
        self.coefficients.append(coefficient)
        margins = coefficient * hypothesis_margins
        margins += self.margins
        self.margins = margins


class Round(NamedTuple):
    """One round: its hypothesis, its weighted error, and the margins of the ensemble after it."""

    hypothesis: Any
    error: float
    margins: np.ndarray


def boosting_rounds(weak_learner, sample_weight, cost, step_rule, ensemble, rng):
    """Generate rounds of boosting until there is a reason to stop, which is left in the ensemble.

    Parameters
    ----------
    weak_learner : object
        With ``fit(weights, rng)`` that returns a hypothesis, its margins ``y_i h(x_i)`` on the training
        set (+-1.0) and its weighted error, as `weaklearn.boosting._weak.prepare` makes it.
    sample_weight : ndarray of shape (n_samples,)
        Positive weights of the examples in the cost.
    cost : MarginCost
        Nowhere increasing.
    step_rule : object
        With ``step(ensemble, hypothesis_margins, error)``; see `weaklearn.boosting._steps`.
    ensemble : Ensemble
        Holds the state; rounds go on from where it stands.
    rng : numpy.random.Generator

    Yields
    ------
    Round
    """
    while True:
        weights = cost.weights(ensemble.margins)
        weights *= sample_weight
        hypothesis, hypothesis_margins, error = weak_learner.fit(weights, rng)
        # Written so that an error of NaN ends the loop too: it means that all weights are 0.
        if not error < 0.5 - NO_EDGE:
            ensemble.stop_reason = "no edge"
            return
        step_rule.step(ensemble, hypothesis_margins, error)
        yield Round(hypothesis, error, ensemble.margins)


def learning_curves(margins, sample_weight, cost):
    """Mean cost and training error of ensembles given by their margins.

    Parameters
    ----------
    margins : sequence of ndarray of shape (n_samples,)
        One for each ensemble.
    sample_weight : ndarray of shape (n_samples,)
    cost : MarginCost

    Returns
    -------
    costs, errors : ndarray of shape (n_ensembles,)
        Weighted means over the examples.
    """
    margins = np.reshape(margins, (-1, len(sample_weight)))
    total = sample_weight.sum()
    # Sums of products, not matrix products: those start threads, and depend on how many there are.
    values = cost.value(margins)
    values *= sample_weight
    wrong = (margins <= 0) * sample_weight
    return values.sum(axis=1) / total, wrong.sum(axis=1) / total
