"""Reviews: lines are only added, a torn one was never confirmed, and undo is done once."""

import subprocess
import sys

import pytest

from weaklearn.labels._reviews import Reviews, ReviewsChangedError


@pytest.fixture
def reviews(tmp_path):
    return Reviews(tmp_path / "reviews.jsonl")


def test_answers_notes_and_undo(reviews):
    assert reviews.read().revision == 0
    assert reviews.read().last is None
    reviews.answer(3, "yes")
    reviews.note(3, "looked twice")
    now = reviews.answer(5, "no")
    assert (now.revision, now.answers, now.notes) == (3, {3: "yes", 5: "no"}, {3: "looked twice"})
    assert reviews.answer(5, "no") == now  # the same request, sent again
    now = reviews.answer(5, "yes")
    assert now.answers[5] == "yes"
    now = reviews.undo(now.revision)
    assert now.answers[5] == "no"
    now = reviews.undo(now.revision)
    assert now.answers == {3: "yes"}
    now = reviews.undo(now.revision)
    assert now.notes == {}
    now = reviews.undo(now.revision)
    assert now.answers == {}
    assert reviews.undo(now.revision) == now  # nothing is left to undo


def test_an_undo_sent_twice_is_done_once(reviews):
    reviews.answer(1, "a")
    seen = reviews.answer(2, "b").revision
    assert reviews.undo(seen).answers == {1: "a"}
    assert reviews.undo(seen).answers == {1: "a"}
    reviews.answer(4, "b")
    with pytest.raises(ReviewsChangedError):
        reviews.undo(seen)
    assert reviews.read().answers == {1: "a", 4: "b"}


def test_a_note_is_taken_away_by_an_empty_one(reviews):
    reviews.note(1, "a")
    assert reviews.note(1, "").notes == {}
    assert reviews.undo(2).notes == {1: "a"}


@pytest.mark.parametrize("torn", [b"{", b'{"row": 9, "answer": "x"', b"\xff"])
def test_a_torn_line_is_replaced(reviews, torn):
    reviews.answer(1, "a")
    with open(reviews.path, "ab") as file:
        file.write(torn)
    assert reviews.read().revision == 1
    assert reviews.answer(2, "b").answers == {1: "a", 2: "b"}
    assert Reviews(reviews.path).read().revision == 2


def test_nothing_is_ever_overwritten(reviews):
    before = b""
    for step in range(20):
        revision = reviews.read().revision
        reviews.undo(revision) if step % 3 == 2 else reviews.answer(step, "ab"[step % 2])
        now = reviews.path.read_bytes()
        assert now.startswith(before)
        before = now


@pytest.mark.parametrize(
    "bad",
    [
        b"{", b"\xff", b"[]", b"null", b"{}", b'{"row": "1", "answer": "a"}', b'{"row": 1, "answer": 5}',
        b'{"row": 1, "answer": "\\ud800"}', b'{"row": 1' + b"0" * 400 + b', "answer": "a"}', b"[" * 100_000,
        b'{"row": 1, "note": null}', b'{"undo": [1]}', b'{"undo": 1e400}', b'{"row": 99, "answer": "a"}',
        b'{"row": 1, "answer": "unknown"}', b'{"row": true, "answer": "a"}',
    ],
)  # fmt: skip
def test_a_damaged_line_takes_nothing_with_it(tmp_path, bad):
    reviews = Reviews(tmp_path / "reviews.jsonl", rows={1, 2, 3}, classes={"a", "b"})
    reviews.answer(1, "b")
    with open(reviews.path, "ab") as file:
        file.write(bad + b"\n")
    now = reviews.answer(2, "b")
    assert (now.revision, now.answers, now.damaged) == (3, {1: "b", 2: "b"}, (2,))
    now = reviews.undo(now.revision)
    assert now.answers == {1: "b"}
    assert reviews.path.read_bytes().split(b"\n")[1] == bad  # it is left as it is


_MANY = """
import sys
from pathlib import Path
from weaklearn.labels._reviews import Reviews
reviews = Reviews(Path(sys.argv[1]))
for k in range(300):
    reviews.answer(int(sys.argv[2]) + k, "a")
"""


def test_two_servers_lose_no_review(reviews):
    command = [sys.executable, "-c", _MANY, str(reviews.path)]
    processes = [subprocess.Popen([*command, str(first)]) for first in (0, 1000)]
    assert [process.wait(120) for process in processes] == [0, 0]
    now = reviews.read()
    assert (now.revision, now.damaged) == (600, ())
    assert set(now.answers) == {*range(300), *range(1000, 1300)}


def test_a_lock_that_is_a_link_is_not_opened(tmp_path, reviews):
    victim = tmp_path / "victim.txt"
    victim.write_text("kept")
    (tmp_path / ".reviews.jsonl.lock").symlink_to(victim)
    with pytest.raises(OSError, match="is a link"):
        reviews.answer(1, "a")
    assert victim.read_text() == "kept"
