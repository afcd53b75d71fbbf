"""pratap2008, chapter 3: two readings of Tables 3.3 and 3.4."""

import numpy as np
import pytest

from weaklearn.lab import Protocol, Trial
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.pratap2008 import monotone
from weaklearn.studies.pratap2008.monotone_trials import level_below

TABLES = {table.number: table for table in monotone.EXPERIMENT.tables}


def test_level_below():
    levels = np.array([0.1, 0.2, 0.3])
    found = level_below(levels, np.array([0.05, 0.1, 0.1999, 0.1 + 0.2, 9.0]))
    np.testing.assert_array_equal(found, [0.1, 0.1, 0.1, 0.3, 0.3])


def test_pest_is_read_at_the_levels_and_no_other_method():
    for table in TABLES.values():
        metrics = {column.name: column.metric for column in table.columns}
        assert metrics["PEST bias"] == "grid_bias"
        assert metrics["PEST variance"] == "grid_variance"
        assert {name for name, metric in metrics.items() if metric.startswith("grid")} == {
            "PEST bias",
            "PEST variance",
        }


def test_the_quadratic_answers_come_from_the_upper_ends_of_the_bins():
    """Bias by hand: with x^2 at x + 0.05 in place of x, every threshold moves down by 0.05."""
    row = next(row for row in TABLES["3.3"].rows if row.label == "quadratic")
    plain = next(row for row in monotone._rows(0.5) if row.label == "quadratic")
    protocol = Protocol(f"{monotone.TRIALS}:threshold", {"n_runs": 400, "budget": 60})
    shifted, unshifted = (
        run_protocol(Trial.series(protocol, one, monotone.EQUAL_LOGISTIC, 1)[0]) for one in (row, plain)
    )
    assert shifted["bias"] - unshifted["bias"] == pytest.approx(0.05, abs=0.02)
    others = [row for row in TABLES["3.3"].rows if row.label != "quadratic"]
    assert all("answers" not in row.setting for row in others)
