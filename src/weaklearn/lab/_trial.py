"""A trial: the unit that is run, stored and never run again.

The canonical description is the trial: its SHA-256 is the key, and a worker gets the
description and nothing else, so what was hashed is what was run.

Two seeds come from it. `data_seed` leaves out the algorithm and the row's setting, so that all of them
see the same splits; `algorithm_seed` includes both, so that adding an algorithm changes no other one's
numbers. Both leave out the protocol: the curve of a figure and the cell of a table that run the
same algorithm on the same split see the same random numbers.
"""

import functools
import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn.lab._build import build, home_of, resolve
from weaklearn.lab._canonical import canonical, seed_from
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import Algorithm, DataSource, Protocol, Row, as_row
from weaklearn.lab._protocols import stated
from weaklearn.lab._sources import load_source, split_source

Result = dict[str, float | list[float]]


@dataclass(frozen=True)
class Trial:
    """One run of one algorithm on one split of one data set.

    Parameters
    ----------
    description : str
        Canonical JSON with the parts algorithm, data (with the row's setting), index and protocol.
    """

    description: str

    @classmethod
    def series(
        cls, protocol: Protocol, row: Row | DataSource, algorithm: Algorithm | None, n_trials: int
    ) -> "list[Trial]":
        """The first `n_trials` trials of a cell, numbered from 0."""
        name, version, _ = stated(protocol.path)
        protocol_parts = {"name": name, "params": protocol.params, "version": version}
        # The canonical text with the index left open: describing 500 trials costs as much as one.
        head = f'{{"algorithm":{canonical(algorithm)},"data":{canonical(as_row(row).describe())},"index":'
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
    def data(self) -> dict[str, Any] | None:
        """The description of the data without the row's setting; None if there is no data."""
        described = {name: value for name, value in (self.parts["data"] or {}).items() if name != "setting"}
        return described or None

    @property
    def data_name(self) -> str:
        """The name of the data set; empty if there is none."""
        return (self.data or {}).get("name", "")

    @property
    def setting(self) -> dict[str, Any]:
        """The setting of the row."""
        return (self.parts["data"] or {}).get("setting", {})

    @property
    def algorithm(self) -> dict[str, Any]:
        """The description of the algorithm."""
        described = self.parts["algorithm"]
        if described is None:
            raise LabError(f"{self.parts['protocol']['name']} asks for an algorithm, but the column has none")
        return described

    @property
    def data_seed(self) -> int:
        """The seed of the split, the same for every algorithm and every setting."""
        return seed_from(purpose="data", data=self.data, index=self.index)

    @property
    def algorithm_seed(self) -> int:
        """The seed of the algorithm on this split."""
        parts = {name: self.parts[name] for name in ("algorithm", "data", "index")}
        return seed_from(purpose="algorithm", **parts)

    @property
    def builders(self) -> frozenset[str]:
        """The paths of everything that is built, nested estimators included."""
        return frozenset(_builders(self.parts["algorithm"]))

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """The whole data set, X and y, read-only."""
        return load_source(self._data_or_error())

    def split(self, seed: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """X_train, X_test, y_train, y_test: the trial's own split, or that of another seed."""
        return split_source(self._data_or_error(), self.data_seed if seed is None else seed)

    def build(self, **params: Any) -> Any:
        """The algorithm, unfitted, with these parameters in the place of its own."""
        described = self.algorithm
        return build({**described, "params": {**described["params"], **params}}, self.algorithm_seed)

    def _data_or_error(self) -> dict[str, Any]:
        data = self.data
        if data is None:
            raise LabError(f"{self.parts['protocol']['name']} asks for data, but the row has none")
        return data


def run_protocol(trial: Trial) -> Result:
    """Run a trial and return its metrics as plain floats, or raise if one is not finite."""
    parts = trial.parts["protocol"]
    function, version = resolve(parts["name"]), stated(home_of(parts["name"])).version
    if parts["version"] != version:
        raise ValueError(
            f"the trial asks for version {parts['version']} of protocol {parts['name']!r}, "
            f"this weaklearn has {version}: use the same weaklearn everywhere"
        )
    result: Result = {}
    for metric, value in function(trial, **parts["params"]).items():
        numbers = np.asarray(value, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError(f"metric {metric!r} is not finite: {value}")
        result[metric] = numbers.tolist()
    return result


def _builders(value: Any) -> list[str]:
    if isinstance(value, list):
        return [path for item in value for path in _builders(item)]
    if isinstance(value, dict):
        here = [value["builder"]] if "builder" in value else []
        return here + [path for item in value.values() for path in _builders(item)]
    return []
