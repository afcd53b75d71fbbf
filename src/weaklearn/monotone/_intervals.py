"""Intervals for thresholds of monotone curves: drawn data sets, and the likelihood ratio.

The bootstrap draws new answers from the fitted curve, by `resampling_probabilities`.
"""

import numpy as np
from scipy.stats import chi2


def isotonic(x, y, m, increasing=True):
    """Weighted isotonic regression of many data sets (n_sets, n_levels) on the same levels."""
    from weaklearn._fast.isotonic import isotonic_rows

    if not increasing:
        x, y, m = (np.ascontiguousarray(part[..., ::-1]) for part in (-x, y, m))
    out = np.empty(y.shape)
    isotonic_rows(x, y, m, out)
    return out if increasing else out[:, ::-1]


def resampling_probabilities(x, values, y, sample_weight, increasing=True, least=0.0):
    """The probabilities with which new answers are drawn from fitted curves: (W p + 1/2) / (W + 1).

    A fitted value p of exactly 0 or 1 would be drawn without any doubt, however few samples it rests on. W is the
    number of samples in the level's block of equal isotonic values, at least ``least``.

    Parameters
    ----------
    x : ndarray of shape (n_levels,)
        Increasing levels.
    values, y, sample_weight : ndarray of shape (n_sets, n_levels)
        Fitted values, mean answers and numbers of samples of many data sets.
    increasing : bool, default=True
    least : float, default=0

    Returns
    -------
    ndarray of shape (n_sets, n_levels)
    """
    pooled = isotonic(x, y, sample_weight, increasing)
    # Interpolated levels without samples fall into the block to their left, or stand alone with none.
    starts = np.ones(pooled.shape, dtype=bool)
    starts[:, 1:] = pooled[:, 1:] != pooled[:, :-1]
    block = np.cumsum(starts, axis=1) - 1 + pooled.shape[1] * np.arange(len(pooled))[:, None]
    weights = np.maximum(np.bincount(block.ravel(), sample_weight.ravel(), pooled.size)[block], least)
    return (weights * np.clip(values, 0.0, 1.0) + 0.5) / (weights + 1.0)


def bootstrap_rows(x, values, observed, counts, increasing, n_resamples, rng):
    """Shares of yes answers (n_resamples, n_levels) drawn from a fitted curve; counts are rounded up."""
    whole = np.ceil(counts).astype(np.int64)
    rates = resampling_probabilities(x, values, observed[None, :], counts[None, :], increasing)[0]
    return rng.binomial(whole, rates, (n_resamples, len(x))) / whole


def _log_likelihood(y, m, p):
    # 0 log 0 = 0: a level whose answers were all alike may be fitted exactly.
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.where(y > 0, y * np.log(p), 0.0)
        no = np.where(y < 1, (1 - y) * np.log1p(-p), 0.0)
    return float(np.sum(m * (yes + no)))


def monotone_likelihood_interval(x, y, m, level, confidence, low, high, increasing):
    """All places at which a monotone curve may cross ``level`` by the likelihood ratio test.

    If the crossing lies between levels j and j + 1, the best curve is the isotonic fit of the levels up to j cut
    off at ``level`` from above, and that of the others cut off from below. The hull of the gaps that the
    test does not reject is returned.
    """
    if not increasing:
        ends = monotone_likelihood_interval(-x[::-1], y[::-1], m[::-1], level, confidence, -high, -low, True)
        return -ends[1], -ends[0]
    best = _log_likelihood(y, m, isotonic(x, y[None, :], m[None, :])[0])
    allowed = chi2.ppf(confidence, 1) / 2
    edges = np.concatenate([[min(low, x[0])], x, [max(high, x[-1])]])
    accepted = []
    for j in range(len(x) + 1):
        parts = []
        if j > 0:
            parts.append(np.minimum(isotonic(x[:j], y[None, :j], m[None, :j])[0], level))
        if j < len(x):
            parts.append(np.maximum(isotonic(x[j:], y[None, j:], m[None, j:])[0], level))
        if best - _log_likelihood(y, m, np.concatenate(parts)) <= allowed:
            accepted.append(j)
    # The gap with the unrestricted fit's own crossing is never rejected, so there is one.
    ends = np.clip([edges[accepted[0]], edges[accepted[-1] + 1]], low, high)
    return float(ends[0]), float(ends[1])
