import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mixed_columns import every_split, gain, mixed_sets
from weaklearn._splits import TreeSearch
from weaklearn.boosting import AdaBoostClassifier, AnyBoostClassifier
from weaklearn.datasets import load
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier, SAMMEClassifier
from weaklearn.stumps import DecisionStump
from weaklearn.trees import SmallTree


@parametrize_with_checks([SmallTree(), SmallTree(3, criterion="error")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def rows_above(tree, X, node):
    """Which rows the split of a node sends above."""
    column, j = X[:, tree.features_[node]], tree.features_[node]
    if j in tree.categories_:
        above = np.full(len(X), tree.missing_above_[node])
        for k, value in enumerate(tree.categories_[j]):
            above[column == value] = tree.category_sets_[node, k]
        return above
    return np.where(np.isnan(column), tree.missing_above_[node], column > tree.thresholds_[node])


# Below the root both sides have a third of their labels positive: a gain of 0, rounded to less.
EVEN_SHARES = (
    np.array([[0.0, 0, 0, 0, 0, 1, 1, 0, 2, 2, 1]]).T,
    np.array([1, -1, -1, -1, -1, -1, -1, 1, -1, -1, 1]),
    np.ones(11),
    [],
)


@given(mixed_sets(), st.sampled_from(["error", "gini", "log_loss"]), st.integers(1, 4))
@example(EVEN_SHARES, "log_loss", 3)
@settings(max_examples=150, deadline=None)
def test_every_node_takes_the_best_of_all_splits(problem, criterion, depth):
    X, y, weight, categorical = problem
    tree = SmallTree(depth, criterion, categorical).fit(X, y, weight)
    reached, predicted = {0: np.ones(len(y), dtype=bool)}, np.zeros(len(y))
    for node in range(2 ** (depth + 1) - 1):
        rows = reached.get(node, np.zeros(len(y), dtype=bool))
        is_split = node < len(tree.features_) and tree.features_[node] >= 0
        if rows.any() and not is_split:
            predicted[rows] = 1 if (y * weight)[rows].sum() > 1e-12 * weight[rows].sum() else -1
        if node < len(tree.features_) and rows.any():
            total = weight[rows].sum()
            best = max(
                (
                    gain(criterion, y[rows], weight[rows], above)
                    for _, above in every_split(X[rows], categorical)
                ),
                default=0.0,
            )
            if is_split:
                assert tree.gains_[node] == pytest.approx(best, abs=1e-9 * total)
                above = rows_above(tree, X, node)
                assert (rows & above).any()
                assert (rows & ~above).any()
                assert gain(criterion, y[rows], weight[rows], above[rows]) == pytest.approx(
                    best, abs=1e-9 * total
                )
                reached[2 * node + 1], reached[2 * node + 2] = rows & ~above, rows & above
            else:
                last = node >= len(tree.features_) // 2
                assert best <= 1e-9 * total or not last
                if not last and criterion != "error":
                    # Only pure rows, or rows that are all alike, are not divided further up.
                    assert len(set(y[rows])) == 1 or not list(every_split(X[rows], categorical))
    np.testing.assert_array_equal(tree.predict(X), predicted)
    assert tree.error_ == pytest.approx(weight[predicted != y].sum() / weight.sum(), abs=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("criterion", ["gini", "log_loss"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_it_is_scikit_learns_tree(depth, criterion, missing):
    rng = np.random.default_rng(depth)
    # Values that float32 holds exactly, as scikit-learn's trees read them.
    X = rng.permutation(np.arange(400 * 6)).reshape(400, 6) / 64
    y = np.where(X[:, 0] * X[:, 1] + rng.normal(size=400) * 150 > X[:, 2] * 20, "b", "a")
    X[rng.random(X.shape) < missing] = np.nan
    for weight in (rng.exponential(size=400), rng.exponential(size=400) ** 4):
        ours = SmallTree(depth, criterion).fit(X, y, weight)
        peer = DecisionTreeClassifier(max_depth=depth, criterion=criterion, random_state=0).fit(X, y, weight)
        # Two features may divide a small node alike, and scikit-learn then takes one at random: on the training rows
        # this makes no difference.
        np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-9)
        if depth < 3:
            np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "error", "log_loss"])
@pytest.mark.parametrize("seed", range(12))
def test_bins_and_threads_find_the_same_tree(monkeypatch, criterion, seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.choice([1, 17, 127, 300, 3000])), int(rng.integers(1, 7))
    X = np.round(rng.normal(size=(n, m)), int(rng.choice([0, 1, 9])))
    X[:, 0] = 1.0 if seed % 4 == 0 else X[:, 0]
    X[rng.random(X.shape) < (0.1 if seed % 3 == 0 else 0.0)] = np.nan
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    if seed % 5 == 1:  # exclusive or: the first split gains next to nothing
        y = np.where(np.nan_to_num(X[:, 0] * X[:, -1]) > 0, 1.0, -1.0)
    monkeypatch.setattr("weaklearn._splits._sorted_rows._FOR_ONE_THREAD", 0)
    searches, depth = [], int(rng.integers(1, 6))
    for width, n_jobs in ((0, None), (2, None), (64, None), (64, 2)):
        monkeypatch.setattr("weaklearn._splits._trees._FEW_BINS", 1)
        monkeypatch.setattr("weaklearn._splits._trees.bin_width", lambda *_, width=width: width)
        searches.append(SmallTree(depth, criterion, n_jobs=n_jobs).prepare(X, y))
    # The last two: almost all of the weight is in few rows, so that nodes are hardly anything of their parents.
    for weight in (
        np.ones(n),
        rng.integers(0, 4, size=n) + 1e-300,
        *np.exp(np.outer([3, 9], rng.normal(size=n))),
    ):
        tree, margins, error = searches[0].fit(weight)
        for search in searches[1:]:
            other, other_margins, other_error = search.fit(weight)
            assert other.vote_key() == tree.vote_key()
            np.testing.assert_array_equal(other.thresholds_, tree.thresholds_)
            np.testing.assert_array_equal(other_margins, margins)
            np.testing.assert_allclose(other.values_, tree.values_, rtol=0, atol=1e-10)
            np.testing.assert_allclose(other.gains_, tree.gains_, rtol=0, atol=1e-11 * weight.sum())
            assert other_error == pytest.approx(error, abs=1e-14)


@given(mixed_sets())
@settings(max_examples=100, deadline=None)
def test_one_level_is_a_stump(problem):
    X, y, weight, categorical = problem
    for criterion in ("error", "gini", "log_loss"):
        tree = SmallTree(1, criterion, categorical).fit(X, y, weight)
        stump = DecisionStump(True, criterion, categorical).fit(X, y, weight)
        assert tree.error_ == pytest.approx(stump.error_, abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "log_loss", "error"])
def test_monotone_predictions(criterion):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 0] - X[:, 1] + 2 * np.sin(3 * X[:, 2]) + rng.normal(size=300) > 0, 1, -1)
    tree = SmallTree(4, criterion, monotonic_cst=[1, -1, 0]).fit(X, y)
    free = SmallTree(4, criterion).fit(X, y)
    grid = np.linspace(-3, 3, 60)
    for row in rng.normal(size=(200, 3)):
        for j, sign in ((0, 1), (1, -1)):
            line = np.repeat(row[None], len(grid), axis=0)
            line[:, j] = grid
            assert (sign * np.diff(tree.predict(line)) >= 0).all()
            assert (sign * np.diff(tree.predict_proba(line)[:, 1]) >= -1e-12).all()
    assert free.error_ <= tree.error_ < 0.35
    weight = rng.exponential(size=300)
    if criterion != "error":
        peer = DecisionTreeClassifier(
            max_depth=4, criterion=criterion, monotonic_cst=[1, -1, 0], random_state=0
        )
        X = X.astype(np.float32).astype(float)  # as scikit-learn's trees read them
        ours = clone(tree).fit(X, y, weight)
        np.testing.assert_allclose(ours.predict_proba(X), peer.fit(X, y, weight).predict_proba(X), atol=1e-9)
    # A constraint that the tree obeys anyway changes nothing.
    monotone = np.where(X[:, 0] > 0.2, 1, -1)
    assert SmallTree(2, monotonic_cst=[1, 0, 0]).fit(X, monotone).error_ == 0
    assert SmallTree(2, monotonic_cst=[-1, 0, 0]).fit(X, monotone).error_ > 0.1


def test_prepared_form_is_the_tree():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 4)), np.where(rng.random(80) < 0.5, 1.0, -1.0)
    X[:, 3] = rng.integers(0, 5, size=80)
    X[rng.random(X.shape) < 0.1] = np.nan
    for depth in (1, 2, 3, 4):
        estimator = SmallTree(depth, categorical_features=[3])
        search = estimator.prepare(X, y)
        assert isinstance(search, TreeSearch)
        for _ in range(4):
            weight = rng.exponential(size=80)
            tree, margins, error = search.fit(weight)
            alone = clone(estimator).fit(X, y, weight)
            assert tree.vote_key() == alone.vote_key()
            assert vars(tree).keys() == vars(alone).keys()
            np.testing.assert_array_equal(margins, y * tree.predict(X))
            assert error == pytest.approx(weight[margins < 0].sum() / weight.sum(), abs=1e-14)
            labels = np.where(rng.random(80) < 0.3, 0.0, np.where(rng.random(80) < 0.5, 1.0, -1.0))
            part, votes = search.fit_labels(labels, weight)
            members = labels != 0
            assert part.vote_key() == clone(estimator).fit(
                X[members], labels[members], weight[members]
            ).vote_key() or (
                len(part.categories_[3]) != len(np.unique(X[members, 3][~np.isnan(X[members, 3])]))
            )
            np.testing.assert_array_equal(votes, part.predict(X))
        both = SmallTree.ensemble_scores([tree, part], np.array([0.5, 2.0]), X)
        np.testing.assert_allclose(both, 0.5 * tree.predict(X) + 2.0 * part.predict(X), atol=1e-15)


def test_boosted_trees():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)  # exclusive or: no sum of stumps can tell
    X[:200][rng.random((200, 6)) < 0.05] = np.nan
    assert AdaBoostClassifier(n_estimators=30).fit(X[:200], y[:200]).score(X[200:], y[200:]) < 0.65
    for model in (
        AdaBoostClassifier(SmallTree(2), 30),
        AnyBoostClassifier(SmallTree(2), cost="logistic", n_estimators=30),
    ):
        model.fit(X[:200], y[:200])
        assert model.score(X[200:], y[200:]) > 0.8
        assert model.feature_importances_[:2].sum() > 0.5
        np.testing.assert_array_equal(model.predict(X), list(model.staged_predict(X))[-1])
    complete = np.nan_to_num(X)
    three = y + 2 * (X[:, 2] > 1).clip(0, 1)
    for classifier in (AdaBoostECCClassifier, AdaBoostERPClassifier):
        scores = [
            classifier(learner, 40, random_state=0)
            .fit(complete[:300], three[:300])
            .score(complete[300:], three[300:])
            for learner in (SmallTree(2), None)
        ]
        assert scores[0] > scores[1] + 0.1


@pytest.mark.parametrize("depth", [1, 2])
def test_boosting_scikit_learns_trees_gives_the_same(depth):
    rng = np.random.default_rng(1)
    X = rng.permutation(np.arange(300 * 5)).reshape(300, 5) / 64
    y = np.where(X[:, 0] * X[:, 1] + rng.normal(size=300) * 60 > 120, 1, 0)
    ours = AdaBoostClassifier(SmallTree(depth), 20).fit(X, y)
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), 20, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.estimator_weights_, peer.estimator_weights_, rtol=1e-6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_depth": 0}, "max_depth"),
        ({"categorical_features": [7]}, "categorical_features must be numbers from 0 to 1"),
        ({"categorical_features": [True]}, "a mask of 1 columns, and X has 2"),
        ({"categorical_features": [0.5]}, "column numbers or a mask"),
        ({"monotonic_cst": [2, 0]}, "monotonic_cst must hold -1, 0 or 1"),
        ({"monotonic_cst": [1, 0], "categorical_features": [0]}, "constrains column 0"),
    ],
)
def test_clear_errors(parameters, message):
    for estimator in (
        SmallTree(**parameters),
        *([] if "max_depth" in parameters else [DecisionStump(**parameters)]),
    ):
        with pytest.raises(ValueError, match=message):
            estimator.fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])


def gini_gain(y, weight, above):
    """How much a split lowers the Gini impurity of many classes, times the weight."""

    def cost(rows):
        sums = np.array([weight[rows & (y == c)].sum() for c in np.unique(y)])
        return sums.sum() - (sums**2).sum() / sums.sum() if sums.sum() > 0 else 0.0

    return cost(np.ones(len(y), dtype=bool)) - cost(above) - cost(~above)


@given(mixed_sets(), st.lists(st.integers(0, 3), min_size=12, max_size=12))
@settings(max_examples=150, deadline=None)
def test_the_first_split_of_many_classes_is_the_best_of_all(problem, labels):
    X, _, weight, _ = problem
    y = np.array([0, 1, 2, *labels])[: len(X)] if len(X) > 2 else None
    if y is None:
        return
    tree = SmallTree(1).fit(X, y, weight)
    best = max((gini_gain(y, weight, above) for _, above in every_split(X, [])), default=0.0)
    assert tree.gains_[0] == pytest.approx(best, abs=1e-9 * weight.sum())
    if tree.features_[0] >= 0:
        assert gini_gain(y, weight, rows_above(tree, X, 0)) == pytest.approx(best, abs=1e-9 * weight.sum())
    assert weight[tree.predict(X) != y].sum() / weight.sum() == pytest.approx(tree.error_, abs=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_many_classes_are_scikit_learns_tree(depth, missing):
    rng = np.random.default_rng(depth)
    X = rng.permutation(np.arange(400 * 5)).reshape(400, 5) / 64
    y = np.digitize(X[:, 0] + X[:, 1] + rng.normal(size=400) * 5, [15, 30, 45])
    X[rng.random(X.shape) < missing] = np.nan
    weight = rng.exponential(size=400)
    ours = SmallTree(depth).fit(X, y, weight)
    peer = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y, weight)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("algorithm", ["SAMME", "SAMME.R"])
def test_trees_of_many_classes_are_boosted(algorithm):
    wine = load("wine")
    model = SAMMEClassifier(SmallTree(2), 20, algorithm=algorithm).fit(wine.X[::2], wine.y[::2])
    assert model.score(wine.X[1::2], wine.y[1::2]) > 0.9
    boosted = AdaBoostClassifier(SmallTree(2), 20).fit(wine.X[::2], wine.y[::2])
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), 20, random_state=0).fit(
        wine.X[::2], wine.y[::2]
    )
    assert boosted.score(wine.X[1::2], wine.y[1::2]) >= peer.score(wine.X[1::2], wine.y[1::2]) - 0.05
    for parameters in (
        {"criterion": "error"},
        {"categorical_features": [0]},
        {"monotonic_cst": [1] + 12 * [0]},
    ):
        with pytest.raises(ValueError, match="unless criterion='gini'"):
            SmallTree(**parameters).fit(wine.X, wine.y)


@pytest.mark.parametrize("depth", range(1, 9))
def test_scores_are_weighted_votes_summed_in_the_order_of_the_trees(depth):
    rng = np.random.default_rng(depth)
    X, weights = rng.normal(size=(300, 3)), rng.normal(size=3)
    X[rng.random(X.shape) < 0.2] = np.nan
    search = SmallTree(depth).prepare(X, np.where(rng.random(300) < 0.5, 1.0, -1.0))
    trees = [search.fit(rng.exponential(size=300))[0] for _ in weights]
    X = np.concatenate([X, rng.normal(size=(101, 3)), [[1e300, -1e300, 0.0]]])
    expected = np.zeros(len(X))
    for tree, weight in zip(trees, weights, strict=True):
        expected += weight * tree.predict(X)
    for n in (1, 128, len(X)):
        np.testing.assert_array_equal(SmallTree.ensemble_scores(trees, weights, X[:n]), expected[:n])
