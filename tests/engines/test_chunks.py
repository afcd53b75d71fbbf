"""In which order tasks are handed out."""

from weaklearn.engines import Outcome
from weaklearn.engines._engine import Run
from weaklearn.engines._task import Setup

KEYS = [frozenset(keys) for keys in (["line"], ["tree"], ["tree", "bag"], ["line"], ["tree"], ["bag"])]


def tasks(n_tasks, keys=None, wanted=None):
    return Run(Setup("no:matter"), range(n_tasks), keys, wanted)


def finish(run, index, seconds):
    run.finished(Outcome(index, seconds=seconds))


def test_no_kernel_compiles_twice():
    """While the first task with a key runs, no other task that needs the key is handed out."""
    run = tasks(len(KEYS), KEYS)
    assert (run.take(), run.take()) == ([0], [1])
    assert run.take() == [5]  # the bag alone; the bag of trees needs the tree
    assert run.take() == []
    finish(run, 1, 0.1)
    assert run.take() == [4]
    finish(run, 5, 0.1)
    assert run.take() == [2]
    assert run.take() == []
    finish(run, 0, 0.1)
    assert run.take() == [3]
    assert run.take() == []


def test_a_task_that_is_not_wanted_keeps_no_other_from_running():
    run = tasks(len(KEYS), KEYS, wanted=lambda chunk: [index for index in chunk if index != 0])
    assert run.take() == [1]
    assert run.take() == [3]  # it needs the line, and is now the first to


def test_chunks_grow_when_tasks_are_short():
    run = tasks(1000)
    assert run.take() == [0]
    finish(run, 0, 1 / 128)
    assert len(run.take()) == 32
    for index in range(1, 33):
        finish(run, index, 1e-9)
    assert len(run.take()) == 64
    run = tasks(1000)
    run.take()
    finish(run, 0, 3.0)
    assert len(run.take()) == 1


def test_the_time_of_a_first_task_is_the_compilers():
    run = tasks(3, [frozenset({"a"})] * 3)
    run.take()
    finish(run, 0, 100.0)
    assert run.take() == [1]
    finish(run, 1, 0.001)
    assert run.take() == [2]
