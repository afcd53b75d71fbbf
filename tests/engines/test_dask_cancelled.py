"""What a cluster cancels between the look at its status and its result waits again, as it was sent."""

from types import SimpleNamespace

import pytest

pytest.importorskip("distributed")
from distributed import KilledWorker
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError

from weaklearn.engines import _dask
from weaklearn.engines._engine import Run
from weaklearn.engines._task import Outcome, Setup, packed


class Future:
    """A future that has ended, by an error or well."""

    status = "finished"

    def __init__(self, key, error, indices):
        self.key, self.error, self.indices = key, error, indices

    def add_done_callback(self, tell):
        tell(self)

    def result(self, timeout):
        if self.error is not None:
            raise self.error
        return "tcp://one", None, [packed(Outcome(index, 10 * index)) for index in self.indices]


class Client:
    """A cluster of one thread whose first futures end by the given errors."""

    status, scheduler = "running", SimpleNamespace(identity=None)

    def __init__(self, errors):
        self.errors, self.sent = list(errors), []

    def sync(self, *args, **kwargs):
        return {"workers": {"tcp://one": {"nthreads": 1, "last_seen": len(self.sent)}}}

    def submit(self, function, setup, chunk, version, *, workers, pure, key):
        self.sent.append([index for index, _ in chunk])
        return Future(key, self.errors.pop(0) if self.errors else None, self.sent[-1])


def outcomes(client, n_tasks):
    run = _dask._DaskRun(client, "here", Run(Setup("a:b", None, None, None, False), list(range(n_tasks))), {})
    found = [outcome for batch in run.batches() for outcome in batch]
    return {outcome.index: (outcome.value, outcome.failure and outcome.failure.kind) for outcome in found}


@pytest.mark.parametrize(
    "error", [FutureCancelledError("k", "lost"), CommClosedError(), OSError(), TimeoutError()]
)
def test_a_chunk_that_was_cancelled_runs_again(error):
    assert outcomes(Client([error]), 3) == {0: (0, None), 1: (10, None), 2: (20, None)}


KILLED = KilledWorker("k", SimpleNamespace(address="tcp://one"), 3)


def test_a_suspect_that_was_cancelled_runs_alone_again_and_is_blamed():
    client = Client([KILLED, FutureCancelledError("k", "lost"), KILLED, KILLED, KILLED])
    assert outcomes(client, 1) == {0: (None, "lost worker")}
    assert client.sent == [[0]] * 5  # with others, alone and cancelled, alone and lost three times


def test_a_harmless_task_may_lose_its_workers_even_alone():
    client = Client([KILLED, KILLED, KILLED])
    assert outcomes(client, 2) == {0: (0, None), 1: (10, None)}
