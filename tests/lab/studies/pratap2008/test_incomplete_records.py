"""The records that lack a value, and how the lab finds out that the set they belong to is missing."""

import numpy as np
import pytest

from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.lab import DataSource, Protocol, Split, Trial
from weaklearn.lab import _sources as sources
from weaklearn.lab._missing import missing_data
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.studies.pratap2008 import margins
from weaklearn.lab.studies.pratap2008.incomplete_records import breast_all, cleveland_all


@pytest.mark.parametrize(
    ("complete", "name", "counts", "missing"),
    # The class counts that UCI states for all records.
    [(cleveland_all, "cleveland", [164, 139], -9), (breast_all, "breast", [458, 241], 0)],
)
def test_all_records(complete, name, counts, missing):
    try:
        bunch = load(name)
    except DatasetNotFoundError as error:
        pytest.skip(str(error))
    X, y = complete()
    n = len(bunch.y)
    assert np.unique(y, return_counts=True)[1].tolist() == counts
    assert np.array_equal(X[:n], bunch.X)
    assert not (missing == bunch.X).any(axis=0)[(X[n:] == missing).any(axis=0)].any()
    assert ((X[n:] == missing).sum(axis=1) >= 1).all()


def test_a_generator_that_starts_from_a_missing_set_is_missing(monkeypatch):
    def not_found(name):
        raise DatasetNotFoundError(f"{name} not found")

    monkeypatch.setattr(sources.datasets, "available", list)
    monkeypatch.setattr(sources.datasets, "load", not_found)
    source = margins.ROWS_22["cancer"].data
    assert set(missing_data([source, DataSource("yinyang", kind="artificial")])) == {source.name}


def test_the_least_margin_of_runs_is_a_minimum():
    source = DataSource("twonorm", Split(train_size=40), kind="artificial", params={"n_samples": 200})
    path = "weaklearn.lab.studies.pratap2008.minima_trials:least_margin"
    algorithm = margins.booster("AdaBoost", "AdaBoost", 5)
    found = {
        n: run_protocol(Trial.series(Protocol(path, {"n_splits": n}), source, algorithm, 1)[0])
        for n in (1, 6)
    }
    assert found[1]["least"] == pytest.approx(found[1]["mean"])
    assert found[6]["least"] <= min(found[1]["least"], found[6]["mean"])
