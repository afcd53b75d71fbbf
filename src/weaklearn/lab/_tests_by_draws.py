"""Tests of claims by draws of means: counts of data sets, places of minima, gains, correlations."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from weaklearn.lab._claim import Found, Part, Reader
from weaklearn.lab._region import Region, name_of, shared_trials

_N_DRAWS = 2000
_MOST_GROWTH = 1024.0
# Of a mean that counts as equal to the lowest.
_SLACK = 1e-9


def _drawn_means(values: np.ndarray, rng: np.random.Generator, growth: float = 1.0) -> np.ndarray:
    """Draws of the means of the columns of `values` (trials by columns), as if there were `growth` times as many."""
    n = len(values)
    residuals = values - values.mean(axis=0)
    weights = rng.normal(size=(_N_DRAWS, n))
    weights -= weights.mean(axis=1, keepdims=True)
    scale = np.sqrt((n - 1) / rng.chisquare(n - 1, size=(_N_DRAWS, 1)))
    # Weights with mean 0 give the residuals' covariance times n / (n - 1) of what n - 1 free ones would.
    return values.mean(axis=0) + scale * (weights @ residuals) / math.sqrt(n * (n - 1) * growth)


def _drawn(
    label: str,
    cells: Mapping[str, np.ndarray],
    statistic: Callable[[Mapping[str, np.ndarray]], np.ndarray],
    region: Region,
) -> Part:
    """A statistic of means: `cells` are trials by columns for each row; `statistic` maps draws of means to numbers."""

    def draws(growth: float) -> np.ndarray:
        rng = np.random.default_rng(0)
        return statistic({row: _drawn_means(values, rng, growth) for row, values in cells.items()})

    def p_values(numbers: np.ndarray) -> tuple[float, float]:
        inside = np.count_nonzero((numbers >= region.low) & (numbers <= region.high))
        return (len(numbers) - inside + 1) / (len(numbers) + 1), (inside + 1) / (len(numbers) + 1)

    numbers = draws(1.0)
    effect = float(statistic({row: values.mean(axis=0)[None] for row, values in cells.items()})[0])
    p_true, p_false = p_values(numbers)
    growth = 1.0
    while min(p_true, p_false) > 0.05 and growth < _MOST_GROWTH and min(p_values(draws(growth))) > 0.05:
        growth *= 2
    low, high = np.quantile(numbers, (0.05, 0.95))
    n = min(len(values) for values in cells.values())
    needed = growth if growth < _MOST_GROWTH else math.inf
    return Part(label, effect, float(low), float(high), p_true, p_false, n, needed)


_Place = tuple[str, str, str, str | None]  # item, row, column, metric


def _matrices(read: Reader, cells: Mapping[str, Sequence[_Place]]) -> dict[str, np.ndarray]:
    """By name: trials by cells, at the trials that all cells have; names with fewer than two are left out."""
    shared = {
        name: shared_trials(*(read.values(*place) for place in places)) for name, places in cells.items()
    }
    return {name: np.array(values).T for name, values in shared.items() if len(values[0]) >= 2}


@dataclass(frozen=True)
class Lowest:
    """On how many rows one of some columns has the lowest mean; equal means count.

    Parameters
    ----------
    item : str
    ours : tuple of str
        The columns.
    at_least, at_most : float
        Between these two the sentence is true.
    columns : tuple of str
        All that compete; those of the item if empty.
    rows : tuple of str
    metric : str, optional
    highest : bool
        The highest mean instead.
    along : {"columns", "rows"}
        "rows": `ours` are rows, and columns are counted, each on the trials that all its rows have. (Settings are often
        rows: "width .01 has the lowest error" is ``Lowest("table 6", ("width=.01",), 1, columns=("error",),
        along="rows")``.)
    """

    item: str
    ours: tuple[str, ...]
    at_least: float = -math.inf
    at_most: float = math.inf
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    metric: str | None = None
    highest: bool = False
    along: Literal["columns", "rows"] = "columns"

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        columns = self.columns or tuple(read.columns(self.item))
        rows = self.rows or tuple(read.rows(self.item))
        turned = self.along == "rows"
        counted, competing = (columns, rows) if turned else (rows, columns)
        places = {
            name: [
                (self.item, *((other, name) if turned else (name, other)), self.metric) for other in competing
            ]
            for name in counted
        }
        cells = _matrices(read, places)
        if len(cells) < len(counted):
            return None
        own = [competing.index(name) for name in self.ours]
        sign = -1.0 if self.highest else 1.0

        def count(means: Mapping[str, np.ndarray]) -> np.ndarray:
            lowest = [
                (sign * some[:, own]).min(axis=1) <= (sign * some).min(axis=1) + _SLACK
                for some in means.values()
            ]
            return np.array(lowest, dtype=np.float64).sum(axis=0)

        label = ", ".join(self.ours) if len(self.ours) < 4 else name_of(self.ours)
        part = _drawn(label, cells, count, Region(self.at_least, self.at_most))
        unit = f"of {len(counted)} {'columns' if turned else 'rows'}"
        return Found((part,), None, unit, (self.at_least, self.at_most))


@dataclass(frozen=True)
class Minimum:
    """Where the means have their minimum.

    Parameters
    ----------
    item : str
    x : mapping
        From columns to where they lie.
    at_least, at_most : float
        The minimum lies between these two.
    rows : tuple of str
        Each by itself; all if empty.
    metric : str, optional
    unit : str
    """

    item: str
    x: Mapping[str, float]
    at_least: float = -math.inf
    at_most: float = math.inf
    rows: tuple[str, ...] = ()
    metric: str | None = None
    unit: str = ""

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        rows = self.rows or tuple(read.rows(self.item))
        places = np.array(list(self.x.values()), dtype=np.float64)
        region = Region(self.at_least, self.at_most)

        def least(means: Mapping[str, np.ndarray]) -> np.ndarray:
            (some,) = means.values()
            return places[np.argmin(some, axis=1)]

        cells = _matrices(
            read, {row: [(self.item, row, column, self.metric) for column in self.x] for row in rows}
        )
        parts = tuple(_drawn(row, {row: values}, least, region) for row, values in cells.items())
        missing = len(rows) - len(parts)
        return Found(parts, None, self.unit, (self.at_least, self.at_most), missing) if parts else None


@dataclass(frozen=True)
class Gain:
    """The largest gain, over rows, of the best of some columns on another column, in percent of the latter's mean.

    The best column is that of the lowest mean over all trials, as documents choose it.

    Parameters
    ----------
    item : str
    ours : tuple of str
        The columns of which each row takes the best.
    other : str
        The column that they are compared with.
    at_least, at_most : float
        Between these two the sentence is true.
    rows : tuple of str
    metric : str, optional
    item_b : str, optional
        The item of `other`, if not the same.
    """

    item: str
    ours: tuple[str, ...]
    other: str
    at_least: float = -math.inf
    at_most: float = math.inf
    rows: tuple[str, ...] = ()
    metric: str | None = None
    item_b: str | None = None

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        rows = self.rows or tuple(read.rows(self.item))
        columns = [*((self.item, column) for column in self.ours), (self.item_b or self.item, self.other)]
        cells = _matrices(
            read, {row: [(item, row, column, self.metric) for item, column in columns] for row in rows}
        )
        if len(cells) < len(rows):
            return None

        def gain(means: Mapping[str, np.ndarray]) -> np.ndarray:
            gains = [100.0 * (1.0 - some[:, :-1].min(axis=1) / some[:, -1]) for some in means.values()]
            return np.max(gains, axis=0)

        part = _drawn("largest gain", cells, gain, Region(self.at_least, self.at_most))
        return Found((part,), None, "percent")


@dataclass(frozen=True)
class Correlation:
    """The rank correlation of two quantities, over rows or over columns.

    Parameters
    ----------
    item : str
    first, second : tuple of str
        Over rows: the columns (a, b) whose difference is the quantity, or (a,). Over columns: (metric,).
    at_least : float
        The correlation is at least this.
    across : {"rows", "columns"}
    rows : tuple of str
        Which rows, all if empty; over columns, the one row.
    metric_second : str, optional
        Over rows: the metric of the second quantity.
    """

    item: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    at_least: float = 0.0
    across: Literal["rows", "columns"] = "rows"
    rows: tuple[str, ...] = ()
    metric_second: str | None = None

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        rows = self.rows or tuple(read.rows(self.item))
        if self.across == "rows":
            k = len(self.first)
            asked = [
                *((name, None) for name in self.first),
                *((name, self.metric_second) for name in self.second),
            ]
            places = {row: [(self.item, row, column, metric) for column, metric in asked] for row in rows}
            cells = {
                row: np.array((_minus(values.T[:k]), _minus(values.T[k:]))).T
                for row, values in _matrices(read, places).items()
            }
            if len(cells) < 3:
                return None

            def statistic(means: Mapping[str, np.ndarray]) -> np.ndarray:
                table = np.array(list(means.values()))  # rows, draws, quantities
                return _rank_correlations(table[:, :, 0].T, table[:, :, 1].T)

        else:
            columns, row = read.columns(self.item), rows[0]
            both = [
                (self.item, row, column, name) for name in (*self.first, *self.second) for column in columns
            ]
            cells = _matrices(read, {row: both})
            if not cells:
                return None

            def statistic(means: Mapping[str, np.ndarray]) -> np.ndarray:
                (some,) = means.values()
                return _rank_correlations(some[:, : len(columns)], some[:, len(columns) :])

        part = _drawn("rank correlation", cells, statistic, Region(low=self.at_least))
        return Found((part,), None, "rank correlation", (self.at_least, math.inf))


def _minus(columns: np.ndarray) -> np.ndarray:
    return columns[0] - columns[1] if len(columns) > 1 else columns[0]


def _rank_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Spearman's correlation of each row of x with that of y."""
    ranks = [stats.rankdata(values, axis=1) for values in (x, y)]
    centred = [values - values.mean(axis=1, keepdims=True) for values in ranks]
    norm = np.sqrt((centred[0] ** 2).sum(axis=1) * (centred[1] ** 2).sum(axis=1))
    return (centred[0] * centred[1]).sum(axis=1) / np.where(norm > 0, norm, 1.0)
