"""The engine of processes on this machine."""

import os
import queue
import threading
from collections.abc import Iterator

from weaklearn.engines._engine import Engine, Run
from weaklearn.engines._process import WorkerProcess
from weaklearn.engines._task import Outcome, unpacked

# To the threads: packed tasks, or None to end. From them: outcomes, None for the end of a chunk, or what went wrong.
_Chunks = queue.SimpleQueue[list[tuple[int, bytes]] | None]
_News = queue.SimpleQueue[Outcome | BaseException | None]


class LocalEngine(Engine):
    """Processes on this machine, each fed by a thread of this process."""

    def __init__(
        self, name: str, workers: int | None, timeout: float | None, memory_limit: int | None
    ) -> None:
        super().__init__(name, timeout, memory_limit)
        self._n_workers = workers or os.cpu_count() or 1

    def _batches(self, run: Run) -> Iterator[list[Outcome]]:
        # More workers than tasks would only start up and leave.
        workers = [WorkerProcess(run.setup) for _ in range(min(self._n_workers, len(run.payloads)))]
        chunks, news = _Chunks(), _News()
        threads = [
            threading.Thread(target=_feed_worker, args=(worker, chunks, news), daemon=True)
            for worker in workers
        ]
        for thread in threads:
            thread.start()
        try:
            yield from _feed(run, len(workers), chunks, news)
        finally:
            for _ in workers:
                chunks.put(None)
            for worker in workers:
                worker.close()
            for thread in threads:
                thread.join()


def _feed(run: Run, n_workers: int, chunks: _Chunks, news: _News) -> Iterator[list[Outcome]]:
    n_out = 0
    while True:
        # One chunk waits behind each that runs, so that no worker idles while the caller stores.
        while n_out < 2 * n_workers and (chunk := run.take()):
            chunks.put(run.packed(chunk))
            n_out += 1
        if not n_out:
            return
        batch = []
        wait = True
        while wait or not news.empty():
            wait = False
            piece = _next(news)
            if isinstance(piece, BaseException):
                raise piece
            if piece is None:
                n_out -= 1
            else:
                run.finished(piece)
                batch.append(unpacked(piece))
        if batch:
            yield batch


def _next(news: _News) -> Outcome | BaseException | None:
    # A Ctrl-C that the system hands to another thread does not wake this one: look up now and then.
    while True:
        try:
            return news.get(timeout=0.2)
        except queue.Empty:
            continue


def _feed_worker(worker: WorkerProcess, chunks: _Chunks, news: _News) -> None:
    try:
        while (chunk := chunks.get()) is not None:
            for outcome in worker.run(chunk):
                news.put(outcome)
            news.put(None)  # the chunk is done
    except BaseException as error:  # the caller's thread raises it
        news.put(error)
    finally:
        worker.end()
