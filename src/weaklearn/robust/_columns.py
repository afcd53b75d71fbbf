"""From a numeric table with gaps to the two views that the members learn from.

Conventions:

- A gap (NaN) is filled with the median of its column; a column with gaps also yields a 0/1 column that marks them,
  because that a value is missing often says something. Infinite values are refused before they get here.
- Columns without two different values are dropped.
- *standard*: the median is subtracted and the column divided by its interquartile range (by its standard deviation
  where that is 0). Beyond `_KNEE` such units values grow only logarithmically, so that a single absurd entry cannot
  make the others indistinguishable. Mean and standard deviation are then 0 and 1.
- *ranks*: the empirical distribution function (ties at their middle), scaled to mean 0 and standard deviation 1. Values
  between two training values are interpolated, those outside get the nearest rank.
- Values of new rows outside the range of the training rows stop at a tenth of the range beyond it; `beyond` says how
  far outside they were.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

_KNEE = 4.0
# How far, in ranges of a column, values may be outside its training range before they are clipped.
_MARGIN = 0.1
# Columns whose largest number is beyond this, or below its inverse, are rescaled before anything is squared.
_EXTREME = 1e100
_BLOCK_NUMBERS = 1 << 20


def row_blocks(n_rows, n_numbers_per_row):
    """Slices of rows that keep a block at about 8 MB, which the allocator reuses."""
    return list(gen_batches(n_rows, max(256, _BLOCK_NUMBERS // max(n_numbers_per_row, 1))))


class Views(NamedTuple):
    """The same rows twice; ``ranks`` is ``standard`` itself where ranks would say nothing new."""

    standard: np.ndarray
    ranks: np.ndarray

    @property
    def distinct(self):
        return self.ranks is not self.standard


class NumericColumns:
    """Medians, scales and ranks of X (finite or NaN), learned with positive weights; a weight of two is two rows."""

    def __init__(self, X, weight):
        largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
        extreme = (largest > 0) & ~((largest >= 1 / _EXTREME) & (largest <= _EXTREME))
        self.exponent = np.where(extreme, np.frexp(largest)[1], 0) if extreme.any() else None
        X = self._in_range(X)
        gaps = np.isnan(X)
        self.median = _quantiles(X, weight, (0.5,))[0]
        self.marked = np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0))
        filled = self._filled(X)
        self.kept = np.flatnonzero(filled.min(axis=0) < filled.max(axis=0))
        if len(self.kept) == 0:
            self.kept = np.array([0])  # nothing to learn from: members see zeros and find the class shares
        filled = filled[:, self.kept]
        self.low, self.high = filled.min(axis=0), filled.max(axis=0)
        total = weight.sum()
        mean = weight @ filled / total
        spread = np.sqrt(weight @ (filled - mean) ** 2 / total)
        low, self.centre, high = _quantiles(filled, weight, (0.25, 0.5, 0.75))
        range_ = (high - low) / 1.349
        # A range far below the spread is that of a column with one dominating value, not of an outlier's victims.
        self.unit = np.where(range_ > 1e-9 * spread, np.minimum(range_, spread), spread)
        self.unit[self.unit == 0] = 1.0
        squeezed = self._squeezed(filled)
        self.mean = weight @ squeezed / total
        self.spread = np.sqrt(weight @ (squeezed - self.mean) ** 2 / total)
        self.spread[self.spread == 0] = 1.0
        self.tables = []
        self.n_values = 0
        for x in filled.T:
            values, where = np.unique(x, return_inverse=True)
            count = np.bincount(where, weights=weight)
            rank = (np.cumsum(count) - count / 2) / total
            rank -= count @ rank / total
            rank /= np.sqrt(count @ rank**2 / total) if len(values) > 1 else 1.0
            self.tables.append((values, rank))
            self.n_values = max(self.n_values, len(values))

    def widen(self, X):
        """Extend the training range to the values of further training rows."""
        extremes = np.vstack([np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)])
        low, high = self._filled(self._in_range(extremes))[:, self.kept]
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)

    def _in_range(self, X):
        """Numbers whose squares are floats: columns near the limits times a power of two, the rest clipped."""
        if self.exponent is not None:
            with np.errstate(over="ignore"):
                X = np.ldexp(X, -self.exponent)
        return np.clip(X, -(_EXTREME**1.5), _EXTREME**1.5)

    def _filled(self, X):
        gaps = np.isnan(X)
        filled = np.where(gaps, self.median, X)
        if len(self.marked):
            filled = np.hstack([filled, gaps[:, self.marked]])
        return filled

    def _squeezed(self, filled):
        z = (filled - self.centre) / self.unit
        beyond = np.abs(z) - _KNEE
        return np.where(beyond > 0, np.sign(z) * (_KNEE + np.log1p(np.maximum(beyond, 0))), z)

    def beyond(self, X):
        """How far each row is outside the range of the training rows: the sum over columns, a range being 1."""
        filled = self._filled(self._in_range(X))[:, self.kept]
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        outside = np.maximum(np.maximum(self.low - filled, filled - self.high) / width - _MARGIN, 0.0)
        return outside.sum(axis=1)

    def views(self, X):
        """Both views of rows that may hold NaN; values beyond the range of the training rows stop at its margin."""
        filled = self._filled(self._in_range(X))[:, self.kept]
        margin = _MARGIN * (self.high - self.low)
        filled = np.clip(filled, self.low - margin, self.high + margin)
        standard = (self._squeezed(filled) - self.mean) / self.spread
        if self.n_values <= 2:
            return Views(standard, standard)
        ranks = np.empty_like(standard)
        for j, (values, rank) in enumerate(self.tables):
            ranks[:, j] = np.interp(filled[:, j], values, rank)
        return Views(standard, ranks)


def _quantiles(X, weight, levels):
    """Weighted quantiles of the columns by the inverse distribution function, NaN left out; 0 for a column of NaN."""
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    cumulated = np.cumsum(np.where(np.isnan(values), 0.0, weight[order]), axis=0)
    found = []
    for level in levels:
        # The margin keeps a weight of two and two rows together where rounding differs.
        place = (cumulated < level * cumulated[-1] * (1 - 1e-12)).sum(axis=0)
        found.append(np.take_along_axis(values, np.minimum(place, len(X) - 1)[None], axis=0)[0])
    return np.nan_to_num(found)
