"""What tests of claims share: where a sentence is true, means of trials, trials of the same index."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from weaklearn.lab._claim import Constant, Part, Reader

Relation = Literal["<", ">", "="]
Over = Literal["mean", "each"]
Columns = str | tuple[str, ...]
POWER = 0.84  # standard normal: a planned number of trials decides in four cases of five


@dataclass(frozen=True)
class Region:
    """Where a sentence is true: between `low` and `high`."""

    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def of(cls, relation: str, bound: float = 0.0, tolerance: float = 0.0) -> "Region":
        if relation not in ("<", ">", "="):
            raise ValueError(f'relation must be "<", ">" or "=", got {relation!r}')
        if relation == "=":
            return cls(bound - tolerance, bound + tolerance)
        return cls(high=bound) if relation == "<" else cls(low=bound)

    def tested(self, label: str, effect: float, error: float, df: float, n: int, exact: bool = False) -> Part:
        """The part with this estimate, by Student's t; if `exact`, nothing about it is random."""
        ends = ((self.low, effect - self.low), (self.high, self.high - effect))
        inside = [distance for end, distance in ends if math.isfinite(end)]

        def tail(distance: float) -> float:
            if error > 0:
                return float(stats.t.sf(distance / error, df))
            # Equal trials: a value of probability 1/2 repeats n times with probability 2^-(n - 1).
            return (0.0 if exact else 2.0 ** -(n - 1)) if distance > 0 else 1.0

        p_true = max(tail(distance) for distance in inside)
        # Both ends may be violated: each has half of the level.
        p_false = min(1.0, len(inside) * min(tail(-distance) for distance in inside))
        half = error * float(stats.t.ppf(0.95, df)) if error > 0 else 0.0
        nearest = min(abs(distance) for distance in inside)
        needed = ((1.645 + POWER) * error / nearest) ** 2 if nearest > 0 else math.inf
        return Part(label, effect, effect - half, effect + half, p_true, p_false, n, max(needed, 1.0))


def means(series: Sequence[np.ndarray]) -> tuple[float, float, float, int]:
    """The average of the means of independent samples: estimate, standard error, degrees of freedom, trials."""
    variances = np.array([values.var(ddof=1) / len(values) for values in series])
    total = float(variances.sum())
    freedom = np.array([len(values) - 1 for values in series])
    df = total**2 / float((variances**2 / freedom).sum()) if total > 0 else float(freedom.sum())
    mean = float(np.mean([values.mean() for values in series]))
    return mean, math.sqrt(total) / len(series), df, min(len(values) for values in series)


def shared_trials(*values: Mapping[int, float]) -> list[np.ndarray]:
    """Samples at the trials that all of them have; a constant has all, if it has any."""
    drawn = [one for one in values if not (isinstance(one, Constant) and one)] or values
    common = sorted(set.intersection(*(set(one) for one in drawn)))
    return [
        np.full(len(common), next(iter(one.values())))
        if isinstance(one, Constant) and one
        else np.array([one[index] for index in common])
        for one in values
    ]


def best(
    read: Reader, item: str, row: str, columns: Columns, metric: str | None, by: str | None
) -> Mapping[int, float]:
    """The values of a column; of several, in each half of the trials those of the column lowest in the other half."""
    if isinstance(columns, str):
        return read.values(item, row, columns, metric)
    values = [read.values(item, row, column, metric) for column in columns]
    judged = values if by is None else [read.values(item, row, column, by) for column in columns]
    common = sorted(set.intersection(*(set(one) for one in judged)))
    if len(common) < 2:
        return {}
    halves = common[::2], common[1::2]
    chosen = [int(np.argmin([np.mean([one[index] for index in half]) for one in judged])) for half in halves]
    return {
        index: values[column][index]
        for half, column in zip(halves, reversed(chosen), strict=True)
        for index in half
    }


def name_of(columns: Columns) -> str:
    return columns if isinstance(columns, str) else f"best of {columns[0]} ... {columns[-1]}"


def cut(series: Iterable[np.ndarray]) -> list[np.ndarray]:
    """The samples at the length of the shortest."""
    some = list(series)
    return [values[: min(map(len, some))] for values in some]
