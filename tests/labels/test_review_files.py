"""Review files: what is written can be filled in and read back, and a file of another table is refused."""

import csv
import io

import numpy as np
import pytest

from mislabelled import columns
from weaklearn.datasets import make_noisy_table
from weaklearn.labels import LabelAuditor, audit
from weaklearn.labels._review_files import has_answers
from weaklearn.tables import TableError

QUICK = LabelAuditor(n_trees=0, random_state=0)


def filled(text, answers):
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        row["true_label"] = answers.get(int(row["row"]), row["true_label"])
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def test_answers_come_back_and_sharpen_the_estimate(tmp_path):
    table, wrong = make_noisy_table(400, random_state=2)
    truth = np.where(wrong, np.where(table["result"] == "pass", "fail", "pass"), table["result"])
    first = audit(table, "result", auditor=QUICK)
    path = tmp_path / "review.csv"
    first.to_review(path)
    assert not has_answers(path)
    path.write_text(filled(path.read_text(), {int(line): truth[line - 1] for line in first.suspicious}))
    assert has_answers(path)
    second = audit(table, "result", auditor=QUICK, reviewed=path)
    rows = first.listed
    np.testing.assert_array_equal(second.wrong_probability[rows], wrong[rows])
    np.testing.assert_array_equal(second.suggested_label[rows], truth[rows])
    assert not set(second.listed) & set(rows)
    before, after = first.n_wrong_interval, second.n_wrong_interval
    assert after[1] - after[0] < before[1] - before[0]
    assert f"{len(rows)} reviewed rows are taken as certain" in second.to_html()
    # The next review file keeps the answers.
    kept = [row for row in csv.DictReader(io.StringIO(second.to_review())) if row["true_label"]]
    assert {int(row["row"]) for row in kept} == {int(line) for line in first.suspicious}
    # Reviewed rows are corrected, whatever the model says.
    np.testing.assert_array_equal(second.corrected_labels(1.0)[rows], truth[rows])


def test_a_review_of_the_list_leaves_the_count_right():
    covered = []
    for seed in range(6):
        table, wrong = make_noisy_table(300, random_state=seed)
        truth = np.where(wrong, np.where(table["result"] == "pass", "fail", "pass"), table["result"])
        listed = audit(table, "result", auditor=QUICK).suspicious
        answers = {int(line): truth[line - 1] for line in listed}
        low, high = audit(table, "result", auditor=QUICK, reviewed=answers).n_wrong_interval
        covered.append(low <= wrong.sum() <= high)
    assert sum(covered) >= 4


def test_rows_by_number():
    found = audit(columns(), "class", auditor=QUICK, reviewed={1: "good", 100: "bad"})
    assert found.suggested_label[0] == "good"
    assert found.suggested_label[99] == "bad"


def test_rows_without_a_label_do_not_shift_the_others():
    table = columns()
    table["class"][1] = ""
    found = audit(table, "class", auditor=QUICK, reviewed={3: "good"})
    assert found.table.lines[1] == 3
    assert found.suggested_label[1] == "good"
    with pytest.raises(TableError, match="no labelled row 2"):
        audit(table, "class", auditor=QUICK, reviewed={2: "good"})


def test_labels_of_spreadsheets_are_recognised(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    path = tmp_path / "r.csv"
    path.write_text("row,label,true_label\n1.0,'=a,'=a\n2,b,b\n")
    labels = np.where(x > 0, "=a", "b")
    labels[:2] = ["=a", "b"]
    found = audit({"x": x, "y": labels}, "y", auditor=QUICK, reviewed=path)
    assert found.reviewed == {1: "=a", 2: "b"}
    path.write_text("row,label,true_label\n1,1.0,0\n")
    numbers = (x > 0).astype(int)
    numbers[0] = 1
    found = audit({"x": x, "y": numbers}, "y", auditor=QUICK, reviewed=path)
    assert found.reviewed == {1: "0"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("row,label\n1,good\n", "not a review file: it has no column 'true_label'"),
        ("row,label,true_label\n500,good,bad\n", "row 1: the table has no labelled row 500"),
        ("row,label,true_label\nfive,good,bad\n", "'five' in the column 'row' is not a row number"),
        ("row,label,true_label\n100,fine,bad\n", "made for another table"),
        ("row,label,true_label\n100,LABEL,ugly\n", "no row of the table has the label 'ugly'"),
        ("row,label,true_label\n100,LABEL,good\n100,LABEL,bad\n", "row 100 has two different answers"),
    ],
)
def test_review_files_that_do_not_fit(tmp_path, text, said):
    table = columns()
    path = tmp_path / "review.csv"
    path.write_text(text.replace("LABEL", table["class"][99]))
    with pytest.raises(TableError, match=said):
        audit(table, "class", auditor=QUICK, reviewed=path)


def test_the_review_file_has_all_listed_rows():
    table, _ = make_noisy_table(1300, random_state=0)
    found = audit(table, "result", auditor=QUICK, budget=1200)
    assert len(found.listed) == 1200
    assert len(list(csv.DictReader(io.StringIO(found.to_review())))) == 1200
