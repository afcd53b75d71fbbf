"""The HTML report: one file that needs nothing else, readable offline, on a phone, by day and night."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from weaklearn import __version__
from weaklearn.lab import _wording as wording
from weaklearn.lab._compare import (
    CONFIRMED,
    CONTRADICTED,
    NOT_RUN,
    REFERENCE,
    UNDECIDED,
    UNPUBLISHED,
    Cell,
    Score,
    document_scores,
)
from weaklearn.lab._figures import DrawnFigure
from weaklearn.lab._spec import Experiment, Figure, Table

if TYPE_CHECKING:
    from weaklearn.lab._reproduce import Reproduction

__all__ = ["to_html"]

_LEGEND = [
    (CONFIRMED, "the difference is shown to be smaller than the tolerance"),
    (CONTRADICTED, "shown to be different, by more than the tolerance; a note says why where it is known"),
    (UNDECIDED, "not enough trials to say; the cell's tooltip says how many would decide"),
    (REFERENCE, "the column that other columns of the row are compared with; not counted"),
    (UNPUBLISHED, "ours alone; nothing was printed to compare with"),
    (NOT_RUN, "not run; the reason is given below the table"),
]


def to_html(reproduction: "Reproduction") -> str:
    """The whole report as one string."""
    style = (files("weaklearn.lab") / "report.css").read_text(encoding="utf-8")
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>weaklearn: reproduction ({escape(reproduction.profile)})</title>",
        f"<style>{style}</style></head><body><main>",
        _header(reproduction),
        *(_experiment(reproduction, experiment) for experiment in reproduction.experiments),
        _how_it_was_run(reproduction),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _header(reproduction: "Reproduction") -> str:
    score = reproduction.score
    return "\n".join(
        [
            "<header><h1>Published and reproduced</h1>",
            f'<p class="lead"><strong>{escape(wording.score_line(score).capitalize())}.</strong> '
            f"{score.run} of {score.published} published cells were run, with the profile "
            f"<em>{escape(reproduction.profile)}</em>.</p>",
            _bar(score),
            _documents(reproduction),
            _incomplete(reproduction),
            _contents(reproduction),
            _legend(),
            "</header>",
        ]
    )


def _bar(score: Score) -> str:
    rest = max(score.published - score.compared, 0)
    parts = [("agrees", score.confirmed), ("differs", score.contradicted), ("rest", score.undecided + rest)]
    spans = "".join(
        f'<span class="{name}" style="flex-grow:{count}"></span>' for name, count in parts if count
    )
    text = (
        f"{score.confirmed} confirmed, {score.contradicted} contradicted, {score.undecided} undecided, "
        f"{rest} not compared"
    )
    return f'<div class="bar" role="img" aria-label="{text}">{spans}</div><p class="small">{text}</p>'


def _documents(reproduction: "Reproduction") -> str:
    lines = [
        f"{source}: {wording.score_line(score)}; the document prints {printed} cells in all."
        for source, (printed, score) in document_scores(reproduction.all_cells).items()
    ]
    return f"<ul>{_items(lines)}</ul>"


def _incomplete(reproduction: "Reproduction") -> str:
    summary = reproduction.summary
    lines = []
    left = summary.planned - summary.found - summary.finished - len(summary.failures)
    if left:
        lines.append(f"{left} of {summary.planned} trials have not been run yet; the same command goes on.")
    if summary.failures:
        lines.append(f"{len(summary.failures)} trials failed; see failures.txt beside this file.")
    for name, how in sorted(reproduction.missing.items()):
        lines.append(f"Data set {name} is not here. To have it: {how}")
    if not lines:
        return ""
    return f'<div class="warning"><ul>{_items(lines)}</ul></div>'


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _anchor(experiment: str, item: str) -> str:
    return escape(f"{experiment}-{item}".replace(" ", "-"), quote=True)


def _contents(reproduction: "Reproduction") -> str:
    rows = []
    for experiment in reproduction.experiments:
        for table in experiment.tables:
            score = Score.of(reproduction.cells[experiment.name][table.item])
            counts = (score.published, score.run, score.confirmed, score.contradicted, score.undecided)
            numbers = "".join(f"<td>{count}</td>" for count in counts)
            rows.append(f"<tr>{_titled(experiment, table)}{numbers}</tr>")
        for figure in experiment.figures:
            rows.append(f'<tr>{_titled(experiment, figure)}<td colspan="5"></td></tr>')
    names = ("Item", "Title", "Published", "Run", "Confirmed", "Contradicted", "Undecided")
    heads = "".join(f"<th>{name}</th>" for name in names)
    return f'<div class="scroll"><table class="contents"><tr>{heads}</tr>{"".join(rows)}</table></div>'


def _titled(experiment: Experiment, part: Table | Figure) -> str:
    name = f"{part.source} {part.item}".replace(" ", "\N{NO-BREAK SPACE}")
    link = f'<a href="#{_anchor(experiment.name, part.item)}">{escape(name)}</a>'
    return f"<td>{link}</td><td>{escape(part.title)}</td>"


def _legend() -> str:
    rows = "".join(
        f'<li><span class="chip {_css_class(verdict)}">{wording.MARKS[verdict]} {escape(verdict)}</span> '
        f"{escape(meaning)}</li>"
        for verdict, meaning in _LEGEND
    )
    return (
        '<p class="small">In each cell: our mean ± its standard error, then what was published, then the '
        "difference in standard errors of the difference.</p><details><summary>What the signs mean</summary>"
        f'<ul class="legend">{rows}</ul></details>'
    )


def _css_class(verdict: str) -> str:
    return {CONFIRMED: "agrees", CONTRADICTED: "differs", REFERENCE: "reference"}.get(verdict, "quiet")


def _experiment(reproduction: "Reproduction", experiment: Experiment) -> str:
    tables = reproduction.cells[experiment.name]
    figures = zip(experiment.figures, reproduction.figures[experiment.name], strict=True)
    parts = [
        f"<section><h2>{escape(experiment.title)}</h2>",
        f'<p class="small">{escape(experiment.name)}</p>',
    ]
    parts += [_table(experiment.name, table, tables[table.item]) for table in experiment.tables]
    parts += [_figure(_anchor(experiment.name, figure.item), drawn) for figure, drawn in figures]
    return "\n".join([*parts, "</section>"])


def _table(experiment: str, table: Table, cells: Sequence[Cell]) -> str:
    by_place = {(cell.row, cell.column): cell for cell in cells}
    footnotes = _Footnotes()
    columns = wording.column_names(table, cells)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = []
    for row in wording.row_names(table, cells):
        tds = "".join(_cell(by_place.get((row, column)), footnotes) for column in columns)
        body.append(f'<tr><th scope="row">{escape(row)}</th>{tds}</tr>')
    return "\n".join(
        [
            f'<h3 id="{_anchor(experiment, table.item)}">{escape(table.source)}, {escape(table.item)}: '
            f"{escape(table.title)}</h3>",
            f'<p class="small">{escape(_table_line(table, cells))}</p>',
            f'<div class="scroll"><table class="cells"><thead><tr><th></th>{head}</tr></thead>',
            f"<tbody>{''.join(body)}</tbody></table></div>",
            footnotes.html(),
        ]
    )


def _table_line(table: Table, cells: Sequence[Cell]) -> str:
    line = f"{wording.score_line(Score.of(cells))}; {wording.trial_counts(cells)}; unit: {table.unit}."
    if table.reference_column is not None and any(cell.paired_with for cell in cells):
        line += (
            f" On artificial data the difference from {table.reference_column} is compared, because levels "
            f"belong to the one set that was drawn; Δ is how far our difference is from the published one."
        )
    if table.tolerance is not None:
        reason = f", {table.tolerance_reason}" if table.tolerance_reason else ""
        line += f" Tolerance {table.tolerance:g}{reason}."
    return line[0].upper() + line[1:]


class _Footnotes:
    """Numbered texts, each once however many cells it belongs to."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def mark(self, *texts: str) -> str:
        numbers = [self._numbers.setdefault(text, len(self._numbers) + 1) for text in texts if text]
        return f"<sup>{','.join(map(str, numbers))}</sup>" if numbers else ""

    def html(self) -> str:
        return f'<ol class="notes">{_items(self._numbers)}</ol>' if self._numbers else ""


def _cell(cell: Cell | None, footnotes: _Footnotes) -> str:
    if cell is None:
        return '<td class="quiet"></td>'
    marks = footnotes.mark(cell.reason, cell.note)
    lines = [
        f'<span class="mark" title="{escape(cell.verdict)}">{wording.MARKS[cell.verdict]}</span> '
        f'<span class="ours">{escape(wording.ours(cell))}</span>{marks}'
    ]
    if cell.published is not None:
        lines.append(f'<span class="published">{escape(wording.published(cell))}</span>')
    if cell.difference is not None:
        lines.append(f'<span class="deviation">{escape(_short_deviation(cell))}</span>')
    label = (
        f"{cell.row}, {cell.column}: {cell.verdict}. {wording.deviation(cell)} {wording.needed(cell)}".strip()
    )
    opening = f'<td class="{_css_class(cell.verdict)}" title="{escape(label, quote=True)}">'
    return f"{opening}{'<br>'.join(lines)}</td>"


def _short_deviation(cell: Cell) -> str:
    text = f"Δ {cell.difference:+.{cell.decimals}f}" if cell.paired_with else wording.deviation(cell)
    return text.replace("-", "\N{MINUS SIGN}")


def _figure(anchor: str, drawn: DrawnFigure) -> str:
    title = f"{drawn.source}, figure {drawn.number}: {drawn.title}"
    if drawn.panels:
        content = "".join(f'<div class="panel">{svg}</div>' for svg in drawn.panels)
        caption = f"Means of {drawn.n_trials} trials; bands are one standard error."
    else:
        content, caption = "", "Not drawn: no trial of it has been run."
    return (
        f'<h3 id="{anchor}">{escape(title)}</h3><figure><div class="panels">{content}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _how_it_was_run(reproduction: "Reproduction") -> str:
    names = " ".join(experiment.name for experiment in reproduction.experiments)
    versions = ", ".join(reproduction.versions) or "nobody yet"
    trials = reproduction.summary.found + reproduction.summary.finished
    lines = [
        f"Written by weaklearn {__version__}; trials run by {versions}.",
        f"{trials} trials, {wording.duration(reproduction.work_seconds)} of work on one core.",
        f"To repeat it: weaklearn reproduce {names} --profile {reproduction.profile}",
        "Splits and random numbers come from hashes of each trial's description: every machine, engine and "
        "number of workers draws the same ones.",
    ]
    return f"<section><h2>How it was run</h2><ul>{_items(lines)}</ul></section>"
