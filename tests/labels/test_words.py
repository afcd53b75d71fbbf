"""Sentences of the report."""

from types import SimpleNamespace

import pytest

from weaklearn.labels._words import lead


@pytest.mark.parametrize(
    ("n_wrong", "interval", "said"),
    [
        (41.2, (25.3, 60.1), "About 41 of 600 labels are wrong (90% interval 25 to 61)."),
        (21.0, (0.4, 49.5), "About 21 of 600 labels are wrong (90% interval 0 to 50). It may be none."),
        (0.3, (0.0, 2.1), "Hardly any of 600 labels is wrong (90% interval 0 to 3)."),
    ],
)
def test_the_answer_in_one_sentence(n_wrong, interval, said):
    audit = SimpleNamespace(table=SimpleNamespace(y=range(600)), n_wrong=n_wrong, n_wrong_interval=interval)
    assert lead(audit) == said
