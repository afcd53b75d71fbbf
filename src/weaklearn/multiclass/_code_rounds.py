"""The loop of multiclass boosting with output codes: a generator of rounds.

AdaBoost.ECC and AdaBoost.ERP (li2006, Algorithms 4.1 and 4.2) minimise

    C = sum_n w_n sum_{k != y_n} exp(-rho_k(x_n, y_n)),    rho_k(x, y) = s_y(x) - s_k(x),

with the class scores ``s_k(x) = 1/2 sum_t alpha_t M(k, t) f_t(x)``: minus the weighted Hamming distance
between the code word of k and the votes, up to a constant. ECC learns one hypothesis for each given column;
ERP alternates between learning a hypothesis for the column (L) and the best column for the hypothesis (R).

Conventions, which Table 4.2 of li2006 depends on:

- A column entry is ``sign(mu(k))`` with sign(0) = +1; |mu(k)| below 1e-12 of the cost is 0, so that the order
  of summation never decides.
- Rows whose class has the entry 0 are left out when a hypothesis is learned.
- Alternating ends early when a repartition leaves the column as it was, or puts all classes on one side; the
  latter separates nothing and counts as an error of 1/2.
- A hypothesis without errors has (1 - e) / e taken to be 1000, and boosting continues. The loop ends when the
  error is 1/2 or more (to within 1e-12): the reason is "no edge", and that hypothesis is not kept.
- A margin of 0 (to within 1e-9) counts as a training error.
"""

import math
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from weaklearn._fast.code_columns import class_confusion, column_weights, reweight, wrong_weight
from weaklearn._fast.trees.rounds import NO_EDGE, closed_form_step

_TIE = 1e-12
_ZERO_MARGIN = 1e-9
# The cost is kept above 2^-512 by exact powers of two: ensembles of strong hypotheses underflow otherwise.
_SCALE = 512


class CodeRound(NamedTuple):
    """One round: its hypothesis, column and coefficient, and what it led to."""

    hypothesis: Any
    column: np.ndarray
    coefficient: float
    error: float
    cost: float
    training_error: float


class CodeState:
    """The running ``w_n exp(-rho_k(x_n, y_n))`` of all examples n and classes k, times ``2 ** exponent``.

    ``confusion`` (n_samples, n_classes) is 0 for the example's own class; ``pairs`` are its sums over the examples of
    each class.
    """

    def __init__(self, codes, sample_weight, n_classes):
        self.codes = codes
        self.sample_weight = sample_weight
        self.exponent = 0
        self.confusion = np.repeat(sample_weight[:, None], n_classes, axis=1)
        self.confusion[np.arange(len(codes)), codes] = 0.0
        self.pairs = np.empty((n_classes, n_classes))
        self._signed = np.empty((n_classes, n_classes))
        self._sum_pairs()
        self._initial = self.pairs.sum()

    @property
    def cost(self):
        """C as a share of its value before the first round, the sum of w_n (K - 1)."""
        return math.ldexp(self.pairs.sum() / self._initial, -self.exponent)

    @property
    def training_error(self):
        """The share of the weight of examples that have a margin of 0 or less for some class."""
        # Beyond the largest float no example can be wrong that has a weight worth counting.
        limits = np.ldexp(self.sample_weight * (1 - _ZERO_MARGIN), min(self.exponent, 900))
        return wrong_weight(self.confusion, limits, self.sample_weight) / self.sample_weight.sum()

    def weights(self, column):
        """D_t, not normalised: the cost of each example for the classes on the other side of the column."""
        weights = np.empty(len(self.codes))
        column_weights(self.confusion, self.codes, column, weights)
        return weights

    def repartition(self, votes):
        """The column that maximises the negative gradient (4.3) for these votes, and that gradient.

        ``mu(k)``, equation (4.5), is the sum of vote * cost over the examples of k, minus that over the examples
        of other classes of their cost for k; the gradient is half the sum of M(k) mu(k).
        """
        class_confusion(self.confusion, self.codes, votes, self._signed)
        mu = self._signed.sum(axis=1) - self._signed.sum(axis=0)
        mu[np.abs(mu) < _TIE * self.pairs.sum()] = 0.0
        return np.where(mu >= 0, 1.0, -1.0), 0.5 * np.abs(mu).sum()

    def step(self, column, votes, alpha):
        """Add a hypothesis to the ensemble."""
        half_differences = 0.5 * (column[:, None] - column[None, :])
        factors = np.exp(np.stack([alpha * half_differences, -alpha * half_differences]))
        reweight(self.confusion, self.codes, votes, factors, self.pairs)
        if 0 < self.pairs.sum() < 2.0**-_SCALE:
            self.confusion *= 2.0**_SCALE
            self.exponent += _SCALE
            self._sum_pairs()

    def _sum_pairs(self):
        class_confusion(self.confusion, self.codes, np.ones(len(self.codes)), self.pairs)


def code_rounds(learner, state, partition, schedule, rng):
    """Generate a `CodeRound` after the other until a hypothesis has no edge.

    The learner is one that `weaklearn.boosting.engine.prepare_relabelled` makes; the schedule "L", a string of L and R
    in turn, or "converge".
    """
    while state.pairs.sum() > 0:
        column = partition.column(state.pairs, rng)
        hypothesis, votes, column = _alternate(learner, state, column, schedule, rng)
        weights = state.weights(column)
        right = votes == column[state.codes]
        error = weights[~right].sum() / weights.sum() if weights.any() else 0.5
        if not error < 0.5 - NO_EDGE:
            return
        alpha = closed_form_step(error)
        state.step(column, votes, alpha)
        yield CodeRound(hypothesis, column, alpha, error, state.cost, state.training_error)


def _alternate(learner, state, column, schedule, rng):
    """Learn and repartition by the schedule; the hypothesis, its votes and the final column."""
    to_the_end = schedule == "converge"
    steps = chain.from_iterable(repeat("LR")) if to_the_end else schedule
    steepest, kept = 0.0, None
    for step in steps:
        if step == "L":
            hypothesis, votes = learner.fit_labels(column[state.codes], state.weights(column), rng)
            continue
        better, gradient = state.repartition(votes)
        # A learner that is not exact may also lose ground: then the round before was the last.
        if to_the_end and kept is not None and gradient <= steepest * (1 + _TIE):
            return kept
        unchanged = np.array_equal(better, column)
        column = better
        # Votes that favour no side for any class leave all of them on one side: there is nothing more to learn.
        if unchanged or (column == column[0]).all():
            break
        steepest, kept = gradient, (hypothesis, votes, column)
    return hypothesis, votes, column
