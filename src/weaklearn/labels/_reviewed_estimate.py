"""The estimate as it sharpens: the fitted auditor of a job takes in the answers given so far."""

import copy
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["Estimate", "Estimates"]

_MOST_OPEN = 3


class Estimate:
    """An audit after some answers: what it says of all rows.

    Attributes
    ----------
    lead : str
        The answer in one sentence.
    n_wrong : float
    interval : tuple of float
    lines, y : ndarray
        Row numbers of the table, and labels as they were given.
    probability : ndarray
        That each label is wrong; 0 or 1 for reviewed rows.
    label_probability : ndarray
    suggested : ndarray of str
    """

    def __init__(self, auditor: Any, lines: np.ndarray, y: np.ndarray):
        self.lines, self.y = lines, y
        self.n_wrong, self.interval = float(auditor.n_wrong_), auditor.n_wrong_interval_
        self.probability = auditor.wrong_probability_
        self.label_probability = auditor.label_probability_
        self.suggested = auditor.suggested_label_
        self.other = auditor.alternative_label_
        # Not before it is needed: the server starts sooner.
        from weaklearn.labels._words import lead

        as_audit = SimpleNamespace(
            table=SimpleNamespace(y=y), n_wrong=self.n_wrong, n_wrong_interval=self.interval
        )
        self.lead = lead(as_audit)

    def corrections(self, answers: dict[int, str], above: float | None) -> dict[int, str]:
        """New labels by row number of the table: the answers, and labels of at least ``above`` probability."""
        given = dict(zip(self.lines.tolist(), self.y.tolist(), strict=True))
        new = {line: label for line, label in answers.items() if given[line] != label}
        if above is not None:
            certain = (self.label_probability.max(axis=1) >= above) & (self.suggested != self.y)
            for row in np.flatnonzero(certain):
                if int(self.lines[row]) not in answers:
                    new[int(self.lines[row])] = str(self.suggested[row])
        return new


class Estimates:
    """Estimates of the audits that were looked at last; computing takes turns."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._open: dict[Path, tuple[Any, np.ndarray, np.ndarray]] = {}
        self._last: dict[Path, tuple[dict[int, str], Estimate]] = {}

    def of(self, result: Path, answers: dict[int, str]) -> Estimate:
        """The estimate of the audit in ``result`` after the answers, by row number of the table."""
        with self._turn:
            known = self._last.get(result)
            if known is not None and known[0] == answers:
                return known[1]
            auditor, lines, y = self._opened(result)
            if answers:
                place = {int(line): row for row, line in enumerate(lines)}
                auditor = copy.deepcopy(auditor)
                auditor.update({place[line]: label for line, label in answers.items()})
            found = Estimate(auditor, lines, y)
            self._last = {result: (dict(answers), found)}
            return found

    def _opened(self, result: Path) -> tuple[Any, np.ndarray, np.ndarray]:
        entry = self._open.pop(result, None)
        if entry is None:
            from weaklearn.persistence import load  # the server starts sooner

            with np.load(result / "rows.npz", allow_pickle=False) as rows:
                entry = load(result / "auditor.skops"), rows["lines"], rows["y"]
        self._open[result] = entry  # the last in the dict was used last
        while len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        return entry
