"""may2020, part II: published cells in their places, short trials, their drawing."""

import dataclasses

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from weaklearn.lab import Column, Trial, make_plan
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.may2020.drawings import growth_curves
from weaklearn.studies.may2020.sample_complexity import EXPERIMENT as GROWTH


def run(algorithm, row, index=0):
    # As the lab's workers do it: nearest neighbours with more threads than free cores wait for each other.
    with threadpool_limits(limits=1):
        return run_protocol(Trial.series(GROWTH.tables[0].protocol, row, algorithm, index + 1)[index])


@pytest.mark.parametrize("table", GROWTH.tables, ids=lambda table: table.number)
def test_every_published_number_has_a_cell(table):
    places = {(row.label, column.name) for row in table.rows for column in table.columns}
    assert {(cell.row, cell.column) for cell in table.published} <= places


def test_all_tables_and_figures_share_their_trials():
    # And 20 of the line through the logarithms.
    assert len(make_plan([GROWTH], "full").trials) == 20 * (len(GROWTH.figures[0].columns) + 1)


def test_the_line_through_the_logarithms():
    (table,) = (table for table in GROWTH.tables if table.number == "line")
    algorithm = quick_learner(table.columns[0].algorithm)
    with threadpool_limits(limits=1):
        line, growth = (
            run_protocol(Trial.series(protocol, table.rows[0], algorithm, 1)[0])
            for protocol in (table.protocol, GROWTH.tables[0].protocol)
        )
    slope, intercept = np.polyfit([2, 3, 4], np.log(growth["samples"]), 1)
    assert line == {"intercept": pytest.approx(intercept), "slope": pytest.approx(slope)}


def quick_learner(learner):
    params = {**learner.params, "dimensions": [2, 3, 4], "n_test": 300}
    return dataclasses.replace(learner, params=params)


@pytest.mark.parametrize("learner", GROWTH.tables[0].columns[::2], ids=lambda column: column.name)
def test_growth_trials_and_their_drawing(learner):
    algorithm = quick_learner(learner.algorithm)
    row = GROWTH.figures[0].rows[0]
    results = [run(algorithm, row, index) for index in range(2)]
    assert len(results[0]["samples"]) == 3
    if algorithm.name != "1-nearest neighbours":
        assert {"a", "b", "last", "best_kind", "weight 1"} <= set(results[0])
    figure = dataclasses.replace(GROWTH.figures[1], columns=(Column(algorithm.name, algorithm),))
    (panel,) = growth_curves(figure, FigureData({(row.label, algorithm.name): results}))
    measured = panel.axes[0].get_lines()[0]
    np.testing.assert_array_equal(measured.get_xdata(), [2, 3, 4])
    np.testing.assert_allclose(measured.get_ydata(), np.mean([r["samples"] for r in results], axis=0))
