"""Deterministic cells in tests of claims."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from weaklearn.lab import DataSource, Experiment, Profile, Protocol, Split, Table
from weaklearn.lab._claim import Constant, Reader, judge_parts
from weaklearn.lab._parts import Column
from weaklearn.lab.claims import Difference, Lowest


class Given:
    """Results by column."""

    def __init__(self, values):
        self.values = values

    def of(self, part, row, column):
        return {index: {"error": value} for index, value in enumerate(self.values[column.name])}


def reader(values, deterministic):
    table = Table(
        "s",
        "1",
        "t",
        "error",
        (DataSource("one", Split(test_share=0.2)),),
        tuple(map(Column, values)),
        Protocol("holdout"),
        published=(),
        deterministic=tuple(("one", name) for name in deterministic),
    )
    experiment = Experiment("e", "s", "t", (table,), profiles={"quick": Profile(2)})
    return Reader([experiment], lambda _: Given(values))


def test_a_deterministic_cell_is_compared_with_every_trial_of_the_other():
    random = np.random.default_rng(0).normal(10.0, 1.0, 12)
    read = reader({"A": [9.0, 9.0], "B": random}, ("A",))
    assert isinstance(read.values("table 1", "one", "A"), Constant)
    assert not isinstance(read.values("table 1", "one", "B"), Constant)
    (part,) = Difference("table 1", (("A", "B"),), "<").found(read).parts
    assert part.n == 12
    assert part.p_true == pytest.approx(stats.ttest_1samp(9.0 - random, 0.0, alternative="less").pvalue)


def test_two_deterministic_cells_are_compared_exactly():
    values = {"A": [9.0, 9.0], "B": [10.0, 10.0]}
    test = Difference("table 1", (("A", "B"),), "<")
    assert judge_parts(test.found(reader(values, ("A", "B"))))[0] == "holds"
    assert (
        judge_parts(dataclasses.replace(test, relation=">").found(reader(values, ("A", "B"))))[0]
        == "does not hold"
    )
    assert judge_parts(Difference("table 1", (("A", 9.5),), "<").found(reader(values, ("A",))))[0] == "holds"
    # Two equal trials of a random cell show nothing.
    assert judge_parts(test.found(reader(values, ("A",))))[0] == "open"
    assert judge_parts(Lowest("table 1", ("A",), at_least=1).found(reader(values, ("A", "B"))))[0] == "holds"


def test_a_deterministic_cell_without_trials_compares_with_nothing():
    read = reader({"A": [], "B": [1.0, 2.0, 3.0]}, ("A",))
    assert Difference("table 1", (("A", "B"),), "<").found(read) is None
