"""A training set in bins, and how threads share its search."""

from itertools import pairwise

import numpy as np

from weaklearn._fast.binned_search import Bins, fill_bins
from weaklearn._fast.stump_search import found_stump
from weaklearn._fast.trees import binned

# Larger sets need finer bounds: reading a bin in sorted order costs more.
_VERY_LARGE = 131_072


def bin_width(n_samples, depth):
    """How many bins to make, a power of two: fewer in deep trees, so that all tables are not larger than X."""
    most = 512 if n_samples < _VERY_LARGE else 1024
    return min(2 ** max((n_samples >> max(depth, 5)).bit_length() - 1, 1), most)


class BinnedRows:
    """The search of a large training set of numbers by bins, whose orders are shared out among threads.

    ``depth`` is the number of levels that are searched; a stump takes the first one.
    """

    def __init__(self, rows, y, criterion, width, depth=None):
        self._rows, self._y, self._criterion = rows, y, criterion
        n_orders, n_samples = rows.codes.shape
        self._shares = list(pairwise(np.linspace(0, n_orders, rows.n_threads + 1).astype(int).tolist()))
        self._bins = Bins(
            rows.codes,
            np.empty((n_orders, n_samples), dtype=np.uint16),
            np.empty((n_orders, width)),
        )
        n_searched = 2 ** ((depth or 1) - 1)
        n_nodes = 4 * n_searched - 1
        n_placed = n_samples if depth else 0
        self._growth = binned.Growth(
            np.empty((2, n_placed), dtype=np.uint32),
            np.empty((2, n_placed)),
            np.empty(n_samples),
            np.zeros(n_samples, dtype=np.uint16),
            np.zeros(n_placed, dtype=np.uint8),
            np.zeros((n_nodes, 2), dtype=np.int64),
            np.zeros((n_nodes, 3)),
            np.zeros(n_nodes, dtype=bool),
            np.empty((n_searched, n_orders, 2 * width)),
            np.empty((n_searched, n_orders)),
            np.empty((n_searched, n_orders)),
        )

        def fill(k):
            fill_bins(rows.codes[k], y, self._bins.cells[k], self._bins.fits[k])

        rows.each(fill, range(n_orders))

    def stump(self, weights, constant):
        """What `weaklearn._fast.stump_search.found_stump` returns."""
        bins, growth = self._bins, self._growth
        total = binned.begin(self._y, weights, growth)
        self._search(0)
        order, rank, polarity = binned.binned_stump(bins, self._criterion, constant, growth)
        return found_stump(bins.codes, order, rank, polarity, self._y, weights, total)

    def tree(self, weights, nodes, margins):
        """What `weaklearn._fast.trees.grow.boosted_tree` does."""
        bins, growth, y, feature = self._bins, self._growth, self._y, self._rows.orders.feature
        if len(self._shares) == 1:
            return binned.binned_tree(bins, self._criterion, feature, y, weights, growth, nodes, margins)
        total = binned.begin_tree(y, weights, growth)
        for level in range(len(growth.sums).bit_length()):
            self._search(level)
            binned.divide_level(bins, self._criterion, feature, growth, nodes, level)
        wrong = binned.finish(y, weights, growth, nodes, margins)
        return wrong / total if total > 0 else np.nan

    def _search(self, level):
        for work in (binned.fill_level, binned.search_level):
            self._rows.each(
                lambda share, work=work: work(self._bins, self._criterion, self._growth, level, *share),
                self._shares,
            )
