"""Data selection: which of many candidates make up a clone with the original's mix of examples.

The *value* of an example says how well it fits the cloner: its margin or its rho-value. Large values are typical,
small positive ones critical, and what is not positive is noisy: the cloner says another class (pratap2008, section
4.5). The values of the original are cut into bins, class by class, and each bin of the clone gets as many examples.

Conventions: bins are quantiles of the original's values in a class, from the least to the greatest, with one more
edge at 0, so that the number of noisy examples is kept exactly. A value of exactly 0 is noisy.
"""

import numpy as np


def label_values(scores):
    """Values of every input under every label, (n, n_classes): half the lead over the best other class."""
    order = np.sort(scores, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    others = np.where(scores == best, second, best)
    # Of two classes with equal scores the best other class of each is the other one.
    return (scores - others) / 2


def apportioned(counts, total):
    """Whole numbers in proportion to ``counts`` that add up to ``total``, by largest remainders."""
    exact = counts * total / counts.sum()
    whole = np.floor(exact).astype(int)
    short = total - whole.sum()
    whole[np.argsort(whole - exact, kind="stable")[:short]] += 1
    return whole


def softened(values, codes, predicted, noise, rng):
    """The original's values and classes if only the share ``noise`` of its noisy examples is noise.

    The others are taken as critical examples that the cloner is too simple for: they keep the size of their value and
    get the class that the cloner gives them.
    """
    noisy = np.flatnonzero(values <= 0)
    excused = rng.permutation(noisy)[: len(noisy) - round(noise * len(noisy))]
    values, codes = values.copy(), codes.copy()
    values[excused] = np.abs(values[excused])
    codes[excused] = predicted[excused]
    return values, codes


def _bins(values, codes, candidate_values, n_bins):
    """For each bin of each class: the class, the original's values in it, and the candidates in it."""
    bins = []
    for k in np.unique(codes):
        own = values[codes == k]
        # The outermost bins end where the original's values end: below its least margin there is nothing to match.
        ends = [np.nextafter(own.min(), -np.inf), 0.0, own.max()]
        edges = np.unique(np.append(np.quantile(own, np.linspace(0, 1, n_bins + 1)[1:-1]), ends))
        # "left": an own value equal to an edge belongs below it, as 0 belongs to the noisy.
        place = np.searchsorted(edges, own, side="left")
        candidates = np.searchsorted(edges, candidate_values[:, k], side="left")
        for b in np.unique(place):
            bins.append((k, own[place == b], np.flatnonzero(candidates == b)))
    return bins


def enough(values, codes, candidate_values, n_samples, n_bins):
    """Whether every bin has as many candidates as `select` will ask of it."""
    bins = _bins(values, codes, candidate_values, n_bins)
    wanted = apportioned(np.array([len(own) for _, own, _ in bins]), n_samples)
    return all(len(pool) >= count for (_, _, pool), count in zip(bins, wanted, strict=True))


def select(values, codes, candidate_values, n_samples, n_bins, rng):
    """Numbers of candidates whose values are spread as the original's are, and their classes, in random order.

    ``candidate_values`` are those under each label. A bin with too few candidates uses some twice; one without any
    takes the nearest values.
    """
    bins = _bins(values, codes, candidate_values, n_bins)
    wanted = apportioned(np.array([len(own) for _, own, _ in bins]), n_samples)
    rows, labels = [], []
    for (k, own, pool), count in zip(bins, wanted, strict=True):
        if len(pool) == 0:
            gap = np.abs(candidate_values[:, k] - np.median(own))
            pool = np.argsort(gap, kind="stable")[: max(count, 1)]
        rows.append(rng.choice(pool, size=count, replace=len(pool) < count))
        labels.append(np.full(count, k))
    order = rng.permutation(n_samples)
    return np.concatenate(rows)[order], np.concatenate(labels)[order]
