"""The estimate after a review: the fitted auditor of a job is updated with the answers given so far."""

import copy
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Estimate", "Estimates"]

_MOST_OPEN = 3


class Estimate(NamedTuple):
    """A fitted auditor, with row numbers of the table and labels as they were given."""

    auditor: Any
    lines: np.ndarray
    y: np.ndarray

    @property
    def lead(self) -> str:
        """The answer in one sentence."""
        from weaklearn.labels._findings import lead  # not before it is needed: the server starts sooner

        return lead(len(self.y), self.auditor.n_wrong_, self.auditor.n_wrong_interval_)

    @property
    def probability(self) -> dict[int, float]:
        """By row number, that the label is wrong; 0 or 1 for reviewed rows."""
        return dict(zip(self.lines.tolist(), self.auditor.wrong_probability_.tolist(), strict=True))

    def corrections(self, answers: dict[int, str], above: float | None) -> dict[int, str]:
        """New labels by row number of the table: the answers, and labels of at least ``above`` probability."""
        given = dict(zip(self.lines.tolist(), self.y.tolist(), strict=True))
        new = {line: label for line, label in answers.items() if given[line] != label}
        if above is not None:
            suggested = self.auditor.suggested_label_
            certain = (self.auditor.label_probability_.max(axis=1) >= above) & (suggested != self.y)
            for row in np.flatnonzero(certain):
                if int(self.lines[row]) not in answers:
                    new[int(self.lines[row])] = str(suggested[row])
        return new


class Estimates:
    """Estimates of the audits that were looked at last; computing takes turns."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._open: dict[Path, Estimate] = {}
        self._last: dict[Path, tuple[dict[int, str], Estimate]] = {}

    def of(self, result: Path, answers: dict[int, str]) -> Estimate:
        """The estimate of the audit in ``result`` after the answers, by row number of the table."""
        with self._turn:
            known = self._last.get(result)
            if known is not None and known[0] == answers:
                return known[1]
            found = self._opened(result)
            if answers:
                place = {int(line): row for row, line in enumerate(found.lines)}
                found = found._replace(auditor=copy.deepcopy(found.auditor))
                found.auditor.update({place[line]: label for line, label in answers.items()})
            self._last = {result: (dict(answers), found)}
            return found

    def _opened(self, result: Path) -> Estimate:
        entry = self._open.pop(result, None)
        if entry is None:
            from weaklearn.persistence import load  # the server starts sooner

            with np.load(result / "rows.npz", allow_pickle=False) as rows:
                entry = Estimate(load(result / "auditor.skops"), rows["lines"], rows["y"])
        self._open[result] = entry  # the last in the dict was used last
        while len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        return entry
