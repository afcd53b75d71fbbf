"""Dose escalation: its rules hold whatever the answers are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.adaptive import DoseEscalation, OutsideLevels
from weaklearn.adaptive._shapes import gradual_library
from weaklearn.monotone import TradeOff

DOSES = [1.0, 2.0, 3.0, 4.0, 5.0]


@settings(max_examples=25, deadline=None)
@given(answers=st.lists(st.booleans(), min_size=3, max_size=18), cohort=st.integers(1, 3))
def test_start_low_skip_none_and_stay_below_the_limit(answers, cohort):
    sampler = DoseEscalation(DOSES, cohort=cohort)
    assert sampler.ask() == 1.0
    highest = -1
    for n, harmed in enumerate(answers):
        dose = sampler.ask()
        place = DOSES.index(dose)
        if n % cohort == 0:
            assert place <= highest + 1
            limits = sampler.current_limits()
            assert place == 0 or (sampler.overdose_probability() <= limits)[: place + 1].all()
            tried = np.arange(5) <= highest
            assert (limits[tried] == 0.35).all()
            assert limits[~tried] == pytest.approx(min(0.16 + 0.014 * n, 0.55))
        else:
            assert dose == sampler.history[-1].level
        highest = max(highest, place)
        sampler.tell(dose, harmed)
    assert sampler.recommend() in {answer.level for answer in sampler.history}
    assert (np.diff(sampler.harm()) >= -1e-6).all()
    assert (np.diff(sampler.overdose_probability()) >= 0).all()


@pytest.mark.parametrize("n_doses", [2, 5, 7])
def test_what_is_believed_beforehand(n_doses):
    """Below the first dose with probability 0.41, above the last with 0.3, anywhere between them otherwise."""
    sampler = DoseEscalation(np.arange(n_doses))
    expected = 0.41 + 0.29 * np.linspace(0, 1, n_doses)
    np.testing.assert_allclose(sampler.overdose_probability(), expected, atol=1e-6)


def test_curves_rise_over_a_number_of_doses():
    """More doses span a wider range: the same curves in steps between doses, up to eight of them."""
    five, eight, many = (gradual_library(n) for n in (5, 8, 40))
    np.testing.assert_allclose(five.scales * 4, eight.scales * 7)
    np.testing.assert_allclose(many.scales * 8, five.scales * 4)
    # The narrowest and the widest take 1.4 and 10 steps from 25% to 75%.
    width = 4 * (five.inverse(0.75) - five.inverse(0.25))
    assert width.min() == pytest.approx(1.4)
    assert width.max() == pytest.approx(10)
    assert five.prior.sum() == pytest.approx(1)
    assert width[five.prior.argmax()] == pytest.approx(3.4)


def test_one_number_is_the_limit_of_every_dose():
    sampler = DoseEscalation(DOSES, cohort=3, overdose_limit=0.2).tell(1, [0, 0, 0])
    assert (sampler.current_limits() == 0.2).all()
    strict = DoseEscalation(DOSES, cohort=3, overdose_limit=(0.1, 0.15)).tell(1, [0, 0, 0])
    assert strict.current_limits() == pytest.approx([0.15, 0.142, 0.142, 0.142, 0.142])


def test_cohorts_at_once_or_one_by_one():
    together = DoseEscalation(DOSES, cohort=3).tell(1, [0, 0, 0]).tell(2, [0, 1, 0])
    single = DoseEscalation(DOSES, cohort=3)
    for dose, harmed in [(1, 0), (1, 0), (1, 0), (2, 0), (2, 1), (2, 0)]:
        single.tell(dose, harmed)
    assert together.ask() == single.ask()
    assert together.interval() == single.interval()


def test_every_dose_too_high():
    sampler = DoseEscalation(DOSES, cohort=3)
    while OutsideLevels(0.9)(sampler) is None:
        sampler.tell(sampler.ask(), [1, 1, 1])
        assert len(sampler.history) < 30
    assert sampler.outside_ == "below"
    assert sampler.ask() == 1.0


def test_settings_that_make_no_sense():
    for params in ({"overdose_limit": 0}, {"cohort": 0}, {"cohort": 1.5}, {"increasing": False}):
        with pytest.raises(ValueError, match=next(iter(params))):
            DoseEscalation(DOSES, **params).ask()
    with pytest.raises(ValueError, match="one Crossing"):
        DoseEscalation(DOSES, TradeOff(([1, 5], [5, 1]))).ask()
    assert DoseEscalation(DOSES).recommend() == 1.0
