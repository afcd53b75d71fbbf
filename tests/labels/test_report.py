"""The page of an audit: it leads with the answer, keeps to the content policy, and hostile tables are only text."""

import csv
import io

import numpy as np
import pytest

from mislabelled import columns
from page_checks import Page, check_page
from weaklearn.datasets import make_noisy_table
from weaklearn.labels import LabelAuditor, audit

QUICK = LabelAuditor(n_trees=0, random_state=0)
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
    return audit(table, HOSTILE, auditor=QUICK)


def test_the_page_is_sound_and_everything_in_it_is_text(found):
    page = check_page(found.to_html())
    assert sum(attrs.get("class", "").startswith("plot") for _, attrs in page.tags) == 1
    for text in (f"“{HOSTILE}”", f"{HOSTILE} x", f"{HOSTILE} b", "1 row has no label"):
        assert text in page.text
    assert len(page.contents["script"]) == 1
    assert found.to_html() == found.to_html()


def test_what_was_left_out_is_at_the_top(found):
    text = found.to_html()
    top = Page(text).text.partition("Rows to look at")[0]
    assert "1 row has no label" in top
    assert f"{HOSTILE} left out: constant: dropped" in top


def first_screen(found):
    return Page(found.to_html()).text.partition("Rows to look at")[0]


def test_it_leads_with_the_number_of_wrong_labels():
    table, _ = make_noisy_table(400, random_state=1)
    found = audit(table, "result", auditor=QUICK)
    low, high = found.n_wrong_interval
    top = first_screen(found)
    said = f"About {round(found.n_wrong)} of 400 labels are wrong (90% interval {int(low)} to {int(np.ceil(high))})."
    if low < 1:
        said += " There may be no wrong labels."
    assert said in top
    assert f"of these {len(found.listed)} rows to be wrong" in top
    assert "Errors where the classes overlap cannot be counted from the labels" in top
    assert found.to_dict()["answer"] == said
    for jargon in ("F1", "surprise", "support vector", "permutation", "kernel"):
        assert jargon not in top


def test_labels_that_do_not_follow_from_the_columns_are_called_so():
    rng = np.random.default_rng(0)
    found = audit({"x": rng.normal(size=200), "y": rng.integers(0, 2, 200)}, "y", auditor=QUICK)
    top = first_screen(found)
    assert found.n_wrong_interval == (0, 200)
    assert "The columns do not predict the label: nothing can be said about single rows." in top


def test_columns_to_check_are_at_the_top():
    table = columns()
    table["copy"] = ["g" if label == "good" else "b" for label in table["class"]]
    table["pressure"] = [-999 if k % 20 == 0 else 90 + k % 37 for k in range(len(table["class"]))]
    top = first_screen(audit(table, "class", auditor=QUICK))
    assert "copy alone gives the label in 100.0% of the rows" in top
    assert "-999 read as missing" in top
    assert "1 value is not a number" in top
    assert "customer id: identifier" in top


def test_files_are_written_whole_and_without_formulas(found, tmp_path):
    found.to_html(tmp_path / "audit.html")
    assert (tmp_path / "audit.html").read_text(encoding="utf-8") == found.to_html()
    rows = list(csv.DictReader(io.StringIO(found.to_csv(tmp_path / "rows.csv"))))
    assert {row["label"] for row in rows} == {f"'{FORMULA}", f"{HOSTILE} b"}
    assert all(0 <= float(row["wrong_probability"]) <= 1 for row in rows)
    listed = list(csv.DictReader(io.StringIO(found.to_review(tmp_path / "review.csv"))))
    assert {row["label"] for row in listed} <= {f"'{FORMULA}", f"{HOSTILE} b"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.html", "review.csv", "rows.csv"]
