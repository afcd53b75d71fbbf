"""What is known of the trials of a cell: their number, mean and standard error."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Mean and standard error; a single value has no standard error.

    Sums are exact (`math.fsum`), so the order in which trials finished cannot matter.

    >>> mean_and_error([1.0, 3.0])
    (2.0, 1.0)
    """
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return mean, None
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, math.sqrt(variance / n)


@dataclass(frozen=True)
class Sample:
    """The trials of a cell.

    Attributes
    ----------
    n : int
    mean, error : float or None
        Mean and standard error; a single trial has no error, none has neither.
    values : mapping
        By index of the trial.
    """

    n: int = 0
    mean: float | None = None
    error: float | None = None
    values: Mapping[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[int, float]) -> "Sample":
        """The sample of some values."""
        if not values:
            return cls()
        return cls(len(values), *mean_and_error(list(values.values())), values)

    @property
    def spread(self) -> float:
        """The sample deviation; 0 of a single trial."""
        return 0.0 if self.error is None else self.error * math.sqrt(self.n)

    @property
    def varies(self) -> bool:
        """Whether the trials differ, last bits apart."""
        return self.spread > 1e-9 * abs(self.mean or 0.0) + 1e-12

    def minus(self, other: "Sample") -> "Sample":
        """The differences, trial by trial: trials of the same index share their split."""
        shared = sorted(self.values.keys() & other.values.keys())
        return Sample.of({index: self.values[index] - other.values[index] for index in shared})
