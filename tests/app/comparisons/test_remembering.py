"""An engine that remembers is an engine like any other: every way of running gives the same outcomes, once."""

import numpy as np
import pytest

from weaklearn.app.comparisons._remembering import Remembering
from weaklearn.cloning._compare_fits import Judged
from weaklearn.engines import open_engine

CALLS = []


def judged(task):
    """Imported by the engine: a result that depends on the task, and a task that fails."""
    CALLS.append(task)
    if task == "bad":
        raise ValueError("no")
    return Judged(wrong=np.array([task, 1.0]), fold_errors=(task / 4,), seconds=(0.5,), failure="")


TASKS = [1, 2, "bad", 3]
FUNCTION = f"{__name__}:judged"


@pytest.fixture
def remembering(tmp_path, monkeypatch):
    CALLS.clear()
    monkeypatch.setattr("weaklearn.engines._inline.import_function", lambda path: judged)
    heard = []
    with open_engine("inline") as inner:
        yield Remembering(inner, tmp_path, lambda task, found: heard.append((task, found.failure))), heard


def values(outcomes):
    return {
        outcome.index: outcome.failure.kind if outcome.failure else outcome.value.fold_errors
        for outcome in outcomes
    }


RIGHT = {0: (0.25,), 1: (0.5,), 2: "raised", 3: (0.75,)}


def test_batches_and_single_outcomes_are_the_same(remembering):
    engine, heard = remembering
    batches = list(engine.run_batches(FUNCTION, TASKS))
    assert values([outcome for batch in batches for outcome in batch]) == RIGHT
    assert sorted(map(str, CALLS)) == ["1", "2", "3", "bad"]
    assert dict(heard) == {1: "", 2: "", 3: "", "bad": "raised: ValueError: no"}
    # What was judged is remembered, what failed is tried again; the remembered ones come first and are told, too.
    heard.clear()
    again = list(engine.run(FUNCTION, TASKS))
    assert values(again) == RIGHT
    assert [outcome.index for outcome in again] == [0, 1, 3, 2]
    assert CALLS[4:] == ["bad"]
    assert [task for task, _ in heard] == [1, 2, 3, "bad"]
    np.testing.assert_array_equal(again[0].value.wrong, [1.0, 1.0])


def test_what_is_no_longer_wanted_is_not_run(remembering):
    engine, _ = remembering
    list(engine.run(FUNCTION, [1]))
    asked = []

    def wanted(indices):
        asked.extend(indices)
        return [index for index in indices if index != 1]

    assert set(values(engine.run(FUNCTION, TASKS, wanted=wanted))) == {0, 2, 3}
    assert sorted(asked) == [1, 2, 3]  # the remembered one is not sent anywhere
    assert CALLS == [1, "bad", 3]
