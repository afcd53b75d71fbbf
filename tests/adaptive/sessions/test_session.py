"""Sessions: no answer lost, none counted twice, the same next question, whatever happens."""

import csv
import io
import json
import multiprocessing
import os
import signal
import sys
import time

import numpy as np
import pytest

from weaklearn.adaptive import Budget, Reversals, Session, SessionChangedError, SessionFileError
from weaklearn.monotone import Crossing, TradeOff

LEVELS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.json"


def create(path, **changes):
    parameters = {"levels": LEVELS, "question": "Louder?", "sampler": "PosteriorMinEnt", "seed": 5, **changes}
    return Session.create(path, **parameters)


def answer_all(session, n):
    for _ in range(n):
        level = session.ask()
        session.answer(level, level > 3.3)


@pytest.mark.parametrize("sampler", ["MinEnt", "PosteriorMinEnt", "BestPEST", "Staircase", "EqualAllocation"])
def test_coming_back_tomorrow(path, sampler):
    session = create(path, sampler=sampler, stop=Budget(12))
    answer_all(session, 7)
    again = Session.open(path)
    assert again.ask() == session.ask()
    assert again.history == session.history
    assert again.to_dict() == session.to_dict()
    answer_all(again, 5)
    assert again.done
    assert again.stop_reason == "12 answers"
    with pytest.raises(SessionChangedError, match="reload"):
        session.answer(3.0, True)
    assert session.reload().to_dict() == again.to_dict()
    found = again.estimate()[0]
    assert found["low"] <= found["value"] <= found["high"]
    assert found["target"] == {"crossing": 0.5}
    steps = again.replay()
    assert [step["asked"] for step in steps] == [entry["level"] for entry in again.history]
    assert steps[-1]["estimates"] == [found["value"]]


def test_undo_asks_the_same_question_again(path):
    session = create(path)
    answer_all(session, 4)
    level, before = session.ask(), session.history
    session.answer(level, False)
    session.undo()
    assert session.ask() == level
    assert session.history == before
    record = json.loads(path.read_text())
    assert len(record["undone"]) == 1  # kept for the record
    for _ in range(4):
        session.undo()
    with pytest.raises(ValueError, match="no answer to undo"):
        session.undo()


def test_a_retried_answer_counts_once(path):
    session = create(path)
    shown = session.to_dict()
    session.answer(shown["next_level"], True, revision=shown["revision"])
    session.answer(shown["next_level"], True, revision=shown["revision"])
    Session.open(path).answer(shown["next_level"], True, revision=shown["revision"])
    assert len(Session.open(path).history) == 1
    with pytest.raises(SessionChangedError):  # the other button, pressed on the old page
        session.answer(shown["next_level"], False, revision=shown["revision"])
    session.undo()
    session.answer(shown["next_level"], True, revision=shown["revision"])  # retried after it was undone
    assert session.history == []
    with pytest.raises(SessionChangedError):
        session.undo(revision=shown["revision"])


def test_several_thresholds_and_kinds_of_targets(path):
    price = TradeOff(([1, 6], [5, 0]))
    session = create(
        path, target=[0.25, Crossing(0.75), price], sampler="MinEnt", sampler_params={"n_resamples": 10}
    )
    answer_all(session, 14)
    low, high, best = Session.open(path).estimate()
    assert low["value"] <= high["value"]
    assert LEVELS[0] <= best["value"] <= LEVELS[-1]
    assert Session.open(path).targets == session.targets
    with pytest.raises(ValueError, match="TradeOff"):
        Session.create(path.with_name("other.json"), LEVELS, target=TradeOff(lambda x: x))


def test_notes_csv_and_plot(path, tmp_path):
    session = create(path)
    session.note("quiet room")
    answer_all(session, 3)
    session.note('=HYPERLINK("x"), said "why"')
    answer_all(session, 1)
    rows = list(csv.DictReader(io.StringIO(session.to_csv())))
    assert [int(row["n"]) for row in rows] == [1, 2, 3, 4]
    assert [float(row["level"]) for row in rows] == [entry["level"] for entry in session.history]
    assert [row["outcome"] == "1" for row in rows] == [entry["outcome"] for entry in session.history]
    assert rows[0]["notes"] == "quiet room"
    assert rows[2]["notes"].startswith("'=")
    session.to_csv(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == session.to_csv()
    assert Session.open(path).notes == session.notes
    for some in (session, create(path.with_name("empty.json"))):
        figure = some.plot()
        figure.savefig(io.BytesIO(), format="png")
        assert figure.axes[0].get_xlabel() == "level"
    assert len(session.plot().axes[0].lines) >= 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"levels": [1]}, "levels"),
        ({"levels": [1, float("nan")]}, "levels"),
        ({"sampler": "Oracle"}, "sampler must be one of"),
        ({"sampler_params": {"speed": 3}}, "takes the parameters"),
        ({"sampler_params": {"fit": "Magic"}}, "fit must be one of"),
        ({"sampler_params": {"fit": object()}}, "plain JSON"),
        ({"sampler": "MinEnt", "sampler_params": {"n_first": 0}}, "n_first"),
        ({"target": 1.5}, "between 0 and 1"),
        ({"target": []}, "at least one target"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_parameters_leave_no_file(path, changes, message):
    with pytest.raises(ValueError, match=message):
        create(path, **changes)
    assert not path.exists()


def damaged_files():
    yield "nothing", ""
    yield "half a record", '{"format": "weaklearn-session", "ver'
    yield "another format", '{"name": "somebody else"}'
    yield "a list", "[1, 2]"
    yield "nan", '{"format": NaN}'
    yield "deep", "[" * 100_000
    yield "not text", b"\x80\x04\x95pickle"


@pytest.mark.parametrize(
    ("name", "content"), list(damaged_files()), ids=[name for name, _ in damaged_files()]
)
def test_foreign_and_damaged_files_are_refused_and_kept(path, name, content):
    content = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(content)
    for attempt in (lambda: Session.open(path), lambda: create(path)):
        with pytest.raises(SessionFileError):
            attempt()
        assert path.read_bytes() == content


def changed_records():
    yield "version", lambda r: r.update(version=99)
    yield "extra", lambda r: r.update(more=1)
    yield "missing", lambda r: r.pop("seed")
    yield "levels", lambda r: r.update(levels=[3, 1])
    yield "bool level", lambda r: r.update(levels=[True, 3.0])
    yield "sampler", lambda r: r["sampler"].update(name="os:system")
    yield "params", lambda r: r["sampler"].update(params={"n_first": "x", "nope": 1})
    yield "target", lambda r: r.update(targets=[{"crossing": 7}])
    yield "stop", lambda r: r.update(stop={"never": 1})
    yield "outcome", lambda r: r["history"][0].update(outcome="yes")
    yield "order", lambda r: r["history"].reverse()
    yield "revision", lambda r: r.update(revision=0)
    yield "note", lambda r: r.update(notes=["hello"])


@pytest.mark.parametrize(
    ("name", "change"), list(changed_records()), ids=[name for name, _ in changed_records()]
)
def test_records_are_checked(path, name, change):
    session = create(path)
    answer_all(session, 3)
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))
    kept = path.read_bytes()
    with pytest.raises(SessionFileError):
        Session.open(path)
    with pytest.raises((SessionFileError, SessionChangedError)):
        session.answer(3.0, True)
    assert path.read_bytes() == kept
    assert len(session.history) == 3


def test_a_file_that_vanished_or_was_replaced_is_not_written(path):
    session = create(path)
    path.unlink()
    with pytest.raises(SessionFileError, match="no session file"):
        session.answer(3.0, True)
    assert not path.exists()
    other = create(path)
    with pytest.raises(SessionFileError, match="another session"):
        session.answer(3.0, True)
    with pytest.raises(SessionFileError, match="another session"):
        session.reload()
    assert Session.open(path).id == other.id
    with pytest.raises(SessionFileError, match="exists already"):
        create(path)


def test_a_failed_write_changes_nothing(path, monkeypatch):
    session = create(path)
    answer_all(session, 2)
    before = session.to_dict()

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        session.answer(3.0, True)
    monkeypatch.undo()
    assert session.to_dict() == before == Session.open(path).to_dict()


def test_stopping_rules_are_stored(path):
    rule = (Budget(5) & Reversals(1)) | Budget(20)
    assert create(path, sampler="Staircase", stop=rule).stop == rule
    assert Session.open(path).stop == rule


def _answer_many(path, own):
    for _ in range(25):
        while True:
            session = Session.open(path)
            try:
                session.answer(own, True, revision=session.revision)
                break
            except SessionChangedError:
                continue


def test_processes_that_answer_at_the_same_time(path):
    create(path, stop=Budget(1000))
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    workers = [context.Process(target=_answer_many, args=(path, level)) for level in (1.0, 2.0, 3.0)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    history = Session.open(path).history
    assert [entry["revision"] for entry in history] == list(range(1, 76))
    assert sorted(entry["level"] for entry in history) == [1.0] * 25 + [2.0] * 25 + [3.0] * 25


def _answer_until_killed(path, promises):
    session = Session.open(path)
    while True:
        level = session.ask()
        session.answer(level, level > 3.3)
        os.write(promises, f"{len(session.history)}\n".encode())  # from here on the answer is promised


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork and SIGKILL")
def test_kills_at_random_moments(path):
    """A scripted session killed again and again, and what it should have been without any kill."""
    create(path, stop=Budget(10**6))
    context = multiprocessing.get_context("fork")
    rng = np.random.default_rng(1)
    for _ in range(30):
        before = len(Session.open(path).history)
        receive, send = os.pipe()
        process = context.Process(target=_answer_until_killed, args=(path, send))
        process.start()
        os.close(send)
        with os.fdopen(receive) as pipe:
            promised = [pipe.readline() for _ in range(rng.integers(0, 4))]
            time.sleep(rng.uniform(0.0, 0.008))
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            promised += pipe.read().splitlines()
        said = int(promised[-1]) if promised else before
        after = Session.open(path)
        assert said <= len(after.history) <= said + 1  # one may be on disk and not yet promised
        assert [entry["revision"] for entry in after.history] == list(range(1, len(after.history) + 1))
    survivor = Session.open(path)
    assert len(survivor.history) > 20
    assert [step["asked"] for step in survivor.replay()] == [step["level"] for step in survivor.replay()]
    untouched = create(path.with_name("untouched.json"), stop=Budget(10**6)).sampler
    for entry in survivor.history:
        untouched.tell(entry["level"], entry["outcome"])
    assert untouched.ask() == survivor.ask()


def test_levels_are_what_numpy_gives(path):
    session = create(path, levels=np.linspace(0, 1, 5), target=0.5)
    session.answer(np.float64(0.25), np.bool_(True))
    with pytest.raises(ValueError, match="True or False"):
        session.answer(0.25, "yes")
    with pytest.raises(ValueError, match="finite"):
        session.answer(float("inf"), True)
    assert Session.open(path).history[0]["outcome"] is True
    assert "1 answers" in repr(session)


def test_task_kinds_scale_and_budget_follow_from_the_settings(path):
    session = create(path, task="2AFC", target=0.75, levels=[1, 2, 4, 8, 16])
    params = json.loads(path.read_text())["sampler"]["params"]
    assert params == {"guess_rate": 0.5, "scale": "log"}
    assert session.sampler.guess_rate == 0.5
    for wrong, message in (
        ({"task": "2AFC"}, "guessing alone"),
        ({"task": "1AFC"}, "task must be"),
        ({"task": "3AFC", "target": 0.75, "sampler": "BestPEST"}, "has no guess rate"),
        ({"task": "3AFC", "target": 0.75, "sampler_params": {"guess_rate": 0.5}}, "contradict"),
    ):
        other = path.with_name("other.json")
        with pytest.raises(ValueError, match=message):
            create(other, **wrong)
        assert not other.exists()
    minent = create(path.with_name("minent.json"), sampler="MinEnt", stop=Budget(9))
    assert minent.sampler.budget == 9
    assert (
        Session.create(path.with_name("default.json"), LEVELS).sampler.__class__.__name__ == "PosteriorMinEnt"
    )


def test_a_threshold_outside_is_said_in_words(path):
    session = create(path)
    assert session.warnings() == []
    for _ in range(25):
        session.answer(session.ask(), False)
    (found,) = session.estimate()
    assert found["outside"] == "above"
    assert found["p_outside"] > 0.9
    assert found["high"] == LEVELS[-1]
    assert found["high_open"]
    assert session.sampler.interval().high > LEVELS[-1]
    (sentence,) = session.to_dict()["warnings"]
    assert "above every level" in sentence
    assert "beyond 6" in sentence
    json.dumps(session.to_dict(), allow_nan=False)
