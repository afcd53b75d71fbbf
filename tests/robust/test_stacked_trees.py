"""Stacked trees say what scikit-learn's say, to the last bit."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier

from weaklearn.robust._stacked_trees import stacked_boosting, stacked_forest, tree_sums


@pytest.mark.parametrize("forest", [ExtraTreesClassifier, RandomForestClassifier])
def test_a_forest_is_the_mean_of_its_trees(forest):
    X, y = load_iris(return_X_y=True)
    X = X.astype(np.float32)
    model = forest(20, random_state=0).fit(X, y)
    total, votes = tree_sums(stacked_forest(model), X)
    np.testing.assert_array_equal(total / votes, model.predict_proba(X))


def test_trees_are_not_asked_about_rows_that_they_have_drawn():
    X, y = load_iris(return_X_y=True)
    X = X.astype(np.float32)
    model = RandomForestClassifier(9, random_state=0).fit(X, y)
    drawn = np.random.RandomState(0).rand(9, len(X)) < 0.6
    total, votes = tree_sums(stacked_forest(model), X, drawn)
    expected = np.zeros((len(X), 3))
    for tree, own in zip(model.estimators_, drawn, strict=True):
        expected[~own] += tree.predict_proba(X[~own])
    np.testing.assert_array_equal(votes[:, 0], (~drawn).sum(axis=0))
    np.testing.assert_array_equal(total, expected)


def test_boosted_trees_are_summed_from_their_start():
    X, y = load_iris(return_X_y=True)
    model = HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(X, y == 1)
    (trees,) = stacked_boosting(model)
    sums, _ = tree_sums(trees, X, start=model._baseline_prediction[0, 0])
    np.testing.assert_array_equal(expit(sums[:, 0]), model.predict_proba(X)[:, 1])
    model = HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(X, y)
    start = model._baseline_prediction[0]
    sums = [
        tree_sums(trees, X, start=one)[0] for one, trees in zip(start, stacked_boosting(model), strict=True)
    ]
    np.testing.assert_array_equal(np.hstack(sums), model.decision_function(X))


def test_a_damaged_forest_is_refused():
    X, y = load_iris(return_X_y=True)
    trees = stacked_forest(RandomForestClassifier(3, random_state=0).fit(X, y))
    for damaged in (
        trees._replace(feature=trees.feature + 3),
        trees._replace(child=trees.child + 2),
        trees._replace(root=trees.root - 1),
        trees._replace(values=trees.values[:-1]),
    ):
        with pytest.raises(ValueError, match="damaged"):
            tree_sums(damaged, X)
