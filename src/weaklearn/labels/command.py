"""``weaklearn audit``: how many labels of a table are wrong, and which."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from weaklearn._formulas import KEEP_FORMULAS
from weaklearn.console import (
    WRONG_CALL,
    Json,
    TableCall,
    check_output,
    fail,
    on_table,
    print_lines,
    print_table,
    progress_bar,
)

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn audit --demo
  weaklearn audit patients.csv --label diagnosis
  weaklearn audit patients.csv --label diagnosis --sample 40
  weaklearn audit patients.csv --label diagnosis --reviewed audit_review.csv
  weaklearn audit patients.csv --label diagnosis --corrected patients_corrected.csv
  weaklearn audit survey.xlsx --sheet 2 --label answer --drop comment --budget 50
  weaklearn audit sales.csv.gz --label returned --json > findings.json
  weaklearn audit large.csv --label churned --engine local
"""


class _Files(NamedTuple):
    """Where everything goes; ``corrected`` and ``tasks`` are None unless they were asked for."""

    report: Path
    rows: Path
    review: Path
    corrected: Path | None
    tasks: Path | None


@on_table
def audit(
    call: TableCall,
    out: Annotated[
        Path,
        typer.Option(help="Where to write the report; the ranked rows and the rows to review go beside it."),
    ] = Path("audit.html"),
    reviewed: Annotated[
        Path | None,
        typer.Option(
            help="A review file with true_label filled in, or an export of Label Studio: these rows are certain."
        ),
    ] = None,
    corrected: Annotated[
        Path | None, typer.Option(help="Write the table again, with probable errors corrected.")
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option(
            help="Write the rows to review as tasks for Label Studio, too (FILE.json); export as JSON."
        ),
    ] = None,
    above: Annotated[
        float,
        typer.Option(min=0.5, max=1, help="Correct a label if another one has at least this probability."),
    ] = 0.9,
    keep_formulas: Annotated[bool, typer.Option("--keep-formulas", help=KEEP_FORMULAS)] = False,
    budget: Annotated[int | None, typer.Option(min=1, help="List at most this many rows.")] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Put a random sample of this many rows first in the review file. Only reviews of this sample give an "
            "interval to trust.",
        ),
    ] = None,
    keep_small_classes: Annotated[
        bool, typer.Option("--keep-small-classes", help="Do not set aside classes of one or two rows.")
    ] = False,
    complexity: Annotated[
        bool,
        typer.Option(
            "--complexity", help="Also measure the surprise of each row and the complexity of the labels."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Estimate how many labels are wrong, and list the rows to look at.

    Writes a report (REPORT.html), all rows ranked by the probability that their label is wrong (REPORT.csv), and a file
    in which the listed rows can be reviewed (REPORT_review.csv). Nothing is sent anywhere, unless --engine names other
    machines. Ctrl-C ends the audit early and writes the report from the learners that are fitted.
    """
    table, label, planted = call.path, call.label, None
    if table is None:
        check_output(out)
        table, label, planted = _demo_table(out.with_name(f"{out.stem}_demo_table.csv"))
    files = _files(table, out, reviewed, corrected, tasks)
    from weaklearn.engines import EngineError
    from weaklearn.labels import audit as run
    from weaklearn.tables import TableError, check_rewritable

    try:
        if corrected is not None:
            check_rewritable(table, corrected)
        with call.engine() as engine, progress_bar("fitting learners") as report:
            found = run(
                call.read(table),
                label,
                reviewed=reviewed,
                sample=sample,
                budget=budget,
                merge_spellings=call.merge_spellings,
                keep_small_classes=keep_small_classes,
                complexity=complexity,
                verbose=sys.stderr.isatty(),
                callback=report,
                engine=engine,
            )
    except (TableError, EngineError) as error:
        fail(str(error))
    except MemoryError:
        fail("the table does not fit into memory: audit a part of its rows")
    except KeyboardInterrupt:
        fail("stopped before the first learner was fitted: nothing was written", code=130)
    if planted is not None:
        found.notes.append(_demo_note(found, planted))
    how: dict[str, Any] = {name: call.reading[name] for name in ("sheet", "header") if name in call.reading}
    n_corrected = _write(found, files, table, above, {**how, "keep_formulas": keep_formulas})
    if as_json:
        typer.echo(json.dumps(found.to_dict(), allow_nan=False))
    else:
        _print(found, files, n_corrected)
        if planted is not None and _has_display():
            import webbrowser

            webbrowser.open(files.report.resolve().as_uri())
    if found.interrupted:
        fail("stopped early; the report holds what was computed", code=130)


def _demo_table(path: Path) -> tuple[Path, str, Any]:
    """The table of the demo, its label column, and which rows are wrong."""
    from weaklearn.datasets import make_noisy_table
    from weaklearn.reports import csv_text, write_file

    columns, wrong = make_noisy_table(random_state=0)
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    try:
        write_file(path, csv_text(dict(zip(columns, map(str, row), strict=True)) for row in rows))
    except OSError as error:
        fail(f"the table of the demo cannot be written: {error}")
    return path, "result", wrong


def _demo_note(found: Any, planted: Any) -> Any:
    from weaklearn.tables import Note

    hits, length = int(planted[found.listed].sum()), len(found.listed)
    sentence = (
        f"This is a demonstration on an artificial table. {int(planted.sum())} of its {len(planted)} labels were made "
        f"wrong on purpose; {hits} of the {length} listed rows are among them."
    )
    return Note(sentence, warning=True)


def _files(
    table: Path, out: Path, reviewed: Path | None, corrected: Path | None, tasks: Path | None
) -> _Files:
    """All output files, checked before any work is done: distinct, writable, and no answers are overwritten."""
    rows, review = out.with_suffix(".csv"), out.with_name(f"{out.stem}_review.csv")
    if rows.resolve() == table.resolve():
        rows = out.with_name(f"{out.stem}_rows.csv")
    files = _Files(out, rows, review, corrected, tasks)
    if tasks is not None and tasks.suffix.lower() != ".json":
        fail(f"--tasks {tasks} must end in .json", WRONG_CALL)
    written = [path for path in files if path is not None]
    for path in written:
        check_output(path, table)
    if len({path.resolve() for path in written}) < len(written):
        fail(f"two outputs have the same name: {', '.join(map(str, written))}", WRONG_CALL)
    if reviewed is not None and not reviewed.is_file():
        fail(f"there is no file {reviewed}", WRONG_CALL)
    used = reviewed is not None and review.resolve() == reviewed.resolve()
    if review.is_file() and not used:
        from weaklearn.labels._review_files import has_answers

        if has_answers(review):
            fail(
                f"{review} holds answers that would be lost: use them by --reviewed {review}, or choose another --out",
                WRONG_CALL,
            )
    return files


def _write(found: Any, files: _Files, table: Path, above: float, how: dict[str, Any]) -> int:
    """Write everything, the corrected table by these options of `rewritten`; the number of corrected labels."""
    from weaklearn.reports import write_file
    from weaklearn.tables import rewritten

    changed: dict[int, str] = {}
    try:
        found.to_html(files.report)
        found.to_csv(files.rows)
        found.to_review(files.review)
        if files.tasks is not None:
            found.to_review(files.tasks)
        if files.corrected is not None:
            new = found.corrected_labels(above)
            changed = {
                int(found.table.lines[row]) - 1: str(new[row]) for row in (new != found.table.y).nonzero()[0]
            }
            write_file(files.corrected, rewritten(table, files.corrected, found.table.label, changed, **how))
    except OSError as error:
        fail(f"the report cannot be written: {error}")
    return len(changed)


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _print(found: Any, files: _Files, n_corrected: int) -> None:
    summary = found.to_dict()
    print_lines([summary["answer"], summary["list"]])
    print_lines(map(str, found.notes))
    print_lines(
        f"Column {item['column']!r} alone gives the label in {100 * item['share']:.1f}% of the rows: is it a copy?"
        for item in summary["telling_columns"]
    )
    unused = [column.name for column in found.table.columns if not column.used]
    if unused:
        print_lines([f"Columns that were not used: {', '.join(unused)}. The report says why."])
    rows = []
    for record in summary["top"][: min(10, len(found.listed))]:
        why = ", ".join(f"{r['column']} {r['value']}" for r in record["reasons"][:2])
        rows.append(
            (
                str(record["row"]),
                record["label"],
                record["other_label"],
                f"{100 * record['wrong_probability']:.0f}%",
                why,
            )
        )
    if rows:
        heads = ("row", "label", "more likely", "wrong", "why it looks wrong")
        print_table(heads, rows, left=("label", "more likely", "why it looks wrong"), title="rows to look at")
    typer.echo(f"Report: {files.report}")
    typer.echo(f"All rows: {files.rows}")
    typer.echo(f"To review: {files.review} (fill in true_label, then give it to --reviewed)")
    if files.corrected is not None:
        typer.echo(f"Corrected table: {files.corrected} ({n_corrected} labels changed)")


COMMAND = audit
