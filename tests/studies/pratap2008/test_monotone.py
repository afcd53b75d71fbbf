"""pratap2008, chapter 3: what a study of thresholds records, and the readings of Tables 3.3 and 3.4."""

import numpy as np
import pytest

from weaklearn.adaptive import BestPEST, Staircase, simulate
from weaklearn.lab import Protocol, Trial
from weaklearn.lab._trial import run_protocol
from weaklearn.monotone import Crossing
from weaklearn.studies.pratap2008 import monotone
from weaklearn.studies.pratap2008.monotone_targets import target_curve

TABLES = {table.number: table for table in monotone.EXPERIMENT.tables}


def study(row, algorithm, **params):
    protocol = Protocol(f"{monotone.TRIALS}:threshold_study", {**monotone.STUDY, **params})
    (trial,) = Trial.series(protocol, row, algorithm, 1)
    return trial, run_protocol(trial)


def test_a_study_against_the_simulation():
    row = TABLES["3.4"].rows[0]
    trial, found = study(row, monotone.PEST, after=[10, 30])
    sampler = trial.build().set_params(functional=Crossing(0.612))
    done = simulate(sampler, target_curve("linear"), 50, budget=30, random_state=trial.data_seed)
    final = done.estimates[0, :, -1]
    assert sampler.placement == "below"
    assert found["signed_bias"] == pytest.approx(final.mean() - 0.612)
    assert found["bias"] == abs(found["signed_bias"])
    assert found["variance"] == pytest.approx(final.var(ddof=1))
    assert found["error_after_30"] == pytest.approx(found["squared_error"])
    assert found["reduction"] == pytest.approx(found["error_after_30"] / found["error_after_10"])
    assert len(found["curve"]) == 21


def test_one_answer_per_level_and_thresholds_outside_of_the_levels():
    """Of equal allocation alone: fewer answers scatter more, and wider bounds still more."""
    row = TABLES["3.3"].rows[0]
    wide, narrow = (
        study(row, monotone.EQUAL_LOGISTIC, n_runs=2000, equal={"per_level": 1, "bounds": bounds})[1][
            "variance"
        ]
        for bounds in ([-1.0, 2.0], [0.05, 0.95])
    )
    three = study(row, monotone.EQUAL_LOGISTIC, n_runs=2000)[1]["variance"]
    assert wide > 1.3 * narrow > 2 * three
    same = [study(row, monotone.PEST, **options)[1] for options in ({}, {"equal": monotone.ONE_EACH})]
    assert same[0] == same[1]


def test_a_trial_is_a_study_of_as_many_runs_as_a_published_cell():
    for number in ("3.3", "3.4"):
        table = TABLES[number]
        assert {cell.n_runs for cell in table.published} == {table.trial_runs} == {50}
        assert table.protocol.params["n_runs"] == 50


def test_the_quadratic_answers_come_from_the_upper_ends_of_the_bins():
    """Bias by hand: with x^2 at x + 0.05 in place of x, every threshold moves down by 0.05."""
    row = next(row for row in TABLES["3.4"].rows if row.label == "quadratic")
    plain = next(row for row in monotone._rows(0.612) if row.label == "quadratic")
    shifted, unshifted = (
        study(one, monotone.EQUAL_LOGISTIC, n_runs=400, budget=60)[1]["signed_bias"] for one in (row, plain)
    )
    assert unshifted - shifted == pytest.approx(0.05, abs=0.02)
    others = [row for row in TABLES["3.4"].rows if row.label != "quadratic"]
    assert all("answers" not in row.setting for row in others)


def test_theorem_1_holds_and_its_proof_does_not():
    table = TABLES["theorem 1"]
    found = run_protocol(Trial.series(table.protocol, table.rows[0], None, 1)[0])
    assert found["violations"] == 0
    assert found["unordered"] > 0


def test_deviations_are_recorded_one_by_one():
    figure = monotone.EXPERIMENT.figures[0]
    few = Protocol(figure.protocol.name, {"allocated": "centre", "sizes": [5, 10], "n_runs": 50})
    found = [
        run_protocol(Trial.series(few, figure.rows[0], column.algorithm, 1)[0]) for column in figure.columns
    ]
    assert all(one["deviation"] == [one["deviation_5"], one["deviation_10"]] for one in found)
    assert found[2]["deviation_10"] < found[0]["deviation_10"]
    assert np.isfinite([one["deviation"] for one in found]).all()


def test_pest_asks_at_the_level_at_or_below_its_estimate():
    sampler = BestPEST([1, 2, 3, 4, 5], placement="below", random_state=0)
    for level, said in [(1, 0), (2, 0), (3, 1), (4, 0), (5, 1), (3, 1), (4, 1), (2, 0)]:
        sampler.tell(level, said)
        estimate = sampler.estimate()
        if len(sampler.history) >= 5:
            assert sampler.ask() == max(
                level for level in (1, 2, 3, 4, 5) if level <= max(estimate + 1e-8, 1)
            )
    with pytest.raises(ValueError, match="placement"):
        BestPEST([1, 2], n_first=0, placement="above").tell(1, 0).ask()


def test_a_staircase_starts_at_either_of_the_middle_levels():
    starts = [Staircase([1, 2, 3, 4], random_state=seed).ask() for seed in range(40)]
    assert set(starts) == {2.0, 3.0}
    assert {Staircase([1, 2, 3], random_state=seed).ask() for seed in range(9)} == {2.0}
