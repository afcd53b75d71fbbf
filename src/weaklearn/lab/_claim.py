"""Claims: sentences of a document, each with a test over trials, and what the trials say.

A `Claim` is data: where it stands, the sentence, and a test or several (`weaklearn.lab.claims` has the kinds). A test
gives *parts*, one for each data set or comparison that the sentence speaks of. A part has an effect, a 90% interval,
and two p-values: `p_true` is small when the trials show that the sentence is true there, `p_false` when they show that
it is false. Each is at most 5% by chance in the opposite case, at the edge included.

The verdict on a test
---------------------
A test that speaks of the average over its parts (``over="mean"``) has an overall part as well:

- *holds*: the overall part is shown true, and no part is shown false;
- *does not hold*: the overall part is shown false, and no part is shown true;
- *holds in part*: the overall part is shown one way and some part the other way, or parts are shown both ways;
- *open*: neither.

A test that speaks of every part (``over="each"``) holds if each part is shown true, at 5% each (the intersection-union
rule needs no correction); does not hold if some part is shown false and none true; holds in part if parts are shown
both ways; else it is open. Single parts count as shown at 5% after Holm's correction over the parts.

The verdict on a claim
----------------------
A claim with several tests holds if all of them hold, does not hold if none of them holds even in part and at least one
does not hold, holds in part if some are (partly) true and some (partly) false, and is open otherwise.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from typing import Protocol as TypingProtocol

from weaklearn._holm import holm
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Column, Row
from weaklearn.lab._results import Results, cell_values
from weaklearn.lab._spec import Experiment, Figure, Table

# A claim that needs more trials than this times those it has is at its edge: no number would decide it.
_MOST_GROWTH = 1000.0
# Nor are more run of any cell: they say nothing more about a document that had fewer.
MOST_TRIALS = 1000
HOLDS, IN_PART, FAILS, OPEN = "holds", "holds in part", "does not hold", "open"
LEVEL = 0.05


@dataclass(frozen=True)
class Part:
    """What the trials say about one data set or comparison.

    Attributes
    ----------
    label : str
    effect, low, high : float
        The estimate and its 90% interval.
    p_true, p_false : float
        Small if the sentence is shown to be true, or false, here.
    n : int
        Trials.
    needed : float
        By how much the number of trials would have to grow to decide; infinite if no number would.
    """

    label: str
    effect: float
    low: float
    high: float
    p_true: float
    p_false: float
    n: int
    needed: float = math.inf


@dataclass(frozen=True)
class Found:
    """What a test found: its parts, and the overall one where it speaks of an average.

    ``unit`` says what effects are measured in, ``bounds`` between which effects the sentence is true,
    ``missing`` how many comparisons have too few trials: without them nothing is said about all.
    """

    parts: tuple[Part, ...]
    overall: Part | None = None
    unit: str = ""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    missing: int = 0

    @property
    def needed(self) -> float:
        """By how much the number of trials would have to grow to decide; infinite if no number would."""
        if self.overall is not None:
            return self.overall.needed
        return max((part.needed for part in self.parts), default=math.inf)


class Test(TypingProtocol):
    """A kind of test: a frozen dataclass with one method."""

    def found(self, read: "Reader") -> Found | None:
        """What the trials say; None if there are too few."""


@dataclass(frozen=True)
class Claim:
    """A sentence of a document, and how it is tested.

    Parameters
    ----------
    id : str
        A short name, unique in its document: "fld start".
    where : str
        The place: "4.1; Figure 1".
    claim : str
        The sentence, in our words.
    test : Test or tuple of Test
        All of them must hold. None if it cannot be tested, with the reason in `note`.
    note : str
        What is known: readings tried, where the evidence is. It never changes a verdict.
    live : int
        Trials of each cell in the quick profile; 0 leaves the claim to the record.
    reading : bool
        It is a reading of ours, beside a sentence of the document: shown, but not counted.
    """

    id: str
    where: str
    claim: str
    test: Any
    note: str = ""
    live: int = 0
    reading: bool = False

    @property
    def tests(self) -> "tuple[Test, ...]":
        """The tests, as a tuple."""
        if self.test is None:
            return ()
        return self.test if isinstance(self.test, tuple) else (self.test,)


class Constant(dict[int, float]):
    """The value of a deterministic cell, at the trials that were run; any other trial has the same."""


class Reader:
    """Gives tests the values of cells, by item ("table 2"), row and column, and notes what was asked for.

    Parameters
    ----------
    experiments : sequence of Experiment
        Those of one document. An item that two of them have is named "EXPERIMENT/ITEM".
    results : callable
        From an experiment to its `Results`.
    """

    def __init__(self, experiments: Sequence[Experiment], results: Callable[[Experiment], Results]) -> None:
        self._parts: dict[str, tuple[Experiment, Table | Figure]] = {}
        for experiment in experiments:
            for part in experiment.parts:
                self._parts.setdefault(part.item, (experiment, part))
                self._parts[f"{experiment.name}/{part.item}"] = experiment, part
        self._results = results
        self.asked: dict[tuple[str, str, str, str], tuple[Table | Figure, Row, Column]] = {}

    def part(self, item: str) -> Table | Figure:
        """The table or figure of this name."""
        return self._find(item)[1]

    def rows(self, item: str) -> list[str]:
        """The rows of an item."""
        return [row.label for row in self.part(item).rows]

    def columns(self, item: str) -> list[str]:
        """The columns of an item."""
        return [column.name for column in self.part(item).columns]

    def values(self, item: str, row: str, column: str, metric: str | None = None) -> dict[int, float]:
        """A metric of a cell, the table's own by default, by the index of the trial; `Constant` if deterministic."""
        experiment, part = self._find(item)
        found_row = next((one for one in part.rows if one.label == row), None)
        found_column = next((one for one in part.columns if one.name == column), None)
        if found_row is None or found_column is None:
            missing, kind = (row, "row") if found_row is None else (column, "column")
            known = self.rows(item) if found_row is None else self.columns(item)
            raise LabError(
                f"{item} of {experiment.source} has no {kind} {missing!r}; it has: {', '.join(known)}"
            )
        self.asked[experiment.name, part.item, row, column] = part, found_row, found_column
        values = cell_values(self._results(experiment), part, found_row, found_column, metric)
        return Constant(values) if isinstance(part, Table) and part.is_deterministic(row, column) else values

    def _find(self, item: str) -> tuple[Experiment, Table | Figure]:
        if item not in self._parts:
            known = ", ".join(name for name in self._parts if "/" not in name)
            raise LabError(f"a claim names the item {item!r}; known: {known}")
        return self._parts[item]


@dataclass(frozen=True)
class ClaimResult:
    """The verdict on a claim.

    Attributes
    ----------
    claim : Claim
    document : str
    verdict : {"holds", "holds in part", "does not hold", "open"}
    found : tuple of (Test verdict, Found)
        What each test found.
    where_true, where_false : tuple of str
        The parts that are shown to be true and to be false.
    needed : float
        Of an open claim: by how much the number of trials would have to grow; infinite if no number would decide.
    minutes : float or None
        Of an open claim: the CPU minutes that these trials take, by the recorded times.
    items : tuple of (str, str)
        Where its trials are: experiment, and table or figure.
    """

    claim: Claim
    document: str
    verdict: str
    found: tuple[tuple[str, Found], ...] = ()
    where_true: tuple[str, ...] = ()
    where_false: tuple[str, ...] = ()
    needed: float = math.inf
    minutes: float | None = None
    items: tuple[tuple[str, str], ...] = ()

    @property
    def n_trials(self) -> int:
        """The most trials of any part."""
        return max((part.n for _, found in self.found for part in found.parts), default=0)

    @property
    def main(self) -> Part | None:
        """The effect that is quoted: the overall part of the first test, or its only part, or its weakest one."""
        if not self.found:
            return None
        found = self.found[0][1]
        if found.overall is not None:
            return found.overall
        return max(found.parts, key=lambda part: part.p_true, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        main = self.main
        return {
            "id": f"{self.document}: {self.claim.id}",
            "document": self.document,
            "where": self.claim.where,
            "claim": self.claim.claim,
            "verdict": self.verdict,
            "effect": None if main is None else main.effect,
            "low": None if main is None else _finite(main.low),
            "high": None if main is None else _finite(main.high),
            "unit": self.found[0][1].unit if self.found else "",
            "trials": self.n_trials,
            "where_true": list(self.where_true),
            "where_false": list(self.where_false),
            "minutes": self.minutes,
            "note": self.claim.note,
            "reading": self.claim.reading,
            "tests": [
                {
                    "verdict": verdict,
                    "unit": found.unit,
                    "parts": [
                        {name: _finite(value) for name, value in asdict(part).items()}
                        for part in (*found.parts, *([found.overall] if found.overall else []))
                    ],
                }
                for verdict, found in self.found
            ],
        }


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def judge_parts(found: Found) -> tuple[str, list[str], list[str]]:
    """The verdict on a test, and the labels of the parts that are shown true and false."""
    true = [p <= LEVEL for p in holm([part.p_true for part in found.parts])]
    false = [p <= LEVEL for p in holm([part.p_false for part in found.parts])]
    where_true = [part.label for part, shown in zip(found.parts, true, strict=True) if shown]
    where_false = [part.label for part, shown in zip(found.parts, false, strict=True) if shown]
    if found.overall is not None:
        holds, fails = found.overall.p_true <= LEVEL, found.overall.p_false <= LEVEL
    else:
        holds, fails = all(part.p_true <= LEVEL for part in found.parts), bool(where_false)
    if (holds and where_false) or (fails and where_true) or (where_true and where_false):
        return IN_PART, where_true, where_false
    if found.missing or not found.parts:
        return OPEN, where_true, where_false
    return HOLDS if holds else FAILS if fails else OPEN, where_true, where_false


def judge_claim(
    claim: Claim, document: str, read: Reader, seconds: Callable[[Iterable[Any]], float] | None = None
) -> ClaimResult:
    """Test a claim on the trials that `read` gives; ``seconds`` tells how long one trial of each asked cell takes."""
    read.asked.clear()
    found = [test.found(read) or Found(()) for test in claim.tests]
    judged = [judge_parts(one) for one in found]
    needed = max(
        [1.0, *(one.needed for one, (verdict, _, _) in zip(found, judged, strict=True) if verdict == OPEN)]
    )
    result = ClaimResult(
        claim,
        document,
        _combined([verdict for verdict, _, _ in judged]),
        tuple((verdict, one) for one, (verdict, _, _) in zip(found, judged, strict=True) if one.parts),
        where_true=tuple(label for _, true, _ in judged for label in true),
        where_false=tuple(label for _, _, false in judged for label in false),
        needed=math.inf if needed > _MOST_GROWTH else needed,
        items=tuple(dict.fromkeys(place[:2] for place in read.asked)),
    )
    if result.verdict != OPEN or seconds is None or not math.isfinite(result.needed):
        return result
    minutes = (needed - 1.0) * result.n_trials * seconds(read.asked.values()) / 60.0
    return replace(result, minutes=minutes)


def _combined(verdicts: Sequence[str]) -> str:
    if not verdicts:
        return OPEN
    if len(set(verdicts)) == 1:
        return verdicts[0]
    true = any(verdict in (HOLDS, IN_PART) for verdict in verdicts)
    false = any(verdict in (FAILS, IN_PART) for verdict in verdicts)
    if true and false:
        return IN_PART
    return FAILS if false else OPEN
