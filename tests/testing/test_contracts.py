"""The contract suite must catch what it promises to catch."""

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from weaklearn.costs import Hinge, MarginCost, Sigmoid
from weaklearn.stumps import DecisionStump
from weaklearn.testing import check_margin_cost, check_weak_learner


@dataclass(frozen=True)
class WrongSlope(Hinge):
    def slope(self, margin):
        return 2 * super().slope(margin)


@dataclass(frozen=True)
class RightDerivative(Hinge):
    def slope(self, margin):
        return np.where(np.asarray(margin) < 1, -1.0, 0.0)


@dataclass(frozen=True)
class NotConvex(Sigmoid):
    is_convex = True


@dataclass(frozen=True)
class NotDecreasing(MarginCost):
    def value(self, margin):
        return np.asarray(margin, dtype=np.float64) ** 2

    def slope(self, margin):
        return 2 * np.asarray(margin, dtype=np.float64)


@dataclass(frozen=True)
class Overflows(MarginCost):
    def value(self, margin):
        with np.errstate(over="ignore"):
            return np.exp(-np.asarray(margin, dtype=np.float64))

    def slope(self, margin):
        return -self.value(margin)


class Mutable(Sigmoid):
    __setattr__ = object.__setattr__


@pytest.mark.parametrize(
    ("cost", "promise"),
    [
        (WrongSlope(), "derivative of value"),
        (RightDerivative(), "left derivative"),
        (NotConvex(), "is_convex"),
        (NotDecreasing(), "is_decreasing"),
        (Overflows(), "is_finite"),
        (Mutable(), "cannot be changed"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_broken_costs_are_caught(cost, promise):
    with pytest.raises(AssertionError, match=promise):
        check_margin_cost(cost)


@pytest.mark.parametrize(
    "learner",
    [
        DecisionStump(),
        DecisionStump(constant=False),
        DecisionTreeClassifier(max_depth=2),
        KNeighborsClassifier(),
    ],
    ids=repr,
)
def test_good_weak_learners_pass(learner):
    check_weak_learner(learner)


class IgnoresWeights(ClassifierMixin, BaseEstimator):
    def fit(self, X, y, sample_weight=None):
        self.stump_ = DecisionStump().fit(X, y)
        return self

    def predict(self, X):
        return self.stump_.predict(X)


class Codes(IgnoresWeights):
    def predict(self, X):
        return (self.stump_.predict(X) == self.stump_.classes_[1]) + 5


@pytest.mark.parametrize(
    ("learner", "promise"),
    [
        (DummyClassifier(), "error on an easy set"),
        (IgnoresWeights(), "where the weights decide"),
        (Codes(), "labels of the training set"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_broken_weak_learners_are_caught(learner, promise):
    with pytest.raises(AssertionError, match=promise):
        check_weak_learner(learner)
