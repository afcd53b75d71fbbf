"""In which order tasks are handed out."""

from weaklearn.engines._chunks import ChunkQueue

KEYS = [frozenset(keys) for keys in (["line"], ["tree"], ["tree", "bag"], ["line"], ["tree"], ["bag"])]


def test_no_kernel_compiles_twice():
    """While the first task with a key runs, no other task that needs the key is handed out."""
    queue = ChunkQueue(len(KEYS), KEYS)
    assert (queue.take(), queue.take()) == ([0], [1])
    assert queue.take() == [5]  # the bag alone; the bag of trees needs the tree
    assert queue.take() == []
    queue.finished(1, 0.1)
    assert queue.take() == [4]
    queue.finished(5, 0.1)
    assert queue.take() == [2]
    queue.skip([0])  # it need not run after all: the next one is the first
    assert queue.take() == [3]
    assert not queue


def test_chunks_grow_when_tasks_are_short():
    queue = ChunkQueue(1000)
    assert queue.take() == [0]
    queue.finished(0, 1 / 128)
    assert len(queue.take()) == 32
    for index in range(1, 33):
        queue.finished(index, 1e-9)
    assert len(queue.take()) == 64
    queue = ChunkQueue(1000)
    queue.take()
    queue.finished(0, 3.0)
    assert len(queue.take()) == 1


def test_the_time_of_a_first_task_is_the_compilers():
    queue = ChunkQueue(3, [frozenset({"a"})] * 3)
    queue.take()
    queue.finished(0, 100.0)
    assert queue.take() == [1]
    queue.finished(1, 0.001)
    assert queue.take() == [2]
