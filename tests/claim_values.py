"""Claims on given numbers: what tests of claims share."""

import numpy as np

from weaklearn.lab import Claim, DataSource, Experiment, Profile, Protocol, Split, Table
from weaklearn.lab._claim import Reader, judge_claim
from weaklearn.lab._parts import Column

ROWS, COLUMNS = ("one", "two", "three"), ("A", "B", "C")


class Given:
    """Results by row and column."""

    def __init__(self, values):
        self.values = values

    def of(self, part, row, column):
        found = self.values.get((row.label, column.name), {})
        if not isinstance(found, dict):
            found = {
                k: value if isinstance(value, dict) else {"error": value} for k, value in enumerate(found)
            }
        return found


def reader(values, rows=ROWS, columns=COLUMNS):
    sources = tuple(DataSource(name, Split(test_share=0.2)) for name in rows)
    table = Table(
        "s", "1", "t", "error", sources, tuple(map(Column, columns)), Protocol("holdout"), published=()
    )
    experiment = Experiment("e", "s", "t", (table,), profiles={"quick": Profile(2)})
    return Reader([experiment], lambda _: Given(values))


def normal(seed, mean, n=20, scale=1.0):
    return np.random.default_rng(seed).normal(mean, scale, n)


def verdict(test, values, **more):
    return judge_claim(Claim("c", "1", "c", test), "s", reader(values, **more)).verdict
