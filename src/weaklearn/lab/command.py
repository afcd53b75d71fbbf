"""``weaklearn reproduce``: run the experiments of the source documents and compare every cell."""

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.console import Json

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn reproduce
  weaklearn reproduce li2006_cgboost --profile full
  weaklearn reproduce --item "table 4.2" --row pima --trials 20
  weaklearn reproduce my_experiment.py --engine dask://10.0.0.5:8786
"""


def _experiment_names(incomplete: str) -> list[str]:
    """For the shell's completion."""
    from weaklearn.lab import discover

    return [name for name in discover() if name.startswith(incomplete)]


def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...",
            help="Names from --list, or files of your own (FILE.py). Default: all.",
            autocompletion=_experiment_names,
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            help="How much to run: quick, or full as published.", autocompletion=lambda: ["quick", "full"]
        ),
    ] = "quick",
    items: Annotated[
        list[str] | None,
        typer.Option("--item", help='Only this table or figure ("table 4.2"); can be given again.'),
    ] = None,
    rows: Annotated[
        list[str] | None, typer.Option("--row", help="Only this row of the tables; can be given again.")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(min=1, help="Trials per cell, instead of the profile's.")
    ] = None,
    engine: Annotated[str, typer.Option(help="Where to run: local, or dask://HOST:PORT.")] = "local",
    store: Annotated[Path, typer.Option(help="The file that stores finished trials.")] = Path(
        "reproduction/store.sqlite"
    ),
    out: Annotated[Path, typer.Option(help="The folder for the report.")] = Path("reproduction"),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Local worker processes. Default: one per core.")
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
    stored_only: Annotated[
        bool, typer.Option("--stored-only", help="Run nothing: report on what is stored already.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Count fresh, stale, missing and failed trials, and exit.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Add the results to the register of recorded results.")
    ] = False,
    register: Annotated[
        Path | None, typer.Option(help="The folder of the register. Default: the one of the package.")
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Run nothing: report on the recorded results.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Run a few trials and tell whether the recorded results still hold."),
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Also write the tables as Markdown.")] = None,
    as_json: Json = False,
    list_them: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
) -> None:
    """Reproduce the published tables and figures.

    Runs the experiments of the source documents and compares every cell with the published one. Finished trials are
    stored: after a run was stopped or killed, rerun the same command to resume. Exit codes: 0 all trials have a result;
    1 some failed, or the run could not be done; 2 wrong call; 130 interrupted.
    """
    from weaklearn.lab import _command_work as _reproduction

    chosen = _reproduction.chosen(experiments or [])
    if list_them:
        _reproduction.print_list(chosen, as_json)
        return
    narrowed = _reproduction.narrowed(chosen, profile, items or [], rows or [], trials, markdown)
    _reproduction.check_places(store, out)
    limit = _reproduction.checked_limits(engine, workers, trial_timeout, memory_limit)
    with _reproduction.failing():
        if repair:
            _reproduction.repair_store(narrowed, profile, store)
        if status:
            _reproduction.print_status(narrowed, profile, store, as_json)
            return
        if check:
            _reproduction.check_recorded(narrowed, register, engine, workers, as_json)
            return
        if recorded:
            result = _reproduction.recorded_report(narrowed, markdown, out, register)
            _reproduction.print_result(result, out, as_json)
            return
        result = _reproduction.run(
            narrowed,
            markdown,
            profile=profile,
            engine=engine,
            store=store,
            out=out,
            workers=workers,
            trial_timeout=trial_timeout,
            memory_limit=limit,
            stale="verify" if verify else "rerun",
            retry_failed=retry_failed,
            stored_only=stored_only,
        )
        if record:
            _reproduction.record_results(narrowed, profile, store, register)
    _reproduction.print_result(result, out, as_json)
    if not stored_only:
        _reproduction.leave(result, out)


COMMAND = reproduce
