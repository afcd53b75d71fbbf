"""Files that are whole or not there, read with suspicion, and changed by one process at a time."""

import contextlib
import json
import math
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import filelock

_LARGEST = 64 * 1024**2  # bytes of a file of JSON
_LARGEST_INTEGER = 2**63 - 1  # what other programs can hold, too
_LOCK_SECONDS = 10.0


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


def read_json(path: str | os.PathLike[str], shape: Any = object) -> Any:
    """The value in a file of unknown origin, checked by `checked_json` and `checked_shape`.

    Raises
    ------
    OSError, ValueError
        The message of a ValueError names the file and what is wrong in it.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST // 1024**2} MB")
        return checked_shape(checked_json(path.read_bytes()), shape)
    except ValueError as error:
        raise ValueError(f"{path.name} is damaged: {error}") from None


def checked_json(text: str | bytes) -> Any:
    """JSON whose texts can be written and whose numbers are finite and of ordinary size; ValueError if it is not."""
    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        value = json.loads(text, parse_int=_integer, parse_float=_finite, parse_constant=_finite)
        if "\\ud" in text.lower():  # the only way to half a character
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeError:
        raise ValueError("it holds text that is not Unicode") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    return value


def _integer(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > _LARGEST_INTEGER:
        raise ValueError(f"the number {_short(text)} is too large")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{_short(text)} is not a finite number")
    return value


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def checked_shape(value: Any, shape: Any, where: str = "it") -> Any:
    """The value, if it has the shape; a ValueError that names the place if not.

    A shape is a type, ``None``, a tuple of shapes of which one must fit, ``[shape]`` for a list, or a dict of the
    entries that must be there. ``float`` takes integers, and ``int`` no truth values.
    """
    if isinstance(shape, tuple):
        fits = [one for one in shape if _fits(value, one)]
        if not fits:
            raise ValueError(f"{where} must not be {_short(repr(value))}")
        return checked_shape(value, fits[0], where)
    if not _fits(value, shape):
        wanted = shape if isinstance(shape, type) else type(shape)
        word = _TYPES.get(wanted, wanted.__name__)
        raise ValueError(f"{where} must be {word}; got {_short(repr(value))}")
    if isinstance(shape, list):
        for k, item in enumerate(value):
            checked_shape(item, shape[0], f"{where}[{k}]")
    elif isinstance(shape, dict):
        for name, inner in shape.items():
            if name not in value:
                raise ValueError(f"{where} has no entry {name!r}")
            checked_shape(value[name], inner, repr(name) if where == "it" else f"{where}[{name!r}]")
    return value


_TYPES = {
    str: "text",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _fits(value: Any, shape: Any) -> bool:
    if shape is None:
        return value is None
    wanted = shape if isinstance(shape, type) else type(shape)
    if wanted in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, (int, float) if wanted is float else wanted)


def plain_files(folder: str | os.PathLike[str]) -> None:
    """Raise a ValueError unless a folder and all below it are folders and files: no links, pipes or devices."""
    folder = Path(folder)
    if folder.is_symlink() or not folder.is_dir():
        raise ValueError("it is not a folder of its own; links are not followed")
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            try:
                mode = os.lstat(os.path.join(place, name)).st_mode
            except FileNotFoundError:  # renamed meanwhile by a running job
                continue
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                shown = os.path.relpath(os.path.join(place, name), folder)
                raise ValueError(f"{shown!a} is a link or a special file; links are not followed")


@contextlib.contextmanager
def file_lock(path: str | os.PathLike[str], seconds: float = _LOCK_SECONDS) -> Iterator[None]:
    """Exclude other processes that lock the same file, by a lock beside it that ends with its holder.

    Raises
    ------
    TimeoutError
        If another process has kept it for ``seconds``.
    """
    path = Path(path)
    beside = path.with_name(f".{path.name}.lock")
    if beside.is_symlink():  # opening it would empty what it points to
        raise OSError(f"{beside} is a link; delete it")
    lock = filelock.FileLock(beside, seconds, poll_interval=0.005)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise TimeoutError(f"another process has kept {path} locked for {seconds:g} s") from None
    try:
        yield
    finally:
        lock.release()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
