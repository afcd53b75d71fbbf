"""The same report as Markdown, for the documentation."""

from collections.abc import Sequence

from weaklearn.lab import _wording as wording
from weaklearn.lab._compare import CONTRADICTED, NOT_RUN, UNDECIDED, Cell, Score, document_scores
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._spec import Table

__all__ = ["to_markdown"]

_CELL = (
    "A cell reads: our mean ± its standard error (published value), then the difference in standard errors of the "
    "difference or, relative to a reference column, in points; then what is recorded, if that has more trials. "
    "Few trials leave most cells undecided. Signs: "
)


def to_markdown(reproduction: Reproduction) -> str:
    """Scores and all tables; figures are in the HTML report."""
    parts = [
        "# Reproduction",
        f"{wording.score_line(reproduction.score).capitalize()}. Made by `{reproduction.command}`.",
        _CELL + ", ".join(f"{sign.mark} {verdict}" for verdict, sign in wording.SIGNS.items()) + ".",
        _scores(reproduction),
    ]
    for experiment in reproduction.experiments:
        parts.append(f"## {experiment.title}")
        for table in experiment.tables:
            parts.append(_table(table, reproduction.cells[experiment.name][table.item]))
    return "\n\n".join(parts) + "\n"


def _scores(reproduction: Reproduction) -> str:
    lines = [
        "| document | published cells | run | compared | confirmed | contradicted | undecided |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for source, (in_document, score) in document_scores(reproduction.all_cells).items():
        verdicts = (score.confirmed, score.contradicted, score.undecided)
        counts = " | ".join(map(str, (in_document, score.run, score.compared, *verdicts)))
        lines.append(f"| {_text(source)} | {counts} |")
    return "\n".join(lines)


def _text(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _table(table: Table, cells: Sequence[Cell]) -> str:
    columns = wording.column_names(table, cells)
    by_place = {(cell.row, cell.column): cell for cell in cells}
    lines = [
        f"### {table.source}, {table.item}: {table.title}",
        "",
        f"{wording.table_sentence(table)} {wording.score_line(Score.of(cells)).capitalize()}; "
        f"{wording.trial_counts(cells)}.",
        "",
        "| | " + " | ".join(_text(name) for name in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for row in wording.row_names(table, cells):
        entries = [_cell(by_place.get((row, column))) for column in columns]
        lines.append(f"| {_text(row)} | " + " | ".join(entries) + " |")
    notes = [
        f"- {cell.row}, {cell.column} ({cell.verdict}): {_text(cell.note)}"
        for cell in cells
        if cell.note and cell.verdict in (CONTRADICTED, UNDECIDED, NOT_RUN)
    ]
    return "\n".join([*lines, "", *notes]).rstrip()


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    recorded = wording.recorded(cell)
    return f"{_now(cell)}; recorded: {recorded}" if recorded else _now(cell)


def _now(cell: Cell) -> str:
    mark = wording.SIGNS[cell.verdict].mark
    if cell.ours is None:
        return f"{mark} ({wording.published(cell)})"
    shown = f"{mark} {wording.ours(cell)}"
    if cell.published is not None:
        shown += f" ({wording.published(cell)})"
    if cell.difference is not None and cell.paired_with:
        return f"{shown} {cell.difference:+.{cell.decimals}f} rel."
    return f"{shown} {wording.deviation(cell)}" if cell.difference is not None else shown
