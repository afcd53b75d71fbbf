"""Reviews: lines are only added, a torn one was never confirmed, and undo is done once."""

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
