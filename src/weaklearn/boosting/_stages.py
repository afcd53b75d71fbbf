"""How an ensemble came about: the stages of its combination F.

Every boosting algorithm here builds F by stages of two kinds.

- A `Move` brings in a new hypothesis h: ``D <- h + momentum D``, then ``F <- scale (F + step D)``. Adding a
  hypothesis is ``Move(step)``; conjugate directions have a momentum, normalised ensembles a scale.
- A `Correction` sets all coefficients anew, one for each hypothesis so far.

Both are linear in the hypotheses, so the same stages give coefficients, training margins and scores of new
data; and the first n of them are the ensemble after n stages, which is what makes truncation exact.
"""

from typing import NamedTuple

import numpy as np

from weaklearn.boosting._hypotheses import vote, votes

# Votes are held for this many numbers at a time.
_BLOCK = 1 << 15


class Move(NamedTuple):
    """``D <- h + momentum D``, ``F <- scale (F + step D)`` with a new hypothesis h."""

    step: float
    scale: float = 1.0
    momentum: float = 0.0


class Correction(NamedTuple):
    """New coefficients of all hypotheses so far, of a new one too if the round brought one in."""

    coefficients: np.ndarray


def coefficients(stages):
    """The coefficient of every hypothesis after the last stage.

    >>> coefficients([Move(0.5), Move(0.25, scale=2.0)])
    array([1. , 0.5])
    >>> coefficients([Move(0.5), Move(0.25, momentum=2.0)])
    array([1.  , 0.25])
    """
    if not stages:
        return np.empty(0)
    if isinstance(stages[-1], Correction):
        return np.array(stages[-1].coefficients, dtype=np.float64)
    step, scale, momentum = np.array(stages, dtype=np.float64).T
    if not momentum.any():
        # What follows a hypothesis multiplies it; from the end on, so that equal ends give equal bits.
        return step * np.cumprod(scale[::-1])[::-1]
    total, direction = np.zeros(len(stages)), np.zeros(len(stages))
    for t in range(len(stages)):
        direction *= momentum[t]
        direction[t] += 1
        total += step[t] * direction
        total *= scale[t]
    return total


class Scores:
    """F(x) of checked rows, brought up to date stage by stage; ``total`` is never changed in place."""

    def __init__(self, X):
        self._X = X
        self._direction = None
        self._votes = []
        self.total = np.zeros(X.shape[0])

    def advance(self, stage, hypothesis=None):
        """Apply one more stage, with its hypothesis if it brings one in."""
        self._apply(stage, None if hypothesis is None else vote(hypothesis, self._X))

    def _apply(self, stage, h):
        if isinstance(stage, Correction):
            if h is not None:
                self._votes.append(h.astype(np.int8))
            total = np.zeros(self._X.shape[0])
            for t in np.flatnonzero(stage.coefficients):
                total += stage.coefficients[t] * self._votes[t]
            self.total = total
            return
        plain = stage.momentum == 0 or self._direction is None
        self._direction = h if plain else h + stage.momentum * self._direction
        total = stage.step * self._direction
        total += self.total
        if stage.scale != 1:
            total *= stage.scale
        self.total = total

    def remember(self, hypotheses):
        """Keep the votes of hypotheses that the following corrections weight."""
        self._votes = [vote(hypothesis, self._X).astype(np.int8) for hypothesis in hypotheses]


def staged_scores(stages, hypotheses, X):
    """Yield F(x) after each stage, for checked X."""
    scores = Scores(X)
    each = _each_vote(hypotheses, X)
    for t, stage in enumerate(stages):
        if t == len(hypotheses):  # corrections that follow the rounds
            scores.remember(hypotheses)
        scores._apply(stage, next(each, None))
        yield scores.total


def _each_vote(hypotheses, X):
    """The votes of one hypothesis after the other, asked for together where that is faster."""
    together = max(1, _BLOCK // X.shape[0])
    for start in range(0, len(hypotheses), together):
        # Doubled and lowered by one: faster than a choice.
        block = votes(hypotheses[start : start + together], X).T.astype(np.float64, order="C")
        block *= 2
        block -= 1
        yield from block
