"""Stamps: the code and the libraries that a trial would be run with now.

A stored result carries the stamp of what made it. If that is not the stamp that the trial would get
now, the result is stale. All trials of a cell differ only in their index, so they share a stamp.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weaklearn.lab._errors import LabError
from weaklearn.lab._protocols import protocol_path
from weaklearn.lab._stable_names import home_of
from weaklearn.lab.store._fingerprint import CodeMap, code_map, library_versions

__all__ = ["UNKNOWN", "Stamp", "Stamper", "cell_key", "current_stamps", "roots"]

_INDEX = re.compile(r',"index":\d+,"protocol":')
_PATH = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
# What turns a description into numbers whatever the protocol.
_MACHINERY = (
    "weaklearn.lab._build:build",
    "weaklearn.lab._sources:load_source",
    "weaklearn.lab._trial:Trial",
)


class Stamp(NamedTuple):
    """The fingerprint of the code and the versions of the libraries."""

    fingerprint: str
    libraries: str


# Of results from before stamps were kept: stale, but they can be verified.
UNKNOWN = Stamp("unknown", "")


def _without_index(description: str) -> str:
    text, n_found = _INDEX.subn(',"protocol":', description)
    if n_found == 1:
        return text
    # Not a trial's description, or one that quotes another.
    parts = json.loads(description)
    parts.pop("index", None)
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def cell_key(description: str) -> bytes:
    """What trials have in common that differ only in their index."""
    return hashlib.sha256(_without_index(description).encode()).digest()


@dataclass
class Stamper:
    """Gives every trial the stamp it would get now.

    Parameters
    ----------
    code : CodeMap
    libraries : str
    """

    code: CodeMap
    libraries: str
    _by_cell: dict[str, Stamp] = field(default_factory=dict)

    def __call__(self, description: str) -> Stamp:
        """The stamp of the trial with this description."""
        cell = _without_index(description)
        if cell not in self._by_cell:
            paths = roots(json.loads(cell))
            self._refuse_unresolved(paths)
            self._by_cell[cell] = Stamp(self.code.fingerprint(paths), self.libraries)
        return self._by_cell[cell]

    def _refuse_unresolved(self, paths: set[str]) -> None:
        """A root that leads nowhere would leave its code out of the fingerprint: no edit of it would be noticed."""
        lost = sorted(
            path for path in paths if path.startswith("weaklearn.") and not self.code.resolves(path)
        )
        if lost and not self.code.resolves("weaklearn:__version__"):
            raise LabError(
                "this weaklearn is not installed as files (perhaps in a zip archive), so results cannot be stamped "
                "with the code that made them: install it unpacked, with pip"
            )
        if lost:
            raise LabError(
                f"{lost[0]} names no code of this weaklearn, so its results cannot be stamped: correct the name in "
                "the experiment or, if the code was moved, in weaklearn.lab"
            )


def roots(parts: dict[str, Any]) -> set[str]:
    """The ``"module:name"`` paths of the code that a trial's description names, said or implied."""
    found = {*_MACHINERY, *map(home_of, _paths(parts)), protocol_path(parts["protocol"]["name"])}
    data = parts["data"] or {}
    if data.get("kind") == "real":
        found.add("weaklearn.datasets:load")
    elif "name" in data and ":" not in data["name"]:
        found.add(f"weaklearn.datasets:make_{data['name']}")
    return found


def _paths(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if _PATH.fullmatch(value):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _paths(item)


def current_stamps() -> Stamper:
    """The stamps of the code on disk and the libraries installed now."""
    return Stamper(code_map(), library_versions())
