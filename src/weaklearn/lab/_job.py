"""The job: reproduce one study."""

import json
import time
from collections.abc import Sequence
from typing import Any

from weaklearn._files import write_file
from weaklearn.lab._discover import discover
from weaklearn.lab._errors import LabError
from weaklearn.lab._reproduce import reproduce
from weaklearn.lab._sources import missing_lines
from weaklearn.lab._wording import duration
from weaklearn.web import JobError, Work

__all__ = ["run_study"]

_SECONDS_BETWEEN_LINES = 0.5


def run_study(work: Work) -> None:
    """Run what is missing of a study, compare, and write its report."""
    name, profile = work.settings["study"], work.settings["profile"]
    work.report(text="Planning the trials")
    experiment = discover().get(name)
    if experiment is None:
        raise JobError(f"There is no study {name!r} in this version of weaklearn.")
    folder = work.folder.parent.parent / "reproduction"
    folder.mkdir(exist_ok=True)
    try:
        found = reproduce(
            [experiment],
            profile=profile,
            store=folder / "store.sqlite",
            out=work.result,
            observer=_Follower(work),
        )
    except LabError as error:
        said = str(error)
        raise JobError(f"{said[:1].upper()}{said[1:]}.") from error
    score = found.score
    scores = {
        name: getattr(score, name) for name in ("published", "run", "confirmed", "contradicted", "undecided")
    }
    missing = [f"{line[:1].upper()}{line[1:]}" for line in missing_lines(found.missing)]
    page = {**scores, "failed": len(found.summary.failures), "missing": missing}
    write_file(work.result / "page.json", json.dumps(page))


class _Follower:
    """Follows a run (`weaklearn.lab._run.Observer`) in the progress of the job."""

    def __init__(self, work: Work):
        self.work = work

    def start(self, total: int, done: int) -> None:
        """All trials of the plan, and those that were in the store."""
        self.total, self.done, self.found = total, done, done
        self.began, self.told = time.monotonic(), 0.0
        self._tell()

    def advance(self, outcomes: Sequence[Any]) -> None:
        """Trials have ended."""
        self.done += len(outcomes)
        if time.monotonic() > self.told + _SECONDS_BETWEEN_LINES:
            self._tell()

    def stop(self) -> None:
        """The run is over."""
        self._tell()

    def note(self, text: str) -> None:
        """The report is being written."""
        self.work.report(text=text[:1].upper() + text[1:], done=self.total, total=max(self.total, 1))

    def _tell(self) -> None:
        self.told = time.monotonic()
        text = f"{self.done:,} of {self.total:,} trials"
        ran = self.done - self.found
        if ran > 0 and self.done < self.total:
            left = (self.total - self.done) * (self.told - self.began) / ran
            text += f", about {duration(left)} left"
        self.work.report(text=text, done=self.done, total=max(self.total, 1))
