"""The trees of `grow` from the bins of `weaklearn._fast.binned_search`: for large training sets without categories.

The samples of a node are a range of ``rows``, which a split divides in place of the sorted orders; a sample's weight
goes with it. The running sums of a node with few samples are counted; those of its sibling are what is left of their
parent's. So a level of a tree reads at most half of the entries of X once the root is done: two bytes each and,
for every row and eight thousand of them at a time, twelve bytes of ``rows`` and ``placed`` for all orders together.
Each entry is one load, one addition and one store at a random place of the first-level cache: .33 ns in the root and
.37 ns below it, 6 GB/s. So memory is not the limit, and a tree of depth d of m orders and n samples takes at
least ``(.33 + .19 (d - 1)) m n`` ns if all its splits are even.

Differences of running sums are off by the rounding of the sums that were counted. Where a node weighs less than
a sixteenth of these, it is counted, too.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from weaklearn._fast.binned_search import Part, best_end, fill_sums, scan, search_order
from weaklearn._fast.criteria import ERROR, GINI, TIE, stump_of, tie
from weaklearn._fast.stump_search import sign_weights, wrong_weight
from weaklearn._fast.trees.grow import vote_of
from weaklearn._fast.trees.split import Split

_ONE = np.uint32(1)
_LIGHT = 1 / 16
# Differences of running sums are below it where there are no samples.
_DUST = 4 * TIE


class Growth(NamedTuple):
    """What is known of a tree while it grows; it is used again for every tree.

    The sums of the node that is the first of its level have slot 0; the other slots are evenly spaced.
    """

    # (2, n_samples), uint32: those of a level by nodes, which are divided into the other half
    rows: np.ndarray
    placed: np.ndarray  # (2, n_samples): y * weight of these
    signed: np.ndarray  # (n_samples,): y * weight
    nodes: np.ndarray  # (n_samples,), uint16: the node that each sample is in
    above: np.ndarray  # (n_samples,), uint8: 0, but while a node is divided
    ranges: np.ndarray  # (2^(depth + 1) - 1, 2), int64: of the samples of each node in the rows of its level
    part: np.ndarray  # (2^(depth + 1) - 1, 3): -S / 2, W and the W that its sums were counted for
    searched: np.ndarray  # (2^(depth + 1) - 1,), bool: nodes with both labels
    sums: np.ndarray  # (2^(depth - 1), n_orders, 2 width): running sums of the weights of both labels
    ends: np.ndarray  # (2^(depth - 1), n_orders): values at the ends of bins
    values: np.ndarray  # (2^(depth - 1), n_orders): values


@njit(cache=True, nogil=True)
def begin(y, weights, growth):
    """Weigh the root, which is searched whatever its labels are. Returns the total weight."""
    total, difference = sign_weights(y, weights, growth.signed)
    growth.part[0, 0], growth.part[0, 1], growth.part[0, 2] = -difference / 2, total, total
    growth.searched[:] = False
    growth.searched[0] = total > 0
    growth.ranges[0, 0], growth.ranges[0, 1] = 0, len(y)
    return total


# The order of summation is left to the compiler: it moves sums by far less than a tie.
@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _weigh(placed, growth, node):
    """Fill what is known of a node from the weights of its samples: it is searched if both labels have any."""
    first, end = growth.ranges[node]
    balance, weight = 0.0, 0.0
    for k in range(first, end):
        balance += placed[k]
        weight += abs(placed[k])
    growth.part[node, 0], growth.part[node, 1] = -balance / 2, weight
    growth.searched[node] = abs(balance) < weight


@njit(cache=True, nogil=True)
def begin_tree(y, weights, growth):
    """Put all samples into the root. Returns the total weight."""
    total = begin(y, weights, growth)
    growth.searched[0] = 2 * abs(growth.part[0, 0]) < total  # both labels
    growth.placed[0] = growth.signed
    for i in range(len(y)):
        growth.rows[0, i] = i
        growth.nodes[i] = 0
    return total


@njit(cache=True, nogil=True)
def fill_level(bins, criterion, growth, level, first, last):
    """Fill the sums of all nodes of a level and their values at the ends of bins, for some orders."""
    spacing = len(growth.sums) >> level
    rows, placed = growth.rows[level % 2], growth.placed[level % 2]
    for node in range(2**level - 1, 2 ** (level + 1) - 1, 2):
        if level == 0:
            if growth.searched[0]:
                fill_sums(bins.cells, rows, growth.signed, 0, len(growth.signed), first, last, growth.sums[0])
        elif growth.searched[node] or growth.searched[node + 1]:
            slot = (node + 1 - 2**level) * spacing
            low, high = growth.sums[slot], growth.sums[slot + spacing]
            counted = growth.part[(node - 1) // 2, 2]
            few = (
                node
                if growth.ranges[node, 1] - growth.ranges[node, 0]
                < (growth.ranges[node + 1, 1] - growth.ranges[node + 1, 0])
                else node + 1
            )
            many = 2 * node + 1 - few
            a, b = growth.ranges[few]
            fill_sums(bins.cells, rows, placed, a, b, first, last, high)
            growth.part[few, 2] = growth.part[few, 1]
            if growth.part[many, 1] >= _LIGHT * counted:
                growth.part[many, 2] = counted
                for j in range(first, last):
                    for k in range(low.shape[1]):
                        rest = low[j, k] - high[j, k]
                        low[j, k] = rest
            else:
                growth.part[many, 2] = growth.part[many, 1]
                a, b = growth.ranges[many]
                fill_sums(bins.cells, rows, placed, a, b, first, last, low)
            if few == node:
                for j in range(first, last):
                    for k in range(low.shape[1]):
                        rest = low[j, k]
                        low[j, k] = high[j, k]
                        high[j, k] = rest
        for child in range(node, min(node + 2, 2 ** (level + 1) - 1)):
            if growth.searched[child]:
                slot = (child + 1 - 2**level) * spacing
                start, total = growth.part[child, 0], growth.part[child, 1]
                for j in range(first, last):
                    growth.ends[slot, j] = best_end(
                        bins.fits[j], growth.sums[slot, j], criterion, start, total
                    )


@njit(cache=True, nogil=True)
def part_of(growth, node):
    """The samples of a node."""
    return Part(node, growth.nodes, growth.signed, growth.part[node, 0], growth.part[node, 1])


@njit(cache=True, nogil=True)
def search_level(bins, criterion, growth, level, first, last):
    """Fill the best value of some orders in all nodes of a level; one that does not matter may be too low."""
    spacing = len(growth.sums) >> level
    over = np.empty(bins.fits.shape[1])
    for node in range(2**level - 1, 2 ** (level + 1) - 1):
        if growth.searched[node]:
            part, slot = part_of(growth, node), (node + 1 - 2**level) * spacing
            least = growth.ends[slot].max() - 10 * tie(criterion, part.total)
            for j in range(first, last):
                least, _, _, _ = search_order(
                    bins, j, growth.sums[slot, j], part, criterion, least, np.inf, over
                )
                growth.values[slot, j] = least


@njit(cache=True, nogil=True)
def find_split(bins, criterion, growth, slot, node):
    """The first of the best splits of a node, as `split.best_split` finds it, if it is worth more than dust."""
    part = part_of(growth, node)
    over = np.empty(bins.fits.shape[1])
    least = growth.values[slot].max() - tie(criterion, part.total)
    for j in range(bins.codes.shape[0]):
        if growth.values[slot, j] >= least:
            worth, rank, balance, weight = search_order(
                bins, j, growth.sums[slot, j], part, criterion, least, least, over
            )
            if rank >= 0:
                return Split(j, rank, balance, weight, worth)
    return Split(0, -1, 0.0, 0.0, least)


@njit(cache=True, nogil=True)
def _faint_split(bins, criterion, growth, node):
    """The first of the best splits of a node of which none is worth more than dust: without tables."""
    part = part_of(growth, node)
    n_samples = bins.codes.shape[1]
    best, enough = -1.0, np.inf
    for _ in range(2):
        for j in range(bins.codes.shape[0]):
            line = bins.codes[j]
            # From the first sample of the node to the last but one.
            rank = _neighbours(line, growth.nodes, node, -1)[1] - 1
            end = _neighbours(line, growth.nodes, node, n_samples)[0]
            balance, weight = 0.0, 0.0
            while rank + 1 < end:
                worth, rank, balance, weight = scan(
                    line, rank + 1, end, balance, weight, part, criterion, -1.0, enough
                )
                best = max(best, worth)
                if rank < 0:
                    break
                if criterion != GINI or weight * (part.total - weight) > 0:
                    return Split(j, rank, balance, weight, worth)
        if best < -TIE:
            break
        enough = best - TIE
    return Split(0, -1, 0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def _neighbours(line, nodes, node, rank):
    """The ranks of the last sample of a node up to this rank and of the first one behind it."""
    below, above = rank, rank + 1
    while below >= 0 and (below == len(line) or nodes[line[below] >> _ONE] != node):
        below -= 1
    while above < len(line) and nodes[line[above] >> _ONE] != node:
        above += 1
    return below, above


@njit(cache=True, nogil=True)
def _divide(bins, growth, level, node, split):
    """Divide the samples of a node, and fill what is known of its children."""
    line, cells, above = bins.codes[split.order], bins.cells[split.order], growth.above
    n_samples, width = len(line), bins.fits.shape[1]
    # Cells are compared; only in the bin of the cut the places are looked up.
    middle = split.rank * (width - 1) // n_samples + 1
    end = split.rank + 1
    while end < n_samples and end * (width - 1) // n_samples + 1 == middle:
        above[line[end] >> _ONE] = 1
        end += 1
    rows, placed = growth.rows[level % 2], growth.placed[level % 2]
    next_rows, next_placed = growth.rows[1 - level % 2], growth.placed[1 - level % 2]
    first, last = growth.ranges[node]
    low, high = first, last - 1
    child = 2 * node + 1
    for k in range(first, last):
        i, sample = rows[k], placed[k]
        cell = np.int64(cells[i])
        cell -= width * np.int64(cell >= width)
        # A branch here would be mispredicted for half of the samples.
        side = np.int64(cell > middle) | (np.int64(cell == middle) & np.int64(above[i]))
        place = low + side * (high - low)
        next_rows[place], next_placed[place] = i, sample
        growth.nodes[i] = child + side
        low += 1 - side
        high -= side
    for k in range(split.rank + 1, end):
        above[line[k] >> _ONE] = 0
    growth.ranges[child, 0], growth.ranges[child, 1] = first, low
    growth.ranges[child + 1, 0], growth.ranges[child + 1, 1] = low, last
    _weigh(next_placed, growth, child)
    _weigh(next_placed, growth, child + 1)


@njit(cache=True, nogil=True)
def divide_level(bins, criterion, feature, growth, nodes, level):
    """Split the nodes of a level at the best of all cuts, or leave them as leaves."""
    spacing = len(growth.sums) >> level
    last = spacing == 1
    for node in range(2**level - 1, 2 ** (level + 1) - 1):
        if not growth.searched[node]:
            continue
        start, total = growth.part[node, 0], growth.part[node, 1]
        split = find_split(bins, criterion, growth, (node + 1 - 2**level) * spacing, node)
        if criterion != ERROR and split.worth <= _DUST:
            split = _faint_split(bins, criterion, growth, node)
        if split.rank < 0:
            continue
        gain = split.worth - abs(start) if criterion == ERROR else split.worth * total
        if not gain > (TIE if last or criterion == ERROR else -TIE) * total:
            continue
        line = bins.codes[split.order]
        nodes.feature[node], nodes.gain[node] = feature[split.order], gain
        nodes.missing_above[node] = 2 * split.weight < total
        below, above = _neighbours(line, growth.nodes, node, split.rank)
        end, _ = _neighbours(line, growth.nodes, node, len(line))
        nodes.places[node, 0] = split.order
        for k, place in enumerate((below, above, end)):
            nodes.places[node, k + 1] = line[place] >> _ONE
        _divide(bins, growth, level, node, split)


@njit(cache=True, nogil=True, error_model="numpy")
def finish(y, weights, growth, nodes, margins):
    """Fill the means of the leaves and ``margins`` with y * h(x). Returns the weight of the errors."""
    n_nodes = len(nodes.feature)
    votes = np.empty(2 * n_nodes + 1)
    for node in range(2 * n_nodes + 1):
        start, total = growth.part[node, 0], growth.part[node, 1]
        leaf = node >= n_nodes or nodes.feature[node] < 0
        if node == 0 or nodes.feature[(node - 1) // 2] >= 0:
            nodes.value[node] = -2 * start / total if leaf and total > 0 else 0.0
        else:
            nodes.value[node] = nodes.value[(node - 1) // 2]
        votes[node] = vote_of(nodes.value[node])
    for i in range(len(y)):
        margins[i] = y[i] * votes[growth.nodes[i]]
    return wrong_weight(margins, weights)


@njit(cache=True, nogil=True, error_model="numpy")
def binned_tree(bins, criterion, feature, y, weights, growth, nodes, margins):
    """What `grow.boosted_tree` does, in one thread."""
    total = begin_tree(y, weights, growth)
    level = 0
    while 2**level <= len(growth.sums):
        fill_level(bins, criterion, growth, level, 0, len(bins.codes))
        search_level(bins, criterion, growth, level, 0, len(bins.codes))
        divide_level(bins, criterion, feature, growth, nodes, level)
        level += 1
    return finish(y, weights, growth, nodes, margins) / total


@njit(cache=True, nogil=True)
def binned_stump(bins, criterion, constant, growth):
    """The best stump after the search of level 0: order, rank (-1 if it is constant) and polarity."""
    split, worth = Split(0, -1, 0.0, 0.0, 0.0), 0.0
    if growth.searched[0]:
        split, worth = find_split(bins, criterion, growth, 0, 0), growth.values[0].max()
    start, total = growth.part[0, 0], growth.part[0, 1]
    rank, polarity = stump_of(criterion, constant, split.rank, split.balance, worth, start, total)
    return (split.order if rank >= 0 else 0), rank, polarity
