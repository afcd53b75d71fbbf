r"""How many labels are wrong, from a random sample of reviewed rows: alone, and together with the model.

**The draw.** Rows are ranked by the model's probability and cut into H strata of nearly equal size. A round takes one
random row of every stratum, in random order; the first n rows of these rounds are the sample of n. So a longer sample
contains the shorter ones, and a row of a stratum of :math:`N_h` rows is among the first n with probability
:math:`\pi = n / (H N_h)`, about n / N.

**The sample alone.** :math:`\sum_{i \in S} w_i / \pi_i` (w = 1 if the label is wrong; Horvitz and Thompson) is an
unbiased count, whatever the model says. The interval is the exact one of a simple random sample of n of the N rows,
from the hypergeometric distribution. Strata that differ make the number found vary less than that; if all of them have
the same share of wrong rows, its variance is (N - 1) / (N - H) times as great, less than 1.05 times.

**With the model.** Rows that were chosen for review, not drawn, are facts. For the others the model gives P, a count
:math:`c = \sum P` and an interval; a prior says that with probability ``systematic`` there are further mistakes that
the learners take for the truth, a share of the rows that is exponential with mean 10%. A count M other than c is
:math:`P + \epsilon (1 - P)` (more: anywhere) or :math:`\epsilon P` (fewer).

The model may be wrong about M and about where the mistakes are. If answers could only choose among such counts, more
of them would not mend a wrong ranking: the estimate would converge to a wrong count. So the rows that were not chosen
are cut into strata again, by P. In stratum h, whose mean of these probabilities is :math:`p_h(M)`, a share of the rows
is wrong that is drawn from a beta distribution with the mean :math:`r_h = (1 - \delta) p_h(M) + \delta M / N` and the
weight of m answers. The :math:`k_h` wrong ones of :math:`n_h` answers weigh M, m (3 to 300) and :math:`\delta`, the
part of the mistakes that is anywhere (0.2 or 1), by their beta-binomial probability. The number of wrong ones among the
:math:`N_h - n_h` rows that nobody has looked at is then beta-binomial, with the parameters :math:`m r_h + k_h` and
:math:`m (1 - r_h) + n_h - k_h`. So answers count as they are, the model only says what to expect of the other rows, the
answers tell how much it is worth, and with growing :math:`n_h` the strata's own shares win: after a full review nothing
is left to estimate. For each M, m and :math:`\delta`, a beta distribution with the mean and the variance of the sum
over strata stands for it. The model's interval counts as twice as wide there.

**Unclear answers** of the sample are neither right nor wrong: the lower end counts them as right, the upper end as
wrong, and the estimate leaves them out.
"""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaln
from scipy.stats import hypergeom, norm

_STRATA, _STRATUM_ROWS = 10, 20
_LEVEL = 0.9
# Mean share of the rows of systematic mistakes, if there are any.
_SYSTEMATIC_MEAN = 0.1
_GRID = 401
# The model's interval is wider by this factor when it is combined with a sample.
_WIDENED = 2.0
# How many answers of a stratum the model's share for it may be worth, and the part of mistakes that may be anywhere.
_WORTH, _ANYWHERE = np.array([3.0, 10.0, 30.0, 100.0, 300.0]), np.array([0.2, 1.0])
_NORMAL = norm.ppf((1 + _LEVEL) / 2)


class CountEstimate(NamedTuple):
    """A number of wrong labels with its 90% interval."""

    n_wrong: float
    low: float
    high: float

    def plus(self, known):
        """The same with a number that is certain."""
        return CountEstimate(*(x + known for x in self))

    def within(self, least, most):
        """The same without what is known to be impossible; the estimate is inside its interval."""
        n_wrong = min(max(self.n_wrong, least), most)
        low, high = min(max(self.low, least), n_wrong), max(min(self.high, most), n_wrong)
        return CountEstimate(float(n_wrong), float(low), float(high))


def _strata(n):
    """The stratum of each of n ranks."""
    n_strata = max(1, min(_STRATA, n // _STRATUM_ROWS))
    return np.repeat(np.arange(n_strata), [len(ranks) for ranks in np.array_split(np.arange(n), n_strata)])


def draw(wrong_probability, random):
    """An order of all rows, of which the first n are the stratified random sample of n, and each row's H x N_h."""
    n = len(wrong_probability)
    stratum = _strata(n)
    sizes = np.bincount(stratum)
    # Equal probabilities are many in tables with copies: which of them come first is random.
    ranked = np.lexsort((random.random_sample(n), wrong_probability))
    # Within a stratum, rows get random rounds; within a round, strata a random order.
    shuffled = np.lexsort((random.random_sample(n), stratum))
    turn = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.lexsort((random.random_sample(n), turn))
    return ranked[shuffled][order], (len(sizes) * sizes[stratum]).astype(float)[order]


def sample_count(wrong, factor, n_unclear, n_rows):
    """The count of a table of ``n_rows`` from the clear answers of a sample (1: wrong), their factors, and the rest."""
    n_clear, found = len(wrong), int(np.sum(wrong))
    n, most = n_clear + n_unclear, found + n_unclear
    estimate = float(wrong @ factor) / n_clear if n_clear else n_rows / 2
    tail = (1 - _LEVEL) / 2
    unseen = n_rows - n
    few, many = range(found, found + unseen + 1), range(most, most + unseen + 1)
    low = few[bisect_right(few, tail, key=lambda count: hypergeom.sf(found - 1, n_rows, count, n))]
    high = many[bisect_left(many, -tail, key=lambda count: -hypergeom.cdf(most, n_rows, count, n)) - 1]
    return CountEstimate(estimate, low, high).within(found, found + n_unclear + unseen)


def _weights(P, model, systematic):
    """Counts, and their prior probabilities by the model alone and with systematic mistakes; both add up to 1."""
    n = len(P)
    counts = np.linspace(0, n, _GRID if n > _GRID else n + 1)
    # Two half normal distributions that meet at the estimate and have the model's interval.
    below = max((model.n_wrong - model.low) / _NORMAL, 0.3)
    above = max((model.high - model.n_wrong) / _NORMAL, 0.3)
    step = counts[1] - counts[0] if n else 1.0
    off = counts - model.n_wrong
    alone = np.exp(-0.5 * (off / np.maximum(np.where(off < 0, below, above), step / 2)) ** 2)
    alone /= alone.sum()
    extra = np.exp(-counts / (_SYSTEMATIC_MEAN * n)) if n else np.ones(1)
    more = np.convolve(alone, extra)[: len(counts)]
    return counts, alone, (1 - systematic) * alone + systematic * more / more.sum()


def shifted(P, rows, counts):
    """The probabilities of some rows of P if its sum is one of the ``counts``, (n_counts, n_rows)."""
    return np.clip(_moved(P[rows], P.sum(), len(P), counts), 1e-9, 1 - 1e-9)


def _moved(p, total, n, counts):
    """Some of n probabilities with this total, or means of some of them, if the total is one of the ``counts``."""
    more = np.clip((counts - total) / max(n - total, 1e-12), 0, 1)[:, None]
    fewer = np.clip(counts / max(total, 1e-12), 0, 1)[:, None]
    return np.where(more > 0, p + more * (1 - p), fewer * p)


def _summary(counts, weights):
    """Mean and 90% interval of a distribution on a grid, spread evenly around each of its points."""
    half = (counts[1] - counts[0]) / 2 if len(counts) > 1 else 0.0
    edges = np.clip(np.r_[counts - half, counts[-1] + half], 0, counts[-1])
    below = np.r_[0.0, np.cumsum(weights / weights.sum())]
    low, high = np.interp([(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], below, edges)
    return CountEstimate(float(counts @ weights / weights.sum()), float(low), float(high))


def with_systematic(P, model, systematic):
    """The model's count, with an interval that admits systematic mistakes."""
    if systematic == 0 or len(P) == 0:
        return model
    counts, _, prior = _weights(P, model, systematic)
    wider = _summary(counts, prior)
    return CountEstimate(model.n_wrong, min(model.low, wider.low), max(model.high, wider.high))


def combined_count(P, model, rows, wrong, systematic):
    """The count of the rows of P by model and sample: ``wrong`` has the answers for ``rows`` of P."""
    n = len(P)
    stratum = np.empty(n, dtype=np.intp)
    stratum[np.argsort(P, kind="stable")] = _strata(n)
    low, high = (model.n_wrong + _WIDENED * (end - model.n_wrong) for end in model[1:])
    counts, _, prior = _weights(P, CountEstimate(model.n_wrong, low, high), systematic)
    size = np.bincount(stratum)
    asked, found = (np.bincount(stratum[rows], weight, len(size)) for weight in (None, wrong))
    mean = np.bincount(stratum, P) / np.maximum(size, 1)
    anywhere = _ANYWHERE[:, None, None]
    rate = (1 - anywhere) * _moved(mean, P.sum(), n, counts) + anywhere * counts[:, None] / n
    rate = np.clip(rate, 1e-9, 1 - 1e-9)
    before = _WORTH[:, None, None, None] * np.array([rate, 1 - rate])[:, None]
    after = before + np.array([found, asked - found])[:, None, None, None]
    weights = np.log(np.maximum(prior, 1e-300)) + (betaln(*after) - betaln(*before)).sum(axis=-1)
    weights = np.exp(weights - weights.max())
    used = weights > 1e-4
    weights, (a, b) = weights[used] / weights[used].sum(), after[:, used]
    # The rows that nobody has looked at.
    rest, worth = size - asked, a + b
    expected = (rest * a / worth).sum(axis=-1)
    variance = (rest * a * b * (worth + rest) / (worth**2 * (worth + 1))).sum(axis=-1)
    ends = _quantiles(weights, expected, variance, rest.sum())
    return CountEstimate(float(weights @ expected), *ends).plus(float(found.sum()))


def _quantiles(weights, mean, variance, most):
    """90% interval of a mixture of beta distributions from 0 to ``most``; half a row wider, as counts are whole."""
    if most == 0:
        return 0.0, 0.0
    share = np.clip(mean / most, 1e-9, 1 - 1e-9)
    spread = np.maximum(share * (1 - share) * most**2 / np.maximum(variance, 1e-12) - 1, 1e-3)
    ends = []
    for level in ((1 - _LEVEL) / 2, (1 + _LEVEL) / 2):
        low, high = 0.0, 1.0
        while (high - low) * most > 0.01:
            middle = (low + high) / 2
            below = weights @ betainc(share * spread, (1 - share) * spread, middle)
            low, high = (middle, high) if below < level else (low, middle)
        ends.append(most * (low + high) / 2)
    return max(ends[0] - 0.5, 0.0), min(ends[1] + 0.5, most)


def surprise(P, model, rows, wrong):
    """Two-sided p-value of the number of wrong answers if the model is right: small if mistakes are systematic."""
    counts, alone, _ = _weights(P, model, 0.0)
    kept = np.flatnonzero(alone > 1e-4 * alone.max())
    kept = kept[np.linspace(0, len(kept) - 1, min(len(kept), 40)).round().astype(int)]
    p = shifted(P, rows, counts[kept])
    # Distribution of a sum of independent 0/1 variables, one variable after another, for all counts at once.
    mass = np.zeros((len(kept), len(rows) + 1))
    mass[:, 0] = 1
    for k in range(len(rows)):
        mass[:, 1:] = mass[:, 1:] * (1 - p[:, k : k + 1]) + mass[:, :-1] * p[:, k : k + 1]
        mass[:, 0] *= 1 - p[:, k]
    mixed = alone[kept] @ mass / alone[kept].sum()
    x = int(np.sum(wrong))
    return float(min(1.0, 2 * min(mixed[: x + 1].sum(), mixed[x:].sum())))
