"""An engine that writes down what became of each task, and does not run it again."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.cloning._compare_fits import Judged
from weaklearn.engines import Engine, Outcome
from weaklearn.engines._engine import Run

__all__ = ["Remembering"]

_FIELDS = ("fold_errors", "aucs", "seconds")


class Remembering(Engine):
    """Runs the tasks of a comparison by ``inner`` and keeps each `Judged` as a file in ``folder``.

    ``told(task, judged)`` hears of every task, of remembered ones, too. Arrays are kept without pickle. A task that
    was not judged because its process failed is not kept.
    """

    def __init__(self, inner: Engine, folder: Path, told: Callable[[Any, Judged], None]):
        super().__init__(inner.name, inner._timeout, inner._memory_limit)
        self.inner, self.folder, self.told = inner, folder, told

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        """Outcomes that are known come first."""
        known = [index for index in range(run.n_tasks) if self._path(index).exists()]
        if known:
            yield [self._remembered(index, run.payload(index)) for index in known]
        left = [index for index in range(run.n_tasks) if index not in set(known)]
        for batch in self.inner._batches(run.part(left)):
            yield [self._kept(replace(outcome, index=left[outcome.index]), run) for outcome in batch]

    def _remembered(self, index: int, task: Any) -> Outcome:
        judged = _read(self._path(index))
        self.told(task, judged)
        return Outcome(index, judged)

    def _kept(self, outcome: Outcome, run: Run) -> Outcome:
        if outcome.failure is None:
            _write(self._path(outcome.index), outcome.value)
            judged = outcome.value
        else:
            judged = Judged(failure=str(outcome.failure))
        self.told(run.payload(outcome.index), judged)
        return outcome

    def _path(self, index: int) -> Path:
        return self.folder / f"task-{index}.npz"


def _write(path: Path, judged: Judged) -> None:
    values: dict[str, Any] = {name: np.array(getattr(judged, name)) for name in _FIELDS}
    values["failure"] = np.array(judged.failure)
    for name in ("wrong", "log_loss"):
        if (array := getattr(judged, name)) is not None:
            values[name] = array
    beside = path.with_suffix(".part")
    with open(beside, "wb") as stream:
        np.savez(stream, **values)
    os.replace(beside, path)


def _read(path: Path) -> Judged:
    with np.load(path, allow_pickle=False) as kept:
        return Judged(
            wrong=kept.get("wrong", None),
            log_loss=kept.get("log_loss", None),
            failure=str(kept["failure"]),
            **{name: tuple(kept[name].tolist()) for name in _FIELDS},
        )
