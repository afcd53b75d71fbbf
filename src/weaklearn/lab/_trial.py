"""A trial: the unit that is run, stored and never run again.

The canonical description is the trial: its SHA-256 is the key, and a worker gets the
description and nothing else, so what was hashed is what was run.

Two seeds come from it. `data_seed` leaves out the algorithm, so that all algorithms see the
same splits; `algorithm_seed` includes it, so that adding an algorithm changes no other one's
numbers. Both leave out the protocol: the curve of a figure and the cell of a table that run the
same algorithm on the same split see the same random numbers.
"""

import functools
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from weaklearn.lab._canonical import canonical, seed_from
from weaklearn.lab._protocols import protocol_version
from weaklearn.lab._spec import Algorithm, DataSource, Protocol

__all__ = ["Trial"]


@dataclass(frozen=True)
class Trial:
    """One run of one algorithm on one split of one data set.

    Parameters
    ----------
    description : str
        Canonical JSON with the parts algorithm, data, index and protocol.
    """

    description: str

    @classmethod
    def series(
        cls, protocol: Protocol, data: DataSource, algorithm: Algorithm, n_trials: int
    ) -> "list[Trial]":
        """The first `n_trials` trials of a cell, numbered from 0."""
        version = protocol_version(protocol.name)
        protocol_parts = {"name": protocol.name, "params": protocol.params, "version": version}
        # The canonical text with the index left open: describing 500 trials costs as much as one.
        head = f'{{"algorithm":{canonical(algorithm)},"data":{canonical(data)},"index":'
        tail = f',"protocol":{canonical(protocol_parts)}}}'
        return [cls(f"{head}{index}{tail}") for index in range(n_trials)]

    @functools.cached_property
    def parts(self) -> dict[str, Any]:
        """The description as plain data."""
        return json.loads(self.description)

    @functools.cached_property
    def key(self) -> str:
        """SHA-256 of the description."""
        return hashlib.sha256(self.description.encode()).hexdigest()

    @property
    def index(self) -> int:
        """The number of the split."""
        return self.parts["index"]

    @property
    def data_seed(self) -> int:
        """The seed of the split, the same for every algorithm."""
        return seed_from(purpose="data", data=self.parts["data"], index=self.index)

    @property
    def algorithm_seed(self) -> int:
        """The seed of the algorithm on this split."""
        parts = {name: self.parts[name] for name in ("algorithm", "data", "index")}
        return seed_from(purpose="algorithm", **parts)

    @property
    def builders(self) -> frozenset[str]:
        """The paths of everything that is built, nested estimators included."""
        return frozenset(_builders(self.parts["algorithm"]))


def _builders(value: Any) -> list[str]:
    if isinstance(value, list):
        return [path for item in value for path in _builders(item)]
    if isinstance(value, dict):
        here = [value["builder"]] if "builder" in value else []
        return here + [path for item in value.values() for path in _builders(item)]
    return []
