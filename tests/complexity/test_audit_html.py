"""The page of an audit: complete, within the content policy, and hostile tables are only text."""

import csv
import io

import numpy as np
import pytest

from page_checks import check_page
from weaklearn.complexity import audit

HOSTILE = "<script>alert(1)</script>"
FORMULA = "=HYPERLINK(1)"


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    n = 40
    x = rng.normal(size=n)
    labels = np.where(x > 0, FORMULA, f"{HOSTILE} b").astype(object)
    labels[:2] = labels[:2][::-1]
    labels[5] = None
    table = {
        f"{HOSTILE} x": x,
        "category": [f"{HOSTILE} {k % 2}" for k in range(n)],
        f"{HOSTILE} left out": ["same"] * n,
        HOSTILE: labels,
    }
    return audit(table, HOSTILE, n_permutations=10)


def test_the_page_is_sound_and_everything_in_it_is_text(found):
    page = check_page(found.to_html())
    assert sum(attrs.get("class", "").startswith("plot") for _, attrs in page.tags) == 3
    for text in (f"“{HOSTILE}”", f"{HOSTILE} x", f"{HOSTILE} b", "1 rows have no label"):
        assert text in page.text
    assert len(page.contents["script"]) == 1
    assert found.to_html() == found.to_html()


def test_what_was_left_out_is_at_the_top(found):
    text = found.to_html()
    assert text.index("1 rows have no label") < text.index("<h2>")


def test_files_are_written_whole_and_without_formulas(found, tmp_path):
    found.to_html(tmp_path / "audit.html")
    assert (tmp_path / "audit.html").read_text(encoding="utf-8") == found.to_html()
    rows = list(csv.DictReader(io.StringIO(found.to_csv(tmp_path / "rows.csv"))))
    assert {row["label"] for row in rows} == {f"'{FORMULA}", f"{HOSTILE} b"}
    assert all(float(row["surprise"]) <= 1 for row in rows)  # negative numbers stay numbers
    assert min(float(row["surprise"]) for row in rows) < 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.html", "rows.csv"]
