"""How numbers and verdicts are worded, the same in every kind of report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weaklearn.lab._compare import AGREES, DIFFERS, NOT_RUN, REFERENCE, UNPUBLISHED, Cell, Score
from weaklearn.lab._spec import Table

__all__ = [
    "SIGNS",
    "Sign",
    "column_names",
    "deviation",
    "duration",
    "ours",
    "published",
    "row_names",
    "score_line",
    "table_sentence",
    "trial_counts",
]


@dataclass(frozen=True)
class Sign:
    """How a verdict is shown: a sign (colour alone would not reach everyone), a tone, and what it means.

    The tone is one of those of the style sheet: "good", "bad", "open", "neutral" or "none".
    """

    mark: str
    tone: str
    meaning: str


SIGNS = {
    AGREES: Sign(
        "✓",
        "good",
        "within three combined standard errors or, relative to a reference column, within the tolerance",
    ),
    DIFFERS: Sign("✗", "bad", "further away than that; a note gives the reason where it is known"),
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
    return _with_error(cell.published, cell.published_error, cell.decimals)


def deviation(cell: Cell) -> str:
    """The difference, in combined standard errors or, if paired, in the table's unit as well."""
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
    return f"{score.agree} of {score.compared} compared cells agree"


def trial_counts(cells: Sequence[Cell]) -> str:
    """How many trials the cells have, and how often a cell differs by chance with so few of them.

    With n trials the standard error is itself an estimate: three of them are exceeded as often as
    Student's t with n - 1 degrees of freedom exceeds 3.
    """
    from scipy.stats import t

    counts = sorted({cell.n for cell in cells if cell.n})
    if not counts:
        return "no trials"
    text = (
        f"{counts[0]} to {counts[-1]} trials per cell" if len(counts) > 1 else f"{counts[0]} trials per cell"
    )
    chance = 100 * 2 * float(t.sf(3, counts[0] - 1)) if counts[0] > 1 else 0.0
    return (
        f"{text} (with so few, about {chance:.0f}% of cells differ by chance alone)" if chance >= 1 else text
    )


def table_sentence(table: Table) -> str:
    """What a table shows, in one sentence."""
    columns = _listed(column.name for column in table.columns)
    rows = _listed(row.label for row in table.rows)
    metrics = {table.metric_of(column) for column in table.columns}
    if len(metrics) > 1:
        return f"Means of {columns}, for {rows}."
    metric = metrics.pop().replace("_", " ")
    return f"Mean {metric} ({table.unit}) of {columns}, for {rows}."


def _listed(names: Iterable[str], most: int = 4) -> str:
    """The first names, and how many more there are."""
    known = list(dict.fromkeys(names))
    if len(known) > most + 1:
        return f"{', '.join(known[:most])} and {len(known) - most} more"
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
