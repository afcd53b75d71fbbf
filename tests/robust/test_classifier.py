"""`RobustClassifier`: invariances, edge cases, and that its held-out quantities are held out."""

import time

import numpy as np
import pytest
from joblib import cpu_count
from sklearn.datasets import load_iris

from weaklearn._training import bounded_jobs
from weaklearn.datasets import make_twonorm, make_yinyang
from weaklearn.robust import RobustClassifier, _classifier
from weaklearn.robust import machine as machines
from weaklearn.robust._columns import NumericColumns
from weaklearn.robust._members import BoostingMember, MemberData, class_targets


def noisy(n=90, seed=0, make=make_twonorm):
    X, y = make(n, random_state=seed)
    y = y.copy()
    y[: n // 10] *= -1
    return X, y


def test_order_of_rows_does_not_matter():
    X, y = noisy()
    order = np.random.RandomState(0).permutation(len(y))
    a = RobustClassifier(n_trees=5, random_state=0).fit(X, y)
    b = RobustClassifier(n_trees=5, random_state=0).fit(X[order], y[order])
    np.testing.assert_allclose(a.loo_proba_[order], b.loo_proba_, atol=1e-9)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-9)


def test_names_of_labels_do_not_matter():
    X, y = load_iris(return_X_y=True)
    names = np.array(["c", "a", "b"])
    a = RobustClassifier(n_trees=0).fit(X, y)
    b = RobustClassifier(n_trees=0).fit(X, names[y])
    assert list(b.classes_) == ["a", "b", "c"]
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X)[:, [2, 0, 1]], atol=1e-3)


def test_a_weight_of_two_is_two_rows():
    X, y = noisy(60)
    weight = np.random.RandomState(0).randint(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weight)
    a = RobustClassifier(n_trees=5, random_state=0).fit(X, y, sample_weight=weight)
    b = RobustClassifier(n_trees=5, random_state=0).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-9)
    assert a.loo_error_ == pytest.approx(b.loo_error_)


@pytest.mark.parametrize("exact_rows", [1500, 20])
@pytest.mark.parametrize("weighted", [False, True])
def test_held_out_scorers_repeat_the_held_out_scores(exact_rows, weighted):
    """What importances are computed from, on unchanged rows; the ridge part is exact, see test_ridge."""
    random = np.random.RandomState(0)
    X, y = noisy(60)
    weight = random.randint(1, 4, 60).astype(float) if weighted else np.ones(60)
    rows = machines.merge_rows(X, (y > 0).astype(int), weight)
    views = NumericColumns(rows.X, rows.weight).views(rows.X)
    landmarks = np.arange(0, 60, 2) if exact_rows < 60 else None
    data = MemberData(views, rows.codes, 2, rows.weight, 1 / rows.copies, landmarks, 0, None)
    for member in [*machines._default_members(True, 5), BoostingMember(max_iter=3)]:
        held_out = member.fit(data)
        np.testing.assert_allclose(
            member.held_out_scorer(data, np.arange(60))(views), held_out, atol=1e-6, err_msg=member.name
        )


def test_ridge_scorer_of_changed_rows_is_a_refit():
    """A shuffled row is scored by the machine that was fitted without the row, with the mean of all rows."""
    random = np.random.RandomState(0)
    X, y = noisy(40)
    rows = machines.merge_rows(X, (y > 0).astype(int), np.ones(40))
    views = NumericColumns(rows.X, rows.weight).views(rows.X)
    changed = NumericColumns(rows.X, rows.weight).views(rows.X[random.permutation(40)])
    data = MemberData(views, rows.codes, 2, rows.weight, np.ones(40), None, 0, None)
    for member in machines._default_members(True, 0):
        member.fit(data)
        scores = member.held_out_scorer(data, np.arange(40))(changed)
        for i in (3, 17):
            # Almost no weight instead of no row: scales and strength stay those of the table.
            weight = np.ones(40)
            weight[i] = 1e-9
            expected = _refit(member, data._replace(weight=weight), changed, i)
            Y = class_targets(data.codes, 2)
            shift = Y.mean(axis=0) - np.delete(Y, i, axis=0).mean(axis=0)
            np.testing.assert_allclose(scores[i], np.clip(expected, -3, 3) + shift, rtol=1e-4, atol=1e-5)


def test_heavy_noise_does_not_end_in_the_majority_class():
    """With four labels in ten wrong, the shift of left-out means once outweighed what columns say."""
    errors = []
    for seed in range(3):
        X, y = make_twonorm(300, random_state=seed)
        flips = np.random.RandomState(100 + seed).rand(300) < 0.4
        X_test, y_test = make_twonorm(1000, random_state=50 + seed)
        model = RobustClassifier(n_trees=0).fit(X, np.where(flips, -y, y))
        errors.append(np.mean(model.predict(X_test) != y_test))
    assert np.mean(errors) < 0.3


def _refit(member, data, changed, i):
    from weaklearn.robust._ridge import DualRidge, Pairs

    X = getattr(data.views, member.view)
    K = Pairs(X, X).kernel(member.kernel)
    Y = class_targets(data.codes, data.n_classes)
    full = DualRidge(K, np.ones(len(X)), np.ones(len(X)), Y)
    ridge = DualRidge(K, data.weight, np.ones(len(X)), Y)
    coef, bias = ridge.solution(member.strength * full.scale / ridge.scale)
    return Pairs(getattr(changed, member.view)[[i]], X).kernel(member.kernel)[0] @ coef + bias


def test_importances_find_the_column_that_matters():
    random = np.random.RandomState(0)
    X = random.randn(150, 5)
    y = X[:, 3] > 0
    importances = RobustClassifier(n_trees=10, random_state=0).fit(X, y).feature_importances_
    assert importances.argmax() == 3
    assert importances[3] > 0.8
    assert importances.sum() == pytest.approx(1)


def test_probabilities_are_calibrated_despite_noise():
    X, y = make_twonorm(400, random_state=0)
    given = y.copy()
    given[:80] *= -1
    X_test, y_test = make_twonorm(2000, random_state=1)
    classifier = RobustClassifier(random_state=0).fit(X, given)
    p = classifier.predict_proba(X_test)[:, 1]
    assert np.mean((p > 0.5) == (y_test > 0)) > 0.95
    bins = np.digitize(p, np.linspace(0, 1, 11)[1:-1])
    gaps = [abs(p[bins == b].sum() - (y_test[bins == b] > 0).sum()) for b in range(10)]
    assert sum(gaps) / 2000 < 0.05
    assert 0.1 < classifier.noise_rate_ < 0.3
    assert classifier.label_quality_[:80].mean() < 0.3
    assert classifier.label_quality_[80:].mean() > 0.9


def test_held_out_probabilities_do_not_know_the_label():
    """On labels without rhyme or reason, held-out errors are about one half."""
    random = np.random.RandomState(0)
    X, y = random.randn(200, 5), random.randint(0, 2, 200)
    classifier = RobustClassifier(random_state=0).fit(X, y)
    assert classifier.loo_error_ > 0.4


def test_missing_values_constant_and_empty_columns():
    X, y = make_yinyang(120, random_state=0)
    random = np.random.RandomState(0)
    X = np.column_stack([X, np.full(120, np.nan), np.ones(120), np.where(y > 0, np.nan, random.randn(120))])
    X[random.rand(120) < 0.2, 0] = np.nan
    classifier = RobustClassifier(n_trees=5, random_state=0).fit(X, y)
    assert classifier.score(X, y) > 0.95  # that the last column is missing tells the class
    importances = classifier.feature_importances_
    assert importances[2] == importances[3] == 0
    assert np.isfinite(classifier.predict_proba(np.full((3, 5), np.nan))).all()


def test_nothing_but_constants():
    classifier = RobustClassifier(n_trees=3).fit(np.ones((9, 2)), [0] * 6 + [1] * 3)
    assert list(classifier.predict(np.ones((2, 2)))) == [0, 0]


@pytest.mark.parametrize("n_trees", [0, 5])
def test_forty_classes_some_of_one_row(n_trees):
    random = np.random.RandomState(0)
    y = np.r_[np.repeat(np.arange(36), 4), [36, 37, 38, 39]]
    X = random.randn(40, 6)[y] * 4 + random.randn(len(y), 6) * 0.3
    classifier = RobustClassifier(n_trees=n_trees, random_state=0).fit(X, y)
    P = classifier.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert np.mean(classifier.predict(X) == y) > 0.9


def test_six_rows():
    X = np.array([[0.0], [1], [2], [10], [11], [12]])
    classifier = RobustClassifier(n_trees=3, random_state=0).fit(X, list("aaabbb"))
    assert list(classifier.predict([[1.0], [11.0]])) == ["a", "b"]


def test_more_columns_than_rows():
    random = np.random.RandomState(0)
    X = random.randn(10, 5000)
    y = np.arange(10) % 2
    X[:, :500] += 2 * y[:, None]
    start = time.process_time()
    classifier = RobustClassifier(random_state=0).fit(X, y)
    assert classifier.score(X, y) == 1
    assert time.process_time() - start < 15  # a cubic solve takes more than that, this one 1 s


def test_absurd_scales_and_outliers():
    X, y = noisy(120)
    plain = RobustClassifier(n_trees=0).fit(X, y).predict_proba(X)
    scaled = RobustClassifier(n_trees=0).fit(X * 1e150 + 0.0, y).predict_proba(X * 1e150)
    np.testing.assert_allclose(plain, scaled, atol=1e-6)
    X_test, y_test = make_twonorm(500, random_state=5)
    X[0, 0] = 1e12
    assert RobustClassifier(n_trees=0).fit(X, y).score(X_test, y_test) > 0.9


def test_class_weight_shifts_the_boundary():
    X, y = make_twonorm(300, random_state=0)
    kept = np.r_[np.flatnonzero(y > 0)[:15], np.flatnonzero(y < 0)]
    X, y = X[kept] * 0.5, y[kept]
    plain = RobustClassifier(n_trees=0).fit(X, y).predict_proba(X)[:, 1].mean()
    balanced = RobustClassifier(n_trees=0, class_weight="balanced").fit(X, y).predict_proba(X)[:, 1].mean()
    assert balanced > plain


def test_a_class_of_weight_zero_has_probability_zero():
    X, y = load_iris(return_X_y=True)
    classifier = RobustClassifier(n_trees=3, random_state=0).fit(X, y, sample_weight=(y != 1).astype(float))
    assert classifier.loo_proba_.shape == (150, 3)
    assert (classifier.predict_proba(X)[:, 1] == 0).all()


def test_landmarks_approach_the_exact_machine(monkeypatch):
    X, y = noisy(300, make=make_yinyang)
    X_test, y_test = make_yinyang(1000, random_state=3)
    exact = RobustClassifier(n_trees=0).fit(X, y).score(X_test, y_test)
    monkeypatch.setattr(machines, "_EXACT_ROWS", 100)
    monkeypatch.setattr(_classifier, "_N_LANDMARKS", 100)
    landmarks = RobustClassifier(n_trees=0, random_state=0).fit(X, y)
    assert landmarks.score(X_test, y_test) > exact - 0.03


@pytest.mark.parametrize("weight", [-1.0, 0.0, np.nan, np.inf, "heavy", None, True])
def test_class_weights_are_refused_by_name(weight):
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    with pytest.raises(
        ValueError, match=r"class_weight must hold finite numbers above 0; got .* for the class 1"
    ):
        RobustClassifier(n_trees=0, class_weight={0: 1.0, 1: weight}).fit(X, y)


def test_more_jobs_than_cores_are_as_many_as_cores():
    assert bounded_jobs(10**9) == bounded_jobs(-1) == cpu_count()
    assert bounded_jobs(None) is None
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    assert RobustClassifier(n_trees=2, n_jobs=10**9, random_state=0).fit(X, y).score(X, y) == 1
