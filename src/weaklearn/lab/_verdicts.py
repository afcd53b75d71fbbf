"""What the numbers of a table say about the published ones: confirmed, contradicted or undecided.

Pure functions of numbers; nothing here knows of trials, tables or stores.

The quantity
------------
D = ours - published, where ours is the mean of n trials with sample deviation s. A published value
has a standard error p: the published one (over m runs); where none is published, s / sqrt(m), because
the only spread known is our own; m = 1 makes this a prediction interval for one run. If the number
of runs is not published either, the publication is taken to have had as many trials as we have, no
more. Rounding is not an error of chance: the published number stands for the interval half a unit of
its last digit to each side.

The standard error of D is sqrt(s^2 / n + p^2). Where each side drew the data for itself it is
sqrt(s^2 / n + p^2 + 2 d^2): d is the deviation from one draw to another, and no number of trials reduces it. The
degrees of freedom are n - 1 if p comes from s
(exact for normal trials), and otherwise the smaller of n - 1 and m - 1, which never gives too many
rejections (Mickey and Brown, 1966). Welch's estimate does at n = 2: two trials that happen to be close
make p dominate, and with it the degrees of freedom.

The tolerance
-------------
The smallest difference that the document itself treats as meaningful. A table may state it (one unit of the
last digit remains the least); by default it is three published standard errors of a difference of two
cells, 3 sqrt(2) p (3 p where the compared
quantity is such a difference already), and never less than one unit of the last digit.
Without published error or runs the tolerance is that one unit: our own precision says nothing about what
the document found meaningful.

The verdicts
------------
*Confirmed*: D is shown to be smaller than the tolerance, by two one-sided t tests (TOST). Within a
table the step-up procedure of Hochberg (1988) keeps the chance of any false confirmation at 5%. It is
valid for independent and for positively dependent tests (cells of a table share their splits), and
confirms a whole table as soon as each of its cells passes at 5%: the intersection-union rule.

*Contradicted*: D is shown to be different from 0, by a t test whose null hypothesis is the rounding
interval, *and* is larger than the tolerance. Holm's procedure keeps the chance of any false
contradiction in a table at 1%, whatever the dependence. The second condition has a reason: with many
trials of ours any bias of no consequence differs from 0. A test for a difference shown to exceed the
tolerance would be too lenient, because the published error bounds how sharp it can ever be: six
published standard errors could stay undecided for ever.

*Undecided*: neither.

Special cases
-------------
- A published bound ("at least", "at most") has no error of its own, no rounding and no tolerance: confirmed if
  the mean is shown to satisfy it, contradicted if it is shown to violate it, by one-sided t tests in the
  same two families.
- A deterministic quantity has no standard error: it is confirmed if it rounds to the published value
  (or differs by at most the table's stated tolerance), otherwise contradicted. Equal trials are not
  taken for determinism.
- Trials of a random quantity that are all equal, last bits apart, have shown no spread. Theirs is then taken to be the
  published one, p sqrt(m), or else one unit of the last digit; and as a value of probability 1/2
  repeats n times with probability 2^-(n - 1), no test of theirs has a smaller p-value than that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.special import stdtr

from weaklearn._holm import holm

CONFIRMED = "confirmed"
CONTRADICTED = "contradicted"
UNDECIDED = "undecided"

#: The chance, per table, of at least one false verdict of the kind.
FALSE_CONFIRMATION = 0.05
FALSE_CONTRADICTION = 0.01

Relation = Literal["value", "at least", "at most"]

_STANDARD_ERRORS = 3.0
# Binary fractions: 60.175 and 60.17 are a little more than half a unit apart.
_SLACK = 1e-9


@dataclass(frozen=True)
class Evidence:
    """The numbers behind one cell.

    Parameters
    ----------
    n : int
        Our trials: at least 2, or 1 if deterministic.
    mean, spread : float
        Mean and sample standard deviation of the trials.
    published : float
    error : float, optional
        The published standard error.
    runs : int, optional
        The published number of runs.
    digit : float
        One unit of the last published digit.
    relation : {"value", "at least", "at most"}
        What the published number claims about the mean.
    deterministic : bool
        Whether the quantity is declared to be the same in every trial.
    tolerance : float, optional
        As stated for the table; None for the default.
    of_difference : bool
        Whether the published number is itself a difference of two cells.
    draw_error : float
        The deviation of the quantity from one draw of the data to another, where the published data were one draw
        and ours are another.
    """

    n: int
    mean: float
    spread: float
    published: float
    error: float | None = None
    runs: int | None = None
    digit: float = 0.01
    relation: Relation = "value"
    deterministic: bool = False
    tolerance: float | None = None
    of_difference: bool = False
    draw_error: float = 0.0

    def __post_init__(self) -> None:
        if self.n < (1 if self.deterministic else 2):
            raise ValueError(f"a verdict takes at least 2 trials (deterministic: 1), got {self.n}")
        for name in ("spread", "error", "digit", "tolerance", "draw_error"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name} must not be negative, got {value}")
        if self.runs is not None and self.runs < 1:
            raise ValueError(f"runs must be at least 1, got {self.runs}")

    @property
    def difference(self) -> float:
        """Ours minus published."""
        return self.mean - self.published

    @property
    def has_spread(self) -> bool:
        """Whether the trials differ by more than the last bits of a difference of two errors."""
        return self.spread > _SLACK * max(self.digit, abs(self.mean), abs(self.published))

    @property
    def our_spread(self) -> float:
        """The deviation of one trial; that of equal trials is taken from elsewhere."""
        if self.has_spread:
            return self.spread
        if self.error and self.runs:
            return self.error * math.sqrt(self.runs)
        return self.digit

    def published_error(self, n: int) -> float:
        """The standard error of the published value, if we had `n` trials."""
        if self.relation != "value":
            return 0.0
        if self.error is not None:
            return self.error
        return self.our_spread / math.sqrt(self.runs or n)

    def standard_error(self, n: int) -> float:
        """That of the difference, with `n` trials of ours."""
        chance = math.hypot(self.our_spread / math.sqrt(n), self.published_error(n))
        return math.hypot(chance, math.sqrt(2) * self.draw_error)

    def degrees_of_freedom(self, n: int) -> int:
        """Those of the standard error, with `n` trials of ours."""
        # A single run has no published error of its own.
        if self.relation == "value" and self.error and self.runs and self.runs > 1:
            return min(n, self.runs) - 1
        return n - 1

    def meaningful(self) -> tuple[float, str]:
        """The tolerance, and where it comes from."""
        if self.relation != "value":
            return 0.0, "a bound"
        if self.tolerance is not None:
            # No difference smaller than the last digit can be read off the publication.
            least = 0.0 if self.deterministic else self.digit
            return max(self.tolerance, least), "stated for the table"
        if self.deterministic:
            return self.digit / 2, "deterministic: the published precision"
        if self.error is None and self.runs is None:
            return self.digit, "one unit of the last published digit"
        limit = _STANDARD_ERRORS * self.published_error(self.n)
        if not self.of_difference:
            limit *= math.sqrt(2)
        if limit < self.digit:
            return self.digit, "one unit of the last published digit"
        if self.error is not None:
            return limit, "three published standard errors of a difference"
        return limit, f"three standard errors of a difference of {self.runs} runs, from our spread"

    def p_equal(self, n: int) -> float:
        """How probable so small a difference is if the true one is at least the tolerance."""
        difference, (tolerance, _) = self.difference, self.meaningful()
        if self.relation == "at least":
            return self._tail(difference, n)
        if self.relation == "at most":
            return self._tail(-difference, n)
        return self._tail(tolerance - abs(difference), n)

    def p_different(self, n: int) -> float:
        """How probable so large a difference is if the true one is 0, rounding apart; 1 within the tolerance."""
        difference, (tolerance, _) = self.difference, self.meaningful()
        if self.relation == "at least":
            return self._tail(-difference, n)
        if self.relation == "at most":
            return self._tail(difference, n)
        if abs(difference) <= tolerance:
            return 1.0
        return min(1.0, 2 * self._tail(abs(difference) - self.digit / 2, n))

    def _tail(self, distance: float, n: int) -> float:
        error = self.standard_error(n)
        if error > 0:
            p = float(stdtr(self.degrees_of_freedom(n), -distance / error))
        else:
            p = 0.0 if distance > 0 else 1.0  # whole numbers without spread, digit 0
        return p if self.has_spread else max(p, 2.0 ** -(n - 1))


@dataclass(frozen=True)
class Judgement:
    """The verdict on one cell.

    Attributes
    ----------
    verdict : {"confirmed", "contradicted", "undecided"}
    difference : float
        Ours minus published.
    standard_error : float or None
        That of the difference; None if deterministic.
    tolerance : float
    tolerance_reason : str
    """

    verdict: str
    difference: float
    standard_error: float | None
    tolerance: float
    tolerance_reason: str


def judge(table: Sequence[Evidence]) -> list[Judgement]:
    """The verdicts on all cells of one table, which share the two error rates.

    Examples
    --------
    >>> cell = Evidence(n=100, mean=10.1, spread=1.0, published=10.0, error=0.1, runs=100)
    >>> judge([cell])[0].verdict
    'confirmed'
    """
    random = [k for k, cell in enumerate(table) if not cell.deterministic]
    equal = [table[k].p_equal(table[k].n) for k in random]
    different = [table[k].p_different(table[k].n) for k in random]
    confirmed = {random[i] for i in _hochberg(equal, FALSE_CONFIRMATION)}
    contradicted = {random[i] for i, p in enumerate(holm(different)) if p <= FALSE_CONTRADICTION}
    judgements = []
    for k, cell in enumerate(table):
        tolerance, reason = cell.meaningful()
        if cell.deterministic:
            verdict = CONFIRMED if _holds(cell, tolerance) else CONTRADICTED
        elif k in confirmed:
            verdict = CONFIRMED
        else:
            verdict = CONTRADICTED if k in contradicted else UNDECIDED
        judgements.append(
            Judgement(
                verdict,
                cell.difference,
                None if cell.deterministic else cell.standard_error(cell.n),
                tolerance,
                reason,
            )
        )
    return judgements


def _holds(cell: Evidence, tolerance: float) -> bool:
    slack = _SLACK * max(cell.digit, abs(cell.published))
    if cell.relation == "at least":
        return cell.difference >= -slack
    if cell.relation == "at most":
        return cell.difference <= slack
    return abs(cell.difference) <= tolerance + slack


def _hochberg(p_values: Sequence[float], level: float) -> list[int]:
    """The hypotheses that Hochberg's step-up procedure rejects."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank in range(len(order), 0, -1):
        if p_values[order[rank - 1]] <= level / (len(order) - rank + 1):
            return order[:rank]
    return []
