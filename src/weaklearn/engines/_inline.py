"""The engine without workers: tasks run in the calling process, for debuggers and tests."""

import pickle
from collections.abc import Iterator
from functools import partial

from weaklearn.engines._engine import Engine, Run
from weaklearn.engines._outcomes import Outcome
from weaklearn.engines._task import attempt, import_function, one_thread

__all__ = ["InlineEngine"]


class InlineEngine(Engine):
    """Runs tasks in this process, one after the other; it cannot end a task, so it takes no limits."""

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        function = import_function(run.setup.function)
        shared = () if run.setup.shared is None else (pickle.loads(run.setup.shared),)
        while chunk := run.take():
            outcomes = []
            with one_thread():
                for index in chunk:
                    outcomes.append(attempt(index, partial(function, run.payload(index), *shared)))
            for outcome in outcomes:
                run.finished(outcome)
            yield outcomes
