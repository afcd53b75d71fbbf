"""The one boosting loop: a generator of rounds.

Each round weights the examples by ``-slope(margin) * sample_weight``, asks the weak learner for a
hypothesis h with values in {-1, +1}, and lets the step rule put it into the ensemble. This is gradient
descent in function space (AnyBoost: li2006, section 3.2.1; barnes1999, section 3.2): the best weighted
error and the steepest direction are the same thing.

Conventions:

- The margin of example i is ``y_i F(x_i)``, with F the weighted sum of hypotheses. It starts at 0. A
  margin of exactly 0 counts as a training error.
- A hypothesis whose weighted error is 1/2 or more (up to 1e-12 of the weight, which is rounding) has
  no edge: the loop ends with the reason "no edge" and that hypothesis is not part of the ensemble. So
  the ensemble is empty, and F is 0, where already the first one has none (AnyBoost returns F_0 = 0).
- A round's error is measured under the weights that its hypothesis was trained with.

The reasons to stop are "no edge", "perfect" (a hypothesis without errors, if asked to stop there),
"increasing cost" (no step along the hypothesis lowers the cost), "overflow" (the cost is beyond the largest float: the
learning rate is far too large) and "optimal" (no hypothesis can improve the ensemble); an estimator that ran all its
rounds says "n_estimators".

AdaBoost's rounds with a weak learner that can do many of them in one compiled call (``exponential_rounds``, see
`weaklearn._splits.StumpSearch`) are done in blocks, with the same result to the last bit.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np

from weaklearn._fast.trees.rounds import NO_EDGE
from weaklearn.boosting._hypotheses import offered
from weaklearn.boosting._stages import Correction, Move, coefficients


class Ensemble:
    """The functional that is minimised, a cost with positive sample weights, and what the rounds have made of it.

    ``margins`` are ``y_i F(x_i)``: replaced in each round, never changed in place. ``stop_reason`` says why the loop
    ended, ``n_restarts`` how often the weights were drawn anew because a hypothesis had no edge, and ``starts`` at
    which numbers of stages the descent margins were set to 0: at first, and at each restart.
    """

    def __init__(self, cost, sample_weight):
        self.cost = cost
        self.sample_weight = sample_weight
        self.stages = []
        self.margins = np.zeros(len(sample_weight))
        self.stop_reason = None
        self.n_restarts = 0
        self.starts = [0]
        self.unit_weight = bool((sample_weight == 1).all())  # then products with them are left out
        self._direction = None
        self._origin = None
        self._drawn_weight = None

    @property
    def is_restarted(self):
        """Whether the weights were drawn anew."""
        return self._origin is not None

    @property
    def coefficients(self):
        """One for each hypothesis."""
        return coefficients(self.stages)

    @property
    def descent_margins(self):
        """The margins that the weights come from: those gained since the last restart."""
        return self.margins if self._origin is None else self.margins - self._origin

    @property
    def descent_weight(self):
        """The sample weights since the last restart."""
        return self.sample_weight if self._drawn_weight is None else self._drawn_weight

    def weigh(self, weights):
        """Multiply weights of the cost by `descent_weight`, in place."""
        if self._drawn_weight is not None or not self.unit_weight:
            weights *= self.descent_weight
        return weights

    def add(self, coefficient, hypothesis_margins):
        """Add a hypothesis, given by ``y_i h(x_i)``, and leave the other coefficients alone."""
        self.stages.append(Move(coefficient))
        margins = coefficient * hypothesis_margins
        margins += self.margins
        self.margins = margins

    def move(self, hypothesis_margins, step, scale=1.0, momentum=0.0):
        """Any move: ``D <- h + momentum D``, ``F <- scale (F + step D)``."""
        self.stages.append(Move(float(step), float(scale), float(momentum)))
        self._direction = self.direction(hypothesis_margins, momentum)
        self.margins = (self.margins + step * self._direction) * scale

    def direction(self, hypothesis_margins, momentum):
        """The margins of ``h + momentum D``, with D the direction of the last move."""
        if momentum == 0 or self._direction is None:
            return hypothesis_margins
        return hypothesis_margins + momentum * self._direction

    def replace(self, coefficients, margins):
        """Set all coefficients, of a new hypothesis too, and the margins that they give."""
        self.stages.append(Correction(coefficients))
        self.margins = margins

    def restart(self, rng):
        """Draw a bootstrap sample as the new starting weights; F stays as it is."""
        n, weight = len(self.sample_weight), self.sample_weight
        drawn = np.bincount(rng.choice(n, size=n, p=weight / weight.sum()), minlength=n)
        self._drawn_weight = drawn * (weight.sum() / n)
        self._origin = self.margins
        if self.starts[-1] < len(self.stages):
            self.starts.append(len(self.stages))


class Round(NamedTuple):
    """One round: its hypothesis, its weighted error, the margins after it, the cost if it is not theirs."""

    hypothesis: Any
    error: float
    margins: np.ndarray
    cost: float | None = None


def boosting_rounds(
    weak_learner,
    step_rule,
    ensemble,
    rng,
    *,
    n_restarts=0,
    restart_every=None,
    stop_if_perfect=False,
    block_length=1,
):
    """Generate rounds of boosting until there is a reason to stop, which is left in the ensemble.

    The weak learner is as `weaklearn.boosting._weak.prepare` makes it. Rounds continue from the state of the ensemble.

    Where a hypothesis has no edge, boosting restarts at most ``n_restarts`` times: a bootstrap sample of the examples
    replaces their weights, and the ensemble is kept (Bauer and Kohavi's remedy, which barnes1999, section 6.5.1,
    recommends for its hard data sets). With ``restart_every`` it also restarts after this many rounds: the ensemble
    is then a sum of ensembles, each of which but the first was trained on a bootstrap sample. ``stop_if_perfect`` ends
    the loop after a hypothesis without errors; ``block_length`` rounds may be done ahead of being asked for, where that
    is faster.
    """
    ahead = block_length > 1 and restart_every is None
    while ensemble.stop_reason is None:
        if restart_every and ensemble.stages and len(ensemble.stages) % restart_every == 0:
            ensemble.restart(rng)
            step_rule.restart()
        rounds = _rounds_ahead(weak_learner, step_rule, ensemble, block_length) if ahead else None
        ahead = rounds is not None
        if rounds is not None:
            n_done = 0
            for found in rounds:
                n_done += 1
                yield _plain_round(step_rule, ensemble, found, stop_if_perfect)
                if ensemble.stop_reason is not None:
                    break
            if n_done == block_length or ensemble.stop_reason is not None:
                continue
            # The next hypothesis has no edge, or the last one no errors: a round on its own says what follows.
        hypothesis, hypothesis_margins, error = weak_learner.fit(step_rule.weights(ensemble), rng)
        # Written so that an error of NaN ends the loop too: it means that all weights are 0.
        if not error < 0.5 - NO_EDGE:
            if ensemble.n_restarts < n_restarts:
                ensemble.n_restarts += 1
                ensemble.restart(rng)
                step_rule.restart()
                continue
            ensemble.stop_reason = "no edge"
            return
        reason = step_rule.step(ensemble, hypothesis_margins, error)
        if reason is not None:
            ensemble.stop_reason = reason
            return
        yield _ended(
            Round(hypothesis, error, step_rule.cost_margins(ensemble), step_rule.objective(ensemble)),
            ensemble,
            stop_if_perfect,
        )


def _rounds_ahead(weak_learner, step_rule, ensemble, n_rounds):
    """Hypothesis, error, step and margins of the next rounds; None if they cannot be done in one call, now or later."""
    # A subclass with steps or weights of its own means them.
    own = any(offered(type(step_rule), "exponential_rate", part) is None for part in ("step", "weights"))
    rate = None if own else step_rule.exponential_rate(ensemble)
    together = None if rate is None else getattr(weak_learner, "exponential_rounds", None)
    return None if together is None else together(ensemble.margins, ensemble.sample_weight, rate, n_rounds)


def _plain_round(step_rule, ensemble, found, stop_if_perfect):
    """Put a round that was done ahead into the ensemble."""
    hypothesis, error, step, margins = found
    ensemble.stages.append(Move(step))
    ensemble.margins = margins
    step_rule.count(error, step)
    return _ended(Round(hypothesis, error, margins, step_rule.objective(ensemble)), ensemble, stop_if_perfect)


def _ended(done, ensemble, stop_if_perfect):
    """A round that was done; says in the ensemble if it is the last one."""
    if stop_if_perfect and done.error <= 0:
        ensemble.stop_reason = "perfect"
    if done.cost is not None and done.cost == np.inf:
        warn_of_overflow(len(ensemble.stages) - 1)
        ensemble.stop_reason = "overflow"
    return done


def warn_of_overflow(t):
    """Warn, in scikit-learn's words, that the weights after round t (from 0) are no longer numbers."""
    warnings.warn(
        f"Sample weights have reached infinite values, at iteration {t}, causing overflow. Iterations stopped. "
        "Try lowering the learning rate.",
        stacklevel=2,
    )


def learning_curves(margins, sample_weight, cost):
    """Mean costs and training errors of ensembles, each given by its margins: weighted means over the examples."""
    margins = np.reshape(margins, (-1, len(sample_weight)))
    # Sums of products, not matrix products: those start threads, and depend on how many there are.
    values = cost.value(margins)
    values *= sample_weight
    return values.sum(axis=1) / sample_weight.sum(), error_curve(margins, sample_weight)


def error_curve(margins, sample_weight, unit_weight=False):
    """The training errors alone, as `learning_curves` has them; ``unit_weight`` says that all weights are 1."""
    # No copy of a single large one.
    wrong = (margins[0][None] if len(margins) == 1 else np.reshape(margins, (-1, len(sample_weight)))) <= 0
    if unit_weight:
        return np.count_nonzero(wrong, axis=1) / len(sample_weight)
    return (wrong * sample_weight).sum(axis=1) / sample_weight.sum()
