"""Sentences of the report."""

import pytest

from weaklearn.labels._findings import estimate_sentence


@pytest.mark.parametrize(
    ("n_wrong", "interval", "said"),
    [
        (41.2, (25.3, 60.1), "About 41 of 600 labels are wrong (90% interval 25 to 61)."),
        (
            21.0,
            (0.4, 49.5),
            "About 21 of 600 labels are wrong (90% interval 0 to 50).",
        ),
        (0.3, (0.0, 2.1), "Hardly any of 600 labels is wrong (90% interval 0 to 3)."),
    ],
)
def test_the_answer_in_one_sentence(n_wrong, interval, said):
    assert estimate_sentence(600, n_wrong, interval) == said
