"""The same report as Markdown, for the documentation."""

import re
from collections.abc import Sequence

from weaklearn.lab import _wording as wording
from weaklearn.lab._compare import CONTRADICTED, NOT_RUN, UNDECIDED, Cell, Score
from weaklearn.lab._errors import LabError
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._spec import Table

_CELL = (
    "A cell reads: our mean ± its standard error (published value), then the difference in standard errors of the "
    "difference or, relative to a reference column, in points. Signs: "
)


def quoted(text: str, document: str, reproduction: Reproduction) -> str:
    """A page with what it asks for: ``{{ claim:ID }}`` and ``{{ table:NUMBER }}`` are verdicts with the effect or the
    difference that they rest on, ``{{ tally }}`` and ``{{ tables }}`` sentences with their numbers.

    Parameters
    ----------
    text : str
    document : str
        Whose claims are meant; a claim of another one is ``{{ claim:DOCUMENT:ID }}``. The tally of a page that is not a
        document's is that of all documents.
    reproduction : Reproduction
    """
    known = {(result.document, result.claim.id): result for result in reproduction.claims}
    own = [result for result in reproduction.claims if result.document == document]
    tables = [pair for pair in reproduction.tables if pair[0].document == document]

    def put(found: re.Match[str]) -> str:
        if found[1] == "tally":
            return wording.sentence(wording.claims_sentence(own or reproduction.claims))
        if found[1] == "tables":
            return wording.sentence(wording.tables_sentence(tables if own else reproduction.tables))
        if found[1].startswith("table:"):
            judged = [wording.table_verdict(*pair) for pair in tables if f"table:{pair[0].table}" == found[1]]
            if not judged:
                raise LabError(f"a page quotes {found[1]!r}, which is no judged table of {document}")
            return "; ".join(judged)
        place = found[2].split(":") if ":" in found[2] else [document, found[2]]
        result = known.get((place[0], place[1]))
        if result is None:
            raise LabError(f"a page quotes the claim {found[2]!r}, which {place[0]} does not have")
        effect = wording.claim_effect(result)
        return f"**{result.verdict}**" + (f" ({effect})" if effect else "")

    return re.sub(r"\{\{ (tally|tables|table:[^}]+?|claim:([^}]+?)) \}\}", put, text)


def to_markdown(reproduction: Reproduction) -> str:
    """Scores and all tables; figures are in the HTML report."""
    parts = [
        "# Reproduction",
        f"{wording.claims_sentence(reproduction.claims).capitalize()}. "
        f"{wording.tables_sentence(reproduction.tables).capitalize()}. Made by `{reproduction.command}`.",
        _claims(reproduction),
        _agreements(reproduction),
        "## Cells\n\n"
        + _CELL
        + ", ".join(f"{sign.mark} {verdict}" for verdict, sign in wording.SIGNS.items())
        + ".",
    ]
    for experiment in reproduction.experiments:
        parts.append(f"## {experiment.title}")
        for table in experiment.tables:
            parts.append(_table(table, reproduction.cells[experiment.name][table.item]))
    return "\n\n".join(parts) + "\n"


def _claims(reproduction: Reproduction) -> str:
    lines = []
    for document in dict.fromkeys(result.document for result in reproduction.claims):
        lines += [
            f"## {document}: claims",
            "",
            "| | claim | where | effect, 90% interval | |",
            "|---|---|---|---|---|",
        ]
        for result in reproduction.claims:
            if result.document == document:
                sign = wording.CLAIM_SIGNS[result.verdict].mark
                cells = (result.claim.claim, result.claim.where, wording.claim_effect(result))
                shown = " | ".join(map(_text, (*cells, wording.claim_places(result))))
                lines.append(f"| {sign} {result.verdict} | {shown} |")
        lines.append("")
    return "\n".join(lines)


def _agreements(reproduction: Reproduction) -> str:
    lines = [
        "## Tables",
        "",
        "| table | cells | true difference | bound | tolerance | spread | verdict | without explained cells |",
        "|---|---:|---:|---:|---:|---:|---|---|",
    ]
    for whole, rest in reproduction.tables:
        numbers = (whole.rms, whole.upper, whole.tolerance, whole.spread)
        shown = " | ".join(f"{number:.3g}" for number in numbers)
        name = f"{whole.document} {whole.table} ({whole.measure})"
        left = "" if rest is None else rest.verdict
        lines.append(f"| {_text(name)} | {whole.n_cells} | {shown} | {whole.verdict} | {left} |")
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
    mark = wording.SIGNS[cell.verdict].mark
    if cell.ours is None:
        return f"{mark} ({wording.published(cell)})"
    shown = f"{mark} {wording.ours(cell)}"
    if cell.published is not None:
        shown += f" ({wording.published(cell)})"
    if cell.difference is not None and cell.paired_with:
        return f"{shown} {cell.difference:+.{cell.decimals}f} rel."
    return f"{shown} {wording.deviation(cell)}" if cell.difference is not None else shown
