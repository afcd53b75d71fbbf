"""Loading and splitting the data of a trial, from its description."""

import functools
import json
import warnings
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from weaklearn import datasets
from weaklearn.lab._build import resolve
from weaklearn.lab._canonical import canonical, seed_from
from weaklearn.lab._errors import LabError
from weaklearn.lab._parts import DataSource

__all__ = ["load_source", "missing_sources", "split_source"]


def missing_sources(sources: Iterable[DataSource]) -> dict[str, str]:
    """The real data sets that were not found, with how to get them.

    Sets that `weaklearn.datasets.available` finds are not read; for the others every source is
    tried, the network last, so that workers find them in the cache.
    """
    real = [source.name for source in sources if source.kind == "real"]
    if not real:
        return {}
    records = {record.name: record for record in datasets.available()}

    def reason(name: str) -> str | None:
        try:
            datasets.load(name)
        except datasets.DatasetNotFoundError as error:
            return records[name].how_to_get if name in records else str(error)
        except datasets.DatasetCorruptedError as error:
            raise LabError(f"{error} Replace or delete that file, then run again.") from error
        return None

    unsure = [name for name in real if name not in records or records[name].source is None]
    # Without a network each of them takes seconds to give up: let them wait together.
    # Loading mutes retry warnings by filters that threads share; ours puts them back as they were.
    with warnings.catch_warnings(), ThreadPoolExecutor(max_workers=8) as pool:
        reasons = dict(zip(unsure, pool.map(reason, unsure), strict=True))
    return {name: why for name, why in reasons.items() if why is not None}


def load_source(data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The whole data set that a trial's data description names."""
    return _load(data["kind"], data["name"], canonical(data["params"]))


# A worker loads a data set in every trial; the largest are a few megabytes.
@functools.lru_cache(maxsize=32)
def _load(kind: str, name: str, params_text: str) -> tuple[np.ndarray, np.ndarray]:
    params = json.loads(params_text)
    if kind == "real":
        bunch = datasets.load(name)
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
