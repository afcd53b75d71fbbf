"""Figures 1.14 to 1.16 of li2006: what is drawn are principal subsets, and all of them."""

import numpy as np
import pytest

from weaklearn.complexity import complexity
from weaklearn.lab import discover
from weaklearn.lab._plan import cell_trials
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.li2006.complexity_trials import every_subset
from weaklearn.studies.li2006.drawings import subsets

FIGURES = {figure.number: figure for figure in discover()["li2006_complexity"].figures}


def drawn(number):
    figure = FIGURES[number]
    trial = cell_trials(figure, figure.rows[0], figure.columns[0], 1)[0]
    return figure, every_subset(trial, **figure.protocol.params)


@pytest.fixture(scope="module")
def disks():
    return drawn("1.14")


def test_points_of_the_subsets_by_definition(disks):
    _, result = disks
    X, y, shown = result["X"], result["y"], result["shown"]
    assert len(shown) == result["n_subsets"]
    for (value, error), mask in zip(shown, result["masks"], strict=True):
        assert error == (~mask).sum()
        assert value == complexity(X[mask], y[mask])
    # Of two principal points the more complex one has fewer errors.
    points = np.unique(shown, axis=0)
    assert (np.diff(points[:, 1]) < 0).all()
    assert len(np.unique(result["masks"], axis=0)) == len(shown)


def test_one_panel_for_every_subset(disks):
    figure, result = disks
    data = FigureData({(figure.rows[0].label, figure.columns[0].name): [result]})
    assert len(subsets(figure, data)) == result["n_subsets"]
    halves = [len(subsets(FIGURES[number], data)) for number in ("1.15", "1.16")]
    assert sum(halves) == result["n_subsets"]
    assert abs(halves[0] - halves[1]) <= 1
