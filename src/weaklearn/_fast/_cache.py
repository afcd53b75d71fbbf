"""Where compiled code is kept: numba refuses to define a cached function if it finds no folder that it may write to."""

import importlib
import tempfile
import warnings
from pathlib import Path
from typing import Any


def find_a_cache():
    """Point numba to a temporary folder if it would find no other place for compiled code."""
    config: Any = importlib.import_module("numba.core.config")
    from numba.misc.appdirs import AppDirs  # after the configuration, which it reads

    if config.CACHE_DIR:  # chosen by the user
        return
    users = Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)
    if _is_writable(Path(__file__).parent / "__pycache__") or _is_writable(users):
        return
    folder = Path(tempfile.mkdtemp(prefix="weaklearn-numba-"))
    config.CACHE_DIR = str(folder)
    warnings.warn(
        f"no folder for compiled code is writable, so this process keeps it in {folder} and the next one compiles "
        "again. Set NUMBA_CACHE_DIR to a writable folder to compile once.",
        RuntimeWarning,
        stacklevel=2,
    )


def _is_writable(folder):
    """Whether a file can be made in a folder, which is made first if need be (as numba does)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
