import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import cpu_count
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mixed_columns import every_split, gain, mixed_sets
from weaklearn._fast.trees.orders import threshold_between
from weaklearn._splits import StumpSearch
from weaklearn.stumps import DecisionStump


@parametrize_with_checks([DecisionStump(), DecisionStump(constant=False), DecisionStump(criterion="gini")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def every_stump(X, constant):
    """All stumps in the order in which ties are broken."""
    if constant:
        yield from ((0, -np.inf, polarity) for polarity in (1, -1))
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for lower, upper in itertools.pairwise(values):
            yield from ((feature, lower / 2 + upper / 2, polarity) for polarity in (1, -1))


def weighted_error(X, y, weight, feature, threshold, polarity):
    predicted = np.where(X[:, feature] > threshold, polarity, -polarity)
    return weight[predicted != y].sum() / weight.sum()


def brute_force(X, y, weight, constant):
    """The first of the best stumps, and its error, by trying all of them."""
    stumps = list(every_stump(X, constant)) or list(every_stump(X, True))
    errors = np.array([weighted_error(X, y, weight, *stump) for stump in stumps])
    first = np.flatnonzero(errors <= errors.min() + 1e-12)[0]
    return stumps[first], errors[first]


@st.composite
def training_sets(draw):
    n = draw(st.integers(2, 14))
    m = draw(st.integers(1, 6))
    values = draw(st.sampled_from([st.integers(0, 3), st.integers(0, 1), st.floats(-2, 2, width=16)]))
    X = np.array(
        draw(st.lists(st.lists(values, min_size=m, max_size=m), min_size=n, max_size=n)), dtype=float
    )
    y = np.array([1, -1, *draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))])
    weights = draw(st.sampled_from([st.just(1.0), st.integers(1, 3), st.floats(1e-3, 1e3)]))
    weight = np.array(draw(st.lists(weights, min_size=n, max_size=n)), dtype=float)
    return X, y, weight, draw(st.booleans())


@given(training_sets())
@settings(max_examples=150, deadline=None)
def test_the_best_of_all_stumps_and_the_first_of_those(problem):
    X, y, weight, constant = problem
    stump = DecisionStump(constant=constant).fit(X, y, weight)
    expected, error = brute_force(X, y, weight, constant)
    assert (stump.feature_, stump.threshold_, stump.polarity_) == expected
    assert stump.error_ == pytest.approx(error, abs=1e-12)
    assert weight[stump.predict(X) != y].sum() / weight.sum() == pytest.approx(error, abs=1e-12)


def impurity(X, y, weight, feature, threshold):
    """Weighted Gini impurity of the two sides, over the total weight."""
    below = X[:, feature] <= threshold
    total = 0.0
    for side in (below, ~below):
        mass = weight[side].sum()
        if mass > 0:
            q = weight[side & (y > 0)].sum() / mass
            total += mass * 2 * q * (1 - q)
    return total / weight.sum()


@given(training_sets())
@settings(max_examples=150, deadline=None)
def test_the_purest_of_all_stumps_and_the_first_of_those(problem):
    X, y, weight, _ = problem
    stump = DecisionStump(criterion="gini").fit(X, y, weight)
    thresholds = [
        (feature, threshold) for feature, threshold, polarity in every_stump(X, False) if polarity > 0
    ]
    majority = 1 if weight[y > 0].sum() > weight.sum() / 2 * (1 + 1e-12) else -1
    expected = 0, -np.inf, majority
    if thresholds:
        impurities = np.array([impurity(X, y, weight, *split) for split in thresholds])
        whole = impurity(X, y, weight, 0, -np.inf)
        first = np.flatnonzero(impurities <= impurities.min() + 1e-12)[0]
        feature, threshold = thresholds[first]
        below = X[:, feature] <= threshold
        votes = [1 if (y * weight)[side].sum() > 1e-12 * weight.sum() else -1 for side in (below, ~below)]
        if impurities[first] < whole - 1e-12 and votes[0] != votes[1]:
            expected = feature, threshold, votes[1]
    assert (stump.feature_, stump.threshold_, stump.polarity_) == expected
    assert stump.error_ == pytest.approx(weighted_error(X, y, weight, *expected), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_purest_stump_is_scikit_learns_tree_of_depth_one(seed):
    rng = np.random.default_rng(seed)
    # Values that float32 holds exactly, as scikit-learn's trees read them.
    X = rng.integers(-500, 500, size=(300, 9)) / 64
    y = np.where(X[:, seed] + rng.normal(size=300) * 3 > 1, 1, -1)
    for power in (0, 1, 6):
        weight = rng.exponential(size=300) ** power
        stump = DecisionStump(criterion="gini").fit(X, y, weight)
        tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weight)
        new = rng.normal(size=(500, 9)) * 4
        np.testing.assert_array_equal(stump.predict(new), tree.predict(new))
        if np.isfinite(stump.threshold_):
            assert (stump.feature_, stump.threshold_) == (tree.tree_.feature[0], tree.tree_.threshold[0])


def test_larger_sets_with_half_of_the_values_tied():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(500, 7)) * 150)
    y = np.where(rng.random(500) < 0.4, 1, -1)
    weight = rng.exponential(size=500) ** 4
    stump = DecisionStump().fit(X, y, weight)
    expected, error = brute_force(X, y, weight, True)
    assert (stump.feature_, stump.threshold_, stump.polarity_) == expected
    assert stump.error_ == pytest.approx(error, abs=1e-13)


def test_rounding_never_decides_between_equal_columns():
    # The same column in many disguises, and weights whose sums depend on the order of summation.
    rng = np.random.default_rng(1)
    column = rng.normal(size=300)
    X = np.column_stack([-column, column, 3 * column, column**3])
    y = np.where(column + rng.normal(size=300) > 0, 1, -1)
    for _ in range(20):
        weight = 10.0 ** rng.uniform(-8, 0, size=300)
        assert DecisionStump().fit(X, y, weight).feature_ == 0
        assert DecisionStump().fit(X[:, ::-1], y, weight).feature_ == 0


def test_an_error_of_zero_is_exactly_zero():
    X = np.arange(7.0)[:, None]
    weight = np.array([0.1, 0.7, 1e-9, 0.3, 1e2, 0.123, 1 / 3])
    assert DecisionStump().fit(X, X[:, 0] > 2, weight).error_ == 0.0


def test_constant_stump():
    X = [[0.0], [1.0], [0.0], [1.0]]
    for majority, polarity in (("a", -1), ("b", 1)):
        y = ["a", "b", "b", "a"]
        weight = [1 + (label == majority) for label in y]
        stump = DecisionStump().fit(X, y, weight)
        assert (stump.feature_, stump.threshold_, stump.polarity_) == (0, -np.inf, polarity)
        assert set(stump.predict([[-1e300], [1e300]])) == {majority}
        assert DecisionStump(constant=False).fit(X, y, weight).threshold_ == 0.5


def test_both_sides_may_vote_for_the_same_class():
    X = np.arange(11.0)[:, None]
    y = np.array([0] * 7 + [1, 0, 1, 0])
    stump = DecisionStump(criterion="gini").fit(X, y, [1] * 7 + [0.4, 1, 0.4, 1])
    assert (stump.threshold_, stump.polarity_) == (-np.inf, -1)
    assert stump.error_ == pytest.approx(0.8 / 9.8)


def test_without_a_threshold_only_the_constant_stump_is_left():
    stump = DecisionStump(constant=False).fit(np.ones((3, 2)), [0, 1, 1])
    assert (stump.feature_, stump.threshold_, stump.polarity_, stump.error_) == (0, -np.inf, 1, 1 / 3)


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        (1.0, np.nextafter(1.0, 2)),
        (-np.nextafter(1.0, 2), -1.0),
        (0.0, 5e-324),
        (-5e-324, 0.0),
        (-1.7e308, 1.7e308),
        (1.0, 2.0),
    ],
)
def test_thresholds_separate_even_neighbouring_floats(lower, upper):
    assert lower <= threshold_between(lower, upper) < upper
    stump = DecisionStump().fit([[lower], [upper]], [0, 1])
    assert stump.error_ == 0
    np.testing.assert_array_equal(stump.predict([[lower], [upper]]), [0, 1])


@given(training_sets(), st.lists(st.integers(0, 3), min_size=14, max_size=14))
@settings(max_examples=100, deadline=None)
def test_a_weight_is_a_number_of_copies(problem, counts):
    X, y, _, constant = problem
    counts = np.array(counts[: len(y)])
    counts[:2] += 1  # both classes stay
    weighted = DecisionStump(constant=constant).fit(X, y, counts)
    repeated = DecisionStump(constant=constant).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    for name in ("feature_", "threshold_", "polarity_", "error_"):
        assert getattr(weighted, name) == getattr(repeated, name)


def test_prepared_form_is_the_stump():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(50, 3)), np.where(rng.random(50) < 0.5, 1.0, -1.0)
    for constant, criterion in ((True, "error"), (False, "error"), (True, "gini")):
        estimator = DecisionStump(constant=constant, criterion=criterion)
        search = estimator.prepare(X, y)
        assert isinstance(search, StumpSearch)
        for _ in range(5):
            weight = rng.exponential(size=50)
            stump, margins, error = search.fit(weight)
            alone = clone(estimator).fit(X, y, weight)
            assert vars(stump).keys() == vars(alone).keys()
            assert stump.get_params() == alone.get_params()
            assert (stump.feature_, stump.threshold_, stump.polarity_, stump.error_) == (
                alone.feature_,
                alone.threshold_,
                alone.polarity_,
                alone.error_,
            )
            np.testing.assert_array_equal(margins, y * stump.predict(X))
            assert error == pytest.approx(weight[margins < 0].sum() / weight.sum(), abs=1e-14)


@pytest.mark.parametrize(
    ("X", "y", "weight", "message"),
    [
        ([[np.inf], [1.0]], [0, 1], None, "infinity"),
        ([[0.0], [1.0]], [1, 1], None, "at least two classes"),
        ([[0.0], [1.0], [2.0]], [0, 1, 2], None, "Only binary classification"),
        ([[0.0], [1.0]], [0, 1], [1.0, -1.0], "[Nn]egative"),
        (np.empty((0, 1)), [], None, "0 sample"),
    ],
)
def test_clear_errors(X, y, weight, message):
    with pytest.raises(ValueError, match=message):
        DecisionStump().fit(X, y, weight)


@pytest.mark.parametrize("criterion", ["error", "gini", "log_loss"])
@pytest.mark.parametrize("seed", range(12))
def test_the_binned_search_finds_the_same_stump(monkeypatch, criterion, seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.choice([2, 17, 127, 129, 300, 3000])), int(rng.integers(1, 6))
    X = np.round(rng.normal(size=(n, m)), int(rng.choice([0, 1, 9])))
    X[:, 0] = 1.0 if seed % 4 == 0 else X[:, 0]
    X[rng.random(X.shape) < (0.1 if seed % 3 == 0 else 0.0)] = np.nan
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    for constant in (True, False):
        searches = []
        for large, n_jobs in ((n + 1, None), (1, None), (1, 2)):
            monkeypatch.setattr("weaklearn._splits._stumps._LARGE", large)
            monkeypatch.setattr("weaklearn._splits._sorted_rows._FOR_ONE_THREAD", 0)
            searches.append(StumpSearch(DecisionStump(constant, criterion, n_jobs=n_jobs), X, y))
        for weight in (np.ones(n), rng.integers(1, 4, size=n).astype(float), np.exp(3 * rng.normal(size=n))):
            stump, margins, error = searches[0].fit(weight)
            for search in searches[1:]:
                other, other_margins, other_error = search.fit(weight)
                assert other.vote_key() == stump.vote_key()
                np.testing.assert_array_equal(other_margins, margins)
                assert other_error == pytest.approx(error, abs=1e-14)


def test_large_sets_by_histograms_threads_and_float32():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 7)).astype(np.float32)  # enough for two threads
    y = np.where(X[:, 1] + rng.normal(size=len(X)) > 0.2, 1.0, -1.0)
    found = [
        StumpSearch(DecisionStump(n_jobs=n_jobs), rows, y).fit(np.ones(len(X)))[0]
        for n_jobs, rows in ((None, X), (2, X), (None, X.astype(np.float64)))
    ]
    assert len({stump.vote_key() for stump in found}) == 1
    assert found[0].error_ == np.mean(found[0].predict(X) != y)
    np.testing.assert_array_equal(found[0].feature_importances_, [0, 1, 0, 0, 0, 0, 0])


def best_by_force(X, y, weight, categorical, signs=None):
    """The least error over constant stumps and all splits with both polarities that the signs allow."""
    candidates = [np.ones(len(y)), -np.ones(len(y))]
    for j, above in every_split(X, categorical):
        for polarity in (1, -1):
            if signs is None or signs[j] in (0, polarity):
                candidates.append(np.where(above, polarity, -polarity))
    return min(weight[votes != y].sum() for votes in candidates) / weight.sum()


@given(mixed_sets())
@settings(max_examples=150, deadline=None)
def test_missing_values_and_categories_go_where_they_serve_best(problem):
    X, y, weight, categorical = problem
    stump = DecisionStump(categorical_features=categorical).fit(X, y, weight)
    assert stump.error_ == pytest.approx(best_by_force(X, y, weight, categorical), abs=1e-12)
    assert weight[stump.predict(X) != y].sum() / weight.sum() == pytest.approx(stump.error_, abs=1e-12)
    for criterion in ("gini", "log_loss"):
        stump = DecisionStump(criterion=criterion, categorical_features=categorical).fit(X, y, weight)
        assert weight[stump.predict(X) != y].sum() / weight.sum() == pytest.approx(stump.error_, abs=1e-12)
        if stump.threshold_ != -np.inf:
            above = (stump.predict(X) == 1) == (stump.polarity_ > 0)
            best = max(gain(criterion, y, weight, split) for _, split in every_split(X, categorical))
            assert gain(criterion, y, weight, above) == pytest.approx(best, abs=1e-9 * weight.sum())


@given(mixed_sets(), st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3))
@settings(max_examples=200, deadline=None)
def test_the_best_of_the_stumps_that_a_monotone_constraint_allows(problem, signs):
    X, y, weight, _ = problem
    signs = signs[: X.shape[1]]
    stump = DecisionStump(monotonic_cst=signs).fit(X, y, weight)
    assert stump.error_ == pytest.approx(best_by_force(X, y, weight, [], signs), abs=1e-12)
    assert stump.threshold_ == -np.inf or signs[stump.feature_] in (0, stump.polarity_)


def test_missing_and_unknown_values_of_new_rows():
    # No value is missing in training: the heavier side is below.
    stump = DecisionStump().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 1], [1, 1, 1, 1])
    assert (stump.threshold_, stump.missing_above_) == (0.5, True)
    assert stump.predict([[np.nan]]) == [1]
    stump = DecisionStump().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    assert stump.predict([[np.nan]]) == [0]
    # An unknown category is a missing value, which is with category 2 here.
    X, y = [[1.0], [2.0], [np.nan], [5.0]], ["a", "b", "b", "a"]
    stump = DecisionStump(categorical_features=[0]).fit(X, y)
    assert stump.error_ == 0
    np.testing.assert_array_equal(stump.predict([[7.0], [np.nan], [5.0]]), ["b", "b", "a"])
    below, above = stump.categories_
    assert {tuple(below), tuple(above)} == {(1.0, 5.0), (2.0,)}


def test_a_column_without_any_value_is_never_used():
    X = np.column_stack([np.full(6, np.nan), np.arange(6.0)])
    for categorical in (None, [0]):
        stump = DecisionStump(constant=False, categorical_features=categorical).fit(X, [0, 0, 0, 1, 1, 1])
        assert (stump.feature_, stump.error_) == (1, 0.0)
        assert (
            DecisionStump(categorical_features=categorical).fit(X[:, :1], [0, 0, 1, 0, 0, 1]).threshold_
            == -np.inf
        )


def test_votes_and_scores_of_stumps_on_mixed_columns():
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.normal(size=60), rng.integers(0, 6, size=60), rng.normal(size=60)])
    X[rng.random(X.shape) < 0.2] = np.nan
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    for categorical in (None, [1]):
        search = DecisionStump(categorical_features=categorical).prepare(X, y)
        found = [search.fit(rng.exponential(size=60)) for _ in range(8)]
        stumps = [stump for stump, _, _ in found]
        alone = np.column_stack([stump.predict(X) for stump in stumps])
        np.testing.assert_array_equal(
            alone * y[:, None], np.column_stack([margins for _, margins, _ in found])
        )
        np.testing.assert_array_equal(DecisionStump.ensemble_votes(stumps, X), alone > 0)
        weights = rng.normal(size=8)
        np.testing.assert_allclose(
            DecisionStump.ensemble_scores(stumps, weights, X), alone @ weights, atol=1e-12
        )


def test_the_importance_of_a_feature_is_whether_it_is_compared():
    X = np.column_stack([np.zeros(6), np.arange(6.0)])
    np.testing.assert_array_equal(DecisionStump().fit(X, [0, 0, 0, 1, 1, 1]).feature_importances_, [0.0, 1.0])
    np.testing.assert_array_equal(DecisionStump().fit(X, [1, 1, 1, 1, 1, 0]).feature_importances_, [0, 1])
    alike = np.zeros((6, 2))
    np.testing.assert_array_equal(
        DecisionStump().fit(alike, [0, 0, 0, 0, 1, 1]).feature_importances_, [0.0, 0.0]
    )


def test_no_job_at_all_is_refused_and_more_than_the_cores_are_not_started():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    with pytest.raises(ValueError, match="n_jobs"):
        DecisionStump(n_jobs=0).fit(X, y)
    wide = np.tile(X, (2000, 100))
    assert StumpSearch(DecisionStump(n_jobs=10**9), wide)._rows.n_threads <= cpu_count()
