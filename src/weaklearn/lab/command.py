"""``weaklearn reproduce`` runs the experiments of the source documents; ``weaklearn lab`` manages their results."""

from pathlib import Path
from typing import Annotated, Any

import typer

from weaklearn.console import Json, announcing

__all__ = ["COMMAND", "EXAMPLES", "GROUP"]

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


Experiments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[EXPERIMENT]...",
        help="Names from `weaklearn lab list`, or files of your own (FILE.py). Default: all.",
        autocompletion=_experiment_names,
    ),
]
Profile = Annotated[
    str,
    typer.Option(
        help="How much to run: quick, or full as published.", autocompletion=lambda: ["quick", "full"]
    ),
]
Items = Annotated[
    list[str] | None,
    typer.Option("--item", help='Only this table or figure ("table 4.2"); can be given again.'),
]
Rows = Annotated[
    list[str] | None, typer.Option("--row", help="Only this row of the tables; can be given again.")
]
Trials = Annotated[int | None, typer.Option(min=1, help="Trials per cell, instead of the profile's.")]
EngineName = Annotated[str, typer.Option("--engine", help="Where to run: local, or dask://HOST:PORT.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Local worker processes. Default: one per core.")]
StoreFile = Annotated[Path, typer.Option("--store", help="The file that stores finished trials.")]
Out = Annotated[Path, typer.Option(help="The folder for the report.")]
Recorded = Annotated[
    Path | None,
    typer.Option("--record", help="A folder of recorded trials. Default: those of the package."),
]
_STORE, _OUT = Path("reproduction/store.sqlite"), Path("reproduction")


def reproduce(
    experiments: Experiments = None,
    profile: Profile = "quick",
    items: Items = None,
    rows: Rows = None,
    trials: Trials = None,
    engine: EngineName = "local",
    workers: Workers = None,
    store: StoreFile = _STORE,
    out: Out = _OUT,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Run nothing: report on the recorded results.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say whether what the documents claim is true.

    Without an EXPERIMENT: tests some claims on new trials, runs recorded trials again to see whether they are
    identical, and reports on every claim, table and figure from the recorded trials. With one: runs its tables and
    figures under the profile and compares them with the published ones. Finished trials are stored: after a run was
    stopped or killed, rerun the same command to resume. Exit codes: 0 all trials have a result; 1 some failed, or the
    run could not be done; 2 wrong call; 130 interrupted.
    """
    from weaklearn.lab import _command_work as work

    chosen = work.chosen(experiments, profile, items, rows, trials)
    where: dict[str, Any] = {"engine": engine, "workers": workers, "store": store}
    narrowed = experiments or items or rows or trials or profile != "quick"
    if recorded:
        work.report(chosen, out, as_json, record=None)
    elif not narrowed and (claims := work.claims_of(chosen)):
        work.run(chosen, out, as_json, claims, **where)
    else:
        work.run(chosen, out, as_json, profile=profile, **where)


def run(
    experiments: Experiments = None,
    profile: Profile = "quick",
    engine: EngineName = "local",
    workers: Workers = None,
    store: StoreFile = _STORE,
    out: Out = _OUT,
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
    as_json: Json = False,
) -> None:
    """Reproduce under limits, retry failed trials, or verify stale ones.

    As `weaklearn reproduce`, with a limit of time or memory for each trial.
    """
    from weaklearn.lab import _command_work as work

    work.run(
        work.chosen(experiments, profile),
        out,
        as_json,
        profile=profile,
        engine=engine,
        workers=workers,
        store=store,
        trial_timeout=trial_timeout,
        memory_limit=memory_limit,
        stale="verify" if verify else "rerun",
        retry_failed=retry_failed,
    )


def list_experiments(experiments: Experiments = None, as_json: Json = False) -> None:
    """List the experiments with their tables and figures."""
    from weaklearn.lab import _command_work as work

    work.print_list(work.chosen(experiments), as_json)


def status(
    experiments: Experiments = None,
    profile: Profile = "quick",
    items: Items = None,
    rows: Rows = None,
    trials: Trials = None,
    store: StoreFile = _STORE,
    as_json: Json = False,
) -> None:
    """Count fresh, stale, missing, failed and damaged trials."""
    from weaklearn.lab import _command_work as work

    work.print_status(work.chosen(experiments, profile, items, rows, trials), profile, store, as_json)


def report(
    experiments: Experiments = None,
    profile: Profile = "quick",
    items: Items = None,
    rows: Rows = None,
    trials: Trials = None,
    store: StoreFile = _STORE,
    out: Out = _OUT,
    recorded: Annotated[
        Path | None,
        typer.Option("--record", help="Report on this folder of recorded trials, not on the store."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Report on what is stored; run nothing."""
    from weaklearn.lab import _command_work as work

    chosen = work.chosen(experiments, profile, items, rows, trials)
    if recorded is not None:
        work.report(chosen, out, as_json, record=recorded)
    else:
        work.run(chosen, out, as_json, profile=profile, store=store, stored_only=True)


def record(
    experiments: Experiments = None,
    store: StoreFile = _STORE,
    recorded: Recorded = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Drop recorded trials that no experiment has any more.")
    ] = False,
) -> None:
    """Add the trials of the store to the recorded ones; run nothing."""
    from weaklearn.lab import _command_work as work

    if prune and experiments:
        work.fail("--prune takes all experiments: name none", work.WRONG_CALL)
    work.record(work.chosen(experiments), store, recorded, prune)


def check(
    experiments: Experiments = None,
    items: Items = None,
    rows: Rows = None,
    engine: EngineName = "local",
    workers: Workers = None,
    recorded: Recorded = None,
    as_json: Json = False,
) -> None:
    """Run a few trials and tell whether the recorded results still hold."""
    from weaklearn.lab import _command_work as work

    work.check(work.chosen(experiments, None, items, rows), rows, recorded, engine, workers, as_json)


def decide(
    documents: Annotated[
        list[str] | None, typer.Argument(metavar="[DOCUMENT]...", help="Such as li2005. Default: all.")
    ] = None,
    minutes: Annotated[float, typer.Option(help="CPU minutes to spend.")] = 30.0,
    workers: Workers = None,
    store: StoreFile = _STORE,
    recorded: Recorded = None,
) -> None:
    """Run trials that decide open claims, the cheapest claim first."""
    from weaklearn.lab import _command_work as work

    work.decide(work.chosen(None), documents, minutes, store, recorded, workers)


COMMAND = reproduce
GROUP = typer.Typer(
    name="lab",
    help="Manage experiments: list, check, record and report on their results.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
GROUP.command("list")(list_experiments)
for _command in (run, status, report, record, check, decide):
    GROUP.command()(announcing(_command))
