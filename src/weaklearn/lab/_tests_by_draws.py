"""Tests of claims by draws of means: counts of data sets, places of minima, gains, correlations."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import stats

from weaklearn.lab._claim import Found, Part, Reader
from weaklearn.lab._region import Region, name_of, shared_trials

_N_DRAWS = 2000
_MOST_GROWTH = 1024.0


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


def _matrices(
    read: Reader,
    item: str,
    rows: Sequence[str],
    columns: Sequence[str],
    metric: str | None,
    *,
    turned: bool = False,
) -> dict[str, np.ndarray]:
    """By row: trials by columns, at the trials that all columns have; rows with fewer than two are left out.

    Turned: rows are columns of the item, and columns its rows.
    """
    found = {}
    for row in rows:
        places = [(column, row) if turned else (row, column) for column in columns]
        shared = shared_trials(*(read.values(item, *place, metric) for place in places))
        if len(shared[0]) >= 2:
            found[row] = np.array(shared).T
    return found


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
    slack : float
        A mean within this of the lowest counts as lowest.
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
    slack: float = 1e-9
    along: Literal["columns", "rows"] = "columns"

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        columns = self.columns or tuple(read.columns(self.item))
        rows = self.rows or tuple(read.rows(self.item))
        turned = self.along == "rows"
        counted, competing = (columns, rows) if turned else (rows, columns)
        cells = _matrices(read, self.item, counted, competing, self.metric, turned=turned)
        if len(cells) < len(counted):
            return None
        own = [competing.index(name) for name in self.ours]
        sign = -1.0 if self.highest else 1.0

        def count(means: Mapping[str, np.ndarray]) -> np.ndarray:
            lowest = [
                (sign * some[:, own]).min(axis=1) <= (sign * some).min(axis=1) + self.slack
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

        cells = _matrices(read, self.item, rows, tuple(self.x), self.metric)
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
        cells = {}
        for row in rows:
            values = [read.values(self.item, row, column, self.metric) for column in self.ours]
            shared = shared_trials(
                *values, read.values(self.item_b or self.item, row, self.other, self.metric)
            )
            if len(shared[0]) < 2:
                return None
            cells[row] = np.array(shared).T

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
    rows, columns : tuple of str
        Which rows; over columns, the one row and which columns. All if empty.
    metric_first, metric_second : str, optional
        Over rows: the metrics of the two quantities.
    """

    item: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    at_least: float = 0.0
    across: Literal["rows", "columns"] = "rows"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    metric_first: str | None = None
    metric_second: str | None = None
    labels: tuple[str, str] = field(default=("first", "second"))

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        rows = self.rows or tuple(read.rows(self.item))
        if self.across == "rows":
            cells = {}
            for row in rows:
                asked = [(column, self.metric_first) for column in self.first]
                asked += [(column, self.metric_second) for column in self.second]
                shared = shared_trials(
                    *(read.values(self.item, row, column, metric) for column, metric in asked)
                )
                if len(shared[0]) >= 2:
                    k = len(self.first)
                    quantities = (_minus(shared[:k]), _minus(shared[k:]))
                    cells[row] = np.array(quantities).T
            if len(cells) < 3:
                return None

            def statistic(means: Mapping[str, np.ndarray]) -> np.ndarray:
                table = np.array(list(means.values()))  # rows, draws, quantities
                return _rank_correlations(table[:, :, 0].T, table[:, :, 1].T)

        else:
            columns = self.columns or tuple(read.columns(self.item))
            both = [
                read.values(self.item, rows[0], column, metric)
                for metric in (*self.first, *self.second)
                for column in columns
            ]
            shared = shared_trials(*both)
            if len(shared[0]) < 2:
                return None
            cells = {rows[0]: np.array(shared).T}

            def statistic(means: Mapping[str, np.ndarray]) -> np.ndarray:
                (some,) = means.values()
                return _rank_correlations(some[:, : len(columns)], some[:, len(columns) :])

        part = _drawn("rank correlation", cells, statistic, Region(low=self.at_least))
        return Found((part,), None, "rank correlation", (self.at_least, math.inf))


def _minus(columns: Sequence[np.ndarray]) -> np.ndarray:
    return columns[0] - columns[1] if len(columns) > 1 else columns[0]


def _rank_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Spearman's correlation of each row of x with that of y."""
    ranks = [stats.rankdata(values, axis=1) for values in (x, y)]
    centred = [values - values.mean(axis=1, keepdims=True) for values in ranks]
    norm = np.sqrt((centred[0] ** 2).sum(axis=1) * (centred[1] ** 2).sum(axis=1))
    return (centred[0] * centred[1]).sum(axis=1) / np.where(norm > 0, norm, 1.0)
