"""How numbers and verdicts are worded, the same in every kind of report."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weaklearn.lab._agreement import NOT_REPRODUCED, REPRODUCED, ROUGHLY, UNSURE, Agreement
from weaklearn.lab._claim import FAILS, HOLDS, IN_PART, MOST_TRIALS, OPEN, ClaimResult, Part
from weaklearn.lab._compare import (
    CONFIRMED,
    CONTRADICTED,
    NOT_RUN,
    REFERENCE,
    UNDECIDED,
    UNPUBLISHED,
    Cell,
    Score,
)
from weaklearn.lab._spec import Table

_METRICS = {"ap": "average precision"}


@dataclass(frozen=True)
class Sign:
    """How a verdict is shown: a sign (colour alone would not reach everyone), a tone, and what it means.

    The tone is one of those of the style sheet: "good", "bad", "open", "neutral" or "none".
    """

    mark: str
    tone: str
    meaning: str


SIGNS = {
    CONFIRMED: Sign("✓", "good", "the difference is shown to be smaller than the tolerance"),
    CONTRADICTED: Sign(
        "✗",
        "bad",
        "shown to be different, by more than the tolerance; a note gives the reason where it is known",
    ),
    UNDECIDED: Sign("~", "open", "not enough trials to tell"),
    REFERENCE: Sign("=", "neutral", "the column with which the others of its row are compared; not counted"),
    UNPUBLISHED: Sign("?", "none", "our result only; no value was published"),
    NOT_RUN: Sign("–", "none", "not run; the reason is given below the table"),
}


CLAIM_SIGNS = {
    HOLDS: Sign("✓", "good", "the trials show that the sentence is true"),
    IN_PART: Sign("◐", "neutral", "shown to be true in some places and false in others"),
    FAILS: Sign("✗", "bad", "the trials show that the sentence is false"),
    OPEN: Sign("~", "open", "not decided by the trials that there are"),
}
TABLE_SIGNS = {
    REPRODUCED: Sign(
        "✓", "good", "true differences are below the tolerance or a third of the spread between columns"
    ),
    ROUGHLY: Sign(
        "◐", "neutral", "true differences are below twice the tolerance or the spread between columns"
    ),
    NOT_REPRODUCED: Sign("✗", "bad", "true differences are larger than that"),
    UNSURE: Sign("~", "open", "not enough trials to tell"),
}


def claim_effect(result: ClaimResult) -> str:
    """The effect of a claim with its 90% interval and its unit."""
    main = result.main
    if main is None:
        return ""
    return f"{part_effect(main)} {result.found[0][1].unit}".rstrip()


_MOST_DIGITS = 6  # behind the point


def short_number(value: float) -> str:
    """Three digits; all those before the point of a long number."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"


def part_effect(part: Part) -> str:
    """An effect with its 90% interval, in as many digits as the interval deserves: two of its width."""
    width = part.high - part.low
    if not 0 < width < math.inf:
        shown = short_number(part.effect)
        same = part.low == part.high
        return shown if same else f"{shown} [{short_number(part.low)}, {short_number(part.high)}]"
    digits = max(0, 1 - math.floor(math.log10(width)))
    if digits > _MOST_DIGITS:  # rounding errors, as a rule
        return f"{part.effect:.2g} [{part.low:.2g}, {part.high:.2g}]"
    # Adding 0 makes 0 of -0.
    effect, low, high = (
        f"{round(end, digits) + 0.0:,.{digits}f}" for end in (part.effect, part.low, part.high)
    )
    return f"{effect} [{low}, {high}]"


def claim_places(result: ClaimResult) -> str:
    """Where a claim that holds in part is true and where it is not; what would decide an open one."""
    if result.verdict == IN_PART:
        true, false = (_listed(some, "comparisons") for some in (result.where_true, result.where_false))
        return "; ".join(filter(None, (f"true: {true}" if true else "", f"false: {false}" if false else "")))
    return _lacking(result) if result.verdict == OPEN else ""


def _lacking(result: ClaimResult) -> str:
    """What an open claim lacks: data, trials, or a number of CPU minutes of them."""
    if not result.claim.tests:
        first, _, _ = result.claim.note.partition(". ")
        return f"{first[:1].lower()}{first[1:]}".rstrip(".") or "there is no test of it"
    if not result.found:
        return "no trials yet"
    if len(result.found) < len(result.claim.tests) or any(found.missing for _, found in result.found):
        return "not all of its cells have trials"
    if result.n_trials >= MOST_TRIALS:
        return f"not decided by {MOST_TRIALS:,} trials, the most that are run"
    if result.minutes is None:
        return "so close to its edge that no number of trials would decide"
    minutes = round(result.minutes)
    if not minutes:
        return "less than a CPU minute would decide"
    return f"about {minutes:,} CPU minute{'' if minutes == 1 else 's'} would decide"


def capital(text: str) -> str:
    """With a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{capital(text)}."


def claim_counts(results: Iterable[ClaimResult]) -> dict[str, int]:
    """How many claims have each verdict; readings of ours are not counted."""
    verdicts = [result.verdict for result in results if not result.claim.reading]
    return {verdict: verdicts.count(verdict) for verdict in CLAIM_SIGNS}


def tally(results: Iterable[ClaimResult]) -> str:
    """How many claims hold, in a few words."""
    return "{} hold, {} hold in part, {} do not hold, {} open".format(*claim_counts(results).values())


def claims_sentence(results: Sequence[ClaimResult]) -> str:
    """How many claims hold, as one sentence without a full stop."""
    counts = list(claim_counts(results).values())
    documents = sorted({result.document for result in results if not result.claim.reading})
    words = ("no", "one", "two", "three", "four", "five", "six")
    n = len(documents)
    who = f"{documents[0]} makes" if n == 1 else f"{words[n] if n < len(words) else n} documents make"
    made = f"of {sum(counts)} claims that {who}"
    return f"{made}, {counts[0]} hold, {counts[1]} hold in part, {counts[2]} do not hold and {counts[3]} are open"


def table_verdict(whole: Agreement, rest: Agreement | None) -> str:
    """The verdict on a table with the difference that it rests on."""
    shown = f"**{whole.verdict}** (true difference {whole.rms:.2g}, at most {whole.upper:.2g})"
    return shown if rest is None else f"{shown}, without explained cells **{rest.verdict}**"


def tables_sentence(tables: Sequence[tuple[Agreement, Agreement | None]]) -> str:
    """How many published tables are reproduced, as one sentence without a full stop.

    A table of several measures or parts counts once, with the worst of its verdicts.
    """
    worst_first = (NOT_REPRODUCED, UNSURE, ROUGHLY, REPRODUCED)

    def counts(judged: Sequence[Agreement]) -> list[int]:
        of_table: dict[tuple[str, str], set[str]] = {}
        for one in judged:
            of_table.setdefault((one.document, one.table.partition(" ")[0]), set()).add(one.verdict)
        verdicts = [min(found, key=worst_first.index) for found in of_table.values()]
        return [verdicts.count(verdict) for verdict in TABLE_SIGNS]

    if not tables:
        return "no published table of means has enough trials to be judged"
    whole = counts([one for one, _ in tables])
    text = f"of {sum(whole)} published tables of means, {whole[0]} are reproduced, {whole[1]} roughly, "
    text += f"{whole[2]} are not and {whole[3]} are open"
    if any(rest is not None for _, rest in tables):
        left = ", ".join(map(str, counts([rest or one for one, rest in tables])))
        text += f" (without the cells that a note explains: {left})"
    return text


def _with_error(value: float, error: float | None, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text if error is None else f"{text} ± {error:.{decimals}f}"


def ours(cell: Cell) -> str:
    """Our mean and standard error, with as many decimals as were published."""
    if cell.ours is None:
        return "not run"
    return _with_error(cell.ours, cell.ours_error, cell.decimals)


def published(cell: Cell) -> str:
    """The published value, with as many decimals as in the document."""
    if cell.published is None:
        return "not published"
    sign = {"at least": "≥ ", "at most": "≤ "}.get(cell.relation, "")
    return sign + _with_error(cell.published, cell.published_error, cell.decimals)


def deviation(cell: Cell) -> str:
    """The difference, in its standard errors or, if paired, in the table's unit as well."""
    if cell.difference is None:
        return {REFERENCE: "reference of its row"}.get(cell.verdict, "")
    errors = "" if cell.deviation is None else f"{cell.deviation:+.1f} s.e."
    difference = f"{cell.difference:+.{cell.decimals}f}"
    if cell.paired_with:
        return f"{difference} rel. to {cell.paired_with} ({errors})"
    return errors or (f"{difference}, deterministic" if float(difference) else "equal")


def score_line(score: Score) -> str:
    """One sentence."""
    if not score.published:
        return "nothing was published to compare with"
    if not score.compared:
        return f"none of {score.published} published cells compared yet"
    return (
        f"{score.confirmed} of {score.compared} compared cells confirmed, {score.contradicted} contradicted, "
        f"{score.undecided} undecided"
    )


def trial_counts(cells: Sequence[Cell]) -> str:
    """How many trials the cells have."""
    counts = sorted({cell.n for cell in cells if cell.n})
    if not counts:
        return "no trials"
    return (
        f"{counts[0]} to {counts[-1]} trials per cell" if len(counts) > 1 else f"{counts[0]} trials per cell"
    )


def table_sentence(table: Table) -> str:
    """What a table shows, in one sentence."""
    columns = _listed((column.name for column in table.columns), "columns")
    rows = _listed((row.label for row in table.rows), "rows")
    metrics = {table.metric_of(column) for column in table.columns}
    if len(metrics) > 1:
        return f"Means of {columns}, for {rows}."
    (metric,) = metrics
    unit = "%" if table.unit == "percent" else table.unit
    return f"Mean {_METRICS.get(metric, metric.replace('_', ' '))} ({unit}) of {columns}, for {rows}."


def _listed(names: Iterable[str], what: str, most: int = 5) -> str:
    """The names or, of many, their number."""
    known = list(dict.fromkeys(names))
    if len(known) > most:
        return f"{len(known)} {what}"
    return " and ".join([", ".join(known[:-1]), known[-1]]) if len(known) > 1 else "".join(known)


def duration(seconds: float) -> str:
    """A length of time for people.

    >>> duration(0.4), duration(75), duration(7500)
    ('under 1 s', '1 min 15 s', '2 h 5 min')
    """
    whole = round(seconds)
    if whole < 1:
        return "under 1 s"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def source_name(experiment: str, source: str) -> str:
    """Where a table stands: the document or, of a study of our own, the experiment."""
    return experiment if source == "weaklearn" else source
