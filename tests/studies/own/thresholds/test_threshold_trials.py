"""The study of threshold samplers: its cases, its baselines, what a trial records."""

import numpy as np
import pytest
from scipy.special import ndtri

from weaklearn.lab import Trial
from weaklearn.studies.own.thresholds.baseline_trials import QuestPlusInStep, RobbinsMonro, WeightedStaircase
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS, lapse_rates
from weaklearn.studies.own.thresholds.threshold_drawings import within_ten_percent
from weaklearn.studies.own.thresholds.threshold_trials import DefaultSampler, at_the_stop, sought
from weaklearn.studies.own.thresholds.thresholds import BASELINES, EXPERIMENT, OURS


def luck_of(n_runs, n_answers, seed=0):
    return np.random.default_rng(seed).random((n_runs, n_answers))


def test_cases_are_rising_curves_that_reach_their_target():
    assert [
        sum(case.group == group for case in CASES.values()) for group in ("S-shaped", "badly fitted")
    ] == [9, 12]
    x = np.linspace(0, 1, 401)
    for case in CASES.values():
        p = case.curve(x)
        assert ((p >= 0) & (p <= 1)).all()
        assert (np.diff(p) >= 0).all()
        assert float(case.curve(np.array([case.truth]))[0]) == pytest.approx(case.target, abs=1e-6)
        assert LEVELS[0] < case.truth < LEVELS[-1]


@pytest.mark.parametrize("name", ["2AFC 60%", "3AFC 60%"])
def test_quest_plus_in_step_is_the_package(name):
    """Forced choices: without guessing the first question is a tie between two levels, broken by rounding."""
    questplus = pytest.importorskip("questplus")
    case = CASES[name]
    luck = luck_of(2, 12)
    ours = QuestPlusInStep().estimates(case, luck)
    rates = dict(zip(LEVELS.tolist(), case.curve(LEVELS).tolist(), strict=True))
    for run in range(2):
        package = questplus.QuestPlus(
            stim_domain={"intensity": LEVELS},
            func="norm_cdf",
            stim_scale="linear",
            param_domain={
                "mean": np.linspace(LEVELS[0], LEVELS[-1], 41),
                "sd": np.geomspace(0.035, 1.0, 12) * (LEVELS[-1] - LEVELS[0]),
                "lower_asymptote": [case.guess_rate],
                "lapse_rate": list(lapse_rates(case)),
            },
            outcome_domain={"response": ["yes", "no"]},
            stim_selection_method="min_entropy",
            param_estimation_method="mean",
        )
        found = []
        for chance in luck[run]:
            asked = package.next_stim
            answer = "yes" if chance < rates[asked["intensity"]] else "no"
            package.update(stim=asked, outcome={"response": answer})
            mean = package.param_estimate
            share = (case.target - case.guess_rate) / (1 - case.guess_rate - mean["lapse_rate"])
            found.append(np.clip(mean["mean"] + mean["sd"] * ndtri(share), LEVELS[0], LEVELS[-1]))
        np.testing.assert_allclose(found, ours[run], atol=1e-6)


def test_baselines_find_a_steep_threshold():
    case = CASES["logistic 50%"]
    luck = luck_of(40, 120)
    for method in (QuestPlusInStep(), WeightedStaircase(), RobbinsMonro()):
        found = method.estimates(case, luck)
        assert found.shape == luck.shape
        assert np.sqrt(np.mean((found[:, -1] - case.truth) ** 2)) < 0.05


def test_stopping_is_read_off_the_widths():
    case = CASES["logistic 50%"]
    done = DefaultSampler().simulation(case, luck_of(5, 40), 0)
    held, answers = at_the_stop(done, 0.3)
    for run, n in enumerate(answers):
        assert 10 <= n <= 40
        assert held[run] == done.held[0, run, n - 1]
        assert n == 40 or done.widths[0, run, n - 1] <= 0.3
        assert (done.widths[0, run, 9 : n - 1] > 0.3).all()


def _trial(algorithm, name="logistic 50%", n_runs=4):
    table = EXPERIMENT.tables[0]
    (row,) = (row for row in table.rows if row.label == name)
    trial = Trial.series(table.protocol, row, algorithm, 1)[0]
    return sought(trial, n_runs=n_runs, points=[10, 20], widths=[0.3]), trial


def test_a_trial_records_what_the_tables_show():
    ours, trial = _trial(OURS)
    assert set(ours) == {
        *("error_10", "error_20", "bias_10", "bias_20"),
        *("covered_10", "covered_20", "covered_at_0.3", "answers_at_0.3"),
    }
    luck = luck_of(4, 20, trial.data_seed)
    done = DefaultSampler().simulation(CASES["logistic 50%"], luck, trial.data_seed)
    assert ours["error_20"] == pytest.approx(1000 * done.mean_squared_error[0, 19])
    assert ours["covered_10"] == 100 * done.coverage[0, 9]
    staircase, _ = _trial(BASELINES[1])
    found = WeightedStaircase().estimates(CASES["logistic 50%"], luck)[:, 19] - CASES["logistic 50%"].truth
    assert staircase["error_20"] == pytest.approx(1000 * np.mean(found**2))
    assert "covered_10" not in staircase


def test_the_count_of_the_figure():
    errors = np.array([[1.1, 1.0], [1.2, 1.0], [0.5, 1.0], [9.0, 1.0]])
    rows = ["logistic 25%", "plateau 25%", "linear 25%", "2AFC 60%"]
    assert within_ten_percent(rows, errors) == (2, 3)
