"""Trials from CSV and extensions of a session: all or nothing, once only, on disk."""

import json

import pytest

from weaklearn.adaptive import Budget, IntervalWidth, Session, SessionChangedError
from weaklearn.adaptive.sessions._csv import answers_from_csv

LEVELS = [1, 2, 4, 8]


def session_at(folder, **options):
    return Session.create(folder / "s.json", LEVELS, "?", seed=1, **{"stop": Budget(3), **options})


def test_what_a_session_exports_another_imports(tmp_path):
    first = session_at(tmp_path)
    for level, outcome in ((2, True), (4, False), (8, True)):
        first.answer(level, outcome)
    first.note('=tired, "very"')
    other = Session.create(tmp_path / "other.json", LEVELS, "?", seed=1)
    assert other.import_csv(first.to_csv()) == 3
    told = [(entry["level"], entry["outcome"], entry["time"]) for entry in first.history]
    assert [(entry["level"], entry["outcome"], entry["time"]) for entry in other.history] == told
    assert other.ask() == first.ask()
    assert other.estimate() == first.estimate()
    assert [note["text"] for note in other.notes] == ["Imported 3 answers."]
    assert Session.open(other.path).estimate() == other.estimate()


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("level,outcome\n1,1\n8,0\n", [(1.0, True, None), (8.0, False, None)]),
        ("\ufeffDose;Response;who\n2;Yes;a\n\n2;NO;b", [(2.0, True, None), (2.0, False, None)]),
        ("stimulus\tcorrect\ttime\n4\tcorrect\t2026-01-01\n", [(4.0, True, "2026-01-01")]),
        ('level,outcome,note\n1,incorrect,"a, b\nc"\n', [(1.0, False, None)]),
    ],
)
def test_kinds_of_csv(text, answers):
    assert answers_from_csv(text, 1, 8) == answers


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must name one column 'level'"),
        ("a,b\n1,1\n", "must name one column 'level'"),
        ("level,dose,outcome\n1,1,1\n", "it names 2"),
        ("level,answer\n", "no answers below"),
        ("level,outcome\n1,1\nx,0\n", "line 3: the level 'x' is not a number"),
        ("level,outcome\n1,maybe\n", "line 2: the outcome 'maybe'"),
        ("level,outcome\n9,1\n", "line 2: the level 9 lies outside 1 to 8"),
        ("level,outcome\nnan,1\n", "line 2: the level nan lies outside"),
        ("level,outcome\n1,1,1\n", "line 2 has 3 columns"),
        ('level,outcome\n"1,1\n', "not CSV"),
    ],
)
def test_csv_that_is_refused_changes_nothing(tmp_path, text, complaint):
    session = session_at(tmp_path)
    before = session.path.read_bytes()
    with pytest.raises(ValueError, match=complaint):
        session.import_csv(text)
    assert session.path.read_bytes() == before


def test_an_import_sent_twice_counts_once(tmp_path):
    session = session_at(tmp_path)
    text = "level,outcome\n2,yes\n4,no\n"
    session.import_csv(text, revision=0)
    session.import_csv(text, revision=0)
    assert len(session.history) == 2
    with pytest.raises(SessionChangedError):
        session.import_csv("level,outcome\n2,yes\n4,yes\n", revision=0)
    session.import_csv(text)
    assert len(session.history) == 4
    session.undo()
    session.import_csv(text, revision=0)  # its second answer was counted once, too
    assert len(session.history) == 3


def test_extending_a_finished_session(tmp_path):
    session = session_at(tmp_path)
    for outcome in (True, False, True):
        session.answer(session.ask(), outcome)
    assert session.stop_reason == "3 answers"
    session.extend(2, revision=3)
    session.extend(2, revision=3)
    assert not session.done
    assert Session.open(session.path).stop == Budget(5)
    assert json.loads(session.path.read_text())["notes"][-1]["text"] == "Extended by 2 answers."
    for _ in range(2):
        session.answer(session.ask(), True)
    assert session.stop_reason == "5 answers"
    with pytest.raises(SessionChangedError):
        session.extend(3, revision=3)
    with pytest.raises(ValueError, match="at least 1"):
        session.extend(0)


def test_an_extension_keeps_what_is_not_met_yet(tmp_path):
    narrow, wide = IntervalWidth(0.5, min_answers=1), IntervalWidth(100, min_answers=1)
    session = session_at(tmp_path, stop=Budget(2) | narrow | wide)
    for outcome in (True, False):
        session.answer(session.ask(), outcome)
    session.extend(5)
    assert session.stop == Budget(7) | narrow


def test_the_task_is_kept_with_the_session(tmp_path):
    session = Session.create(tmp_path / "s.json", LEVELS, target=0.75, task="2AFC")
    assert Session.open(session.path).about == {"task": "2AFC"}
