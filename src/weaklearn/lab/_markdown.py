"""The same report as Markdown, for the documentation."""

import re
from collections.abc import Mapping
from typing import Any

from weaklearn.lab import _wording as wording
from weaklearn.lab._errors import LabError
from weaklearn.lab._html import claims_by_document, tables_by_document
from weaklearn.lab._reproduction import Reproduction

_CELL = (
    "In each cell: our mean ± its standard error (published value), then the difference in standard errors of the "
    "difference or, relative to a reference column, Δ in points, and the numbers of notes. Signs: "
)
_HEADS = (
    "table", "cells", "true difference", "bound", "tolerance", "spread", "verdict", "without explained cells",
)  # fmt: skip


def quoted(text: str, document: str, reproduction: Reproduction) -> str:
    """A page with what it asks for: ``{{ claim:ID }}`` and ``{{ table:NUMBER }}`` are verdicts with the effect or the
    difference that they rest on, ``{{ tally }}`` and ``{{ tables }}`` sentences with their numbers, and
    ``{{ cells:DOCUMENT:TABLE:COLUMN }}`` our means of a column, row by row.

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

    cells = [cell for cell in reproduction.all_cells if cell.ours is not None]

    def put(found: re.Match[str]) -> str:
        if found[1] == "tally":
            return wording.sentence(wording.claims_sentence(own or reproduction.claims))
        if found[1] == "tables":
            return wording.sentence(wording.tables_sentence(tables if own else reproduction.tables))
        if found[1].startswith("cells:"):
            asked = tuple(found[1].split(":")[1:])
            means = [f"{one.ours:.1f}" for one in cells if (one.source, one.table, one.column) == asked]
            if not means:
                raise LabError(f"a page quotes {found[1]!r}, a column without trials")
            return " / ".join(means)
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
        return f"**{result.verdict}**" + (f": {effect}" if effect else "")

    return re.sub(r"\{\{ (tally|tables|table:[^}]+?|cells:[^}]+?|claim:([^}]+?)) \}\}", put, text)


def to_markdown(reproduction: Reproduction) -> str:
    """Scores and all tables; figures are in the HTML report."""
    signs = ", ".join(f"{sign.mark} {verdict}" for verdict, sign in wording.SIGNS.items())
    sentences = (wording.claims_sentence(reproduction.claims), wording.tables_sentence(reproduction.tables))
    lines = [
        "# Reproduction\n",
        f"{' '.join(map(wording.sentence, sentences))} Made by `{reproduction.command}`.",
    ]
    for document, claims in claims_by_document(reproduction).items():
        lines += [
            f"\n## {document}: claims\n",
            _row("", "claim", "where", "effect, 90% interval", ""),
        ]
        lines.append("|---" * 5 + "|")
        for one in claims:
            verdict = f"{one['sign'].mark} {one['verdict']}"
            lines.append(_row(verdict, *(one[name] for name in ("claim", "where", "effect", "places"))))
    lines += ["\n## Tables\n", _row(*_HEADS), "|---|" + "---:|" * 5 + "---|---|"]
    for whole, rest in reproduction.tables:
        numbers = (f"{number:.3g}" for number in (whole.rms, whole.upper, whole.tolerance, whole.spread))
        name = f"{whole.document} {whole.table} ({whole.measure})"
        lines.append(_row(name, whole.n_cells, *numbers, whole.verdict, "" if rest is None else rest.verdict))
    lines.append(f"\n## Cells\n\n{_CELL}{signs}.")
    for experiments in tables_by_document(reproduction).values():
        for experiment in experiments:
            lines.append(f"\n## {experiment['title']}")
            for table in experiment["tables"]:
                lines += _table(table)
    return "\n".join(lines) + "\n"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"


def _table(table: Mapping[str, Any]) -> list[str]:
    heads = ["", *table["columns"]]
    lines = [
        f"\n### {table['source']}, {table['item']}: {table['title']}\n",
        f"{table['sentence']} {table['found']}\n",
        _row(*heads),
        "|---" * len(heads) + "|",
    ]
    lines += [_row(row, *map(_cell, cells)) for row, cells in table["rows"]]
    return [*lines, "", *(f"{k}. {note}" for k, note in enumerate(table["footnotes"], 1))]


def _cell(cell: Mapping[str, Any] | None) -> str:
    if cell is None:
        return ""
    published = f"({cell['published']})" if cell["published"] else ""
    marks = f"[{cell['marks']}]" if cell["marks"] else ""
    return " ".join(filter(None, (cell["sign"].mark, cell["ours"], published, cell["deviation"], marks)))
