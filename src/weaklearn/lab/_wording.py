"""How numbers and verdicts are worded, the same in every kind of report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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

__all__ = [
    "SIGNS",
    "Sign",
    "column_names",
    "deviation",
    "duration",
    "needed",
    "ours",
    "published",
    "recorded",
    "row_names",
    "score_line",
    "table_sentence",
    "trial_counts",
]


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
    UNDECIDED: Sign("~", "open", "not enough trials to tell; the cell says how many would decide"),
    REFERENCE: Sign("=", "neutral", "the column with which the others of its row are compared; not counted"),
    UNPUBLISHED: Sign("?", "none", "our result only; no value was published"),
    NOT_RUN: Sign("–", "none", "not run; the reason is given below the table"),
}


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


def recorded(cell: Cell) -> str:
    """The recorded mean, standard error and number of trials, if there are more trials than now."""
    if cell.recorded is None or cell.recorded_n <= cell.n:
        return ""
    trials = "1 trial" if cell.recorded_n == 1 else f"{cell.recorded_n} trials"
    return f"{_with_error(cell.recorded, cell.recorded_error, cell.decimals)} in {trials}"


def needed(cell: Cell) -> str:
    """What an undecided cell lacks."""
    if cell.verdict != UNDECIDED or cell.difference is None:
        return ""
    if cell.trials_needed is None:
        return "the published error is too large for any number of trials to decide"
    return f"about {cell.trials_needed} trials would decide"


def deviation(cell: Cell) -> str:
    """The difference, in its standard errors or, if paired, in the table's unit as well."""
    if cell.difference is None:
        return {REFERENCE: "reference of its row"}.get(cell.verdict, "")
    errors = "" if cell.deviation is None else f"{cell.deviation:+.1f} s.e."
    if not cell.paired_with:
        return errors or _plain_difference(cell)
    return f"{cell.difference:+.{cell.decimals}f} rel. to {cell.paired_with} ({errors})"


def _plain_difference(cell: Cell) -> str:
    difference = f"{cell.difference:+.{cell.decimals}f}"
    return f"{difference}, deterministic" if float(difference) else "equal"


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


def row_names(table: Table, cells: Sequence[Cell]) -> list[str]:
    """Rows of the table, then published ones it leaves out."""
    return list(dict.fromkeys([row.label for row in table.rows] + [cell.row for cell in cells]))


def column_names(table: Table, cells: Sequence[Cell]) -> list[str]:
    """Columns of the table, then published ones it leaves out."""
    return list(dict.fromkeys([column.name for column in table.columns] + [cell.column for cell in cells]))
