r"""From held-out log-odds to the probability that a label is wrong, and how many are.

`Mistakes` sees mistakes that contradict the other columns. Mistakes where the classes overlap leave no trace: a
row with :math:`q = (0.5, 0.5)` looks the same with either label, and whatever the model blames on overlap could be
noise. So a share :math:`\eta` of the rows whose label is right by the model but might as well be another one,
:math:`G = (1 - P)(1 - q_z)`, is wrong too. No data can tell :math:`\eta`; it keeps its prior, Beta(0.24, 2.76), mean
0.08, and widens the interval where classes overlap.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr
from scipy.stats import beta as beta_distribution

from weaklearn.robust._blocks import row_blocks
from weaklearn.robust._mistakes import Mistakes

__all__ = ["WrongLabels", "best_f1_list", "wrong_labels"]

_HIDDEN = (0.24, 2.76)
# More rows would change the probabilities of kinds of mistakes little: their likelihood is tempered.
_ROWS = 3000
# Standard deviation of the count by misfit of the model: of the rows, and of the count.
_MISFIT = (0.002, 0.1)


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
    components = np.zeros((len(mistakes.used()), 4))
    for part in row_blocks(n, 8 * K):
        for component, (w, fit) in zip(components, mistakes.used(), strict=True):
            share, sums = _judged(fit, S[part], codes[part], open_[part])
            probability[part] += w * share
            component[1:] += sums
    components[:, 0] = [w for w, _ in mistakes.used()]
    probability[~open_] = np.arange(K) == known[~open_, None]
    found = int(np.sum(known[~open_] != codes[~open_]))
    n_wrong = found + float((1 - probability[np.arange(n), codes])[open_].sum())
    low, high = _interval(components, int(open_.sum()))
    return WrongLabels(probability, n_wrong, (found + low, found + high), mistakes)


def _judged(fit, S, codes, open_):
    """P(true label), hidden mistakes included; expectation and variance of the count, and the hidden mistakes' sum."""
    rows = np.arange(len(S))
    mean_hidden = _HIDDEN[0] / sum(_HIDDEN)
    q = fit.true_probability(S)
    share = fit.posterior(S, codes, q)
    right = share[rows, codes]
    hidden = right[:, None] * q
    hidden[rows, codes] = 0.0
    share += mean_hidden * hidden
    share[rows, codes] -= mean_hidden * hidden.sum(axis=1)
    wrong = (1 - right)[open_]
    return share, (wrong.sum(), wrong @ (1 - wrong), hidden[open_].sum())


def _interval(components, n):
    """5% and 95% quantiles of the count: a mixture of normals over the rate and over the hidden share.

    Components are a weight, the expectation and variance of the count without hidden mistakes, and the sum of those.
    """
    # Quantiles of the prior at equal steps, with the steep lower end resolved.
    levels = (np.arange(60) + 0.5) / 60
    shares = beta_distribution.ppf(levels, *_HIDDEN)
    w, mean, variance, hidden = components.T[:, :, None]
    centre = mean + shares * hidden
    misfit = (_MISFIT[0] * n) ** 2 + (_MISFIT[1] * mean) ** 2
    deviation = np.sqrt(variance + 0.8 * shares * hidden + 0.1 + misfit)

    def below(x):
        return float(np.sum(w * ndtr((x - centre) / deviation)) / (w.sum() * len(shares)))

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
