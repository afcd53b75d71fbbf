"""The page of a comparison: complete, within the content policy, and hostile names are only text."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier

from page_checks import check_page
from weaklearn.comparison import compare
from weaklearn.stumps import DecisionStump

HOSTILE = "<script>alert(1)</script>"


class Failing(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise ValueError(f"cannot learn {HOSTILE}")


@pytest.fixture(scope="module")
def found():
    x = np.random.default_rng(0).normal(size=40)
    table = {
        f"{HOSTILE} x": x,
        "category": [f"{HOSTILE} {k % 2}" for k in range(40)],
        HOSTILE: [HOSTILE if value > 0 else "costs $5 or $6" for value in x],
    }
    models = [
        (f"{HOSTILE} $x$ stump", True, DecisionStump()),
        ("majority class", False, DummyClassifier()),
        ("failing", False, Failing()),
    ]
    return compare(table, HOSTILE, models=models)


def test_the_page_is_sound_and_everything_in_it_is_text(found, tmp_path):
    page = check_page(found.to_html(tmp_path / "compare.html"))
    assert sum(attrs.get("class", "").startswith("plot") for _, attrs in page.tags) == 1
    for text in (
        f"“{HOSTILE}”",
        f"{HOSTILE} x",
        f"{HOSTILE} $x$ stump",  # dollars in a name are no formula
        f"failed: ValueError: cannot learn {HOSTILE}",
        "costs $5 or $6 (",
    ):
        assert text in page.text
    assert page.text.count(f"{HOSTILE} $x$ stump") >= 3  # sentence, table, drawings
    assert [path.name for path in tmp_path.iterdir()] == ["compare.html"]


def test_the_sentence_at_the_top(found):
    assert found.verdict.startswith(f"Use {found.best.name}: ")
    assert "Its error is 0.0%" in found.advice
    assert "its lead over every other classifier is significant" in found.advice
    assert found.advice in check_page(found.to_html()).text
