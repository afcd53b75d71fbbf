r"""How many labels are wrong, from a random sample of reviewed rows: alone, and together with the model.

**The draw.** Rows are ranked by the model's probability and cut into H strata of nearly equal size. A round takes one
random row of every stratum, in random order; the first n rows of these rounds are the sample of n. So a longer sample
contains the shorter ones, and a row of a stratum of :math:`N_h` rows is among the first n with probability
:math:`\pi = n / (H N_h)`, about n / N.

**The sample alone.** :math:`\sum_{i \in S} w_i / \pi_i` (w = 1 if the label is wrong; Horvitz and Thompson) is an
unbiased count, whatever the model says. The number of wrong rows in a stratified sample is a sum of independent
Bernoulli variables, and has lighter tails than the binomial variable of the same mean (Hoeffding 1956), so the interval
of Clopper and Pearson covers at least as often as it says.

**With the model.** Rows that were chosen for review, not drawn, are facts. For the others the model gives P, a count
:math:`c = \sum P` and an interval; a prior says that with probability ``systematic`` there are further mistakes that
the learners take for the truth, a share of the rows that is exponential with mean 10%. A count M other than c is
:math:`P + \epsilon (1 - P)` (more: anywhere) or :math:`\epsilon P` (fewer), and the answers of the sample weigh the
counts by their likelihood. This is prediction-powered: the model is corrected by its own residuals on random rows. The
model's interval counts as 1.5 times as wide there: with less, a sample of 40 rows covered 70 to 85% of the counts of
development tables with mistakes of people (`benchmarks.label_audit --review`).

**Unclear answers** of the sample are neither right nor wrong: the lower end counts them as right, the upper end as
wrong, and the estimate leaves them out.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import beta, norm

_STRATA, _STRATUM_ROWS = 10, 20
_LEVEL = 0.9
# Mean share of the rows of systematic mistakes, if there are any.
_SYSTEMATIC_MEAN = 0.1
_GRID = 401
# The model's interval is wider by this factor when it is combined with a sample.
_WIDENED = 1.5
_NORMAL = norm.ppf((1 + _LEVEL) / 2)


class CountEstimate(NamedTuple):
    """A number of wrong labels with its 90% interval."""

    n_wrong: float
    low: float
    high: float

    def within(self, least, most):
        """The same without what is known to be impossible; the estimate is inside its interval."""
        n_wrong = min(max(self.n_wrong, least), most)
        low, high = min(max(self.low, least), n_wrong), max(min(self.high, most), n_wrong)
        return CountEstimate(float(n_wrong), float(low), float(high))


class Sample(NamedTuple):
    """Rows in the order in which they are drawn, and for each the factor H x N_h of its weight."""

    rows: np.ndarray
    factor: np.ndarray


def draw(wrong_probability, random):
    """An order of all rows, of which the first n are the stratified random sample of n."""
    n = len(wrong_probability)
    n_strata = max(1, min(_STRATA, n // _STRATUM_ROWS))
    # Equal probabilities are many in tables with copies: which of them come first is random.
    ranked = np.lexsort((random.random_sample(n), wrong_probability))
    sizes = np.array([len(rows) for rows in np.array_split(ranked, n_strata)])
    stratum = np.repeat(np.arange(n_strata), sizes)
    # Within a stratum, rows get random rounds; within a round, strata a random order.
    shuffled = np.lexsort((random.random_sample(n), stratum))
    turn = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.lexsort((random.random_sample(n), turn))
    return Sample(ranked[shuffled][order], (n_strata * sizes[stratum]).astype(float)[order])


def sample_count(wrong, factor, n_unclear, n_rows):
    """The count of a table of ``n_rows`` from the clear answers of a sample (1: wrong), their factors, and the rest."""
    n_clear, found = len(wrong), float(np.sum(wrong))
    n = n_clear + n_unclear
    estimate = float(wrong @ factor) / n_clear if n_clear else n_rows / 2
    low = beta.ppf((1 - _LEVEL) / 2, found, n - found + 1) if found else 0.0
    most = found + n_unclear
    high = beta.ppf((1 + _LEVEL) / 2, most + 1, n - most) if most < n else 1.0
    return CountEstimate(min(estimate, n_rows), n_rows * low, n_rows * high).within(0, n_rows)


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
    total = P.sum()
    more = np.clip((counts - total) / max(len(P) - total, 1e-12), 0, 1)[:, None]
    fewer = np.clip(counts / max(total, 1e-12), 0, 1)[:, None]
    return np.clip(np.where(more > 0, P[rows] + more * (1 - P[rows]), fewer * P[rows]), 1e-9, 1 - 1e-9)


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
    low, high = (model.n_wrong + _WIDENED * (end - model.n_wrong) for end in model[1:])
    counts, _, prior = _weights(P, CountEstimate(model.n_wrong, low, high), systematic)
    p = shifted(P, rows, counts)
    likelihood = np.where(wrong, np.log(p), np.log1p(-p)).sum(axis=1)
    return _summary(counts, prior * np.exp(likelihood - likelihood.max()))


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
