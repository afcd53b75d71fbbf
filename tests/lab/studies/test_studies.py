"""What holds for every experiment of the package."""

import pytest

from weaklearn import datasets
from weaklearn.lab import Experiment, load_published, make_plan, published_sources
from weaklearn.lab._build import resolve
from weaklearn.lab._protocols import protocol_function
from weaklearn.lab._stable_names import HOMES, home_of, stable_name
from weaklearn.lab.studies import discover

EXPERIMENTS = discover()


def test_discovery():
    assert {
        "barnes1999_pboost",
        "li2005_perceptrons",
        "li2006_cgboost",
        "li2006_complexity",
        "li2006_multiclass",
        "may2020_digits",
        "may2020_samme",
        "may2020_sample_complexity",
        "pratap2008_cloning",
        "pratap2008_margins",
        "pratap2008_monotone",
        "zero_one_frontier",
    } <= set(EXPERIMENTS)
    assert {experiment.source for experiment in EXPERIMENTS.values()} >= set(published_sources())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_are_sound(name):
    experiment = EXPERIMENTS[name]
    assert isinstance(experiment, Experiment)
    assert experiment.name == name
    quick, full = (len(make_plan([experiment], profile).trials) for profile in ("quick", "full"))
    assert 0 < quick < full
    for part in experiment.parts:
        for column in part.columns:
            if column.algorithm is not None:
                assert callable(resolve(column.algorithm.builder))
        if part.protocol is not None:
            assert callable(protocol_function(part.protocol.stable_name))
    for figure in experiment.figures:
        assert callable(resolve(figure.draw))
    real = {source.name for source in make_plan([experiment], "full").sources if source.kind == "real"}
    assert real <= {record.name for record in datasets.available()}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_published_numbers_have_their_places(name):
    for table in EXPERIMENTS[name].tables:
        cells = load_published(table.source) if table.published is None else table.published
        printed = {(cell.row, cell.column) for cell in cells if cell.table == table.number}
        ours = {(row.label, column.name) for row in table.rows for column in table.columns}
        if table.published == ():
            continue  # a table of our own, which no document has
        assert printed, f"{table.item}: nothing published under that number"
        assert ours & printed, f"{table.item}: no row and column has a published name"


def test_code_that_has_moved_is_found_under_its_old_name():
    for name, home in HOMES.items():
        assert callable(resolve(name))
        assert resolve(name) is resolve(home)
        assert home_of(name) == home
        assert stable_name(home) == name
