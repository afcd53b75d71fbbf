"""`Lowest` along rows: settings as rows, as in the tables of may2020."""

import numpy as np

from weaklearn.lab import Protocol, Row, Table
from weaklearn.lab._claim import FAILS, HOLDS, Reader, judge_parts
from weaklearn.lab._parts import Column
from weaklearn.lab._spec import Experiment, Profile
from weaklearn.lab.claims import Lowest

MEANS = {"small": 5.0, "middle": 3.0, "large": 4.0}


class Made:
    """Normal errors of each setting, the same trials for all."""

    def of(self, part, row, column):
        rng = np.random.default_rng(0)
        sign = -1.0 if column.name == "accuracy" else 1.0
        return {k: {"error": sign * MEANS[row.label] + 0.1 * rng.normal()} for k in range(10)}


def read():
    rows = tuple(Row(label, setting={"width": k}) for k, label in enumerate(MEANS))
    columns = (Column("error"), Column("accuracy"))
    table = Table("s", "1", "t", "error", rows, columns, Protocol("holdout"), published=())
    experiment = Experiment("e", "s", "t", (table,), profiles={"full": Profile(1)})
    return Reader([experiment], lambda _: Made())


def test_rows_compete():
    best = Lowest("table 1", ("middle",), 1, columns=("error",), along="rows")
    assert judge_parts(best.found(read()))[0] == HOLDS
    assert best.found(read()).unit == "of 1 columns"
    worst = Lowest("table 1", ("large",), 1, columns=("error",), along="rows")
    assert judge_parts(worst.found(read()))[0] == FAILS
    both = Lowest("table 1", ("middle", "small"), 2, along="rows")  # lowest error, lowest negative one
    assert judge_parts(both.found(read()))[0] == HOLDS
