"""For the examples in docstrings: no figure outlives the example that opened it."""

import sys

import pytest


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    # Not imported here: that takes longer than most examples, of which few draw anything.
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
