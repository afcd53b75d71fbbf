r"""From held-out log-odds to the probability that a label is wrong, and how many are.

`Mistakes` sees mistakes that contradict the other columns. Mistakes where the classes overlap leave no trace: a row
with :math:`q = (0.5, 0.5)` looks the same with either label, and whatever the model blames on overlap could be noise.
Such hidden mistakes follow a prior that no data change: with probability 0.6 there are none, else their share of the
rows is exponential with mean 0.04, but at most 95% of the overlap, the mean of :math:`G = (1 - P)(1 - q_z)`. They are
spread over the rows in proportion to G, and widen the interval by no more than the overlap that there is.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from weaklearn.robust._blocks import row_blocks
from weaklearn.robust._mistakes import Mistakes

__all__ = ["WrongLabels", "best_f1_list", "wrong_labels"]

# Of hidden mistakes: the probability that there are none, their mean share of the rows if there are some, and the part
# of the overlap that they may be.
_NO_HIDDEN, _HIDDEN_MEAN, _MOST_HIDDEN = 0.6, 0.04, 0.95
# More rows would change the probabilities of kinds of mistakes little: their likelihood is tempered.
_ROWS = 3000
# Standard deviation of the count by misfit of the model: of the rows, and of the count.
_MISFIT = (0.002, 0.05)


class WrongLabels(NamedTuple):
    """Probabilities of every true label, (n, K), the number of wrong labels, its 90% interval, and their kinds."""

    label_probability: np.ndarray
    n_wrong: float
    interval: tuple[float, float]
    mistakes: Mistakes


def wrong_labels(S, codes, known=None, seed=0):
    """Judge every row.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        Given labels, as indices.
    known : ndarray of shape (n_samples,), default=None
        Index of the true label of rows that a person has looked at, -1 elsewhere.
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
    fits = mistakes.used()
    sampled = used[open_[used]]
    parts = [_hidden_part(fit, S[sampled], codes[sampled]) for _, fit in fits]
    components = np.zeros((len(fits), 4))
    for rows in row_blocks(n, 8 * K):
        for component, part, (w, fit) in zip(components, parts, fits, strict=True):
            share, sums = _judged(fit, part, S[rows], codes[rows], open_[rows])
            probability[rows] += w * share
            component[1:] += sums
    components[:, 0] = [w for w, _ in fits]
    probability[~open_] = np.arange(K) == known[~open_, None]
    found = int(np.sum(known[~open_] != codes[~open_]))
    n_wrong = found + float((1 - probability[np.arange(n), codes])[open_].sum())
    low, high = _interval(components, int(open_.sum()))
    return WrongLabels(probability, n_wrong, (found + low, found + high), mistakes)


def _overlap(fit, S, codes):
    """P(true label), and of the rows that are right by the model the probabilities of other labels, both (n, K)."""
    rows = np.arange(len(S))
    q = fit.true_probability(S)
    share = fit.posterior(S, codes, q)
    overlap = share[rows, codes][:, None] * q
    overlap[rows, codes] = 0.0
    return share, overlap


def _hidden_shares(overlap):
    """Quantiles, at equal steps, of the share of rows with hidden mistakes; overlap is the greatest one possible."""
    levels = (np.arange(60) + 0.5) / 60
    some = np.clip((levels - _NO_HIDDEN) / (1 - _NO_HIDDEN), 0, None)
    return np.minimum(-_HIDDEN_MEAN * np.log1p(-some), _MOST_HIDDEN * np.asarray(overlap)[..., None])


def _hidden_part(fit, S, codes):
    """The expected part of the overlap that is hidden mistakes."""
    overlap = _overlap(fit, S, codes)[1].sum(axis=1).mean() if len(S) else 0.0
    return _hidden_shares(overlap).mean() / overlap if overlap > 0 else 0.0


def _judged(fit, part, S, codes, open_):
    """P(true label), hidden mistakes included; expectation and variance of the count without them, and the overlap."""
    rows = np.arange(len(S))
    share, overlap = _overlap(fit, S, codes)
    wrong = (1 - share[rows, codes])[open_]
    lost = overlap.sum(axis=1)
    share += part * overlap
    share[rows, codes] -= part * lost
    return share, (wrong.sum(), wrong @ (1 - wrong), lost[open_].sum())


def _interval(components, n):
    """5% and 95% quantiles of the count: a mixture of normals over kinds of mistakes and over the hidden ones.

    Components are a weight, the expectation and variance of the count without hidden mistakes, and the overlap.
    """
    w, mean, variance, overlap = components.T
    hidden = n * _hidden_shares(overlap / max(n, 1))
    w, mean, variance = w[:, None], mean[:, None], variance[:, None]
    centre = mean + hidden
    misfit = (_MISFIT[0] * n) ** 2 + (_MISFIT[1] * mean) ** 2
    deviation = np.sqrt(variance + 0.8 * hidden + 0.1 + misfit)

    def below(x):
        return float(np.sum(w * ndtr((x - centre) / deviation)) / (w.sum() * hidden.shape[1]))

    ends = []
    for level in (0.05, 0.95):
        low, high = -1.0, float(n) + 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) < level else (low, middle)
        ends.append(min(max(low, 0.0), float(n)))
    return ends[0], ends[1]


def best_f1_list(wrong_probability):
    """Rows, most probably wrong first, cut where the expected F1, about 2 sum_k P / (k + sum P), is greatest."""
    order = np.argsort(-wrong_probability, kind="stable")
    ordered = wrong_probability[order]
    k = np.arange(1, len(order) + 1)
    score = 2 * np.cumsum(ordered) / (k + ordered.sum())
    return order[: int(np.argmax(score)) + 1]
