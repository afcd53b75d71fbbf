"""Trials for open claims: a pilot first, the cheapest claim first, never more than the budget."""

import pytest

from weaklearn.lab import Claim, Store, current_stamps
from weaklearn.lab._claim import HOLDS, OPEN
from weaklearn.lab._decide import decide
from weaklearn.lab._record import Record
from weaklearn.lab.claims import Difference

CLEAR = Claim(
    "clear", "1", "Bagging errs on fewer than half of its training examples.",
    Difference("table 1", (("bagging", 50.0),), "<"),
)  # fmt: skip
TIE = Claim(
    "tie", "1", "Logistic regression errs more often than itself.",
    Difference("table 1", (("logistic", "logistic"),), ">"),
)  # fmt: skip
MUTE = Claim("mute", "2", "The set is pretty.", (), note="A matter of taste.")


@pytest.fixture
def deciding(toy, tmp_path):
    def run(*claims, minutes=5.0):
        said = []
        with Store(tmp_path / "store.sqlite", current_stamps()) as store:
            results = decide(
                [toy], {"toy": claims}, Record(), store, minutes=minutes, workers=1, say=said.append
            )
            return {one.claim.id: one for one in results}, said

    return run


def test_an_open_claim_is_decided_and_not_run_again(deciding):
    found, said = deciding(CLEAR)
    assert found["clear"].verdict == HOLDS
    # A pilot of four trials on both rows is enough.
    assert said == ["toy: clear: 8 trials, about 0.0 minutes"]
    found, said = deciding(CLEAR)
    assert found["clear"].verdict == HOLDS
    assert said == []


def test_what_no_trial_decides_is_given_up(deciding):
    found, said = deciding(TIE, MUTE)
    assert {one.verdict for one in found.values()} == {OPEN}
    assert len(said) == 1


def test_nothing_is_run_without_a_budget(deciding):
    found, said = deciding(CLEAR, minutes=0.0)
    assert found["clear"].verdict == OPEN
    assert said == []
