import matplotlib
import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _no_windows_and_no_figures_left():
    matplotlib.use("Agg")
    plt.close("all")  # those of doctests that ran before
    yield
    plt.close("all")
