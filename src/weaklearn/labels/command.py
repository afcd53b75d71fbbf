"""``weaklearn audit``: how many labels of a table are wrong, and which."""

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from weaklearn.console import (
    WRONG_CALL,
    Categorical,
    Drop,
    Header,
    Json,
    Numeric,
    Sheet,
    check_output,
    fail,
    print_lines,
    print_table,
)

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn audit --demo
  weaklearn audit patients.csv --label diagnosis
  weaklearn audit patients.csv --label diagnosis --reviewed audit_review.csv
  weaklearn audit patients.csv --label diagnosis --corrected patients_corrected.csv
  weaklearn audit survey.xlsx --sheet 2 --label answer --drop comment --budget 50
  weaklearn audit sales.csv.gz --label returned --json > findings.json
  weaklearn audit large.csv --label churned --engine local --workers 4
"""


class _Files(NamedTuple):
    """Where everything goes; ``corrected`` is None unless it was asked for."""

    report: Path
    rows: Path
    review: Path
    corrected: Path | None


def audit(
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="TABLE",
            help="A CSV, TSV, JSON lines (also .gz, .zip, .bz2, .xz), Parquet or Excel (.xlsx) file.",
            show_default=False,
        ),
    ] = None,
    label: Annotated[str | None, typer.Option(help="The column with the labels.")] = None,
    out: Annotated[Path, typer.Option(help="Where to write the report.")] = Path("audit.html"),
    csv: Annotated[
        Path | None,
        typer.Option(help="Where to write all rows, ranked. Default: beside the report, as .csv."),
    ] = None,
    review: Annotated[
        Path | None,
        typer.Option(help="Where to write the rows to review. Default: beside the report, as _review.csv."),
    ] = None,
    reviewed: Annotated[
        Path | None,
        typer.Option(help="A review file with the column true_label filled in: these rows are certain."),
    ] = None,
    corrected: Annotated[
        Path | None, typer.Option(help="Write the table again, with probable errors corrected.")
    ] = None,
    above: Annotated[
        float,
        typer.Option(min=0.5, max=1, help="Correct a label if another one has at least this probability."),
    ] = 0.9,
    budget: Annotated[int | None, typer.Option(min=1, help="List at most this many rows.")] = None,
    precision: Annotated[
        float | None,
        typer.Option(min=0.01, max=1, help="List rows of which at least this share should be wrong."),
    ] = None,
    drop: Drop = None,
    categorical: Categorical = None,
    numeric: Numeric = None,
    header: Header = True,
    sheet: Sheet = None,
    complexity: Annotated[
        bool,
        typer.Option(
            "--complexity", help="Also measure the surprise of each row and the complexity of the labels."
        ),
    ] = False,
    permutations: Annotated[int, typer.Option(min=4, help="Random orders for --complexity, at most.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    engine: Annotated[
        str,
        typer.Option(
            help="Where to fit learners: inline (this process), local (processes), or dask://HOST:PORT."
        ),
    ] = "inline",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Local processes. Default: one per core.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Audit an artificial table with errors that were planted in it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Estimate how many labels are wrong, and list the rows to look at.

    Writes a report (HTML), all rows ranked by the probability that their label is wrong (CSV), and a file in which the
    listed rows can be reviewed (CSV). Nothing is sent anywhere, unless --engine names other machines. Ctrl-C ends the
    audit early and writes the report from the learners that are fitted.
    """
    from weaklearn.engines import EngineError, check_engine, open_engine

    try:
        check_engine(engine)
    except EngineError as error:
        fail(str(error), WRONG_CALL)
    table, label, planted = _chosen(table, label, demo, out)
    files = _files(table, out, csv, review, reviewed, corrected)
    from weaklearn.labels import audit as run
    from weaklearn.tables import TableError, check_rewritable, read_table

    try:
        if files.corrected is not None:
            check_rewritable(table, files.corrected)
        given = read_table(
            table,
            sheet=sheet,
            header=header,
            drop=drop or (),
            categorical=categorical or (),
            numeric=numeric or (),
        )
        # In this process nothing has to be sent anywhere, and Ctrl-C ends the fit that is running.
        opened = nullcontext() if engine == "inline" else open_engine(engine, workers)
        with opened as where, _progress() as report:
            found = run(
                given,
                label,
                reviewed=reviewed,
                budget=budget,
                precision=precision,
                complexity=complexity,
                n_permutations=permutations,
                random_state=seed,
                verbose=sys.stderr.isatty(),
                callback=report,
                engine=where,
            )
    except (TableError, EngineError) as error:
        fail(str(error))
    except MemoryError:
        fail("the table does not fit into memory: audit a part of its rows")
    except KeyboardInterrupt:
        fail("stopped before the first learner was fitted: nothing was written", code=130)
    if planted is not None:
        found.notes.append(_demo_note(found, planted))
    n_corrected = _write(found, files, table, above, sheet, header)
    if as_json:
        typer.echo(found.to_json())
    else:
        _print(found, files, n_corrected)
        if demo and _has_display():
            import webbrowser

            webbrowser.open(files.report.resolve().as_uri())
    if found.interrupted:
        fail("stopped early; the report holds what was computed", code=130)


def _chosen(table: Path | None, label: str | None, demo: bool, out: Path) -> tuple[Path, str, Any]:
    """The table, its label column, and for the demo which rows are wrong."""
    if demo:
        if table is not None or label is not None:
            fail("--demo brings its own table: leave out TABLE and --label", WRONG_CALL)
        check_output(out)
        return _demo_table(out.with_name(f"{out.stem}_demo_table.csv"))
    if table is None:
        fail("name a table, or try --demo", WRONG_CALL)
    if not table.is_file():
        fail(f"there is no file {table}", WRONG_CALL)
    if label is None:
        from weaklearn.tables import TableError, read_table

        try:
            names = read_table(table).names
        except TableError as error:
            fail(str(error))
        shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
        fail(f"name the column with the labels by --label; the columns are: {shown}", WRONG_CALL)
    return table, label, None


def _demo_table(path: Path) -> tuple[Path, str, Any]:
    from weaklearn._files import write_file
    from weaklearn.datasets import make_noisy_table
    from weaklearn.reports import csv_text

    columns, wrong = make_noisy_table(random_state=0)
    names = list(columns)
    rows = zip(*(columns[name].tolist() for name in names), strict=True)
    try:
        write_file(path, csv_text(dict(zip(names, map(str, row), strict=True)) for row in rows))
    except OSError as error:
        fail(f"the table of the demo cannot be written: {error}")
    return path, "result", wrong


def _demo_note(found: Any, planted: Any) -> Any:
    from weaklearn.tables import Note, NoteCode

    hits, length = int(planted[found.listed].sum()), len(found.listed)
    sentence = (
        f"This is a demonstration on an artificial table. {int(planted.sum())} of its {len(planted)} labels were made "
        f"wrong on purpose; {hits} of the {length} listed rows are among them."
    )
    return Note(NoteCode.DEMO, sentence, {"planted": int(planted.sum()), "found": hits}, warning=True)


def _files(
    table: Path,
    out: Path,
    csv: Path | None,
    review: Path | None,
    reviewed: Path | None,
    corrected: Path | None,
) -> _Files:
    """All output files, checked before any work is done: distinct, writable, and no answers are overwritten."""
    if csv is None:
        csv = out.with_suffix(".csv")
        if csv.resolve() == table.resolve():
            csv = out.with_name(f"{out.stem}_rows.csv")
    if review is None:
        review = out.with_name(f"{out.stem}_review.csv")
    files = _Files(out, csv, review, corrected)
    written = [path for path in files if path is not None]
    for path in written:
        check_output(path, table)
    if len({path.resolve() for path in written}) < len(written):
        fail(f"two outputs have the same name: {', '.join(map(str, written))}", WRONG_CALL)
    if reviewed is not None and not reviewed.is_file():
        fail(f"there is no file {reviewed}", WRONG_CALL)
    same = reviewed is not None and review.resolve() == reviewed.resolve()
    if review.is_file() and not same and _has_answers(review):
        fail(
            f"{review} holds answers that would be lost: use them by --reviewed {review}, or name another file by "
            "--review",
            WRONG_CALL,
        )
    return files


def _has_answers(path: Path) -> bool:
    from weaklearn.labels import has_answers

    return has_answers(path)


def _write(found: Any, files: _Files, table: Path, above: float, sheet: str | None, header: bool) -> int:
    """Write everything; the number of corrected labels."""
    from weaklearn._files import write_file
    from weaklearn.tables import rewritten

    n_corrected = 0
    try:
        found.to_html(files.report)
        found.to_csv(files.rows)
        found.to_review(files.review)
        if files.corrected is not None:
            new = found.corrected_labels(above)
            changed = {
                int(found.table.lines[row]) - 1: str(new[row]) for row in (new != found.table.y).nonzero()[0]
            }
            n_corrected = len(changed)
            write_file(
                files.corrected,
                rewritten(table, files.corrected, found.table.label, changed, sheet=sheet, header=header),
            )
    except OSError as error:
        fail(f"the report cannot be written: {error}")
    return n_corrected


class _progress:
    """A bar on standard error with the time left; nothing if that is no terminal."""

    def __enter__(self) -> Callable[[int, int], None]:
        self._bar: Any = None
        if not sys.stderr.isatty():
            return lambda done, total: None
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("fitting learners"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("time left"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        task = self._bar.add_task("", total=None)
        return lambda done, total: self._bar.update(task, completed=done, total=total)

    def __exit__(self, *exception: Any) -> None:
        if self._bar is not None:
            self._bar.stop()


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _print(found: Any, files: _Files, n_corrected: int) -> None:
    summary = found.summary()
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
    for record in summary["top"][:10]:
        why = ", ".join(f"{r['column']} {r['value']}" for r in record["columns_that_disagree"][:2])
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
        heads = ("row", "label", "more likely", "wrong", "columns that disagree")
        print_table(
            heads, rows, left=("label", "more likely", "columns that disagree"), title="rows to look at"
        )
    typer.echo(f"Report: {files.report}")
    typer.echo(f"All rows: {files.rows}")
    typer.echo(f"To review: {files.review} (fill in true_label, then give it to --reviewed)")
    if files.corrected is not None:
        typer.echo(f"Corrected table: {files.corrected} ({n_corrected} labels changed)")


COMMAND = audit
