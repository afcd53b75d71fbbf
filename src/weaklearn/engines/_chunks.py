"""In which order tasks are handed out, and how many at a time."""

from collections import deque
from collections.abc import Sequence

__all__ = ["ChunkQueue"]

# Chunks of about this length make the cost of sending a task vanish, and keep what a killed run can
# lose to a moment's work.
_CHUNK_SECONDS = 0.25
_LARGEST_CHUNK = 64
_NOTHING: frozenset[str] = frozenset()


class ChunkQueue:
    """Hands out chunks of tasks, in order but for one rule about compilation.

    On a clean machine the first task that needs a kernel compiles it, which takes longer than the task
    and leaves it on disk for everyone. So while the first task with a warm key runs, other tasks with
    that key wait and the workers are given tasks with other keys: different kernels compile at the same
    time, none compiles twice.

    Parameters
    ----------
    n_tasks : int
    warm_keys : sequence of frozenset of str, optional
        For each task, the names of what its first run prepares.
    """

    def __init__(self, n_tasks: int, warm_keys: Sequence[frozenset[str]] | None = None) -> None:
        self._pending = deque(range(n_tasks))
        self._keys = warm_keys
        self._warm: set[str] = set()
        self._warming: set[str] = set()
        self._seconds: float | None = None

    def _keys_of(self, index: int) -> frozenset[str]:
        return _NOTHING if self._keys is None else self._keys[index]

    def take(self) -> list[int]:
        """The next chunk; empty if there is none, or none that may start yet."""
        chunk: list[int] = []
        passed: list[int] = []
        size = self._chunk_size()
        while self._pending and len(chunk) < size:
            index = self._pending.popleft()
            keys = self._keys_of(index)
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

    def skip(self, indices: Sequence[int]) -> None:
        """Tasks that were taken need not run after all."""
        for index in indices:
            self._warming -= self._keys_of(index)

    def finished(self, index: int, seconds: float) -> None:
        """Learn from a task that ended."""
        keys = self._keys_of(index)
        cold = not keys <= self._warm
        self._warm |= keys
        self._warming -= keys
        if not cold:  # a first task's time is the compiler's
            before = seconds if self._seconds is None else self._seconds
            self._seconds = 0.9 * before + 0.1 * seconds

    def __bool__(self) -> bool:
        return bool(self._pending)
