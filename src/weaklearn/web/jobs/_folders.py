"""Folders of records: each record is a folder that appears whole and vanishes at once, even if the server is killed."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Generic, Protocol, TypeVar

__all__ = ["RecordFolder"]

_KEY = re.compile(r"[0-9a-f]{16}")


class _Record(Protocol):
    @property
    def key(self) -> str: ...

    @property
    def created(self) -> float: ...


Record = TypeVar("Record", bound=_Record)


class RecordFolder(Generic[Record]):
    """Makes, lists and finds records in ``path``; the folder is made with the first one."""

    def __init__(self, path: Path):
        self.path = Path(path)

    def _read(self, key: str) -> Record:
        """The record in a folder."""
        raise NotImplementedError

    def records(self) -> list[Record]:
        """All records, the latest first."""
        found = [record for key in self._keys() if (record := self._whole(key)) is not None]
        return sorted(found, key=lambda record: (record.created, record.key), reverse=True)

    def find(self, key: str) -> Record | None:
        """The record with this key, or None; what was sent is compared with what is there and never made a path."""
        return self._whole(key) if key in self._keys() else None

    def remove(self, record: Record) -> None:
        """Delete a record and everything in its folder, in one step."""
        gone = self.path / f".gone-{record.key}"
        os.replace(self.path / record.key, gone)
        shutil.rmtree(gone, ignore_errors=True)  # the next sweep deletes what is left

    def new_folder(self, key: str) -> Path:
        """A folder to fill and then to rename to ``path / key``; its name has the process that fills it."""
        self.path.mkdir(parents=True, exist_ok=True)
        folder = self.path / f".new-{os.getpid()}-{key}"
        folder.mkdir()
        return folder

    def sweep(self) -> None:
        """Delete what killed servers left half made or half deleted; other servers may be making something now."""
        for name in os.listdir(self.path) if self.path.is_dir() else []:
            left = name.startswith(".new-") and not _alive(name.split("-")[1])
            if left or name.startswith(".gone-"):
                shutil.rmtree(self.path / name, ignore_errors=True)

    def _keys(self) -> set[str]:
        try:
            return {name for name in os.listdir(self.path) if _KEY.fullmatch(name)}
        except FileNotFoundError:
            return set()

    def _whole(self, key: str) -> Record | None:
        try:
            return self._read(key)
        # Removed meanwhile, or damaged by hand: our own files are whole at any moment. It must harm no other record.
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None


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
