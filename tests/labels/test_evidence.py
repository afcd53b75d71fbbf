"""Columns that speak for another label, columns that give the label away, groups that are predicted badly."""

import numpy as np
import pytest

from weaklearn.labels._evidence import cell_columns, groups_that_fail, reasons, telling_columns
from weaklearn.tables import labelled

N = 400


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    return labelled(
        {
            "speaks": y + 0.3 * rng.normal(size=N),
            "silent": rng.normal(size=N),
            "colour": np.where(rng.uniform(size=N) < 0.8, np.where(y, "red", "blue"), "green"),
            "copy": np.where(y, "one", "nought"),
            "y": y,
        },
        "y",
    )


def test_cells_cover_all_rows(table):
    for column in cell_columns(table):
        assert len(column.codes) == N
        assert column.codes.max() < len(column.names)
        assert set(np.bincount(column.codes, minlength=len(column.names))) != {0}
    numbers = cell_columns(table)[0]
    assert np.bincount(numbers.codes, minlength=len(numbers.names)).tolist() == [40] * 10 + [0]


def test_missing_values_are_cells_of_their_own():
    x = [1.0, 2.0, None, 4.0, 5.0, 6.0] * 5
    colour = ["a", None, "b", "a", "a", "b"] * 5
    given = labelled({"x": x, "c": colour, "y": [0, 1, 0] * 10}, "y")
    x_cells, colour_cells = cell_columns(given)
    assert {x_cells.names[code] for code in x_cells.codes[2::6]} == {"missing"}
    assert {colour_cells.names[code] for code in colour_cells.codes[1::6]} == {"missing"}
    assert "missing" not in {x_cells.names[code] for code in np.delete(x_cells.codes, np.arange(2, 30, 6))}


def test_reasons_are_ratios_of_frequencies(table):
    columns = cell_columns(table)
    codes = np.arange(N) % 2
    given = codes.copy()
    given[0] = 1  # row 0 looks like class 0 and is called 1
    P = np.eye(2)[given]
    found = reasons(columns, [0], [1], [0], P, table.cells)[0]
    assert [r.ratio for r in found] == sorted((r.ratio for r in found), reverse=True)
    assert "silent" not in {r.column for r in found}
    by_name = {r.column: r for r in found}
    assert by_name["copy"].value == "nought"
    # By hand, without the row itself: 199 rows of class 0 have this value, none of class 1.
    overall = 200 / N
    expected = ((199 + 2 * overall) / (199 + 2)) / ((0 + 2 * overall) / (200 + 2))
    assert by_name["copy"].ratio == pytest.approx(expected)


def test_copies_of_the_label_are_named(table):
    assert telling_columns(cell_columns(table), table.y) == [("copy", 1.0)]


def test_groups_that_fail(table):
    missed = np.zeros(N)
    green = np.flatnonzero(np.array(table.cells["colour"].texts()) == "green")
    missed[green[: len(green) // 2]] = 1
    groups = groups_that_fail(cell_columns(table), missed, 0.5 * missed)
    assert (groups[0].column, groups[0].value) == ("colour", "green")
    assert groups[0].share == pytest.approx((len(green) // 2) / len(green))
    assert groups[0].elsewhere == 0
    assert groups[0].expected_wrong == pytest.approx(0.5 * (len(green) // 2))
    assert groups_that_fail(cell_columns(table), np.zeros(N), np.zeros(N)) == []
    scattered = (np.random.default_rng(1).uniform(size=N) < 0.1).astype(float)
    assert groups_that_fail(cell_columns(table), scattered, scattered) == []
