"""The command line: ``weaklearn reproduce``, ``audit``, ``compare``, ``threshold``, ``datasets`` and ``serve``.

Results go to standard output, progress and complaints to standard error. The exit code is 0 only
if the job was done: 1 if it was not, 2 for a wrong call, 130 after Ctrl-C. Everything heavy is
imported by the command that needs it, so that ``--help`` answers at once.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from weaklearn import __version__

if TYPE_CHECKING:
    from weaklearn.lab import Experiment, Reproduction

__all__ = ["app", "main"]

app = typer.Typer(
    name="weaklearn",
    help="Learning from weak hypotheses and hard data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


def _fail(message: str, code: int = 1) -> NoReturn:
    typer.echo(f"weaklearn: {message}", err=True)
    raise typer.Exit(code)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"weaklearn {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Learning from weak hypotheses and hard data."""


@app.command()
def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...", help="Names from --list, or files of your own (FILE.py). Default: all."
        ),
    ] = None,
    profile: Annotated[str, typer.Option(help="How much to run: quick, or full as published.")] = "quick",
    items: Annotated[
        list[str] | None,
        typer.Option("--item", help='Only this table or figure ("table 4.2"); can be given again.'),
    ] = None,
    rows: Annotated[
        list[str] | None, typer.Option("--row", help="Only this row of the tables; can be given again.")
    ] = None,
    trials: Annotated[int | None, typer.Option(help="Trials per cell, instead of the profile's.")] = None,
    engine: Annotated[str, typer.Option(help="Where to run: local, or dask://HOST:PORT.")] = "local",
    store: Annotated[Path, typer.Option(help="The file that keeps finished trials.")] = Path(
        "reproduction/store.sqlite"
    ),
    out: Annotated[Path, typer.Option(help="The folder for the report.")] = Path("reproduction"),
    workers: Annotated[
        int | None, typer.Option(help="Local worker processes. Default: one per core.")
    ] = None,
    trial_timeout: Annotated[
        float | None, typer.Option(help="Seconds that a trial may take before it is ended and fails.")
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option(help="Memory that a trial may take before it fails, such as 2GB.")
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Keep results of older code if a sample of each cell gives the same bits now."
        ),
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run trials again that failed before with the same code.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Save what is intact in a damaged store, then run what is lost.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Count fresh, stale, missing and failed trials, and exit.")
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown, too.")] = None,
    as_json: Json = False,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments and leave.")] = False,
) -> None:
    """Run the experiments of the source documents and compare every cell with the published one.

    Rerun the same command to resume a run that was stopped or killed. Exit codes: 0 all trials have a result;
    1 some failed, or the run could not be done; 2 wrong call; 130 interrupted.
    """
    from weaklearn.lab import LabError

    try:
        chosen = _chosen(experiments or [])
        if list_them:
            _list_experiments(chosen, as_json)
            return
        chosen = _narrowed(chosen, items or [], rows or [], trials)
        if repair:
            _repair(chosen, profile, store)
        if status:
            _status(chosen, profile, store, as_json)
            return
        options = {
            "trial_timeout": trial_timeout,
            "memory_limit": _memory(memory_limit),
            "stale": "verify" if verify else "rerun",
            "retry_failed": retry_failed,
        }
        result = _reproduce(chosen, profile, engine, store, out, workers, markdown, options)
    except LabError as error:
        _fail(str(error))
    if as_json:
        from weaklearn.lab._report import machine_readable

        typer.echo(
            json.dumps({**machine_readable(result), "report": str(out / "report.html")}, allow_nan=False)
        )
    else:
        _print_summary(result, out)
    _leave(result, out)


def _chosen(names: list[str]) -> "list[Experiment]":
    from weaklearn.lab import LabError, catalog

    known = catalog.discover()
    if not names:
        if not known:
            raise LabError("the catalogue has no experiments: give a file that defines EXPERIMENT")
        return list(known.values())
    # A name given twice is run once.
    return [_experiment(name, known) for name in dict.fromkeys(names)]


def _experiment(name: str, known: "dict[str, Experiment]") -> "Experiment":
    from weaklearn.lab import LabError

    if name.endswith(".py"):
        return _experiment_from_file(Path(name))
    if name in known:
        return known[name]
    import difflib

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise LabError(f"unknown experiment {name!r}{hint}; known: {', '.join(known) or 'none'}")


def _narrowed(
    experiments: "list[Experiment]", items: list[str], rows: list[str], trials: int | None
) -> "list[Experiment]":
    from weaklearn.lab import LabError

    if trials is not None and trials < 1:
        raise LabError(f"--trials must be at least 1, got {trials}")
    known_items = dict.fromkeys(part.item for experiment in experiments for part in experiment.parts)
    known_rows = dict.fromkeys(
        row.label
        for experiment in experiments
        for part in experiment.parts
        if not items or part.item in items
        for row in part.rows
    )
    for option, asked, known in (("--item", items, known_items), ("--row", rows, known_rows)):
        for name in asked:
            if name not in known:
                raise LabError(f"{option} {name!r} is not there; choose from: {'; '.join(known)}")
    narrowed = [experiment.narrowed(items, tuple(rows) or None, trials) for experiment in experiments]
    return [experiment for experiment in narrowed if experiment.parts]


def _experiment_from_file(path: Path) -> "Experiment":
    import runpy

    from weaklearn.lab import Experiment, LabError

    if not path.is_file():
        raise LabError(f"there is no file {path}")
    try:
        found = runpy.run_path(str(path)).get("EXPERIMENT")
    except Exception as error:  # whatever the user's own file raises is the user's to read
        raise LabError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    if not isinstance(found, Experiment):
        raise LabError(f"{path} defines no EXPERIMENT (a weaklearn.lab.Experiment)")
    return found


def _list_experiments(experiments: "list[Experiment]", as_json: bool) -> None:
    if as_json:
        records = [
            {
                "name": experiment.name,
                "source": experiment.source,
                "title": experiment.title,
                "items": [part.item for part in experiment.parts],
                "profiles": list(experiment.profiles),
            }
            for experiment in experiments
        ]
        typer.echo(json.dumps(records))
        return
    for experiment in experiments:
        typer.echo(f"{experiment.name}: {experiment.title}")
        typer.echo(f"    {', '.join(part.item for part in experiment.parts)}")


def _reproduce(
    experiments: "list[Experiment]",
    profile: str,
    engine: str,
    store: Path,
    out: Path,
    workers: int | None,
    markdown: Path | None,
    options: dict,
) -> "Reproduction":
    from weaklearn.lab import LabError
    from weaklearn.lab import reproduce as run
    from weaklearn.lab._progress import observer_for

    if workers is not None and workers < 1:
        raise LabError(f"--workers must be at least 1, got {workers}")
    if markdown is not None and not markdown.parent.is_dir():
        raise LabError(f"--markdown {markdown}: there is no folder {markdown.parent}")
    result = run(
        experiments,
        profile=profile,
        store=store,
        out=out,
        engine=engine,
        workers=workers,
        observer=observer_for(sys.stderr),
        **options,
    )
    if markdown is not None:
        from weaklearn.lab._report import write_text
        from weaklearn.lab._report_markdown import to_markdown

        write_text(markdown, to_markdown(result))
    return result


def _memory(text: str | None) -> int | None:
    from weaklearn.engines import EngineError, memory_bytes
    from weaklearn.lab import LabError

    try:
        return None if text is None else memory_bytes(text)
    except EngineError as error:
        raise LabError(f"--memory-limit {error}") from error


def _repair(experiments: "list[Experiment]", profile: str, store: Path) -> None:
    from weaklearn.lab import repair

    found = repair(experiments, profile=profile, store=store)
    for damage in found.damage[:10]:
        typer.echo(f"weaklearn: damaged: {damage}", err=True)
    if found.backup is not None:
        typer.echo(
            f"weaklearn: {len(found.damage)} places were damaged, {found.kept} results are intact; "
            f"the damaged file is kept as {found.backup}",
            err=True,
        )


def _status(experiments: "list[Experiment]", profile: str, store: Path, as_json: bool) -> None:
    from dataclasses import asdict

    from weaklearn.lab import status_report

    records = [asdict(study) for study in status_report(experiments, profile=profile, store=store)]
    if as_json:
        typer.echo(json.dumps(records))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"profile {profile}", title_justify="left")
    for name in ("study", "planned", "fresh", "stale", "missing", "failed", "damaged"):
        table.add_column(name, justify="left" if name == "study" else "right")
    for record in records:
        table.add_row(*(Text(str(value)) for value in record.values()))
    Console(width=None if sys.stdout.isatty() else 100, highlight=False).print(table)


def _print_summary(result: "Reproduction", out: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    from weaklearn.lab import Score
    from weaklearn.lab._wording import duration, score_line

    table = Table(title=f"profile {result.profile}", title_justify="left")
    for name in ("table", "published", "run", "agree", "differ"):
        table.add_column(name, justify="left" if name == "table" else "right")
    for tables in result.cells.values():
        for item, cells in tables.items():
            score = Score.of(cells)
            counts = (score.published, score.run, score.agree, score.differ)
            table.add_row(f"{cells[0].source} {item}" if cells else item, *map(str, counts))
    # A narrow terminal shows the table; a pipe should not have it cut to 80 columns.
    console = Console(width=None if sys.stdout.isatty() else 100, highlight=False)
    console.print(table)
    console.print(f"{score_line(result.score).capitalize()}.", markup=False)
    typer.echo(f"Report: {out / 'report.html'} ({duration(result.summary.seconds)})")


def _leave(result: "Reproduction", out: Path) -> None:
    summary = result.summary
    for name, how in sorted(result.missing.items()):
        typer.echo(
            f"weaklearn: data set {name} is not here, its rows were skipped. To have it: {how}", err=True
        )
    for worker, reason in summary.refused.items():
        typer.echo(f"weaklearn: the Dask worker {worker} was refused: {reason}", err=True)
    for failure in summary.failures[:3]:
        last = (failure.error or "").strip().splitlines()[-1]
        typer.echo(f"weaklearn: a trial failed: {last}\n    {failure.description}", err=True)
    done = f"{summary.found + summary.finished} of {summary.planned} trials are stored"
    if summary.interrupted:
        _fail(f"stopped: {done}; the same command goes on", code=130)
    if summary.stopped:
        _fail(f"{summary.stopped}; {done}")
    if summary.failures:
        before = f" ({summary.failed_before} of them before: --retry-failed runs them again)"
        _fail(
            f"{len(summary.failures)} trials failed{before if summary.failed_before else ''}; "
            f"all tracebacks are in {out / 'failures.txt'}"
        )
    if not result.done:
        _fail("nothing could be run: no data set that was asked for is here")


# The options of these commands belong to their own files, which are heavy to import: until one of them runs,
# its arguments are passed through unread.
_PASSED_ON: dict = {
    "add_help_option": False,
    "context_settings": {
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "allow_interspersed_args": False,
    },
}


def _pass_on(function: Callable[..., None], context: typer.Context) -> None:
    command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command.command()(function)
    command(args=context.args, prog_name=context.command_path)


@app.command(**_PASSED_ON)
def audit(context: typer.Context) -> None:
    """Find the rows of a table whose labels do not belong, and say how complex the table is."""
    from weaklearn.complexity._command import audit_command

    _pass_on(audit_command, context)


@app.command(**_PASSED_ON)
def compare(context: typer.Context) -> None:
    """Compare our classifiers and familiar ones on a table of yours, honestly."""
    from weaklearn.cloning._command import compare_command

    _pass_on(compare_command, context)


@app.command()
def datasets(as_json: Json = False) -> None:
    """List the real data sets, and where each would be read or how to get it."""
    from dataclasses import asdict

    from weaklearn.datasets import available

    records = available()
    if as_json:
        typer.echo(json.dumps([asdict(record) for record in records]))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for name in ("name", "rows", "features", "classes", "here"):
        table.add_column(name, justify="left" if name in ("name", "here") else "right")
    table.add_column("where, or how to get it", overflow="fold")
    for record in records:
        here = record.source or "no"
        counts = (str(record.rows), str(record.features), str(record.classes))
        table.add_row(record.name, *counts, here, record.how_to_get)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


@app.command()
def threshold(
    levels: Annotated[
        str | None, typer.Option(help="The levels that may be tried: 1,2,4,8 or start:stop:number.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="The share of yes at the level that is looked for (0.5); several with commas."),
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="What to ask; {level} in it stands for the level.")
    ] = None,
    sampler: Annotated[
        str | None,
        typer.Option(
            help="How levels are chosen: MinEnt (the default), PosteriorMinEnt, BestPEST, Staircase, EqualAllocation "
            "or QuestPlus."
        ),
    ] = None,
    falling: Annotated[
        bool, typer.Option("--falling", help="Yes becomes less likely as the level rises.")
    ] = False,
    budget: Annotated[
        str | None, typer.Option(help="Stop after so many answers. Default: three per level.")
    ] = None,
    width: Annotated[str | None, typer.Option(help="Stop when the 90% interval is this narrow.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the choice of levels repeatable.")] = None,
    session: Annotated[Path, typer.Option(help="The file that keeps the experiment.")] = Path(
        "threshold.json"
    ),
    as_json: Json = False,
) -> None:
    """Find a threshold by yes/no questions in the terminal.

    Every answer is in the session's file before the next question is asked. The same command, or --session alone,
    goes on with it; so does the page of `weaklearn serve`. Answers may come from a pipe, one per line.
    """
    from weaklearn.app._terminal import TerminalError
    from weaklearn.app._terminal import main as run

    typed = {
        "levels": levels,
        "target": target,
        "question": question,
        "sampler": sampler,
        "direction": "falling" if falling else None,
        "budget": budget,
        "width": width,
    }
    try:
        finished = run(session, typed, seed, as_json)
    except TerminalError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        _fail(f"stopped: every answer is in {session}; the same command goes on", code=130)
    if not finished:
        _fail(f"not finished: every answer is in {session}; the same command goes on")


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes a free port.")] = 8765,
    folder: Annotated[Path, typer.Option(help="The folder that keeps the sessions.")] = Path(),
) -> None:
    """Run threshold experiments on a page in the browser.

    The server listens on 127.0.0.1 only, and lets in only the browser that opens the address it prints.
    """
    from weaklearn.app._serve import ServeError
    from weaklearn.app._serve import serve as run

    try:
        run(folder, port)
    except ServeError as error:
        _fail(str(error))


def main() -> None:
    """Entry point of the ``weaklearn`` command."""
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("weaklearn: stopped; the same command goes on", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
