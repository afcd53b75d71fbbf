"""``weaklearn threshold``: an adaptive yes/no experiment in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.console import WRONG_CALL, Json, check_output, fail, print_lines, print_table

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn threshold --levels 1,2,4,8 --question "Do you hear {level} dB?"
  weaklearn threshold --levels 0:100:21 --target 0.75 --budget 60 --session dose.json
  weaklearn threshold --session dose.json
  weaklearn threshold --levels 1,2,4,8,16 --task 2AFC --subject anna --condition quiet
  weaklearn threshold --levels 0:1:21 --width 0.2 --plan
  weaklearn threshold --demo
"""


_DEMO_LEVELS = "0:1:21"


def threshold(
    levels: Annotated[
        str | None, typer.Option(help="The levels that may be tried: 1,2,4,8 or start:stop:number.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help='Target probability of "yes"; several with commas. Default: halfway from guessing to 1; of harm, 0.3.'
        ),
    ] = None,
    difference: Annotated[
        str | None,
        typer.Option(
            help="Instead of --target: the level that differs from the first by this much, such as 0.2."
        ),
    ] = None,
    gain: Annotated[
        str | None,
        typer.Option(
            help='Instead of --target: the level with the largest gain times probability. Points such as "1:5,8:1", or '
            "the word level if a yes brings the level itself, as a price does."
        ),
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="The question to ask; {level} in it stands for the level.")
    ] = None,
    sampler: Annotated[
        str | None,
        typer.Option(
            help="How levels are chosen: PosteriorMinEnt (the default) or another sampler of weaklearn.adaptive."
        ),
    ] = None,
    falling: Annotated[
        bool, typer.Option("--falling", help='"Yes" becomes less likely as the level rises.')
    ] = False,
    budget: Annotated[
        str | None, typer.Option(help="Stop after this many answers. Default: three per level.")
    ] = None,
    width: Annotated[str | None, typer.Option(help="Stop when the 90% interval is this narrow.")] = None,
    task: Annotated[
        str | None,
        typer.Option(
            help='"yes/no" (the default), or 2AFC, 3AFC, ... for a forced choice: y is then "right".'
        ),
    ] = None,
    scale: Annotated[
        str | None, typer.Option(help="linear or log. Default: log for levels such as 1, 2, 4, 8.")
    ] = None,
    lapse: Annotated[
        str | None, typer.Option(help="Probability of no far above the threshold. Default: 0 or 0.04.")
    ] = None,
    cohort: Annotated[
        str | None, typer.Option(help="DoseEscalation: this many answers at a dose before the next decision.")
    ] = None,
    overdose_limit: Annotated[
        str | None,
        typer.Option(
            help="DoseEscalation: largest allowed probability of an overdose. Default: for a new dose 0.16, rising by "
            "0.014 with every answer up to 0.55; for a dose that was tried 0.35."
        ),
    ] = None,
    subject: Annotated[str | None, typer.Option(help="Whose threshold it is; kept with the session.")] = None,
    condition: Annotated[
        str | None, typer.Option(help="Under which condition; kept with the session.")
    ] = None,
    block: Annotated[
        str | None,
        typer.Option(help="Name of a block; the page asks the sessions of a block in random order."),
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Show neither levels nor estimates.")] = False,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo",
            help="A simulated observer gives the answers; on levels 0:1:21 unless --levels is given.",
        ),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Simulate how many answers the precision --width takes.")
    ] = False,
    truth: Annotated[
        float | None,
        typer.Option(help="--demo, --plan: the observer's threshold. Default: 43% of the range."),
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            min=1e-100,
            help="--demo, --plan: scale of the observer's logistic curve; of the logarithm on a log scale. "
            "Default: 5% of the range.",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(min=2, max=10_000, help="--plan: simulated experiments.")] = 100,
    most: Annotated[int, typer.Option(min=2, max=2_000, help="--plan: most answers of each.")] = 120,
    plot: Annotated[Path | None, typer.Option(help="--plan: also draw it into this PNG or SVG file.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the choice of levels repeatable.")] = None,
    session: Annotated[
        Path | None, typer.Option(help="The file that stores the experiment. Default: threshold.json.")
    ] = None,
    trials: Annotated[
        Path | None,
        typer.Option(
            "--import", help="Add trials made elsewhere: a CSV file with the columns level and outcome."
        ),
    ] = None,
    extend: Annotated[
        int | None, typer.Option(min=1, max=9999, help="Allow this many more answers than there are.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find a threshold by yes/no questions in the terminal.

    Every answer is saved before the next question is asked. Rerun the same command, or give --session alone, to resume;
    the page of `weaklearn serve` resumes it, too. Answers may come from a pipe, one per line.
    """
    from weaklearn.thresholds._terminal import TerminalError, WrongOptionError, demonstrate
    from weaklearn.thresholds._terminal import main as run

    typed = {
        "levels": _DEMO_LEVELS if demo and levels is None else levels,
        "target": target,
        "difference": difference,
        "gain": gain,
        "question": question,
        "sampler": sampler,
        "direction": "falling" if falling else None,
        "budget": budget,
        "width": width,
        "task": task,
        "scale": scale,
        "lapse": lapse,
        "cohort": cohort,
        "overdose_limit": overdose_limit,
        "subject": subject,
        "condition": condition,
        "block": block,
        "blind": "yes" if blind else None,
    }
    if demo and plan:
        fail("--demo and --plan exclude each other", WRONG_CALL)
    if plot is not None and not plan:
        fail("--plot belongs to --plan", WRONG_CALL)
    if (demo or plan) and (trials is not None or extend is not None):
        fail("--import and --extend belong to an experiment, not to --demo or --plan", WRONG_CALL)
    file = session or Path("threshold.json")
    resume = f"every answer is in {file}; rerun the same command to resume"
    try:
        if plan:
            _plan(typed, (truth, spread), seed, runs, most, plot, as_json)
            return
        if demo:
            demonstrate(session, typed, (truth, spread), seed, as_json)
            return
        finished = run(file, typed, seed, as_json, trials=trials, more=extend)
    except WrongOptionError as error:
        fail(str(error), WRONG_CALL)
    except TerminalError as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped" if plan or demo else f"stopped: {resume}", code=130)
    if not finished:
        fail(f"not finished: {resume}")


def _plan(typed, observer, seed, runs, most, plot, as_json) -> None:
    import json

    from rich.console import Console
    from rich.progress import Progress

    from weaklearn.thresholds._plan import plan_document, plan_figure
    from weaklearn.thresholds._terminal import plan as run

    if plot is not None:
        check_output(plot)
        if plot.suffix.lower() not in (".png", ".svg", ".pdf"):
            fail(f"--plot: {plot.name} must end in .png, .svg or .pdf", WRONG_CALL)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        job = bar.add_task("simulated experiments")
        found = run(
            typed,
            observer,
            seed,
            runs,
            most,
            lambda done, total: bar.update(job, completed=done, total=total),
        )
    document = plan_document(found)
    if plot is not None:
        plan_figure(found, plot)
    if as_json:
        print(json.dumps(document, allow_nan=False))
        return
    print_table(
        ["answers", "interval width", "error", "coverage"],
        [
            (str(row["answers"]), f"{row['width']:.3g}", f"{row['rmse']:.2g}", f"{row['coverage']:.0%}")
            for row in document["rows"]
        ],
    )
    print_lines([document["sentence"], *([f"Drawn in {plot}."] if plot is not None else [])])


COMMAND = threshold
