"""What every engine offers: run one function on many payloads and yield each outcome as it ends."""

import itertools
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any

from weaklearn._compilations import is_watched
from weaklearn.engines._chunks import ChunkQueue
from weaklearn.engines._outcomes import EngineError, Outcome
from weaklearn.engines._task import Setup

__all__ = ["Engine", "Run", "Wanted"]

# Called with tasks that are about to be sent, returns those that are still wanted.
Wanted = Callable[[Sequence[int]], Sequence[int]]


class Run:
    """One call of `Engine.run`: the tasks that are left, and what they share."""

    def __init__(
        self,
        setup: Setup,
        payloads: Sequence[Any],
        warm_keys: Sequence[frozenset[str]] | None,
        wanted: Wanted | None,
    ) -> None:
        self.setup = setup
        self.n_tasks = len(payloads)
        self._payloads, self._warm_keys, self._wanted = payloads, warm_keys, wanted
        self._queue = ChunkQueue(len(payloads), warm_keys)

    def part(self, indices: Sequence[int]) -> "Run":
        """The same run with these tasks alone, numbered from 0."""
        ask, place = self._wanted, {index: k for k, index in enumerate(indices)}

        def wanted(chunk: Sequence[int]) -> list[int]:
            assert ask is not None
            return [place[index] for index in ask([indices[k] for k in chunk])]

        return Run(
            self.setup,
            [self._payloads[index] for index in indices],
            None if self._warm_keys is None else [self._warm_keys[index] for index in indices],
            None if ask is None else wanted,
        )

    def take(self) -> list[int]:
        """The next chunk of tasks that are wanted; empty if none may start now."""
        while chunk := self._queue.take():
            if self._wanted is None:
                return chunk
            wanted = list(self._wanted(chunk))
            keep = set(wanted)
            self._queue.skip([index for index in chunk if index not in keep])
            if wanted:
                return wanted
        return []

    def packed(self, chunk: Sequence[int]) -> list[tuple[int, bytes]]:
        """The tasks as they travel."""
        return [(i, pickle.dumps(self._payloads[i], protocol=pickle.HIGHEST_PROTOCOL)) for i in chunk]

    def payload(self, index: int) -> Any:
        """The payload of a task."""
        return self._payloads[index]

    def finished(self, outcome: Outcome) -> None:
        """Note the end of a task."""
        self._queue.finished(outcome.index, outcome.seconds)


class Engine(ABC):
    """Where tasks run. Use it as a context manager: leaving the block ends its workers.

    Attributes
    ----------
    name : str
        "inline", "local" or "dask://HOST:PORT".
    refused : dict
        Workers of a cluster that were refused, with the reason.
    """

    def __init__(self, name: str, timeout: float | None, memory_limit: int | None) -> None:
        self.name = name
        self.refused: dict[str, str] = {}
        self._closed = False
        self._timeout, self._memory_limit = timeout, memory_limit

    def run(
        self,
        function: str,
        payloads: Sequence[Any],
        *,
        shared: Any = None,
        warm_keys: Sequence[frozenset[str]] | None = None,
        wanted: Wanted | None = None,
    ) -> Iterator[Outcome]:
        """Call ``function(payload)`` for every payload; yield each outcome as it ends.

        What a task computes may depend on its payload alone: then the values are the same with every
        engine and number of workers. Stop early by closing the iterator.

        Parameters
        ----------
        function : str
            ``"module:name"`` of a function that workers can import.
        payloads : sequence
            Anything that can be pickled.
        shared : object, optional
            A second argument for all calls, sent to each worker once.
        warm_keys : sequence of frozenset of str, optional
            For each task, what its first run compiles: tasks with a key wait until the first one is done.
        wanted : callable, optional
            Called with the positions of tasks that are about to be sent; returns those still wanted. The
            others have no outcome.

        Yields
        ------
        Outcome
            In the order in which tasks end.
        """
        batches = self.run_batches(function, payloads, shared=shared, warm_keys=warm_keys, wanted=wanted)
        return itertools.chain.from_iterable(batches)

    def run_batches(
        self,
        function: str,
        payloads: Sequence[Any],
        *,
        shared: Any = None,
        warm_keys: Sequence[frozenset[str]] | None = None,
        wanted: Wanted | None = None,
    ) -> Iterator[list[Outcome]]:
        """As `run`, but yields lists of all outcomes that are there: for a caller that stores them."""
        if self._closed:
            raise EngineError(f"the engine {self.name} is closed: open another")
        blob = None if shared is None else pickle.dumps(shared, protocol=pickle.HIGHEST_PROTOCOL)
        setup = Setup(function, blob, self._timeout, self._memory_limit, is_watched())
        return self._batches(Run(setup, payloads, warm_keys, wanted))

    @abstractmethod
    def _batches(self, run: Run) -> Iterator[list[Outcome]]: ...

    def close(self) -> None:
        """End the workers, at once; the engine runs nothing more."""
        self._closed = True

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
