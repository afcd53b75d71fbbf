"""An engine that remembers is an engine like any other: every way of running gives the same outcomes, once."""

import numpy as np
import pytest

from weaklearn.engines import Remembering, open_engine

CALLS = []


def quarter(task):
    """What the engine runs: a value that depends on the task, and a task that fails."""
    CALLS.append(task)
    if task == "bad":
        raise ValueError("no")
    return f"task {task}", np.array([task / 4, 1.0])


TASKS = [1, 2, "bad", 3]
FUNCTION = "quarter:quarter"


@pytest.fixture
def remembering(tmp_path, monkeypatch):
    CALLS.clear()
    monkeypatch.setattr("weaklearn.engines._engine.import_function", lambda path: quarter)
    heard = []

    def attempt(plan=("1.0",)):
        """The engine of one attempt."""
        heard.clear()
        return Remembering(
            inner,
            tmp_path / "parts",
            list(plan),
            pack=lambda value: {"numbers": value[1]},
            unpack=lambda task, kept: (f"task {task}", kept["numbers"]),
            told=lambda task, outcome: heard.append((task, outcome.failure is None)),
        )

    (tmp_path / "parts").mkdir()
    with open_engine("inline") as inner:
        yield attempt, heard


def values(outcomes):
    return {
        outcome.index: outcome.failure.kind if outcome.failure else (outcome.value[0], *outcome.value[1])
        for outcome in outcomes
    }


RIGHT = {0: ("task 1", 0.25, 1.0), 1: ("task 2", 0.5, 1.0), 2: "raised", 3: ("task 3", 0.75, 1.0)}


def test_batches_and_single_outcomes_are_the_same_and_nothing_runs_twice(remembering):
    attempt, heard = remembering
    batches = list(attempt().run_batches(FUNCTION, TASKS))
    assert values([outcome for batch in batches for outcome in batch]) == RIGHT
    assert sorted(map(str, CALLS)) == ["1", "2", "3", "bad"]
    assert dict(heard) == {1: True, 2: True, 3: True, "bad": False}
    # What has a value is remembered and comes first; what failed is tried again; all are told.
    again = list(attempt().run(FUNCTION, TASKS))
    assert values(again) == RIGHT
    assert [outcome.index for outcome in again] == [0, 1, 3, 2]
    assert CALLS[4:] == ["bad"]
    assert heard == [(1, True), (2, True), (3, True), ("bad", False)]


def test_an_attempt_that_was_killed_is_resumed(remembering):
    attempt, _ = remembering
    outcomes = attempt().run(FUNCTION, TASKS)
    next(outcomes)
    done = len(CALLS)
    assert done < len(TASKS)
    assert values(attempt().run(FUNCTION, TASKS)) == RIGHT
    assert sorted(map(str, CALLS)) == ["1", "2", "3", "bad"]


def test_each_run_of_an_attempt_has_its_own_files_and_another_plan_begins_anew(remembering):
    attempt, _ = remembering
    engine = attempt()
    assert values(engine.run(FUNCTION, [1])) == {0: ("task 1", 0.25, 1.0)}
    assert values(engine.run(FUNCTION, [2])) == {0: ("task 2", 0.5, 1.0)}
    assert CALLS == [1, 2]
    list(attempt().run(FUNCTION, [1]))
    assert CALLS == [1, 2]
    list(attempt(plan=["1.1"]).run(FUNCTION, [1]))
    assert CALLS == [1, 2, 1]


def test_what_is_no_longer_wanted_is_not_run(remembering):
    attempt, _ = remembering
    list(attempt().run(FUNCTION, [1]))
    asked = []

    def wanted(indices):
        asked.extend(indices)
        return [index for index in indices if index != 1]

    assert set(values(attempt().run(FUNCTION, TASKS, wanted=wanted))) == {0, 2, 3}
    assert sorted(asked) == [1, 2, 3]  # the remembered one is not sent anywhere
    assert CALLS == [1, "bad", 3]
