"""Files that are whole or not there."""

import os
import stat
import tempfile
from pathlib import Path

__all__ = ["write_file"]


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write under another name beside `path`, then rename: readers see the old file or the new one.

    Parameters
    ----------
    path : path-like
    content : str or bytes
        Text is written as UTF-8.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is untouched.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    target = Path(os.path.realpath(path))  # a link keeps pointing to the same file
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):  # a pipe or a terminal cannot be replaced
        with open(target, "wb") as stream:
            stream.write(raw)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:60]}.", suffix=".part")
    try:
        with open(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(beside, mode)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise
    if os.name == "posix":  # the rename itself is on disk once the folder is
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
