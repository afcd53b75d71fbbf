"""How an ensemble came about: the stages of its combination F.

Every boosting algorithm here builds F by stages of two kinds.

- A move brings in a new hypothesis h: ``D <- h + momentum D``, then ``F <- scale (F + step D)``. Adding a
  hypothesis is (step, 1, 0), conjugate directions have a momentum, normalised ensembles a scale.
- A correction sets all coefficients anew: a vector, one entry per hypothesis so far.

Both are linear in the hypotheses, so the same stages give coefficients, training margins and scores of new
data; and the first n of them are the ensemble after n stages, which is what makes truncation exact.
"""

import numpy as np
from sklearn import config_context

from weaklearn.stumps import DecisionStump

__all__ = ["Scores", "coefficients", "staged_scores", "votes"]


def coefficients(stages):
    """The coefficient of every hypothesis after the last stage.

    Parameters
    ----------
    stages : list
        Moves (step, scale, momentum) and corrections (arrays).

    Returns
    -------
    ndarray of shape (n_hypotheses,)

    Examples
    --------
    >>> coefficients([(0.5, 1.0, 0.0), (0.25, 2.0, 0.0)])
    array([1. , 0.5])
    >>> coefficients([(0.5, 1.0, 0.0), (0.25, 1.0, 2.0)])
    array([1.  , 0.25])
    """
    if not stages:
        return np.empty(0)
    if not _is_move(stages[-1]):
        return np.array(stages[-1], dtype=np.float64)
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
        self.total = np.zeros(len(X))

    def advance(self, stage, hypothesis=None):
        """Go on by one stage, and by its hypothesis if it brings one in."""
        h = None if hypothesis is None else votes(hypothesis, self._X)
        if _is_move(stage):
            step, scale, momentum = stage
            self._direction = (
                h if momentum == 0 or self._direction is None else h + momentum * self._direction
            )
            self.total = self.total + step * self._direction
            if scale != 1:
                self.total = self.total * scale
        else:
            if h is not None:
                self._votes.append(h.astype(np.int8))
            total = np.zeros(len(self._X))
            for t in np.flatnonzero(stage):
                total += stage[t] * self._votes[t]
            self.total = total

    def remember(self, hypotheses):
        """Hypotheses that corrections will speak of."""
        self._votes = [votes(hypothesis, self._X).astype(np.int8) for hypothesis in hypotheses]


def staged_scores(stages, hypotheses, X):
    """F(x) after each stage, for checked X.

    Yields
    ------
    ndarray of shape (n_samples,)
    """
    scores = Scores(X)
    for t, stage in enumerate(stages):
        if t == len(hypotheses):  # corrections that follow the rounds
            scores.remember(hypotheses)
        scores.advance(stage, hypotheses[t] if t < len(hypotheses) else None)
        yield scores.total


def votes(hypothesis, X):
    """The votes -1.0 or +1.0 of one hypothesis on checked rows."""
    if type(hypothesis) is DecisionStump:  # without the checks of `predict`, which cost more than the votes
        polarity = float(hypothesis.polarity_)
        return np.where(X[:, hypothesis.feature_] > hypothesis.threshold_, polarity, -polarity)
    with config_context(assume_finite=True):
        return np.asarray(hypothesis.predict(X), dtype=np.float64)


def _is_move(stage):
    return type(stage) is tuple
