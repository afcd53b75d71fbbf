"""Where the tests find the real data sets: WEAKLEARN_DATA, else shared/data beside the repository."""

import os
import warnings
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_folder():
    named = os.environ.get("WEAKLEARN_DATA")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not here: set WEAKLEARN_DATA to the folder that holds them")
    return folder


@pytest.fixture
def no_network(monkeypatch):
    """Make OpenML unreachable, whatever the machine."""
    import sklearn.datasets

    def refuse(**_):
        warnings.warn("A network error occurred while downloading. Retrying...", UserWarning, stacklevel=2)
        raise OSError("no network in this test")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", refuse)
