"""What the page of a reproduction shows, as plain data for its template."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weaklearn.lab import _wording as wording
from weaklearn.lab._claim import ClaimResult
from weaklearn.lab._compare import Cell, Score, judged_cells
from weaklearn.lab._figures import DrawnFigure
from weaklearn.lab._pictures import forest, scatter, shown_parts
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._spec import Experiment, Figure, Table
from weaklearn.reports import render


def to_html(reproduction: Reproduction) -> str:
    """The whole report as one string."""
    verdicts = [cell.verdict for cell in reproduction.all_cells]
    return render(
        "lab/report.html",
        profile=reproduction.profile,
        claims_sentence=wording.sentence(wording.claims_sentence(reproduction.claims)),
        tables_sentence=wording.sentence(wording.tables_sentence(reproduction.tables)),
        claims=claims_by_document(reproduction),
        claim_signs=wording.CLAIM_SIGNS,
        table_signs=wording.TABLE_SIGNS,
        agreements=_agreements(reproduction),
        checked=reproduction.checked,
        identical=reproduction.identical,
        bar=_bar(reproduction),
        incomplete=_incomplete(reproduction),
        verdicts=[(verdict, verdicts.count(verdict)) for verdict in wording.SIGNS if verdict in verdicts],
        signs=wording.SIGNS,
        sources=tables_by_document(reproduction),
        command=reproduction.command,
        versions=reproduction.versions,
        n_trials=reproduction.summary.found + reproduction.summary.finished,
        work=wording.duration(reproduction.work_seconds),
    )


def _bar(reproduction: Reproduction) -> dict[str, Any]:
    counts = wording.claim_counts(reproduction.claims)
    total = sum(counts.values()) or 1
    return {
        "parts": [
            (wording.CLAIM_SIGNS[verdict].tone, count / total) for verdict, count in counts.items() if count
        ],
        "text": wording.tally(reproduction.claims),
    }


def claims_by_document(reproduction: Reproduction) -> dict[str, list[dict[str, Any]]]:
    """The claims by document."""
    documents: dict[str, list[dict[str, Any]]] = {}
    shown = {
        (experiment.name, part.item) for experiment in reproduction.experiments for part in experiment.parts
    }
    for result in reproduction.claims:
        live = reproduction.live_result(result)
        documents.setdefault(result.document, []).append(
            {
                "anchor": _anchor(result.document, f"claim {result.claim.id}"),
                "id": result.claim.id,
                "where": result.claim.where,
                "claim": result.claim.claim,
                "note": result.claim.note,
                "reading": result.claim.reading,
                "verdict": result.verdict,
                "sign": wording.CLAIM_SIGNS[result.verdict],
                "effect": _minus(wording.claim_effect(result)),
                "places": wording.claim_places(result),
                "live": None if live is None else live.verdict,
                # A claim may read tables of experiments that are not in this report.
                "trials": [(_anchor(*place) if place in shown else "", place[1]) for place in result.items],
                "command": _command(result),
                "tests": [
                    {
                        "unit": found.unit,
                        "picture": forest(found),
                        "parts": [
                            (part.label, _minus(wording.part_effect(part)), part.n)
                            for part in shown_parts(found)
                        ],
                    }
                    for verdict, found in result.found
                ],
            }
        )
    return documents


def _command(result: ClaimResult) -> str:
    """What runs the trials of a claim."""
    names = [name for name, _ in result.items]
    asked = dict.fromkeys([*names, *(f'--item "{item}"' for _, item in result.items)])
    return f"weaklearn reproduce {' '.join(asked)} --profile full" if asked else ""


def _agreements(reproduction: Reproduction) -> list[dict[str, Any]]:
    judged = judged_cells(reproduction.all_cells)
    return [
        {
            "whole": whole,
            "picture": scatter(judged[whole.document, whole.table, whole.measure]),
            "rest": rest,
            "sign": wording.TABLE_SIGNS[whole.verdict],
            "rest_sign": None if rest is None else wording.TABLE_SIGNS[rest.verdict],
        }
        for whole, rest in reproduction.tables
    ]


def _incomplete(reproduction: Reproduction) -> list[str]:
    summary = reproduction.summary
    lines = []
    left = summary.planned - summary.found - summary.finished - len(summary.failures)
    if left:
        lines.append(
            f"{left} of {summary.planned} trials have not been run yet. Rerun the same command to resume."
        )
    if summary.failures:
        lines.append(f"{len(summary.failures)} trials failed; see failures.txt in the same folder.")
    return lines + [wording.capital(line) for line in missing_lines(reproduction.missing)]


def _anchor(experiment: str, item: str) -> str:
    return re.sub(r"[^\w.:]+", "-", f"{experiment}-{item}")


def tables_by_document(reproduction: Reproduction) -> dict[str, list[dict[str, Any]]]:
    """Experiments by document, as the side navigation shows them."""
    sources: dict[str, list[dict[str, Any]]] = {}
    for experiment in reproduction.experiments:
        sources.setdefault(experiment.source, []).append(_experiment(reproduction, experiment))
    return sources


def _experiment(reproduction: Reproduction, experiment: Experiment) -> dict[str, Any]:
    cells = reproduction.cells[experiment.name]
    drawn = zip(experiment.figures, reproduction.figures[experiment.name], strict=True)
    return {
        "name": experiment.name,
        "title": experiment.title,
        "tables": [_table(experiment.name, table, cells[table.item]) for table in experiment.tables],
        "figures": [_figure(_anchor(experiment.name, figure.item), figure, found) for figure, found in drawn],
    }


def _table(experiment: str, table: Table, cells: Sequence[Cell]) -> dict[str, Any]:
    by_place = {(cell.row, cell.column): cell for cell in cells}
    footnotes: dict[str, int] = {}
    # Published rows and columns that the table leaves out come last.
    names = dict.fromkeys([*(row.label for row in table.rows), *(cell.row for cell in cells)])
    columns = list(dict.fromkeys([*(one.name for one in table.columns), *(cell.column for cell in cells)]))
    rows = [(row, [_cell(by_place.get((row, column)), footnotes) for column in columns]) for row in names]
    score = Score.of(cells)
    return {
        "anchor": _anchor(experiment, table.item),
        "source": wording.source_name(experiment, table.source),
        "item": table.item,
        "title": table.title,
        "sentence": wording.table_sentence(table),
        "score": score,
        "found": _found(table, cells, score),
        "columns": columns,
        "rows": rows,
        "footnotes": list(footnotes),
    }


def _found(table: Table, cells: Sequence[Cell], score: Score) -> str:
    line = f"{wording.score_line(score)}; {wording.trial_counts(cells)}."
    if table.reference_column is not None and any(cell.paired_with for cell in cells):
        line += (
            f" On artificial data, levels depend on the one set that was drawn, so the difference from "
            f"{table.reference_column} is compared instead: Δ is our difference minus the published one."
        )
    if table.tolerance is not None:
        reason = f", {table.tolerance_reason}" if table.tolerance_reason else ""
        line += f" Tolerance {table.tolerance:g}{reason}."
    return wording.capital(line)


def _cell(cell: Cell | None, footnotes: dict[str, int]) -> Mapping[str, Any] | None:
    if cell is None:
        return None
    return {
        "verdict": cell.verdict,
        "sign": wording.SIGNS[cell.verdict],
        "ours": _minus(wording.ours(cell)),
        "published": "" if cell.published is None else _minus(wording.published(cell)),
        "deviation": _short_deviation(cell),
        "marks": ",".join(map(str, _numbers(footnotes, [cell.reason, cell.note]))),
    }


def _numbers(footnotes: dict[str, int], texts: Iterable[str]) -> list[int]:
    """The number of each text; a text has one however many cells it belongs to."""
    return [footnotes.setdefault(text, len(footnotes) + 1) for text in texts if text]


def _short_deviation(cell: Cell) -> str:
    if cell.difference is None:
        return ""
    return _minus(f"Δ {cell.difference:+.{cell.decimals}f}" if cell.paired_with else wording.deviation(cell))


def _minus(text: str) -> str:
    return re.sub(r"-(?=\d)", "\N{MINUS SIGN}", text)


def _figure(anchor: str, figure: Figure, drawn: DrawnFigure) -> dict[str, Any]:
    if not drawn.panels:
        caption = "Not drawn: none of its trials has been run."
    else:
        trials = "1 trial" if drawn.n_trials == 1 else f"{drawn.n_trials} trials"
        bands = " Bands are one standard error of the mean." if drawn.has_bands else ""
        caption = (
            f"Based on {trials} of each setting.{bands}" if drawn.n_trials else "An illustration: no trials."
        )
    return {
        "anchor": anchor,
        "source": figure.source,
        "item": figure.item,
        "title": figure.title,
        "panels": drawn.panels,
        "caption": caption,
    }
