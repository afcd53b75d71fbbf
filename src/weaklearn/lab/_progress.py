"""Following a run: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from weaklearn.lab._run import Observer
from weaklearn.lab._store import Outcome
from weaklearn.lab._wording import duration


class LineObserver:
    """Says how far a run is: at the start, now and then, and at the end.

    Parameters
    ----------
    say : callable
        Takes a line of text.
    every : float
        Seconds between two lines.

    Attributes
    ----------
    total, done : int
        Trials of the run, and those that have ended.
    """

    def __init__(self, say: Callable[[str], None], every: float = 30.0) -> None:
        self._say, self._every = say, every

    def start(self, total: int, done: int) -> None:
        """See `Observer`."""
        self.total, self.done, self._found, self._failed = total, done, done, 0
        self._began = self._spoke = time.monotonic()
        self._say(f"{total:,} trials, {done:,} of them finished before")

    def advance(self, outcomes: Sequence[Outcome]) -> None:
        """See `Observer`."""
        self.done += len(outcomes)
        self._failed += sum(outcome.error is not None for outcome in outcomes)
        now = time.monotonic()
        if now - self._spoke >= self._every:
            self._spoke = now
            rate = (self.done - self._found) / (now - self._began)
            self._tell(f", about {duration((self.total - self.done) / rate)} left")

    def stop(self) -> None:
        """See `Observer`."""
        self._tell()

    def note(self, text: str) -> None:
        """See `Observer`."""
        self._say(text)

    def _tell(self, left: str = "") -> None:
        failed = f", {self._failed} failed" if self._failed else ""
        self._say(f"{self.done:,} of {self.total:,} trials{left}{failed}")


class BarObserver:
    """A progress bar with the time left, on standard error."""

    def __init__(self) -> None:
        self._progress: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(stderr=True),
            # Trials of all lengths are mixed: a short window would make the estimate jump about.
            speed_estimate_period=120,
        )
        self._failed = 0

    def start(self, total: int, done: int) -> None:
        """See `Observer`."""
        self._task = self._progress.add_task("trials", total=total, completed=done)
        self._progress.start()

    def advance(self, outcomes: Sequence[Outcome]) -> None:
        """See `Observer`."""
        self._failed += sum(outcome.error is not None for outcome in outcomes)
        text = f"trials ({self._failed} failed)" if self._failed else "trials"
        self._progress.update(self._task, advance=len(outcomes), description=text)

    def stop(self) -> None:
        """See `Observer`."""
        self._progress.stop()

    def note(self, text: str) -> None:
        """See `Observer`."""
        self._progress.console.print(text, markup=False, highlight=False)


def observer_for(stream: TextIO) -> Observer:
    """A bar if `stream` is a terminal, else lines."""
    return BarObserver() if stream.isatty() else LineObserver(partial(print, file=stream, flush=True))
