"""The engine of a Dask cluster, by futures.

Workers may come and go. A chunk whose worker is gone is sent by Dask to another; if it lost several
workers it is a suspect, and its tasks are tried one at a time with nothing else running, up to three times, which
names the one to blame. A worker that runs other code is refused by name. A worker whose heartbeat stops loses
its chunks to the others. A scheduler that is gone ends the run with a sentence.
"""

import dataclasses
import logging
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from weaklearn import __version__
from weaklearn.engines._engine import Engine, Run
from weaklearn.engines._limited import run_chunk
from weaklearn.engines._task import EngineError, Failure, Outcome, Setup, unpacked

CONNECT_SECONDS = 10.0
# How often we ask the scheduler about its workers, and how long a heartbeat (one per second or so, one per
# five in clusters of a thousand) may be missing.
_WATCH_SECONDS = 1.0
STALLED_SECONDS = 15.0
# An adaptive cluster starts workers when it is given work; a batch system takes its time.
NO_WORKERS_SECONDS = 60.0
LOST_SCHEDULER_SECONDS = 10.0
# Dask gives a task up after four lost workers. Where machines come and go that also befalls a harmless task that runs
# alone, so it is blamed only after losing four as often as this.
_LONE_LOSSES = 3


@dataclass
class _Sent:
    """A chunk on its way."""

    future: Any
    chunk: list[int]
    alone: bool
    workers: list[str] | None


@dataclass
class _Workers:
    """What is known about the workers of the cluster."""

    threads: dict[str, int] = field(default_factory=dict)
    seen: dict[str, tuple[float, float]] = field(default_factory=dict)
    stalled: set[str] = field(default_factory=set)
    since_none: float | None = None

    def update(self, found: dict[str, dict[str, Any]]) -> None:
        """Take over the scheduler's view; clocks of other machines are compared only with themselves."""
        now = time.monotonic()
        self.threads = {address: worker["nthreads"] for address, worker in found.items()}
        for address, worker in found.items():
            if address not in self.seen or self.seen[address][0] != worker["last_seen"]:
                self.seen[address] = worker["last_seen"], now
        self.stalled = {a for a in found if now - self.seen[a][1] > STALLED_SECONDS}


class DaskEngine(Engine):
    """The workers of a Dask scheduler."""

    def __init__(self, name: str, timeout: float | None, memory_limit: int | None) -> None:
        super().__init__(name, timeout, memory_limit)
        try:
            import distributed
        except ImportError:
            raise EngineError("the dask engine needs `distributed`: pip install 'weaklearn[dask]'") from None
        self._address = name.removeprefix("dask://")
        with _quiet():
            try:
                self._client = distributed.Client(
                    f"tcp://{self._address}", timeout=CONNECT_SECONDS, set_as_default=False
                )
            except (OSError, TimeoutError) as error:
                message = f"no Dask scheduler answers at {self._address}: start one with `dask scheduler`"
                raise EngineError(message) from error

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        super().close()
        with _quiet():
            self._client.close(timeout=2)

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        with _quiet():
            yield from _DaskRun(self._client, self._address, run, self.refused).batches()


class _DaskRun:
    """One run on the cluster."""

    def __init__(self, client: Any, address: str, run: Run, refused: dict[str, str]) -> None:
        self._client, self._address, self._run, self._refused = client, address, run, refused
        self._workers = _Workers()
        self._sent: dict[str, _Sent] = {}
        self._again: deque[list[int]] = deque()
        self._suspects: deque[int] = deque()
        self._without_data: dict[int, set[str]] = {}
        self._lone_losses: Counter[int] = Counter()
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lost_since: float | None = None
        self._watched = 0.0
        self._function = _make_remote()
        self._shared: Any = None

    def batches(self) -> Iterator[list[Outcome]]:
        try:
            while True:
                self._watch()
                self._send()
                if not (self._sent or self._again or self._suspects):
                    return
                batch = self._receive()
                for outcome in batch:
                    self._run.finished(outcome)
                if batch:
                    yield batch
        finally:
            if self._sent and self._client.status == "running":
                self._client.cancel([sent.future for sent in self._sent.values()], force=True)

    def _send(self) -> None:
        """Keep two chunks per thread on their way; suspects only one at a time, and alone."""
        if self._suspects:
            if not self._sent:
                self._submit([self._suspects.popleft()], alone=True)
            return
        usable = self._usable()
        # With no workers yet, one chunk tells an adaptive cluster that there is work.
        room = max(1, 2 * sum(self._workers.threads[address] for address in usable))
        while len(self._sent) < room:
            chunk = self._again.popleft() if self._again else self._run.take()
            if not chunk or not self._submit(chunk):
                return

    def _usable(self, chunk: Sequence[int] = ()) -> list[str]:
        avoid = self._workers.stalled | set(self._refused)
        for index in chunk:
            avoid |= self._without_data.get(index, set())
        return [address for address in self._workers.threads if address not in avoid]

    def _submit(self, chunk: list[int], alone: bool = False) -> bool:
        """Send a chunk; False if the scheduler is gone, and then the chunk waits."""
        usable = self._usable(chunk)
        # None means anywhere, workers that have yet to come included.
        workers = usable if usable and len(usable) < len(self._workers.threads) else None
        try:
            future = self._client.submit(
                self._function,
                self._setup(),
                self._run.packed(chunk),
                __version__,
                workers=workers,
                pure=False,
                key=f"weaklearn-{time.monotonic_ns()}-{chunk[0]}",
            )
        except Exception:  # closed connections have many names
            if self._scheduler_answers():
                raise
            self._put_back(chunk, alone)
            return False
        self._sent[future.key] = _Sent(future, chunk, alone, workers)
        future.add_done_callback(self._news.put)
        return True

    def _put_back(self, chunk: list[int], alone: bool = False) -> None:
        """Let a chunk that was not run wait again."""
        if alone:
            self._suspects.extendleft(reversed(chunk))
        else:
            self._again.append(chunk)

    def _setup(self) -> Any:
        """The setup; if it carries data, scattered once under its checksum."""
        if self._run.setup.shared is None:
            return self._run.setup
        if self._shared is None or self._shared.status in ("lost", "cancelled", "error"):
            if not self._workers.threads:  # no worker to scatter to yet
                return self._run.setup
            try:
                self._shared = self._client.scatter(self._run.setup, broadcast=True, hash=True)
            except (OSError, KeyError):  # the workers were lost meanwhile: the setup travels with the chunk
                return self._run.setup
        return self._shared

    def _receive(self) -> list[Outcome]:
        """The outcomes that are there, after a while at most."""
        batch: list[Outcome] = []
        try:
            future = self._news.get(timeout=_WATCH_SECONDS)
            while True:
                if (sent := self._sent.pop(future.key, None)) is not None:
                    batch += self._end(sent)
                future = self._news.get_nowait()
        except queue.Empty:
            return batch

    def _end(self, sent: _Sent) -> list[Outcome]:
        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        try:
            if sent.future.status in ("cancelled", "lost"):
                # A scheduler that is gone cancels everything, and so does the loss of scattered data.
                raise OSError(sent.future.status)
            worker, refusal, outcomes = sent.future.result(timeout=LOST_SCHEDULER_SECONDS)
        except (CommClosedError, OSError, TimeoutError, CancelledError):
            # Cancelled between the look at its status and its result: a worker was lost with what it held.
            self._put_back(sent.chunk, sent.alone)
            return []
        except EngineError:
            raise
        except KilledWorker:
            self._lone_losses.update(sent.chunk if sent.alone else ())
            if not sent.alone or self._lone_losses[sent.chunk[0]] < _LONE_LOSSES:
                self._suspects.extend(sent.chunk)
                return []
            message = "every Dask worker that ran it was lost, the last ones while it ran alone"
            return [Outcome(index, None, Failure("lost worker", message)) for index in sent.chunk]
        except Exception as error:  # Dask's own trouble, such as a payload it cannot carry
            message = f"Dask could not run it: {type(error).__name__}: {error}"
            return [Outcome(index, None, Failure("lost worker", message)) for index in sent.chunk]
        if refusal is not None:
            self._refuse(worker, refusal, sent.chunk, sent.alone)
            return []
        return self._sort(worker, [unpacked(outcome) for outcome in outcomes], sent.alone)

    def _refuse(self, worker: str, reason: str, chunk: list[int], alone: bool) -> None:
        self._refused[worker] = reason
        self._put_back(chunk, alone)
        self._check_refused()

    def _check_refused(self) -> None:
        if self._workers.threads and not set(self._workers.threads) - set(self._refused):
            some = "; ".join(f"{address}: {why}" for address, why in list(self._refused.items())[:3])
            raise EngineError(f"every Dask worker at {self._address} was refused ({some})")

    def _sort(self, worker: str, outcomes: list[Outcome], alone: bool) -> list[Outcome]:
        """Outcomes that count; tasks that this worker cannot run are sent to others."""
        kept = []
        for outcome in outcomes:
            failure, own = outcome.failure, [outcome.index]
            if failure is not None and failure.kind == "version mismatch":
                self._refuse(worker, failure.message, own, alone)
                continue
            if failure is not None and failure.kind == "no data":
                self._without_data.setdefault(outcome.index, set()).add(worker)
                if self._usable(own):
                    self._put_back(own, alone)
                    continue
            kept.append(outcome)
        return kept

    def _watch(self) -> None:
        now = time.monotonic()
        if now - self._watched < _WATCH_SECONDS:
            return
        self._watched = now
        try:
            info = self._identity()
        except Exception as error:  # closed connections have many names
            self._lost_since = self._lost_since or now
            if now - self._lost_since >= LOST_SCHEDULER_SECONDS or self._client.status == "closed":
                raise EngineError(
                    f"the Dask scheduler at {self._address} is lost: start it and its workers again, "
                    f"then rerun the same command to resume"
                ) from error
            return
        self._lost_since = None
        self._workers.update(info["workers"])
        self._move_stuck()
        self._check_refused()
        self._check_workers(now)

    def _identity(self) -> dict[str, Any]:
        """What the scheduler says about itself and its workers."""
        if self._client.status != "running":
            raise OSError(self._client.status)
        return self._client.sync(
            self._client.scheduler.identity, n_workers=-1, callback_timeout=LOST_SCHEDULER_SECONDS
        )

    def _scheduler_answers(self) -> bool:
        try:
            self._identity()
        except Exception:  # closed connections have many names
            return False
        return True

    def _check_workers(self, now: float) -> None:
        if self._usable():
            self._workers.since_none = None
            return
        if self._workers.since_none is None:
            self._workers.since_none = now
        if now - self._workers.since_none >= NO_WORKERS_SECONDS:
            n_stalled = len(self._workers.stalled)
            state = f"{n_stalled} that do not answer" if n_stalled else "no workers"
            raise EngineError(
                f"the Dask scheduler at {self._address} has had {state} for {NO_WORKERS_SECONDS:.0f} s: "
                f"start some with `dask worker {self._address}`"
            )

    def _move_stuck(self) -> None:
        """Send chunks elsewhere that wait for workers that do not answer, or that left for good."""
        if not self._usable():
            return
        here = self._workers.threads.keys()
        stuck = {key for key, sent in self._sent.items() if sent.workers and here.isdisjoint(sent.workers)}
        if self._workers.stalled:
            try:
                processing = self._client.processing(list(self._workers.stalled))
            except OSError:  # the scheduler left since it was asked: the next look says so
                return
            stuck |= {key for keys in processing.values() for key in keys if key in self._sent}
        for key in stuck:
            sent = self._sent.pop(key)
            self._client.cancel([sent.future], force=True)
            self._put_back(sent.chunk, sent.alone)


def run_beside_worker(worker: Any, setup: Setup, chunk: Sequence[tuple[int, bytes]]) -> list[Outcome]:
    """What runs on a Dask worker: the chunk, in a process with the worker's share of memory as its limit.

    ``dask worker --memory-limit`` is divided by the number of threads; its nanny does not see our processes.
    """
    limit = worker.memory_manager.memory_limit
    share = limit // worker.state.nthreads if limit else None
    return run_chunk(dataclasses.replace(setup, memory_limit=setup.memory_limit or share), chunk)


def _make_remote() -> "Callable[..., tuple[str, str | None, list[Outcome]]]":
    # A function inside a function travels by value: it can report that weaklearn is missing on the worker.
    def remote(setup: Any, chunk: Any, version: str) -> tuple[str, str | None, list[Outcome]]:
        from distributed import get_worker

        worker = get_worker()
        try:
            # May be missing on the worker.
            import weaklearn
            from weaklearn.engines._dask import run_beside_worker
        except ImportError as error:
            return worker.address, f"weaklearn cannot be imported there ({error})", []
        if weaklearn.__version__ != version:
            return worker.address, f"it has weaklearn {weaklearn.__version__}, we have {version}", []
        return worker.address, None, run_beside_worker(worker, setup, chunk)

    return remote


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log, which prints tracebacks for workers and schedulers that are gone, to itself."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [logging.getLogger(name) for name in {*names, "distributed", "tornado.application", "asyncio"}]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
