"""Tests of claims by means and shares of trials: differences, ratios, trends, shares of runs, facts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import stats

from weaklearn.lab._claim import Constant, Found, Part, Reader
from weaklearn.lab._region import (
    POWER,
    Columns,
    Over,
    Region,
    Relation,
    best,
    cut,
    means,
    name_of,
    shared_trials,
)


@dataclass(frozen=True)
class Difference:
    """Columns minus columns, or columns against a number.

    Parameters
    ----------
    item : str
        The table or figure: "table 2".
    pairs : tuple of (str, str or float)
        Columns (a, b): a - b is tested; b may be a number. Several columns in the place of one, as a tuple, stand for
        the best of them: the trials of one half take the column whose mean over the *other* half is lowest, so that
        choosing makes nothing look better than it is. (More than two parts would use more trials to choose by, but
        then the results depend on each other: with 16 equal columns and ten parts 13% of tests at 5% go wrong.)
    relation : {"<", ">", "="}
        a - b is less than, more than, or within `tolerance` of `bound`.
    rows : tuple of str
        All rows of the item if empty.
    metric : str, optional
        Of both columns, if not the item's own.
    item_b, metric_b : str, optional
        Of b, if not the same.
    row_b : str, optional
        The row of b, if not the same.
    by : str, optional
        The metric by which the best of several columns is chosen, if not the one that is tested.
    bound, tolerance : float
    over : {"mean", "each"}
        Whether the sentence speaks of the average over pairs and rows, or of each.
    unit : str
    """

    item: str
    pairs: tuple[tuple[Columns, Columns | float], ...]
    relation: Relation
    rows: tuple[str, ...] = ()
    metric: str | None = None
    item_b: str | None = None
    metric_b: str | None = None
    row_b: str | None = None
    by: str | None = None
    bound: float = 0.0
    tolerance: float = 0.0
    over: Over = "mean"
    unit: str = "points"

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        samples = self._samples(read)
        if not samples:
            return None
        region = self._region()
        parts = tuple(
            self._tested(region, label, [values], exact) for (_, label), (values, exact) in samples.items()
        )
        overall = None
        if self.over == "mean":
            # Pairs of one row share its trials: they are averaged trial by trial, rows are independent.
            by_row: dict[str, list[np.ndarray]] = {}
            for (row, _), (values, _) in samples.items():
                by_row.setdefault(row, []).append(values)
            averages = [np.mean(cut(some), axis=0) for some in by_row.values()]
            exact = all(exact for _, exact in samples.values())
            overall = self._tested(region, "average", averages, exact)
        rows = self.rows or tuple(read.rows(self.item))
        missing = len(rows) * len(self.pairs) - len(samples)
        bounds = self._shown(region.low), self._shown(region.high)
        return Found(parts, overall, self.unit, bounds, missing)

    def _samples(self, read: Reader) -> dict[tuple[str, str], tuple[np.ndarray, bool]]:
        """By row and label: the trials, and whether both columns are deterministic."""
        rows = self.rows or tuple(read.rows(self.item))
        samples = {}
        for row in rows:
            for a, b in self.pairs:
                first = best(read, self.item, row, a, self.metric, self.by)
                if isinstance(b, str | tuple):
                    item, metric = self.item_b or self.item, self.metric_b or self.metric
                    second = best(read, item, self.row_b or row, b, metric, self.by)
                else:
                    same = {index: float(b) for index in first}
                    second = Constant(same) if isinstance(first, Constant) else same
                x, y = shared_trials(first, second)
                if len(x) >= 2:
                    named = f"{name_of(a)} - {name_of(b)}" if isinstance(b, str | tuple) else name_of(a)
                    label = row if len(self.pairs) == 1 else named if len(rows) == 1 else f"{row}: {named}"
                    exact = isinstance(first, Constant) and isinstance(second, Constant)
                    samples[row, label] = self._compared(x, y), exact
        return samples

    def _region(self) -> Region:
        return Region.of(self.relation, self.bound, self.tolerance)

    def _compared(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x - y

    def _tested(self, region: Region, label: str, series: Sequence[np.ndarray], exact: bool) -> Part:
        part = region.tested(label, *means(series), exact)
        effect, low, high = map(self._shown, (part.effect, part.low, part.high))
        return replace(part, effect=effect, low=low, high=high)

    def _shown(self, value: float) -> float:
        return value


@dataclass(frozen=True)
class Ratio(Difference):
    """As `Difference`, of positive quantities: a / b against `bound`, which is 1 by default.

    Trials are compared by the logarithm of the ratio; effects are geometric means.
    """

    bound: float = 1.0
    unit: str = "ratio"

    def _region(self) -> Region:
        return Region.of(self.relation, math.log(self.bound), math.log1p(self.tolerance))

    def _compared(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.log(x) - np.log(y)

    def _shown(self, value: float) -> float:
        return value if value == math.inf else math.exp(min(value, 700.0))


@dataclass(frozen=True)
class Trend:
    """Whether means rise or fall along columns or rows.

    Parameters
    ----------
    item : str
    x : mapping
        From the names of columns (or rows) to where they lie; the slope is that of the least-squares line.
    relation : {"<", ">"}
        The slope times the range of x, that is the total change, is less than or more than 0.
    along : {"columns", "rows"}
    others : tuple of str
        The rows (or columns) on which the trend is tested, each by itself; all if empty.
    metric : str, optional
    over : {"mean", "each"}
    unit : str
    """

    item: str
    x: Mapping[str, float]
    relation: Literal["<", ">"]
    along: Literal["columns", "rows"] = "columns"
    others: tuple[str, ...] = ()
    metric: str | None = None
    over: Over = "mean"
    unit: str = "points"

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        columns = self.along == "columns"
        others = self.others or tuple(read.rows(self.item) if columns else read.columns(self.item))
        places = np.array(list(self.x.values()), dtype=np.float64)
        centred = places - places.mean()
        contrast = centred / (centred**2).sum() * np.ptp(places)
        samples = {}
        for other in others:
            cells = [
                read.values(self.item, *((other, name) if columns else (name, other)), self.metric)
                for name in self.x
            ]
            shared = shared_trials(*cells)
            if len(shared[0]) >= 2:
                samples[other] = contrast @ np.array(shared)
        if not samples:
            return None
        region = Region.of(self.relation)
        parts = tuple(region.tested(other, *means([values])) for other, values in samples.items())
        overall = None
        if self.over == "mean":
            # Columns of one row share its trials, rows do not.
            rows = list(samples.values()) if columns else [np.mean(cut(samples.values()), axis=0)]
            overall = region.tested("average", *means(rows))
        missing = len(others) - len(samples)
        return Found(parts, overall, self.unit, (region.low, region.high), missing)


@dataclass(frozen=True)
class Share:
    """The share of runs in which something happens, against a bound.

    Parameters
    ----------
    item : str
    columns : tuple of str
    relation : {"<", ">", "="}
        The share is less than, more than, or within `tolerance` of `bound`.
    bound, tolerance : float
    at_least, at_most : float
        It happens when the metric lies between these two.
    rows : tuple of str
    metric : str, optional
    over : {"mean", "each"}
        "mean" counts all runs together.
    """

    item: str
    columns: tuple[str, ...]
    relation: Relation
    bound: float
    tolerance: float = 0.0
    at_least: float = -math.inf
    at_most: float = math.inf
    rows: tuple[str, ...] = ()
    metric: str | None = None
    over: Over = "mean"

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        counts: dict[str, tuple[int, int]] = {}
        rows = self.rows or tuple(read.rows(self.item))
        for row in rows:
            for column in self.columns:
                values = read.values(self.item, row, column, self.metric).values()
                happened = sum(self.at_least <= value <= self.at_most for value in values)
                if values:
                    single = len(self.columns) == 1
                    label = row if single else column if len(rows) == 1 else f"{row}: {column}"
                    counts[label] = happened, len(values)
        if not counts:
            return None
        region = Region.of(self.relation, self.bound, self.tolerance)
        parts = tuple(_share(region, label, *count) for label, count in counts.items())
        pooled = _share(region, "all runs", *map(sum, zip(*counts.values(), strict=True)))
        bounds = (max(region.low, 0.0), min(region.high, 1.0))
        missing = len(rows) * len(self.columns) - len(counts)
        return Found(parts, pooled if self.over == "mean" else None, "share of runs", bounds, missing)


def _share(region: Region, label: str, happened: int, n: int) -> Part:
    """The part of a share of runs, by exact binomial tests."""
    share = happened / n
    interval = stats.binomtest(happened, n).proportion_ci(0.9, "exact")

    def tail(end: float, alternative: str) -> float:
        if not 0.0 <= end <= 1.0:
            return 0.0
        return float(stats.binomtest(happened, n, end, alternative=alternative).pvalue)

    ends = [
        (end, above, below)
        for end, above, below in ((region.low, "greater", "less"), (region.high, "less", "greater"))
        if math.isfinite(end)
    ]
    p_true = max(tail(end, above) for end, above, _ in ends)
    p_false = min(1.0, len(ends) * min(tail(end, below) for end, _, below in ends))
    nearest = min(abs(share - end) for end, _, _ in ends)
    spread = max(share * (1 - share), 0.25 / n)
    needed = (1.645 + POWER) ** 2 * spread / n / nearest**2 if nearest > 0 else math.inf
    return Part(label, share, interval.low, interval.high, p_true, p_false, n, max(needed, 1.0))


@dataclass(frozen=True)
class Fact:
    """A deterministic quantity that must lie between two bounds.

    Parameters
    ----------
    item, row, column : str
    at_least, at_most : float
    metric : str, optional
    """

    item: str
    row: str
    column: str
    at_least: float = -math.inf
    at_most: float = math.inf
    metric: str | None = None
    unit: str = ""

    def found(self, read: Reader) -> Found | None:
        """See `weaklearn.lab._claim.Test`."""
        values = list(read.values(self.item, self.row, self.column, self.metric).values())
        if not values:
            return None
        true = all(self.at_least <= value <= self.at_most for value in values)
        part = Part(
            self.row, values[0], min(values), max(values), float(not true), float(true), len(values), 1.0
        )
        return Found((part,), None, self.unit, (self.at_least, self.at_most))
