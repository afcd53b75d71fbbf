"""Mistakes of people, several spellings, and what a review does to the count."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from weaklearn.lab._plan import cell_trials
from weaklearn.studies.own.label_audit import EXPERIMENT
from weaklearn.studies.own.label_audit_trials import audited, human, reviewed, spelled, trainee

TABLES = {table.number: table for table in EXPERIMENT.tables}


def clouds(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 4)) + 1.5 * np.eye(4)[y], y


def trial(number, row, column=0):
    (chosen,) = (one for one in TABLES[number].rows if one.label == row)
    (found,) = cell_trials(TABLES[number], chosen, TABLES[number].columns[column], 1)
    return found


def test_a_trainee_is_systematic():
    """Whoever knows the rule foretells the wrong labels; flips at random nobody does."""
    X, y = clouds()
    given = trainee(X, y, np.random.RandomState(0))
    wrong = given != y
    assert 0.02 < wrong.mean() < 0.25
    other = trainee(X, y, np.random.RandomState(0))
    np.testing.assert_array_equal(given, other)
    # Neighbours of wrong rows have the same wrong label more often than the neighbours of right rows have it.
    near = KNeighborsClassifier(6).fit(X, y).kneighbors(X, return_distance=False)[:, 1:]
    assert wrong[near[wrong]].mean() > 1.5 * wrong[near[~wrong]].mean()


def test_people_err_where_a_clean_model_doubts():
    X, y = clouds()
    given = human(X, y, np.random.RandomState(0))
    wrong = given != y
    assert wrong.mean() == 0.1
    P = RandomForestClassifier(100, oob_score=True, random_state=1).fit(X, y).oob_decision_function_
    doubt = 1 - P[np.arange(len(y)), y]
    assert doubt[wrong].mean() > 1.5 * doubt[~wrong].mean()


def test_spellings_change_no_label():
    names = np.repeat([0, 1, 2], 200)
    texts = spelled(names, np.random.RandomState(0))
    plain = np.array([" ".join(text.casefold().split()) for text in texts])
    np.testing.assert_array_equal(plain, np.char.add("class ", names.astype(str)))
    assert len(set(texts)) == 9
    assert np.mean(texts != plain) == pytest.approx(0.3, abs=0.05)


def test_all_kinds_are_audited_on_development_tables_and_the_four_of_people_on_those_of_the_report():
    kinds = {number: {row.label.split(", ")[1] for row in TABLES[number].rows} for number in ("9", "10")}
    assert kinds["9"] == {"boundary", "trainee", "human", "spelling"}
    assert kinds["10"] == kinds["9"] | {"5%", "10%", "20%", "next class"}
    assert not {row.name for row in TABLES["9"].rows} & {row.name for row in TABLES["10"].rows}


def test_spellings_are_merged_for_ours():
    """Merged spellings are the table with the same flips at random; the code of the labels plays no part."""
    found, plain = (audited(trial("10", f"twonorm, {kind}")) for kind in ("spelling", "10%"))
    assert found["ap"] == pytest.approx(plain["ap"], abs=5)
    assert found["listed"] < 25


def test_reviews_of_a_whole_table_leave_no_doubt():
    """The generated tables have 200 rows: after 100 the model still speaks, and every answer is in the count."""
    one = trial("11", "twonorm, 10%")
    found = reviewed(one)
    assert set(found) == {
        f"{order} {size} {what}"
        for order in ("sample", "random", "top", "alone")
        for size in (20, 50, 100)
        for what in ("error", "width", "covered")
    }
    for order in ("sample", "random"):
        assert found[f"{order} 100 width"] < found[f"{order} 20 width"]
    # Counting without a model: the order knows nothing of the wrong labels, so its errors are those of chance.
    errors = [
        reviewed(trial("11", f"{name}, 10%"))["alone 50 error"]
        for name in ("twonorm", "wdbc", "breast", "pima")
    ]
    assert np.mean(errors) < 2.5 * 100 * np.sqrt(0.1 * 0.9 / 50)
