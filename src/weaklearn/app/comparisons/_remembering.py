"""An engine that writes down what became of each task, and does not run it again."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn.cloning._compare_fits import Judged
from weaklearn.engines import Engine, Outcome
from weaklearn.engines._engine import Run, Wanted

__all__ = ["Remembering"]

_FIELDS = ("fold_errors", "aucs", "seconds")


class Remembering(Engine):
    """Runs the tasks of a comparison by ``inner`` and keeps each `Judged` as a file in ``folder``.

    ``told(task, judged)`` hears of every task, of remembered ones, too. Arrays are kept without pickle. A task that
    was not judged because its process failed is not kept.
    """

    def __init__(self, inner: Engine, folder: Path, told: Callable[[Any, Judged], None]):
        super().__init__(inner.name, None, None)
        self.inner, self.folder, self.told = inner, folder, told

    def run(
        self,
        function: str,
        payloads: Sequence[Any],
        *,
        shared: Any = None,
        warm_keys: Sequence[frozenset[str]] | None = None,
        wanted: Wanted | None = None,
    ) -> Iterator[Outcome]:
        """As `Engine.run`; outcomes that are known come first."""
        left = []
        for index, task in enumerate(payloads):
            path = self._path(index)
            if path.exists():
                judged = _read(path)
                self.told(task, judged)
                yield Outcome(index, judged, None, 0.0)
            else:
                left.append(index)
        outcomes = self.inner.run(function, [payloads[index] for index in left], shared=shared)
        for outcome in outcomes:
            index = left[outcome.index]
            if outcome.failure is None:
                _write(self._path(index), outcome.value)
                self.told(payloads[index], outcome.value)
            else:
                self.told(payloads[index], Judged(failure=str(outcome.failure)))
            yield Outcome(index, outcome.value, outcome.failure, outcome.seconds)

    def _path(self, index: int) -> Path:
        return self.folder / f"task-{index}.npz"

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        raise NotImplementedError("tasks go through run")  # pragma: no cover


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
