"""The study behind docs/thresholds.md: its cases, its baselines, its table."""

import numpy as np
import pytest
from benchmarks.threshold_cases import BASELINES, LEVELS, cases, lapse_rates, luck_of, quest_plus
from benchmarks.threshold_study import at_the_stop, coverage_table, error_table, run_ours, study

from weaklearn.adaptive import QuestPlus
from weaklearn.monotone import Crossing


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_cases_are_rising_curves_that_reach_their_target(case):
    x = np.linspace(0, 1, 401)
    p = case.curve(x)
    assert ((p >= 0) & (p <= 1)).all()
    assert (np.diff(p) >= 0).all()
    assert float(case.curve(np.array([case.truth]))[0]) == pytest.approx(case.target, abs=1e-6)
    assert LEVELS[0] < case.truth < LEVELS[-1]


@pytest.mark.parametrize("position", [24, 27])
def test_quest_plus_in_step_is_the_package(position):
    """Forced choices: without guessing the first question is a tie between two levels, broken by rounding."""
    pytest.importorskip("questplus")
    case = cases()[position]
    luck = luck_of(case, 2, 12)
    ours = quest_plus(case, luck)
    rates = dict(zip(LEVELS.tolist(), case.curve(LEVELS).tolist(), strict=True))
    for run in range(2):
        sampler = QuestPlus(
            LEVELS, Crossing(case.target), guess_rate=case.guess_rate, lapse_rate=lapse_rates(case)
        )
        found = []
        for chance in luck[run]:
            level = sampler.ask()
            sampler.tell(level, chance < rates[level])
            found.append(sampler.estimate())
        np.testing.assert_allclose(found, ours[run], atol=1e-6)


def test_baselines_find_a_steep_threshold():
    case = cases()[1]
    luck = luck_of(case, 40, 120)
    for method in BASELINES.values():
        found = method(case, luck)
        assert found.shape == luck.shape
        assert np.sqrt(np.mean((found[:, -1] - case.truth) ** 2)) < 0.05


def test_stopping_is_read_off_the_widths():
    case = cases()[1]
    done = run_ours(case, luck_of(case, 5, 40))
    held, answers = at_the_stop(done, 0.3)
    for run, n in enumerate(answers):
        assert 10 <= n <= 40
        assert held[run] == done.held[0, run, n - 1]
        assert n == 40 or done.widths[0, run, n - 1] <= 0.3
        assert (done.widths[0, run, 9 : n - 1] > 0.3).all()


@pytest.mark.slow
def test_the_default_holds_its_own():
    """A smaller study than the one that docs/thresholds.md quotes, with the same code."""
    rows = study(40)
    print(error_table(rows))
    print(coverage_table(rows))
    for group, least in (("S-shaped", 0.87), ("AFC", 0.87), ("badly fitted", 0.8), ("step", 0.8)):
        part = [row for row in rows if row.case.group == group]
        assert np.mean([row.coverage for row in part]) >= least
    sixty = [row for row in rows if row.case.name in ("2AFC 60%", "3AFC 60%")]
    assert max(abs(row.bias) for row in sixty) <= 0.03
