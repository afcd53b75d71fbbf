"""The study of threshold samplers: its cases, its baselines, what a trial records."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import chdtri, ndtr, ndtri

from weaklearn.lab import Trial
from weaklearn.studies.own.thresholds.baseline_trials import QuestPlusInStep, RobbinsMonro, WeightedStaircase
from weaklearn.studies.own.thresholds.curve_cases import CASES, LEVELS, UNUSUAL, lapse_rates
from weaklearn.studies.own.thresholds.curve_fit import NormalFit
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
    held, answers = at_the_stop(done.held[0], done.widths[0], 0.3)
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


def test_unusual_cases():
    for case in UNUSUAL.values():
        for n, place in ((1, case.thresholds(60)[0]), (60, case.thresholds(60)[59])):
            assert float(case.rates(np.array([place]), n)[0]) == pytest.approx(case.target, abs=1e-6)
    assert UNUSUAL["drift"].thresholds(60)[59] == pytest.approx(0.65)
    table = EXPERIMENT.tables[4]
    for row in table.rows:
        trial = Trial.series(table.protocol, row, OURS, 1)[0]
        found = sought(trial, n_runs=2, points=[10, 20], widths=[0.3])
        assert np.isfinite(list(found.values())).all()
        if row.label == "above all levels":
            assert found["outside_20"] == 100
            assert found["error_20"] == 0
            assert found["covered_20"] == 100


@pytest.mark.parametrize("guess_rate", [0.0, 0.5])
def test_the_normal_fit_is_the_largest_likelihood(guess_rate):
    """Against an optimiser, without lapses in the answers; the interval by its definition."""
    rng = np.random.default_rng(3)
    levels = rng.choice(LEVELS, 400)
    share = 0.5 + 0.5 * guess_rate
    said = rng.random(400) < guess_rate + (1 - guess_rate) * ndtr((levels - 0.4) / 0.15)

    def loss(parameters):
        place, width, lapse = parameters[0], np.exp(parameters[1]), parameters[2]
        span = 1 - guess_rate - lapse
        p = guess_rate + span * ndtr((levels - place) / width + ndtri((share - guess_rate) / span))
        return -np.log(np.clip(np.where(said, p, 1 - p), 1e-9, 1)).sum() - 9 * np.log1p(-lapse)

    bounds = [(0, 1), (-4, 0), (0, 0.1)]
    best = minimize(loss, [0.5, -1.5, 0.02], bounds=bounds)
    place, low, high = NormalFit(share, guess_rate).fit(levels, said)
    assert place == pytest.approx(best.x[0], abs=0.01)

    def deviance(at):
        return 2 * (minimize(lambda rest: loss([at, *rest]), best.x[1:], bounds=bounds[1:]).fun - best.fun)

    assert deviance(low + 0.01) < chdtri(1, 0.1) < deviance(low - 0.02)
    assert deviance(high - 0.01) < chdtri(1, 0.1) < deviance(high + 0.02)


def test_the_count_of_the_figure():
    errors = np.array([[1.1, 1.0], [1.2, 1.0], [0.5, 1.0], [9.0, 1.0]])
    rows = ["logistic 25%", "plateau 25%", "linear 25%", "2AFC 60%"]
    assert within_ten_percent(rows, errors) == (2, 3)
