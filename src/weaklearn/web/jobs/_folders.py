"""Folders that appear whole and vanish at once, with a killed server in mind."""

import os
import shutil
import sys
from pathlib import Path

__all__ = ["new_folder", "remove_folder", "sweep"]


def new_folder(parent: Path, key: str) -> Path:
    """A folder to fill and then to rename to ``parent / key``; it says whose it is."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = parent / f".new-{os.getpid()}-{key}"
    folder.mkdir()
    return folder


def remove_folder(folder: Path) -> None:
    """Delete a folder, at once for everybody who looks."""
    gone = folder.parent / f".gone-{folder.name}"
    os.replace(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)  # what is left, the next sweep takes


def sweep(parent: Path) -> None:
    """Delete what killed servers left half made or half deleted; other servers may be making something right now."""
    for name in os.listdir(parent) if parent.is_dir() else []:
        left = name.startswith(".new-") and not _alive(name.split("-")[1])
        if left or name.startswith(".gone-"):
            shutil.rmtree(parent / name, ignore_errors=True)


def _alive(process: str) -> bool:
    if sys.platform == "win32":  # asking would end it
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        pass
    return True
