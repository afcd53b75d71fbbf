"""The displays of data complexity."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from matplotlib.figure import Figure

from weaklearn.complexity import ComplexityPruner, complexity_error_path, principal_subsets
from weaklearn.datasets import make_concentric_disks
from weaklearn.display import ComplexityErrorDisplay, ContributionDisplay, FingerprintDisplay


@pytest.fixture
def ax():
    return Figure().add_subplot()


@pytest.fixture(scope="module")
def disks():
    return make_concentric_disks(30, random_state=0)


def test_complexity_error_plot_shows_every_pair_and_circles_the_front(disks, ax):
    found = principal_subsets(*disks, clusters=6)
    display = ComplexityErrorDisplay.from_subsets(found, ax=ax)
    assert display.ax_ is ax
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), found.plot[:, :2])
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), found.points)


def test_paths_can_be_compared_on_one_axes(disks, ax):
    path = complexity_error_path(*disks, random_state=0)
    ComplexityErrorDisplay.from_path(path, name="one", ax=ax)
    ComplexityErrorDisplay.from_path(path, name="two", ax=ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), path.complexity)
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()


def test_contributions_are_sorted_with_their_thresholds(disks, ax):
    pruner = ComplexityPruner(n_permutations=12, random_state=0).fit(*disks)
    display = ContributionDisplay(
        pruner.contribution_, pruner.standard_error_, thresholds=pruner.thresholds_
    ).plot(ax)
    values = ax.lines[0].get_ydata()
    assert (np.diff(values) <= 0).all()
    np.testing.assert_array_equal(pruner.contribution_[display.order], values)
    assert [line.get_ydata()[0] for line in ax.lines[1:]] == list(pruner.thresholds_)


def test_fingerprint_separates_categories(ax):
    display = FingerprintDisplay([0.1, 0.4, -0.3], ["critical", "typical", "noisy"]).plot(ax)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["typical (1)", "critical (1)", "noisy (1)"]
    with pytest.raises(ValueError, match="category must be one of"):
        FingerprintDisplay([0.1], ["odd"])
