"""The experiment in the terminal: one line in, one answer on disk, one estimate out.

The dialogue is also a protocol for scripts: every line read is one command, every answer is confirmed by a line
that begins with its number, and that line is printed only after the answer is on disk. Where standard input is not
a terminal, a line that cannot be understood ends the run, because the lines after it would answer other questions
than they were meant for.
"""

import json
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from weaklearn.adaptive import Session, SessionChangedError, SessionFileError, TrialPlan
from weaklearn.thresholds._observer import observer_for
from weaklearn.thresholds._options import COMMAND_OPTIONS, FIELDS, OPTIONS, FieldErrors
from weaklearn.thresholds._plan import plan_for
from weaklearn.thresholds._setup import read_setup
from weaklearn.thresholds._wording import (
    answer_labels,
    answer_word,
    estimate_line,
    level_text,
    number,
    progress,
    question_text,
    stop_words,
    target_name,
)

__all__ = [
    "TerminalError",
    "WrongOptionError",
    "demonstrate",
    "extend",
    "import_trials",
    "open_or_start",
    "plan",
    "run",
    "run_to_the_end",
]

_YES, _NO = ("y", "yes", "c", "correct"), ("n", "no", "i", "incorrect")
_HELP = """\
  {yes}, {no}             {yes_word}, {no_word}
  @3.5 {yes}           {yes_word} at the level 3.5 instead of the one asked
  u                undo the last answer
  note some text   write a note beside the answers
  q                leave; the same command resumes later
"""


class TerminalError(Exception):
    """The experiment cannot be started or resumed; the message is for the user."""


class WrongOptionError(TerminalError):
    """What was typed on the command line cannot be obeyed."""


class _LeaveError(Exception):
    """The user, or the end of the input, ends the dialogue."""


def open_or_start(path: Path, given: dict[str, str], seed: int | None = None) -> Session:
    """The session in ``path``, or a new one there with the settings ``given``."""
    try:
        _check_names(given)
        if path.exists():
            session = Session.open(path)
            _refuse_other_settings(session, given, seed)
            _check_writable(path)
            return session
        if "levels" not in given:
            raise WrongOptionError(f"there is no session {path} yet: give --levels to start one")
        setup = read_setup(given)
        _check_writable(path)
        return setup.start(path, seed)
    except FieldErrors as error:
        raise _named(error) from None
    except OSError as error:
        raise TerminalError(f"{path} cannot be used: {error.strerror or error}") from None
    except SessionFileError as error:
        raise TerminalError(str(error)) from None
    except ValueError as error:  # what only the sampler itself can know
        raise WrongOptionError(str(error)) from None


def _option(field: str) -> str:
    return f"--{field}" if field in COMMAND_OPTIONS else f"--set {field}"


def _check_names(given: dict[str, str], observer: bool = False) -> None:
    known = OPTIONS if observer else FIELDS
    for name in given:
        if name not in known:
            why = "is for simulations" if name in OPTIONS else f"is unknown; known are {', '.join(known)}"
            raise WrongOptionError(f"--set {name}: {name} {why}")


def _refuse_other_settings(session: Session, given: dict[str, str], seed: int | None) -> None:
    """The same command resumes; a command for another experiment must not."""
    if given:
        # Rules depend on the levels, so what was not typed is taken from the session.
        levels = " ".join(map(repr, session.levels))
        own = {name: text for name, text in session.about.items() if name in ("task", "blind")}
        setup = read_setup({"levels": levels, "sampler": type(session.sampler).__name__, **own, **given})
        field = setup.difference(session, given)
        if field is not None:
            raise WrongOptionError(
                f"{session.path} was started with a different {_option(field)}: leave the option out to "
                "resume it, or give a new file by --session"
            )
    if seed is not None and seed != session.seed:
        raise WrongOptionError(f"{session.path} was started with a different --seed ({session.seed})")


def _check_writable(path: Path) -> None:
    """Better now than after an answer."""
    folder = path.parent
    if not folder.is_dir():
        raise WrongOptionError(f"there is no folder {folder} for {path.name}")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise TerminalError(f"{path} is read-only: answers could not be saved")


def run(session: Session, *, source: TextIO, out: TextIO) -> bool:
    """Ask until the stopping rule is met (True) or the input ends or says q (False)."""
    dialogue = _Dialogue(session, source, out)
    try:
        dialogue.greet()
        while not session.done:
            dialogue.step()
    except _LeaveError:
        return False
    except (SessionFileError, OSError) as error:
        raise TerminalError(f"the last answer may not be saved: {error}") from None
    dialogue.say(f"Finished: {session.stop_reason}.")
    return True


class _Dialogue:
    def __init__(self, session: Session, source: TextIO, out: TextIO):
        self.session, self.source, self.out = session, source, out
        self.about = session.about
        # In the terminal the keys are the plain ones: own keys may be digits, arrows, anything a page can hear.
        self.keys = {"yes": answer_word(True, self.about)[0], "no": answer_word(False, self.about)[0]}
        self.by_hand = source.isatty()
        self.lines = 0

    def say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self.out, flush=True)

    def greet(self) -> None:
        session = self.session
        n, _ = progress(session)
        self.say(f"Session {session.path}, {n} answers so far. Ends {stop_words(session.stop.describe())}.")
        if n:
            self._show_estimates()
        if self.by_hand and not session.done:
            self._help()

    def _help(self) -> None:
        words = {"yes_word": answer_word(True, self.about), "no_word": answer_word(False, self.about)}
        self.say(_HELP.format(**self.keys, **words), end="")

    def _show_estimates(self) -> None:
        if "blind" in self.session.about:
            return  # the person who answers looks at this terminal
        for found in self.session.estimate():
            self.say(f"    {estimate_line(found, self.about)}")
        for sentence in self.session.warnings():
            self.say(f"    Note: {sentence}")

    def _question(self, level: float) -> str:
        labels, plain = (
            answer_labels(self.about),
            (answer_word(True, self.about), answer_word(False, self.about)),
        )
        text = (
            f"{plain[0].capitalize()} or {plain[1]}?"
            if "blind" in self.about and not self.session.question
            else None
        )
        own = "yes_label" in self.about or "no_label" in self.about
        meant = f" ({self.keys['yes']} = {labels['yes']}, {self.keys['no']} = {labels['no']})" if own else ""
        return (text or question_text(self.session, level)) + meant

    def _place(self, level: float) -> str:
        return "" if "blind" in self.session.about else f" at level {level_text(level)}"

    def step(self) -> None:
        """Ask, read one line, do what it says."""
        session = self.session
        n, most = progress(session)
        count = f"Question {n + 1}" if most is None else f"Question {n + 1} of at most {most}"
        level = session.ask()
        place = "" if "blind" in session.about else f", level {level_text(level)}"
        self.say(
            f"{count}{place}: {self._question(level)} [{self.keys['yes']}/{self.keys['no']}/u/note/q/?] ",
            end="",
        )
        line = self.source.readline()
        if not line:
            self.say("")
            raise _LeaveError
        self.lines += 1
        if not self.by_hand:
            self.say("")  # no Enter has ended the line of the prompt
        try:
            self._obey(line.strip(), level)
        except SessionChangedError:
            # Another window answered this question first; the person who typed has not seen the present one.
            if not self.by_hand:
                raise TerminalError(
                    f"{session.path} was changed by another process; nothing recorded"
                ) from None
            session.reload()
            self.say(
                "The session was changed in another window. Nothing was recorded; here is where it stands."
            )
            self._show_estimates()

    def _obey(self, line: str, asked: float) -> None:
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word.startswith("@"):
            self._other_level(word, rest.strip().lower())
        elif word in _YES or word in _NO:
            if rest:
                self._misunderstood(line)
            else:
                self._answer(asked, word in _YES)
        elif line.lower() in ("u", "undo"):
            self._undo()
        elif word in ("note", "#"):
            self._note(rest.strip())
        elif line.lower() in ("q", "quit", "exit"):
            raise _LeaveError
        elif line in ("?", "h", "help"):
            self._help()
        else:
            self._misunderstood(line)

    def _misunderstood(self, line: str, why: str = "") -> None:
        text = why or f"{line[:60]!r} is not an answer"
        if not self.by_hand:
            raise TerminalError(f"line {self.lines} of the input: {text}; nothing recorded for it")
        self.say(f"  {text}. Type {self.keys['yes']} or {self.keys['no']}, or ? for help.")

    def _answer(self, level: float, outcome: bool) -> None:
        self.session.answer(level, outcome)
        n, _ = progress(self.session)
        self.say(f"{n}. {answer_word(outcome, self.about)}{self._place(level)}")
        self._show_estimates()

    def _other_level(self, word: str, answer: str) -> None:
        try:
            level = float(word[1:])
        except ValueError:
            self._misunderstood(word, f"{word[:40]!r} is not @LEVEL")
            return
        low, high = self.session.levels[0], self.session.levels[-1]
        if not low <= level <= high:
            self._misunderstood(word, f"the level must be from {level_text(low)} to {level_text(high)}")
        elif answer in _YES or answer in _NO:
            self._answer(level, answer in _YES)
        else:
            self._misunderstood(word, f"{word} must be followed by {self.keys['yes']} or {self.keys['no']}")

    def _undo(self) -> None:
        history: list[dict[str, Any]] = self.session.history
        if not history:
            self._misunderstood("", "there is no answer to undo")
            return
        self.session.undo()
        last = history[-1]
        self.say(
            f"Undone: {len(history)}. {answer_word(last['outcome'], self.about)}{self._place(last['level'])}"
        )

    def _note(self, text: str) -> None:
        if not text:
            self._misunderstood("", "write the note after the word, as in: note the listener is tired")
            return
        self.session.note(text)
        self.say("Noted.")


def run_to_the_end(session: Session, as_json: bool) -> bool:
    """`weaklearn threshold`: True once the stopping rule is met."""
    finished = run(session, source=sys.stdin, out=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps({**session.to_dict(), "session": str(session.path)}, allow_nan=False))
    return finished


def import_trials(session: Session, trials: Path) -> str:
    """Add the trials in a CSV file; the sentence that says so."""
    try:
        return f"Imported {session.import_csv(trials.read_text(encoding='utf-8-sig'))} answers from {trials}."
    except OSError as error:
        raise TerminalError(f"{trials} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise TerminalError(f"{trials} is not a text file in UTF-8") from None
    except (SessionChangedError, SessionFileError) as error:
        raise TerminalError(str(error)) from None
    except ValueError as error:
        raise TerminalError(f"{trials}: {error}") from None


def extend(session: Session, n_answers: int) -> str:
    """Allow more answers; the sentence that says so."""
    try:
        session.extend(n_answers)
    except (SessionChangedError, SessionFileError) as error:
        raise TerminalError(str(error)) from None
    return f"Extended: {session.path} now ends {stop_words(session.stop.describe())}."


def _named(error: FieldErrors) -> WrongOptionError:
    field, message = next(iter(error.errors.items()))
    return WrongOptionError(f"{_option(field)}: {message}")


def demonstrate(path: Path | None, given: dict[str, str], seed: int | None, as_json: bool) -> None:
    """`weaklearn threshold --demo`: a simulated observer answers; its threshold is printed at the end."""
    if path is not None and path.exists():
        raise WrongOptionError(f"{path} exists: a demonstration does not add to an experiment")
    _check_names(given, observer=True)
    out = sys.stderr if as_json else sys.stdout
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "demo.json" if path is None else path
        try:
            observer = observer_for(read_setup(given))
        except FieldErrors as error:
            raise _named(error) from None
        session = open_or_start(
            place, {name: text for name, text in given.items() if name not in ("truth", "spread")}, seed
        )
        say = observer.answers(session.seed)
        dialogue = _Dialogue(session, sys.stdin, out)
        dialogue.say("A simulated observer answers.")
        while not session.done:
            level = session.ask()
            dialogue._answer(level, say(level))
        dialogue.say(f"Finished: {session.stop_reason}.")
        ends = session.levels[0], session.levels[-1]
        truths = [observer.threshold_of(target, *ends) for target in session.targets]
        for target, truth in zip(session.record["targets"], truths, strict=True):
            dialogue.say(f"The observer's true {target_name(target, session.about)}: {number(truth)}")
        if as_json:
            known = [truth if math.isfinite(truth) else None for truth in truths]
            print(json.dumps({**session.to_dict(), "truth": known}, allow_nan=False))


def plan(given: dict[str, str], seed: int | None, runs: int, max_answers: int, progress) -> TrialPlan:
    """`weaklearn threshold plan`: the number of answers that a width takes."""
    _check_names(given, observer=True)
    try:
        return plan_for(
            read_setup(given), runs=runs, max_answers=max_answers, seed=seed or 0, progress=progress
        )
    except FieldErrors as error:
        raise _named(error) from None
    except ValueError as error:  # what only the sampler itself can know
        raise WrongOptionError(str(error)) from None
