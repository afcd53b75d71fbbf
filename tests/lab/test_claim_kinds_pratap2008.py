"""Rows that one trial gives, and trials that stand for several published runs."""

from dataclasses import replace

import pytest

from weaklearn.lab import Column, DataSource, Protocol, Row, Split, Table
from weaklearn.lab._compare import TableComparison
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._published import PublishedCell
from weaklearn.lab._results import cell_values


class Same:
    """The same metrics for every cell."""

    def of(self, part, row, column):
        return {0: {"error_5": 1.0, "error_10": 2.0, "other": 7.0}}


def test_rows_of_one_trial_differ_in_the_metric():
    data = DataSource("twonorm", Split(train_size=10), kind="artificial", params={"n_samples": 30})
    table = Table(
        source="toy",
        number="1",
        title="",
        metric="error",
        rows=tuple(Row(f"{n} choices", data, suffix=f"_{n}") for n in (5, 10)),
        columns=(Column("all"),),
        protocol=Protocol("holdout"),
        scale=10.0,
        published=(),
    )
    five, ten = table.rows
    (column,) = table.columns
    assert cell_trials(table, five, column, 1)[0].key == cell_trials(table, ten, column, 1)[0].key
    assert [cell_values(Same(), table, row, column) for row in table.rows] == [{0: 10.0}, {0: 20.0}]
    # A metric that is named is taken as it is.
    assert cell_values(Same(), table, five, column, "other") == {0: 7.0}


class Drawn:
    """Four trials."""

    def of(self, part, row, column):
        return {k: {"variance": value} for k, value in enumerate((1.0, 3.0, 1.0, 3.0))}


def test_a_trial_that_is_a_whole_study_scatters_as_a_published_cell():
    published = PublishedCell("toy", "1", "row", "column", 2.5, n_runs=50, decimals=9)
    table = Table(
        source="toy",
        number="1",
        title="",
        metric="variance",
        rows=(Row("row"),),
        columns=(Column("column"),),
        protocol=Protocol("holdout"),
        tolerance=0.1,
        published=(published,),
    )

    def error(table):
        (cell,) = TableComparison("toy", table, Drawn(), lambda *_: "").cells()
        assert cell.kind == "mean"
        return cell.difference_error

    spread = (4 / 3) ** 0.5
    assert error(table) == pytest.approx(spread * (1 / 4 + 1 / 50) ** 0.5)
    assert error(replace(table, trial_runs=50)) == pytest.approx(spread * (1 / 4 + 1) ** 0.5)
