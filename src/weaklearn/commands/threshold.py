"""``weaklearn threshold``: an adaptive yes/no experiment in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from weaklearn.commands._terminal import Json, fail

__all__ = ["EXAMPLES", "threshold"]

EXAMPLES = """\b
Examples:
  weaklearn threshold --levels 1,2,4,8 --question "Do you hear {level} dB?"
  weaklearn threshold --levels 0:100:21 --target 0.75 --budget 60 --session dose.json
  weaklearn threshold --session dose.json
"""


def threshold(
    levels: Annotated[
        str | None, typer.Option(help="The levels that may be tried: 1,2,4,8 or start:stop:number.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help='Target probability of "yes" (default 0.5); several with commas.'),
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
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the choice of levels repeatable.")] = None,
    session: Annotated[Path, typer.Option(help="The file that stores the experiment.")] = Path(
        "threshold.json"
    ),
    as_json: Json = False,
) -> None:
    """Find a threshold by yes/no questions in the terminal.

    Every answer is saved before the next question is asked. Rerun the same command, or give --session alone, to resume;
    the page of `weaklearn serve` resumes it, too. Answers may come from a pipe, one per line.
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
    resume = f"every answer is in {session}; rerun the same command to resume"
    try:
        finished = run(session, typed, seed, as_json)
    except TerminalError as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail(f"stopped: {resume}", code=130)
    if not finished:
        fail(f"not finished: {resume}")
