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
from typing import TextIO

from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.console import WRONG_CALL, fail, print_wrapped
from weaklearn.thresholds._options import FIELDS, GROUPS, OPTIONS, option_name
from weaklearn.thresholds._plan import observer_for, preview
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

_ANSWERS = {
    **dict.fromkeys(("y", "yes", "c", "correct"), True),
    **dict.fromkeys(("n", "no", "i", "incorrect"), False),
}
_HELP = """\
  {y}, {n}             {yes}, {no}
  @3.5 {y}           {yes} at the level 3.5 instead of the one asked
  u                undo the last answer
  note some text   write a note beside the answers
  q                leave; the same command resumes later
"""


class _LeaveError(Exception):
    """The user, or the end of the input, ends the dialogue."""


def asked_for(given: dict[str, str], path: Path) -> dict[str, str]:
    """The settings, completed by three questions if there is no session and nothing says what to ask."""
    if path.exists() or {"levels", "template"} & given.keys() or not sys.stdin.isatty():
        return given
    print_wrapped(f"A new session, to be stored in {path}. Three questions; --help lists all other settings.")
    given = {**given}
    for option in GROUPS["first"]:
        while option.name not in given:
            print_wrapped(option.hint, indent=2)
            typed = input(f"{option.label}: ").strip()
            try:
                option.read(typed)
            except ValueError as error:
                print_wrapped(f"{error}.", indent=2)
            else:
                given[option.name] = typed
    print_wrapped(preview(read_setup(given)))
    return given


def open_or_start(path: Path, given: dict[str, str], seed: int | None = None) -> Session:
    """The session in ``path``, or a new one there with the settings ``given``."""
    check_names(given)
    if path.exists():
        session = Session.open(path)
        _refuse_other_settings(session, given, seed)
        _check_writable(path)
        return session
    if not {"levels", "template"} & given.keys():
        fail(f"there is no session {path} yet: give --levels to start one", WRONG_CALL)
    setup = read_setup(given)
    _check_writable(path)
    return setup.start(path, seed)


def check_names(given: dict[str, str], observer: bool = False) -> None:
    """Fail for names of settings that are unknown, or only known to simulations (``observer``)."""
    known = OPTIONS if observer else FIELDS
    for name in given:
        if name not in known:
            why = "is for simulations" if name in OPTIONS else f"is unknown; known are {', '.join(known)}"
            fail(f"--set {name}: {name} {why}", WRONG_CALL)


def _refuse_other_settings(session: Session, given: dict[str, str], seed: int | None) -> None:
    """The same command resumes; a command for another experiment must not."""
    if given:
        # Rules depend on the levels, so what was not typed is taken from the session.
        levels = " ".join(map(repr, session.levels))
        own = {name: text for name, text in session.about.items() if name in ("task", "blind")}
        setup = read_setup({"levels": levels, "sampler": type(session.sampler).__name__, **own, **given})
        field = setup.difference(session, given)
        if field is not None:
            fail(
                f"{session.path} was started with a different {option_name(field)}: leave the option out to "
                "resume it, or give a new file by --session",
                WRONG_CALL,
            )
    if seed is not None and seed != session.seed:
        fail(f"{session.path} was started with a different --seed ({session.seed})", WRONG_CALL)


def _check_writable(path: Path) -> None:
    """Better now than after an answer."""
    folder = path.parent
    if not folder.is_dir():
        fail(f"there is no folder {folder} for {path.name}", WRONG_CALL)
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        fail(f"{path} is read-only: answers could not be saved")


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
        fail(f"the last answer may not be saved: {error}")
    dialogue.say(f"Finished: {session.stop_reason}.")
    return True


class _Dialogue:
    def __init__(self, session: Session, source: TextIO, out: TextIO):
        self.session, self.source, self.out = session, source, out
        self.about = session.about
        self.blind = "blind" in self.about  # the person who answers looks at this terminal
        self.yes, self.no = answer_word(True, self.about), answer_word(False, self.about)
        # In the terminal the keys are the plain ones: own keys may be digits, arrows, anything a page can hear.
        self.keys = f"{self.yes[0]} or {self.no[0]}"
        self.by_hand = source.isatty()
        self.lines = 0

    def say(self, text: str, end: str = "\n") -> None:
        print_wrapped(text, self.out, end=end)

    def greet(self) -> None:
        session = self.session
        n, _ = progress(session)
        self.say(f"Session {session.path}, {n} answers so far. Ends {stop_words(session.stop.describe())}.")
        if session.sampler.notice:
            self.say(session.sampler.notice)
        if n:
            self._show_estimates()
        if self.by_hand and not session.done:
            self._help()

    def _help(self) -> None:
        self.out.write(_HELP.format(yes=self.yes, no=self.no, y=self.yes[0], n=self.no[0]))
        self.out.flush()

    def _show_estimates(self) -> None:
        if self.blind:
            return
        for found in self.session.estimate():
            self.say(f"    {estimate_line(found, self.about)}")
        for sentence in self.session.warnings():
            self.say(f"    Note: {sentence}")

    def _question(self, level: float) -> str:
        if self.blind and not self.session.question:
            text = f"{self.yes.capitalize()} or {self.no}?"
        else:
            text = question_text(self.session, level)
        if "yes_label" in self.about or "no_label" in self.about:
            labels = answer_labels(self.about)
            text += f" ({self.yes[0]} = {labels['yes']}, {self.no[0]} = {labels['no']})"
        return text

    def _place(self, level: float, before: str = " at level ") -> str:
        return "" if self.blind else before + level_text(level)

    def step(self) -> None:
        """Ask, read one line, do what it says."""
        session = self.session
        n, most = progress(session)
        count = f"Question {n + 1}" if most is None else f"Question {n + 1} of at most {most}"
        level = session.ask()
        keys = f"[{self.yes[0]}/{self.no[0]}/u/note/q/?]"
        self.say(f"{count}{self._place(level, ', level ')}: {self._question(level)} {keys} ", end="")
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
                fail(f"{session.path} was changed by another process; nothing recorded")
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
        elif line.lower() in _ANSWERS:
            self.answer(asked, _ANSWERS[line.lower()])
        elif line.lower() in ("u", "undo"):
            self._undo()
        elif word in ("note", "#"):
            self._note(rest.strip())
        elif line.lower() in ("q", "quit", "exit"):
            raise _LeaveError
        elif line in ("?", "h", "help"):
            self._help()
        else:
            self._misunderstood(f"{line[:60]!r} is not an answer")

    def _misunderstood(self, why: str) -> None:
        if not self.by_hand:
            fail(f"line {self.lines} of the input: {why}; nothing recorded for it")
        self.say(f"  {why}. Type {self.keys}, or ? for help.")

    def answer(self, level: float, outcome: bool) -> None:
        """Record an answer and say what is known now."""
        self.session.answer(level, outcome)
        n, _ = progress(self.session)
        self.say(f"{n}. {answer_word(outcome, self.about)}{self._place(level)}")
        self._show_estimates()

    def _other_level(self, word: str, answer: str) -> None:
        try:
            level = float(word[1:])
        except ValueError:
            self._misunderstood(f"{word[:40]!r} is not @LEVEL")
            return
        low, high = self.session.levels[0], self.session.levels[-1]
        if not low <= level <= high:
            self._misunderstood(f"the level must be from {level_text(low)} to {level_text(high)}")
        elif answer not in _ANSWERS:
            self._misunderstood(f"{word} must be followed by {self.keys}")
        else:
            self.answer(level, _ANSWERS[answer])

    def _undo(self) -> None:
        history = self.session.history
        if not history:
            self._misunderstood("there is no answer to undo")
            return
        self.session.undo()
        word = answer_word(history[-1]["outcome"], self.about)
        self.say(f"Undone: {len(history)}. {word}{self._place(history[-1]['level'])}")

    def _note(self, text: str) -> None:
        if not text:
            self._misunderstood("write the note after the word, as in: note the listener is tired")
            return
        self.session.note(text)
        self.say("Noted.")


def demonstrate(path: Path | None, given: dict[str, str], seed: int | None, as_json: bool) -> None:
    """`weaklearn threshold --demo`: a simulated observer answers; its threshold is printed at the end."""
    if path is not None and path.exists():
        fail(f"{path} exists: a demonstration does not add to an experiment", WRONG_CALL)
    check_names(given, observer=True)
    out = sys.stderr if as_json else sys.stdout
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "demo.json" if path is None else path
        observer = observer_for(read_setup(given))
        session = open_or_start(place, {name: text for name, text in given.items() if name in FIELDS}, seed)
        say = observer.answers(session.seed)
        dialogue = _Dialogue(session, sys.stdin, out)
        dialogue.say("A simulated observer answers.")
        while not session.done:
            level = session.ask()
            dialogue.answer(level, say(level))
        dialogue.say(f"Finished: {session.stop_reason}.")
        ends = session.levels[0], session.levels[-1]
        truths = [observer.threshold_of(target, *ends) for target in session.targets]
        for target, truth in zip(session.record["targets"], truths, strict=True):
            dialogue.say(f"The observer's true {target_name(target, session.about)}: {number(truth)}")
        if as_json:
            known = [truth if math.isfinite(truth) else None for truth in truths]
            print(json.dumps({**session.to_dict(), "truth": known}, allow_nan=False))
