"""How numbers and verdicts are worded, the same in every kind of report."""

from collections.abc import Sequence

from weaklearn.lab._compare import AGREES, DIFFERS, NOT_RUN, REFERENCE, UNPUBLISHED, Cell, Score
from weaklearn.lab._spec import Table

__all__ = [
    "MARKS",
    "column_names",
    "deviation",
    "duration",
    "ours",
    "published",
    "row_names",
    "score_line",
    "trial_counts",
]

# Every verdict has its own sign: colour alone would not reach everyone.
MARKS = {AGREES: "✓", DIFFERS: "✗", NOT_RUN: "–", UNPUBLISHED: "?", REFERENCE: "="}


def _with_error(value: float, error: float | None, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text if error is None else f"{text} ± {error:.{decimals}f}"


def ours(cell: Cell) -> str:
    """Our mean and standard error, with as many decimals as were published."""
    if cell.ours is None:
        return "not run"
    return _with_error(cell.ours, cell.ours_error, cell.decimals)


def published(cell: Cell) -> str:
    """The published value as it was printed."""
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
    return f"{difference}, no chance involved" if float(difference) else "equal"


def score_line(score: Score) -> str:
    """One sentence."""
    if not score.published:
        return "nothing was published to compare with"
    if not score.compared:
        return f"none of {score.published} published cells compared yet"
    return f"{score.agree} of {score.compared} compared cells agree"


def trial_counts(cells: Sequence[Cell]) -> str:
    """How many trials the cells have, and how often so few of them differ by chance.

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
    return f"{text} (so few that {chance:.0f}% of cells differ by chance)" if chance >= 1 else text


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
