"""Artificial sets that both sides drew for themselves: the error of a comparison contains that of the draws."""

import math
from dataclasses import replace

import pytest

from weaklearn.lab import Algorithm, DataSource, Protocol, PublishedCell, Row, Split, Table
from weaklearn.lab._compare import TableComparison
from weaklearn.lab._verdicts import Evidence, judge

CELL = Evidence(n=100, mean=10.5, spread=1.0, published=10.0, error=0.1, runs=100)
DRAWN = Row("drawn", DataSource("drawn", Split(train_size=10), kind="artificial"))
VALUES = {"A": [20.0, 24.0, 22.0, 26.0], "B": [18.0, 21.0, 20.0, 23.0]}


def test_the_error_of_both_draws_is_added_and_no_number_of_trials_removes_it():
    drawn = replace(CELL, draw_error=0.3)
    assert drawn.standard_error(100) == pytest.approx(math.sqrt(CELL.standard_error(100) ** 2 + 2 * 0.3**2))
    assert drawn.standard_error(10**9) > math.sqrt(2) * 0.3
    assert drawn.meaningful() == CELL.meaningful()
    assert judge([replace(CELL, mean=10.9)])[0].verdict == "contradicted"
    assert judge([replace(CELL, mean=10.9, draw_error=0.3)])[0].verdict == "undecided"
    with pytest.raises(ValueError, match="draw_error must not be negative"):
        replace(CELL, draw_error=-1.0)


class Kept:
    def of(self, part, row, column):
        return {index: {"error": value} for index, value in enumerate(VALUES[column.name])}


def table(**more):
    columns = (Algorithm("A", "m:A"), Algorithm("B", "m:B"))
    published = (
        PublishedCell("s", "1", "drawn", "A", 30.0, 0.3),
        PublishedCell("s", "1", "drawn", "B", 27.0, 0.4),
    )
    protocol = Protocol("holdout")
    return Table("s", "1", "t", "error", (DRAWN,), columns, protocol, published=published, **more)


@pytest.mark.parametrize("reference", [None, "A"])
def test_a_table_states_it_by_row_and_column(reference):
    errors = []
    for draw_error in ({}, {("drawn", "B"): 0.5}):
        spec = table(reference_column=reference, draw_error=draw_error)
        cells = TableComparison("e", spec, Kept(), lambda *_: "").cells()
        errors.append(next(cell.difference_error for cell in cells if cell.column == "B"))
    assert errors[1] == pytest.approx(math.sqrt(errors[0] ** 2 + 2 * 0.5**2))


def test_unknown_cells_are_refused():
    with pytest.raises(ValueError, match="draw_error names"):
        table(draw_error={("drawn", "C"): 0.5})
