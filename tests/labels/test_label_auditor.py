"""`LabelAuditor`: scikit-learn's checks, what it finds in known noise, lists, reviewed rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.datasets import make_twonorm
from weaklearn.labels import LabelAuditor, _label_auditor
from weaklearn.robust import machine as machines


@parametrize_with_checks([LabelAuditor(n_trees=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


NAMES = np.array(["setosa", "versicolor", "virginica"])
# Setosas called versicolor or virginica, versicolors and virginicas called setosa: all far from the boundary.
FLIPPED = np.array([0, 5, 10, 15, 55, 60, 105, 110])


def flipped_iris():
    X, y = load_iris(return_X_y=True)
    given = y.copy()
    given[FLIPPED] = [1, 2, 1, 2, 0, 0, 0, 0]
    return X, NAMES[given], NAMES[y]


def test_finds_and_corrects_flipped_labels():
    X, given, true = flipped_iris()
    auditor = LabelAuditor(n_trees=0).fit(X, given)
    P = auditor.wrong_probability_
    assert (P[FLIPPED] > 0.5).all()
    assert P[FLIPPED].min() > np.delete(P, FLIPPED).max()
    # One of the versicolors lies between the three species.
    assert np.sum(auditor.suggested_label_[FLIPPED] == true[FLIPPED]) >= 7
    low, high = auditor.n_wrong_interval_
    assert low <= len(FLIPPED) <= high
    assert set(FLIPPED) <= set(auditor.flagged_)
    assert auditor.sample_weight_[FLIPPED].max() < 0.25
    np.testing.assert_allclose(auditor.label_probability_.sum(axis=1), 1)
    np.testing.assert_allclose(auditor.noise_matrix_.sum(axis=1), 1)
    assert auditor.noise_matrix_[0, 2] > 0.02  # setosas called virginica: 2 of 50
    assert auditor.n_wrong_ == pytest.approx(P.sum())
    assert (auditor.alternative_label_ != given).all()


def test_order_of_rows_does_not_matter():
    X, given, _ = flipped_iris()
    order = np.random.RandomState(0).permutation(len(given))
    a = LabelAuditor(n_trees=5, random_state=0).fit(X, given)
    b = LabelAuditor(n_trees=5, random_state=0).fit(X[order], given[order])
    np.testing.assert_allclose(a.wrong_probability_[order], b.wrong_probability_, atol=1e-8)
    assert a.n_wrong_ == pytest.approx(b.n_wrong_)


def test_lists_keep_their_promise():
    X, given, _ = flipped_iris()
    auditor = LabelAuditor(n_trees=0).fit(X, given)
    assert len(auditor.list_for(budget=4)) == 4
    P = auditor.wrong_probability_
    listed = auditor.list_for(precision=0.5)
    assert P[listed].mean() >= 0.5
    longer = np.argsort(-P)[: len(listed) + 1]
    assert P[longer].mean() < 0.5
    np.testing.assert_array_equal(auditor.list_for(), auditor.flagged_)
    assert auditor.expected_precision_ == pytest.approx(P[auditor.flagged_].mean())
    with pytest.raises(ValueError, match="precision must be"):
        auditor.list_for(precision=50)


def test_reviewed_rows_are_certain_and_sharpen_the_count():
    X, y = make_twonorm(200, random_state=0)
    X = X * 0.4
    given = y.copy()
    given[:40] *= -1
    auditor = LabelAuditor(n_trees=0).fit(X, given)
    before = auditor.n_wrong_interval_
    reviewed = {row: y[row] for row in range(0, 200, 2)}
    auditor.update(reviewed)
    after = auditor.n_wrong_interval_
    rows = np.arange(0, 200, 2)
    np.testing.assert_array_equal(auditor.suggested_label_[rows], y[rows])
    np.testing.assert_allclose(auditor.wrong_probability_[rows], (given != y)[rows])
    assert after[1] - after[0] < 0.7 * (before[1] - before[0])
    assert after[0] <= 40 <= after[1]
    again = LabelAuditor(n_trees=0).fit(X, given, reviewed=reviewed)
    np.testing.assert_array_equal(again.suggested_label_[rows], y[rows])


def test_reviewed_rows_must_exist():
    X, given, _ = flipped_iris()
    with pytest.raises(ValueError, match="row 150"):
        LabelAuditor(n_trees=0).fit(X, given, reviewed={150: "setosa"})
    with pytest.raises(ValueError, match="'rose'"):
        LabelAuditor(n_trees=0).fit(X, given, reviewed={3: "rose"})


def test_more_rows_than_the_noise_model_is_fitted_to(monkeypatch):
    monkeypatch.setattr(_label_auditor, "_N_LANDMARKS", 50)
    X, y = make_twonorm(6000, random_state=0)
    given = y.copy()
    given[:600] *= -1
    auditor = LabelAuditor(n_trees=0, random_state=0).fit(X, given)
    assert len(auditor.wrong_probability_) == 6000
    assert abs(auditor.n_wrong_ - 600) < 240
    assert (auditor.flagged_ < 600).mean() > 0.8


@pytest.mark.parametrize(
    ("n_trees", "members"), [(5, ["linear", "boosted trees"]), (0, ["linear", "perceptron"])]
)
def test_very_many_rows_are_left_to_trees(monkeypatch, n_trees, members):
    monkeypatch.setattr(_label_auditor, "_KERNEL_ROWS", 300)
    monkeypatch.setattr(_label_auditor, "_N_LANDMARKS", 20)
    monkeypatch.setattr(machines, "_EXACT_ROWS", 200)
    X, y = make_twonorm(400, random_state=0)
    machine = LabelAuditor(n_trees=n_trees)._fit(X, y)
    assert [member.name for member in machine.members if "ranks" not in member.name] == members
    if n_trees:
        assert machine.members[-1].most_rows is None


def test_list_maximises_expected_f1():
    random = np.random.RandomState(0)
    P = random.beta(0.3, 2, 50)
    listed = _label_auditor._best_f1_list(P)
    values = [2 * np.sort(P)[::-1][:k].sum() / (k + P.sum()) for k in range(1, 51)]
    assert len(listed) == np.argmax(values) + 1
    np.testing.assert_array_equal(P[listed], np.sort(P)[::-1][: len(listed)])


def test_tables_with_text_categories_and_gaps():
    """What `RobustClassifier` takes: the same encoder, and the order of its numbers."""
    random = np.random.RandomState(0)
    n = 200
    true = random.randint(0, 2, n)
    frame = pd.DataFrame(
        {
            "colour": np.where(random.rand(n) < 0.05, None, np.array(["red", "blue"], dtype=object)[true]),
            "grade": pd.Categorical(np.where(random.rand(n) < 0.9, true, 1 - true)),
            "size": np.where(random.rand(n) < 0.1, np.nan, true + 0.3 * random.randn(n)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.randint(0, 90, n), unit="D"),
        }
    )
    given = np.array(["no", "yes"])[np.where(np.arange(n) < 10, 1 - true, true)]
    auditor = LabelAuditor(n_trees=0, random_state=0).fit(frame, given)
    assert (auditor.wrong_probability_[:10] > 0.5).mean() > 0.8
    assert list(auditor.feature_names_in_) == list(frame.columns)
    numbers = auditor.encoder_.transform(frame)
    again = LabelAuditor(n_trees=0, random_state=0).fit(numbers, given)
    assert again.encoder_ is None
    np.testing.assert_allclose(again.wrong_probability_, auditor.wrong_probability_)
