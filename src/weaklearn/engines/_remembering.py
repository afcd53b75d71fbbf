"""An engine that keeps the value of each task in a file and does not compute it again."""

import io
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from weaklearn._files import write_file
from weaklearn.engines._engine import Engine, Run
from weaklearn.engines._task import Outcome

Arrays = Mapping[str, Any]


class Remembering(Engine):
    """Runs tasks by ``inner`` and keeps the value of each as a file of arrays, without pickle.

    A task that failed is not kept: the next attempt tries it again.

    Parameters
    ----------
    inner : Engine
    folder : Path
        Where to keep the values. It must exist.
    plan : list
        What the tasks are, as far as they may change from one attempt to the next, such as versions. Values
        kept for another plan are deleted.
    pack : callable
        From a value to arrays by name.
    unpack : callable
        From a task and its arrays to the value.
    told : callable, optional
        Called with every task and its outcome, including those that are remembered.
    """

    def __init__(
        self,
        inner: Engine,
        folder: Path,
        plan: list[Any],
        *,
        pack: Callable[[Any], Arrays],
        unpack: Callable[[Any, Arrays], Any],
        told: Callable[[Any, Outcome], None] | None = None,
    ):
        super().__init__(inner.name, inner._timeout, inner._memory_limit)
        self.inner, self.folder = inner, folder
        self._pack, self._unpack, self._told = pack, unpack, told
        self._n_runs = 0
        kept = folder / "plan.json"
        if not kept.exists() or kept.read_text(encoding="utf-8") != json.dumps(plan):
            shutil.rmtree(folder)
            folder.mkdir()
            write_file(kept, json.dumps(plan))

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        """Outcomes that are known come first."""
        paths = [self.folder / f"task-{self._n_runs}-{index}.npz" for index in range(len(run.payloads))]
        self._n_runs += 1
        left = []
        for index, path in enumerate(paths):
            if path.exists():
                with np.load(path, allow_pickle=False) as kept:
                    outcome = Outcome(index, self._unpack(run.payloads[index], kept))
                yield self._told_of(run, [outcome])
            else:
                left.append(index)
        for batch in self.inner._batches(run.part(left)):
            outcomes = [replace(outcome, index=left[outcome.index]) for outcome in batch]
            for outcome in outcomes:
                if outcome.failure is None:
                    buffer = io.BytesIO()
                    np.savez(buffer, **self._pack(outcome.value))
                    write_file(paths[outcome.index], buffer.getvalue())
            yield self._told_of(run, outcomes)

    def _told_of(self, run: Run, outcomes: list[Outcome]) -> list[Outcome]:
        for outcome in outcomes:
            if self._told is not None:
                self._told(run.payloads[outcome.index], outcome)
        return outcomes
