"""The default tree of more than two classes, on columns of any scale."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.boosting._samme import default_tree, seen_by_trees
from weaklearn.multiclass import SAMMEClassifier
from weaklearn.trees import SmallTree

CORNERS = np.array([[2.0, 0.0], [-2.0, 2.0], [-2.0, -2.0]])
Y = np.arange(30) % 3
X = CORNERS[Y] + np.round(np.random.default_rng(0).uniform(-0.5, 0.5, (30, 2)) * 8) / 8


SCALES = [(1.0, 1e15), (1e300, 0.0), (1e150, 1000.0), (1e-150, 0.0), (1e-300, 1e6), (1e-315, 0.0)]


@pytest.mark.parametrize(("unit", "shift"), SCALES)
@pytest.mark.parametrize("kind", [AdaBoostClassifier, SAMMEClassifier])
def test_the_scale_does_not_matter(kind, unit, shift):
    plain = kind(n_estimators=5, random_state=0).fit(X, Y)
    moved = kind(n_estimators=5, random_state=0).fit((X + shift) * unit, Y)
    assert moved.score((X + shift) * unit, Y) == plain.score(X, Y) == 1
    inside = np.random.default_rng(1).integers(-20, 21, (200, 2)) / 8
    assert (moved.predict((inside + shift) * unit) == plain.predict(inside)).mean() > 0.9


def test_ordinary_columns_get_the_tree_of_scikit_learn():
    assert type(default_tree(X)) is DecisionTreeClassifier
    assert type(default_tree(X + 1000)) is DecisionTreeClassifier
    for strange in (X * 1e30, X * 1e-35, X + 1e6, np.column_stack([X[:, 0], X[:, 1] + 1e9])):
        assert type(default_tree(strange)) is SmallTree
    assert type(default_tree(np.ones((4, 2)) * 1e300)) is DecisionTreeClassifier  # nothing to tell apart


def test_numbers_beyond_float32_are_beyond_all_thresholds():
    model = AdaBoostClassifier(n_estimators=5, random_state=0).fit(X, Y)
    far = np.array([[1e300, 0.0], [-1e300, 1e300], [-1.7e308, -1.7e308]])
    assert model.predict(far).tolist() == [0, 1, 2]
    assert seen_by_trees(model.estimators_, X) is X


def test_other_trees_refuse_what_they_cannot_hold():
    with pytest.raises(ValueError, match="too large for dtype"):
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), 3).fit(X * 1e300, Y)
