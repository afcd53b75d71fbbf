"""Numbers and intervals in words."""

import pytest

from weaklearn.adaptive import Session
from weaklearn.thresholds._wording import estimate_line, estimate_words, interval_words, number


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (0.43218, 0.21, "0.43"),
        (2.331, 7.0, "2.3"),
        (23.4, 24.0, "23"),
        (0.01, 3.0, "0.0"),
        (-0.004, 0.5, "0.00"),
        (12345.6, 3000.0, "12300"),
        (0.5, None, "0.5"),
        (1234.0, None, "1234"),
    ],
)
def test_a_number_has_two_digits_of_the_width(value, width, text):
    assert number(value, width) == text


def test_an_open_end_is_said():
    assert interval_words(0.0, 0.4, True) == "below the lowest level to 0.40"
    assert estimate_words((0.1, -0.1578, 0.4), [0.0, 1.0]) == "0.10 (below the lowest level to 0.40)"
    assert estimate_words((0.9, 0.5, 1.2), [0.0, 1.0]) == "0.90 (0.50 to above the highest level)"


def test_the_interval_of_a_session_ends_at_the_levels(tmp_path):
    session = Session.create(tmp_path / "a.json", levels=[0, 0.25, 0.5, 0.75, 1.0], seed=1)
    for level in (0.25, 0.0, 0.0, 0.25):
        session.answer(level, True)
    session.answer(0.0, False)
    found = session.estimate()[0]
    assert session.sampler.interval().low < 0
    assert found["low"] == 0
    assert found["low_open"]
    assert found["high"] <= 1
    line = estimate_line({**found, "outside": None})
    assert "interval below the lowest level to" in line
    assert "-" not in line
