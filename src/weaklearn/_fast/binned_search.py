"""The splits of `trees.split`, exactly, at the cost of a histogram: for large training sets without categories.

Besides its place in an order (``codes``, see `trees.orders`) each sample has two bytes, ``cells`` (n_orders,
n_samples): in which of some hundred equal parts of the order it is, and its label. A search adds the weights of a
node's samples into a table of both labels in all bins, in the order of memory. Running sums of the table are the sums
at the ends of all bins, and from the weights of the two labels inside a bin follows a bound of what a cut inside can be
worth. Only bins whose bound beats what is known are then read in sorted order. The result is exact.

Bounds are compared with a slack of 1e-11 of the scale: far above the rounding of sums, and without influence on the
result.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.criteria import ERROR, GINI, LOG_LOSS, TIE, bound, tie, value

_ONE = np.uint32(1)
_SLACK = 10.0  # in units of a tie
# Rows whose weights stay in the second-level cache while all features read them.
_ROWS = 8192


class Bins(NamedTuple):
    """A training set in bins: ``width - 1`` of them, numbered from 1, so that running sums begin with a 0."""

    codes: np.ndarray  # (n_orders, n_samples), uint32
    cells: np.ndarray  # (n_orders, n_samples), uint16: a sample's bin, plus ``width`` if its label is +1
    fits: np.ndarray  # (n_orders, width), float64: 1 if a cut fits behind a bin, else 0


class Part(NamedTuple):
    """The samples of a node."""

    node: int
    nodes: np.ndarray  # (n_samples,), uint16: the node that each sample is in
    signed: np.ndarray  # (n_samples,): y * weight
    start: float  # -1/2 of the sum of these in the node
    total: float  # the sum of their sizes


@njit(cache=True, nogil=True)
def fill_bins(codes, y, cells, fits):
    """Fill the ``cells`` and ``fits`` of one order from its ``codes``."""
    n, width = len(codes), len(fits)
    fits[:] = 0.0
    for k in range(n):
        i = codes[k] >> _ONE
        b = k * (width - 1) // n + 1
        cells[i] = b + (width if y[i] > 0 else 0)
        fits[b] = codes[k] & _ONE


@njit(cache=True, nogil=True)
def _bin_start(b, width, n_samples):
    """The first rank in bin b."""
    return ((b - 1) * n_samples + width - 2) // (width - 1)


@njit(cache=True, nogil=True)
def fill_sums(cells, rows, placed, begin, end, first, last, sums):
    """Fill the running sums (n_orders, 2 width) of the orders from ``first`` to ``last - 1`` over some samples.

    These are ``rows`` from ``begin`` to ``end - 1``, with y * weight in ``placed``, or all rows in the order of memory.
    """
    sums[first:last] = 0.0
    width = sums.shape[1] // 2
    spare = np.empty(sums.shape[1])
    whole = end - begin == cells.shape[1]
    for block in range(begin, end, _ROWS):
        until = min(block + _ROWS, end)
        part, members = placed[block:until], rows[block:until]
        # Two orders side by side: an addition to a table waits for the last one to the same place.
        for j in range(first, last, 2):
            other = min(j + 1, last - 1)
            table, next_table = sums[j], sums[other] if other > j else spare
            if whole:
                line, next_line = cells[j, block:until], cells[other, block:until]
                for k in range(len(part)):
                    weight = abs(part[k])
                    table[line[k]] += weight
                    next_table[next_line[k]] += weight
            else:
                line, next_line = cells[j], cells[other]
                for k in range(len(part)):
                    weight, i = abs(part[k]), members[k]
                    table[line[i]] += weight
                    next_table[next_line[i]] += weight
    for j in range(first, last):
        table = sums[j]
        negative, positive = 0.0, 0.0
        for b in range(1, width):
            negative += table[b]
            positive += table[width + b]
            table[b], table[width + b] = negative, positive


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract", "reassoc"})
def best_end(fits, sums, criterion, start, total):
    """A value that a cut at the end of a bin of one order reaches: the best but for rounding."""
    width = len(fits)
    negative, positive = sums[:width], sums[width:]
    best = 0.0
    if criterion == ERROR:
        for b in range(width):
            reached = abs(start + positive[b] - negative[b]) * fits[b]
            best = reached if reached > best else best
        return best
    # A = P (1 - mean) - N (1 + mean), and a scale that is too large where there is hardly any weight on one side.
    mean, least = -2 * start / total, 1e-14 * total * total
    for b in range(width):
        explained = positive[b] * (1 - mean) - negative[b] * (1 + mean)
        weight = positive[b] + negative[b]
        scale = weight * (total - weight)
        reached = fits[b] * explained * explained / (scale if scale > least else least)
        best = reached if reached > best else best
    if criterion == GINI:
        return best
    # The divergence is below its chi-squared bound and mostly above half of it: few logarithms.
    known, half = 0.0, 0.5 * best
    for b in range(width):
        explained = positive[b] * (1 - mean) - negative[b] * (1 + mean)
        weight = positive[b] + negative[b]
        if fits[b] > 0 and explained * explained >= half * weight * (total - weight):
            known = max(known, value(criterion, positive[b] - negative[b], weight, start, total))
    return known


@njit(cache=True, nogil=True, fastmath={"nnan", "nsz", "contract"})
def _surplus(explained, weight, total, least):
    return explained * explained - least * weight * (total - weight)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract", "reassoc"})
def _mark(sums, criterion, start, total, least, over):
    """Fill ``over`` (width,) with numbers that are negative where no cut in a bin is worth ``least``; the largest."""
    width = len(over)
    negative, positive = sums[:width], sums[width:]
    over[0] = -1.0
    if criterion == ERROR:
        for b in range(1, width):
            up, down = abs(start + positive[b] - negative[b - 1]), abs(start + positive[b - 1] - negative[b])
            over[b] = (up if up > down else down) - least
    else:
        mean = -2 * start / total
        p, n = 1 - mean, 1 + mean
        if criterion == LOG_LOSS:
            least *= p * n  # by the chi-squared bound of the divergence
        for b in range(1, width):
            p0, p1, n0, n1 = positive[b - 1], positive[b], negative[b - 1], negative[b]
            x = _surplus(p * p0 - n * n0, p0 + n0, total, least)
            y = _surplus(p * p1 - n * n0, p1 + n0, total, least)
            z = _surplus(p * p0 - n * n1, p0 + n1, total, least)
            u = _surplus(p * p1 - n * n1, p1 + n1, total, least)
            x, z = x if x > y else y, z if z > u else u
            over[b] = x if x > z else z
    largest = -1.0
    for b in range(width):
        largest = over[b] if over[b] > largest else largest
    return largest


@njit(cache=True, nogil=True, error_model="numpy")
def scan(line, begin, end, balance, weight, part, criterion, least, enough):
    """The largest value of the cuts behind the ranks from ``begin`` to ``end - 1`` of an order, if above ``least``.

    Also the first rank of at least ``enough``, or -1, and the sums up to there; those before ``begin`` are given.
    """
    start, total = part.start, part.total
    largest, slope = least, 2 * start / total
    chi = (1 - slope) * (1 + slope) if criterion == LOG_LOSS else 1.0
    for k in range(begin, end):
        code = line[k]
        i = code >> _ONE
        # A branch here would be mispredicted for many of the samples.
        sample = part.signed[i] * np.float64(part.nodes[i] == part.node)
        balance += sample
        weight += abs(sample)
        if not code & _ONE:
            continue
        if criterion != ERROR:
            # Most divisions and logarithms are saved by this.
            explained = balance + slope * weight
            if explained * explained < (largest - 10 * TIE) * chi * weight * (total - weight):
                continue
        worth = value(criterion, balance, weight, start, total)
        largest = max(largest, worth)
        if worth >= enough:
            return largest, k, balance, weight
    return largest, -1, balance, weight


@njit(cache=True, nogil=True)
def search_order(bins, j, sums, part, criterion, least, enough, over):
    """What `scan` returns for a whole order, of which only bins that may hold a value of ``least`` are read."""
    n_samples, width = bins.codes.shape[1], len(over)
    start, total = part.start, part.total
    slack = _SLACK * tie(criterion, total)
    largest = least
    if _mark(sums, criterion, start, total, least - slack, over) >= 0:
        for b in range(1, width):
            if over[b] >= 0:
                below, above = sums[b - 1], sums[width + b - 1]
                inside = sums[b] - below, sums[width + b] - above
                limit = bound(criterion, above - below, above + below, inside[0], inside[1], start, total)
                if limit >= largest - slack:
                    begin, end = _bin_start(b, width, n_samples), _bin_start(b + 1, width, n_samples)
                    largest, rank, balance, weight = scan(
                        bins.codes[j],
                        begin,
                        end,
                        above - below,
                        above + below,
                        part,
                        criterion,
                        largest,
                        enough,
                    )
                    if rank >= 0:
                        return largest, rank, balance, weight
    return largest, -1, 0.0, 0.0
