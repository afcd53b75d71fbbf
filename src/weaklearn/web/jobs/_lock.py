"""A file that one process holds; the system lets go of it when the process ends, however it ends."""

import os
import sys
from pathlib import Path

__all__ = ["FolderLock"]

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Held by one process at a time, from `acquire` to `release` or its end."""

    def __init__(self, path: Path):
        self.path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock if nobody has it."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(file)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Let go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
