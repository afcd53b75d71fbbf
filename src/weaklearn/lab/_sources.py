"""Loading and splitting the data of a trial, from its description."""

import functools
import json
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from weaklearn.datasets import DatasetCorruptedError, DatasetNotFoundError, available, load
from weaklearn.lab._build import resolve
from weaklearn.lab._canonical import canonical, seed_from
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import DataSource


def missing_data(sources: Iterable[DataSource]) -> dict[str, str]:
    """The sources whose data were not found, by name, with how to get them.

    These are real sets, and generators that say in their attribute ``needs`` which real set they start from. Sets that
    `weaklearn.datasets.available` finds are not read; for the others every source is tried, the network last, so that
    workers find them in the cache.
    """
    real = {source.name: name for source in sources if (name := _real_set(source.name, source.kind))}
    if not real:
        return {}
    records = {record.name: record for record in available()}

    def reason(name: str) -> str | None:
        try:
            load(name)
        except DatasetNotFoundError as error:
            return records[name].how_to_get if name in records else str(error)
        except DatasetCorruptedError as error:
            raise LabError(f"{error} Replace or delete that file, then run again.") from error
        return None

    unsure = [
        name for name in dict.fromkeys(real.values()) if name not in records or records[name].source is None
    ]
    # Without a network each of them takes seconds to give up: let them wait together.
    # Threads share the filters of warnings: what loading mutes, one that ends earlier would show again.
    with warnings.catch_warnings(), ThreadPoolExecutor(max_workers=8) as pool:
        warnings.filterwarnings("ignore", message="A network error occurred", category=UserWarning)
        reasons = dict(zip(unsure, pool.map(reason, unsure), strict=True))
    return {source: why for source, name in real.items() if (why := reasons.get(name)) is not None}


def missing_lines(missing: Mapping[str, str]) -> list[str]:
    """What to say of the sources that `missing_data` found: one line for all sets that can be downloaded."""
    needed = {_real_set(name) or name: how for name, how in sorted(missing.items())}
    registered = {record.name for record in available()} if needed else set()
    ours = sorted(needed.keys() & registered)
    others = [f"data set {name} not found: {how}" for name, how in needed.items() if name not in registered]
    if not ours:
        return others
    if len(ours) == 1:
        return [f"data set {ours[0]} not found. To get it: weaklearn datasets --download {ours[0]}", *others]
    return [
        f"{len(ours)} data sets not found: {', '.join(ours)}. To get them: weaklearn datasets --download all",
        *others,
    ]


def _real_set(name: str, kind: str = "") -> str:
    """The real set that a source is or starts from; "" if there is none."""
    if ":" in name:
        return getattr(resolve(name), "needs", "")
    return name if kind == "real" else ""


def load_source(data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The whole data set that a trial's data description names."""
    return _load(data["kind"], data["name"], canonical(data["params"]))


# A worker loads a data set in every trial; the largest are a few megabytes.
@functools.lru_cache(maxsize=32)
def _load(kind: str, name: str, params_text: str) -> tuple[np.ndarray, np.ndarray]:
    params = json.loads(params_text)
    if kind == "real":
        bunch = load(name)
        X, y = bunch.X, bunch.y
    else:
        path = name if ":" in name else f"weaklearn.datasets:make_{name}"
        # The split is left out on purpose: every experiment sees the one published-style draw.
        seed = seed_from(purpose="draw", data={"kind": kind, "name": name, "params": params})
        X, y = resolve(path)(**params, random_state=seed)[:2]
    # Copies: a learner that scales in place must not change the next trial's data.
    X, y = np.array(X, dtype=np.float64, order="C"), np.array(y)
    X.setflags(write=False)
    y.setflags(write=False)
    return X, y


def split_source(data: dict[str, Any], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Shuffle by `seed` and cut.

    Returns
    -------
    X_train, X_test, y_train, y_test : ndarray
        Fresh arrays, the features scaled as the description asks.
    """
    X, y = load_source(data)
    split = data["split"]
    if split is None:
        raise ValueError(f"the data source {data['name']!r} has no split, but the protocol asks for one")
    n = len(y)
    if split["train_size"] is not None:
        n_train = split["train_size"]
    else:
        n_train = round(n * (1 - split["test_share"]))
    if not 0 < n_train < n:
        raise ValueError(f"{data['name']} has {n} examples: {n_train} for training leaves none to test")
    order = np.random.default_rng(seed).permutation(n)
    train, test = order[:n_train], order[n_train:]
    X_train, X_test = X[train], X[test]
    if split["features"] == "minmax":
        low, high = X_train.min(axis=0), X_train.max(axis=0)
        # A feature that is constant in the training part carries nothing: it becomes 0 there.
        width = np.where(high > low, high - low, 1.0)
        centre = (low + high) / 2
        X_train, X_test = 2 * (X_train - centre) / width, 2 * (X_test - centre) / width
    return X_train, X_test, y[train], y[test]
