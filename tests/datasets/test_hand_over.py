"""A process without any source of data is handed a set by one that has it."""

import dataclasses
import pickle

import pytest

from weaklearn import datasets
from weaklearn.datasets import _loading


@pytest.fixture
def nothing_handed_over(monkeypatch):
    monkeypatch.setattr(_loading, "_HANDED_OVER", {})


def test_a_set_that_was_handed_over_is_loaded(nothing_handed_over, monkeypatch):
    wine = pickle.loads(pickle.dumps(datasets.load("wine")))
    monkeypatch.setattr(_loading, "SOURCES", {})
    with pytest.raises(datasets.DatasetNotFoundError):
        datasets.load("wine")
    datasets.hand_over(wine)
    assert datasets.load("wine") is wine


def test_another_content_is_refused(nothing_handed_over):
    other = dataclasses.replace(datasets.load("wine"), sha256="0" * 64)
    with pytest.raises(datasets.DatasetCorruptedError, match="another content"):
        datasets.hand_over(other)
