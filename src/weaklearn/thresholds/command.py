"""``weaklearn threshold``: an adaptive yes/no experiment in the terminal."""

import json
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.console import (
    WRONG_CALL,
    Json,
    announcing,
    check_output,
    fail,
    print_lines,
    print_table,
    progress_bar,
)
from weaklearn.thresholds._options import COMMAND_OPTIONS, OPTIONS, FieldErrors, option_name
from weaklearn.thresholds._wording import stop_words

__all__ = ["COMMAND", "EXAMPLES"]

_SETTINGS = "\n".join(
    textwrap.fill(option.hint, 78, initial_indent=f"  {option.name:<15} ", subsequent_indent=" " * 18)
    for option in OPTIONS.values()
    if option.name not in COMMAND_OPTIONS
)
EXAMPLES = f"""\b
Examples:
  weaklearn threshold --levels "20 to 80" --question "Do you hear {{level}} dB?"
  weaklearn threshold --levels 0:100:21 --target 0.75 --budget 60 --session dose.json
  weaklearn threshold --session dose.json
  weaklearn threshold --levels 1,2,4,8,16 --set task=2AFC --set subject=anna --set blind=yes
  weaklearn threshold --set template=price
  weaklearn threshold --demo
  weaklearn threshold plan --levels 0:1:21 --width 0.2
  weaklearn threshold import trials.csv --session dose.json
  weaklearn threshold extend 10 --session dose.json
  weaklearn threshold summary anna.json ben.json eva.json --csv answers.csv

\b
Settings (--set NAME=VALUE):
{_SETTINGS}
"""
_DEMO_LEVELS = "0:1:21"

Levels = Annotated[str | None, typer.Option(help=OPTIONS["levels"].hint)]
Target = Annotated[str | None, typer.Option(help=OPTIONS["target"].hint)]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Any other setting; `weaklearn threshold --help` lists them."
    ),
]
SessionFile = Annotated[Path, typer.Option("--session", help="The file that stores the experiment.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Makes the choice of levels repeatable.")]
_FILE = Path("threshold.json")

COMMAND = typer.Typer(
    name="threshold", rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)


def _typed(settings: list[str] | None, **own: str | None) -> dict[str, str]:
    """The settings that were given, as texts."""
    given = {name: text for name, text in own.items() if text is not None}
    for setting in settings or ():
        name, equals, text = setting.partition("=")
        if not equals:
            fail(f"--set: write NAME=VALUE, such as --set task=2AFC; got {setting!r}", WRONG_CALL)
        if name in given:
            fail(f"{name} is given twice", WRONG_CALL)
        given[name] = text
    return given


@contextmanager
def _failing(stopped: str) -> Iterator[None]:
    """What goes wrong in the block ends the program with a message; ``stopped`` is that of Ctrl-C."""
    from weaklearn.adaptive import SessionChangedError, SessionFileError

    try:
        yield
    except FieldErrors as error:
        field, message = next(iter(error.errors.items()))
        fail(f"{option_name(field)}: {message}", WRONG_CALL)
    except (SessionChangedError, SessionFileError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename} cannot be used: {error.strerror or error}")
    except ValueError as error:  # what only the sampler itself can know
        fail(str(error), WRONG_CALL)
    except KeyboardInterrupt:
        fail(stopped, code=130)


@COMMAND.callback(invoke_without_command=True, epilog=EXAMPLES)
@announcing
def threshold(
    context: typer.Context,
    levels: Levels = None,
    target: Target = None,
    question: Annotated[str | None, typer.Option(help=OPTIONS["question"].hint)] = None,
    budget: Annotated[str | None, typer.Option(help=OPTIONS["budget"].hint)] = None,
    width: Annotated[str | None, typer.Option(help=OPTIONS["width"].hint)] = None,
    settings: Settings = None,
    session: Annotated[
        Path | None, typer.Option(help="The file that stores the experiment. Default: threshold.json.")
    ] = None,
    seed: Seed = None,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo", help="A simulated observer answers; on levels 0:1:21 unless --levels is given."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Find a threshold by yes/no questions in the terminal.

    Without --levels, three questions set up a new session: what is varied, what counts as yes, how many answers.
    Every answer is saved before the next question is asked. Rerun the same command, or give --session alone, to resume;
    the page of `weaklearn serve` resumes it, too. Answers may come from a pipe, one per line.
    """
    if context.invoked_subcommand is not None:
        return
    from weaklearn.thresholds import _terminal

    given = _typed(settings, levels=levels, target=target, question=question, budget=budget, width=width)
    file = session or _FILE
    resume = f"every answer is in {file}; rerun the same command to resume"
    with _failing("stopped" if demo else f"stopped: {resume}"):
        if demo:
            _terminal.demonstrate(session, {"levels": _DEMO_LEVELS, **given}, seed, as_json)
            return
        opened = _terminal.open_or_start(file, _terminal.asked_for(given, file), seed)
        finished = _terminal.run(opened, source=sys.stdin, out=sys.stderr if as_json else sys.stdout)
        if as_json:
            print(json.dumps({**opened.to_dict(), "session": str(opened.path)}, allow_nan=False))
    if not finished:
        fail(f"not finished: {resume}")


@COMMAND.command("import")
@announcing
def import_trials(
    trials: Annotated[Path, typer.Argument(help="A CSV file with the columns level and outcome.")],
    levels: Levels = None,
    settings: Settings = None,
    session: SessionFile = _FILE,
) -> None:
    """Add trials made elsewhere to a session, all of them or none; --levels starts a new one."""
    from weaklearn.adaptive import SessionFileError
    from weaklearn.thresholds import _terminal

    with _failing("stopped"):
        opened = _terminal.open_or_start(session, _typed(settings, levels=levels))
        try:
            n = opened.import_csv(trials.read_text(encoding="utf-8-sig"))
        except OSError as error:
            fail(f"{trials} cannot be read: {error.strerror or error}")
        except UnicodeDecodeError:
            fail(f"{trials} is not a text file in UTF-8")
        except SessionFileError:
            raise
        except ValueError as error:
            fail(f"{trials}: {error}")
    print_lines([f"Imported {n} answers from {trials}."])


@COMMAND.command()
@announcing
def extend(
    answers: Annotated[
        int, typer.Argument(min=1, max=9999, help="How many more answers than there are now.")
    ],
    session: SessionFile = _FILE,
) -> None:
    """Allow more answers than the stopping rule of a session did."""
    from weaklearn.thresholds import _terminal

    with _failing("stopped"):
        opened = _terminal.open_or_start(session, {})
        opened.extend(answers)
    print_lines([f"Extended: {session} now ends {stop_words(opened.stop.describe())}."])


@COMMAND.command()
@announcing
def summary(
    sessions: Annotated[list[Path], typer.Argument(help="Files of sessions, one for each observer.")],
    csv: Annotated[
        Path | None, typer.Option(help="Also write all answers into this CSV file, a line each.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Summarise several observers: each threshold, and the mean and spread of the population."""
    from weaklearn.adaptive import Session
    from weaklearn.adaptive.sessions import long_csv
    from weaklearn.thresholds._summary import summary_of

    if csv is not None:
        check_output(csv)
    with _failing("stopped"):
        opened = [Session.open(path) for path in sessions]
        document = summary_of(opened)
        if csv is not None:
            csv.write_text(long_csv(opened), encoding="utf-8")
    if as_json:
        print(json.dumps(document, allow_nan=False))
        return
    rows = [
        (row["session"], row["subject"], str(row["answers"]), row["words"]) for row in document["sessions"]
    ]
    print_table(["session", "subject", "answers", "estimate"], rows, left=("session", "subject", "estimate"))
    print_lines([*document["sentences"], *([f"All answers are in {csv}."] if csv is not None else [])])


@COMMAND.command()
@announcing
def plan(
    levels: Levels = None,
    target: Target = None,
    width: Annotated[str | None, typer.Option(help="How narrow the 90% interval should be.")] = None,
    settings: Settings = None,
    runs: Annotated[int, typer.Option(min=2, max=10_000, help="Number of simulated experiments.")] = 100,
    max_answers: Annotated[int, typer.Option(min=2, max=2_000, help="Maximum answers per simulation.")] = 120,
    plot: Annotated[Path | None, typer.Option(help="Also draw it into this PNG, SVG or PDF file.")] = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Simulate how many answers a precision takes.

    The settings are those of `weaklearn threshold`; truth and spread describe the observer you expect.
    """
    from weaklearn.thresholds._plan import plan_document, plan_figure, plan_for
    from weaklearn.thresholds._setup import read_setup
    from weaklearn.thresholds._terminal import check_names

    if plot is not None:
        check_output(plot)
        if plot.suffix.lower() not in (".png", ".svg", ".pdf"):
            fail(f"--plot: {plot.name} must end in .png, .svg or .pdf", WRONG_CALL)
    given = _typed(settings, levels=levels, target=target, width=width)
    check_names(given, observer=True)
    with _failing("stopped"), progress_bar("simulated experiments") as progress:
        found = plan_for(
            read_setup(given), runs=runs, max_answers=max_answers, seed=seed or 0, progress=progress
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
