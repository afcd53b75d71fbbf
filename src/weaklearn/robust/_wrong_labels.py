r"""From held-out log-odds to the probability that a label is wrong, and how many are.

`Mistakes` sees mistakes that contradict the other columns. Mistakes where the classes overlap leave no trace: a row
with :math:`q = (0.5, 0.5)` looks the same with either label, and whatever the model blames on overlap could be noise.
Such hidden mistakes follow a prior that labels cannot change: with probability 0.6 there are none, else their share of
the rows is exponential with mean 0.055 x 0.02 / (0.02 + s), where s is the share of wrong labels that the model sees
(the more are seen everywhere, the fewer are expected near the boundary), but at most 95% of the overlap, the mean of
:math:`G = (1 - P)(1 - q_z)`. They are spread over the rows in proportion to G, and widen the interval by no more than
the overlap. Only reviewed rows tell how many there are.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, softmax

from weaklearn.robust._blocks import row_blocks
from weaklearn.robust._mistakes import Mistakes

__all__ = ["WrongLabels", "wrong_labels"]

# Of hidden mistakes: the probability that there are none, their mean share of the rows if there are some but the model
# sees no mistakes, the share of seen ones that halves it, and the part of the overlap that they may be.
_NO_HIDDEN, _HIDDEN_MEAN, _HALVED, _MOST_HIDDEN = 0.6, 0.055, 0.02, 0.95
# More rows would change the probabilities of kinds of mistakes little: their likelihood is tempered.
_ROWS = 3000
# Standard deviation of the count by misfit of the model: of the rows, and of the count.
_MISFIT = (0.002, 0.05)


class WrongLabels(NamedTuple):
    """Probabilities of every true label, (n, K), the expected number of wrong labels, and its 90% interval."""

    label_probability: np.ndarray
    n_wrong: float
    interval: tuple[float, float]


def wrong_labels(S, codes, known=None, seed=0):
    """Judge every row.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        Given labels, as indices.
    known : ndarray of shape (n_samples,), default=None
        Index of the true label of reviewed rows, -1 elsewhere.
    seed : int, default=0
        Draws the 3,000 rows to which the model is fitted if there are more.

    Returns
    -------
    WrongLabels
    """
    n, K = S.shape
    known = np.full(n, -1) if known is None else known
    used = np.arange(n)
    if n > _ROWS:
        drawn = np.random.RandomState(seed).permutation(n)[:_ROWS]
        used = np.union1d(drawn, np.flatnonzero(known >= 0))
    mistakes = Mistakes(S[used], codes[used], known[used])
    open_ = known < 0
    probability = np.zeros((n, K))
    fits, weights, interval_weights = mistakes.used()
    hidden = [_hidden_mistakes(fit, S[used], codes[used], known[used]) for fit in fits]
    sums = np.zeros((len(fits), 2))
    for rows in row_blocks(n, 8 * K):
        for k, fit in enumerate(fits):
            share, overlap = _overlap(fit, S[rows], codes[rows])
            own = np.arange(len(share)), codes[rows]
            wrong = (1 - share[own])[open_[rows]]
            sums[k] += wrong.sum(), wrong @ (1 - wrong)
            share += hidden[k].part * overlap
            share[own] -= hidden[k].part * overlap.sum(axis=1)
            probability[rows] += weights[k] * share
    probability[~open_] = np.arange(K) == known[~open_, None]
    found = int(np.sum(known[~open_] != codes[~open_]))
    n_wrong = found + float((1 - probability[np.arange(n), codes])[open_].sum())
    low, high = _interval(interval_weights, sums, hidden, int(open_.sum()))
    return WrongLabels(probability, n_wrong, (found + low, found + high))


def _overlap(fit, S, codes):
    """P(true label), and of the rows that are right by the model the probabilities of other labels, both (n, K)."""
    rows = np.arange(len(S))
    q = fit.true_probability(S)
    share = fit.posterior(S, codes, q)
    overlap = share[rows, codes][:, None] * q
    overlap[rows, codes] = 0.0
    return share, overlap


class _Hidden(NamedTuple):
    """Hidden mistakes: values of their share of the rows, their probabilities, and the expected part of the overlap."""

    shares: np.ndarray
    probability: np.ndarray
    part: float


def _hidden_shares(seen, overlap):
    """Quantiles of the prior at equal steps; the overlap and the mistakes that are seen are shares of the rows."""
    levels = (np.arange(60) + 0.5) / 60
    some = np.clip((levels - _NO_HIDDEN) / (1 - _NO_HIDDEN), 0, None)
    mean = _HIDDEN_MEAN * _HALVED / (_HALVED + seen)
    return np.minimum(-mean * np.log1p(-some), _MOST_HIDDEN * overlap)


def _hidden_mistakes(fit, S, codes, known):
    """Prior times the likelihood of the true labels that are known (-1 elsewhere)."""
    share, overlap = _overlap(fit, S, codes)
    lost = overlap.sum(axis=1)
    open_ = known < 0
    seen = 1 - share[np.arange(len(codes)), codes]
    greatest = lost[open_].mean() if open_.any() else 0.0
    shares = _hidden_shares(seen[open_].mean() if open_.any() else 0.0, greatest)
    parts = shares / greatest if greatest > 0 else np.zeros_like(shares)
    rows = np.flatnonzero(~open_)
    true = known[rows]
    change = np.where(true == codes[rows], -lost[rows], overlap[rows, true])
    likelihood = share[rows, true][:, None] + change[:, None] * parts
    probability = softmax(np.log(np.maximum(likelihood, 1e-300)).sum(axis=0))
    return _Hidden(shares, probability, float(probability @ parts))


def _interval(weights, sums, hidden, n):
    """5% and 95% quantiles of the count: a mixture of normals over kinds of mistakes and over the hidden ones.

    ``sums`` are expectation and variance of the count without hidden mistakes, a row for each weight.
    """
    mean, variance = sums[:, :1], sums[:, 1:]
    added = n * np.array([found.shares for found in hidden])
    probability = weights[:, None] * np.array([found.probability for found in hidden])
    centre = mean + added
    misfit = (_MISFIT[0] * n) ** 2 + (_MISFIT[1] * mean) ** 2
    deviation = np.sqrt(variance + 0.8 * added + 0.1 + misfit)

    def below(x):
        return float(np.sum(probability * ndtr((x - centre) / deviation)))

    ends = []
    for level in (0.05, 0.95):
        low, high = -1.0, float(n) + 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) < level else (low, middle)
        ends.append(min(max(low, 0.0), float(n)))
    return ends[0], ends[1]
