"""What every engine offers: run one function on many payloads and yield each outcome as it ends.

Also the engine without workers.
"""

import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from threadpoolctl import threadpool_limits

from weaklearn._compilations import is_watched
from weaklearn.engines._task import EngineError, Outcome, Setup, attempt, import_function, pickled

# Chunks of about this length make the cost of sending a task vanish, and keep what a killed run can
# lose to a moment's work.
_CHUNK_SECONDS = 0.25
_LARGEST_CHUNK = 64
# Called with tasks that are about to be sent, returns those that are still wanted.
_Wanted = Callable[[Sequence[int]], Sequence[int]]


class Run:
    """One call of `Engine.run`: what its tasks share, and in which order and how many at a time they are handed out.

    They are handed out in order but for one rule about compilation. On a clean machine the first task that needs a
    kernel compiles it, which takes longer than the task and leaves it on disk for everyone. So while the first task
    with a warm key runs, other tasks with that key wait and the workers are given tasks with other keys: different
    kernels compile at the same time, none compiles twice.
    """

    def __init__(
        self,
        setup: Setup,
        payloads: Sequence[Any],
        warm_keys: Sequence[frozenset[str]] | None = None,
        wanted: _Wanted | None = None,
    ) -> None:
        self.setup, self.payloads = setup, payloads
        self._keys = [frozenset[str]()] * len(payloads) if warm_keys is None else warm_keys
        self._wanted = wanted
        self._pending = deque(range(len(payloads)))
        self._warm: set[str] = set()
        self._warming: set[str] = set()
        self._seconds: float | None = None

    def part(self, indices: Sequence[int]) -> "Run":
        """The same run with these tasks alone, numbered from 0."""
        ask, place = self._wanted, {index: k for k, index in enumerate(indices)}

        def wanted(chunk: Sequence[int]) -> list[int]:
            assert ask is not None
            return [place[index] for index in ask([indices[k] for k in chunk])]

        return Run(
            self.setup,
            [self.payloads[index] for index in indices],
            [self._keys[index] for index in indices],
            None if ask is None else wanted,
        )

    def take(self) -> list[int]:
        """The next chunk of tasks that are wanted; empty if there is none, or none that may start yet."""
        while chunk := self._next_chunk():
            wanted = chunk if self._wanted is None else list(self._wanted(chunk))
            for index in set(chunk).difference(wanted):
                self._warming -= self._keys[index]
            if wanted:
                return wanted
        return []

    def _next_chunk(self) -> list[int]:
        chunk: list[int] = []
        passed: list[int] = []
        size = self._chunk_size()
        while self._pending and len(chunk) < size:
            index = self._pending.popleft()
            keys = self._keys[index]
            if keys & self._warming:
                passed.append(index)
            elif keys <= self._warm:
                chunk.append(index)
            elif chunk:
                passed.append(index)
                break
            else:
                chunk.append(index)
                self._warming |= keys - self._warm
                break
        self._pending.extendleft(reversed(passed))
        return chunk

    def _chunk_size(self) -> int:
        if self._seconds is None:
            return 1
        return max(1, min(_LARGEST_CHUNK, int(_CHUNK_SECONDS / max(self._seconds, 1e-6))))

    def packed(self, chunk: Sequence[int]) -> list[tuple[int, bytes]]:
        """The tasks as they travel."""
        return [(index, pickled(self.payloads[index])) for index in chunk]

    def finished(self, outcome: Outcome) -> None:
        """Learn from a task that ended."""
        keys = self._keys[outcome.index]
        cold = not keys <= self._warm
        self._warm |= keys
        self._warming -= keys
        if not cold:  # a first task's time is the compiler's
            before = outcome.seconds if self._seconds is None else self._seconds
            self._seconds = 0.9 * before + 0.1 * outcome.seconds


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
        wanted: _Wanted | None = None,
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
        wanted: _Wanted | None = None,
    ) -> Iterator[list[Outcome]]:
        """As `run`, but yields lists of all outcomes that are there: for a caller that stores them."""
        if self._closed:
            raise EngineError(f"the engine {self.name} is closed: open another")
        blob = None if shared is None else pickled(shared)
        setup = Setup(function, blob, self._timeout, self._memory_limit, is_watched())
        return self._batches(Run(setup, payloads, warm_keys, wanted))

    @abstractmethod
    def _batches(self, run: Run) -> Iterator[list[Outcome]]: ...

    def close(self) -> None:
        """End the workers, at once; the engine runs nothing more."""
        self._closed = True

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class InlineEngine(Engine):
    """Runs tasks in this process, one after the other; it cannot end a task, so it takes no limits."""

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        function, shared = import_function(run.setup.function), run.setup.arguments()
        while chunk := run.take():
            with threadpool_limits(limits=1):
                outcomes = [attempt(i, partial(function, run.payloads[i], *shared)) for i in chunk]
            for outcome in outcomes:
                run.finished(outcome)
            yield outcomes
