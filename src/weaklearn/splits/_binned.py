"""Stumps of large training sets, by histograms."""

from itertools import pairwise

import numpy as np

from weaklearn._fast import binned_search as binned

__all__ = ["BinnedStumps"]

# Larger sets need finer bounds: reading a bin in sorted order costs more.
_VERY_LARGE = 131_072


class BinnedStumps:
    """The search of a large training set, whose orders are shared out among threads.

    Parameters
    ----------
    rows : SortedRows
        Without categories.
    y : ndarray of shape (n_samples,), float64
        Labels in {-1.0, +1.0}.
    criterion : int
        See `weaklearn._fast.trees.criteria`.
    constant : bool
        Whether a stump may be constant under the error criterion.
    """

    def __init__(self, rows, y, criterion, constant):
        self._codes, self._y, self._rows = rows.codes, y, rows
        self._criterion, self._constant = criterion, constant
        n_orders, n_samples = self._codes.shape
        self._shares = list(pairwise(np.linspace(0, n_orders, rows.n_threads + 1).astype(int).tolist()))
        self._n_bins = 512 if n_samples < _VERY_LARGE else 2048
        self._bins = np.empty((n_orders, n_samples), dtype=np.uint16)
        self._fits = np.empty((n_orders, self._n_bins))
        self._tables = np.empty((n_orders, 2 * self._n_bins))
        self._sums = np.empty((2, n_orders, self._n_bins + 1))
        self._bounds = np.empty((n_orders, self._n_bins))
        self._values = np.empty(n_orders)
        self._signed = np.empty(n_samples)

        def fill(k):
            binned.fill_bins(self._codes[k], y, self._n_bins, self._bins[k], self._fits[k])

        rows.each(fill, range(n_orders))

    def best(self, weights):
        """What `weaklearn._fast.stump_search.best_stump` returns."""
        codes, signed, values = self._codes, self._signed, self._values
        criterion, sums, bounds = self._criterion, self._sums, self._bounds
        start, total = binned.signed_weights(self._y, weights, signed)

        def ends(share):
            first, last = share
            binned.fill_tables(self._bins, weights, first, last, self._tables)
            return binned.best_end(
                self._fits, self._tables, criterion, start, total, first, last, sums, bounds
            )

        known = max(self._rows.each(ends, self._shares))

        def inside(share):
            first, last = share
            binned.best_values(
                codes, signed, criterion, start, total, known, first, last, sums, bounds, values
            )

        self._rows.each(inside, self._shares)
        order, rank, polarity = binned.choose(
            codes, signed, criterion, self._constant, start, total, sums, bounds, values
        )
        margins = np.empty(len(weights))
        wrong, heavier_above = binned.vote(
            codes, self._bins, self._n_bins, self._y, weights, order, rank, polarity, total, margins
        )
        # As compiled code divides: no weight at all gives NaN, which ends boosting.
        return order, rank, polarity, margins, wrong / total if total > 0 else np.nan, heavier_above
