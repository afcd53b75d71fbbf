"""Baselines that detect flipped labels, each with a ``contribution_`` that is large for suspicious examples."""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC

from weaklearn.boosting import AdaBoostClassifier
from weaklearn.stumps import DecisionStump


class NeighbourDisagreement(BaseEstimator):
    """The share of an example's nearest neighbours that have another label."""

    def __init__(self, n_neighbors=10):
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        """Find ``contribution_``."""
        nearest = NearestNeighbors(n_neighbors=self.n_neighbors).fit(X).kneighbors(return_distance=False)
        self.contribution_ = (y[nearest] != y[:, None]).mean(axis=1)
        return self


class OutOfFoldMargin(BaseEstimator):
    """Minus the margin that a Gaussian soft-margin SVM gives to examples left out of its training (5 folds).

    C and gamma have the best accuracy of the same cross-validation, on a grid of 4 x 4.
    """

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        """Find ``contribution_``."""
        X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
        folds = StratifiedKFold(5, shuffle=True, random_state=self.random_state)
        grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": np.array([0.25, 1.0, 4.0, 16.0]) / X.shape[1]}
        best = GridSearchCV(SVC(), grid, cv=folds).fit(X, y).best_estimator_
        scores = cross_val_predict(best, X, y, cv=folds, method="decision_function")
        self.contribution_ = -np.where(y == best.classes_[1], 1, -1) * scores
        return self


class AdaBoostWeight(BaseEstimator):
    """The mean weight of an example over the rounds of AdaBoost with stumps."""

    def __init__(self, n_estimators=100):
        self.n_estimators = n_estimators

    def fit(self, X, y):
        """Find ``contribution_``."""
        model = AdaBoostClassifier(DecisionStump(), self.n_estimators).fit(X, y)
        signs = np.where(y == model.classes_[1], 1.0, -1.0)
        total, rounds = np.full(len(y), 1 / len(y)), 1
        for scores in model.staged_decision_function(X):
            margins = signs * scores
            weights = np.exp(margins.min() - margins)
            total += weights / weights.sum()
            rounds += 1
        self.contribution_ = total / rounds
        return self


class CleanlabScore(BaseEstimator):
    """cleanlab's label quality score, from out-of-fold probabilities of a random forest."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        """Find ``contribution_``."""
        from cleanlab.rank import get_label_quality_scores  # an optional extra

        folds = StratifiedKFold(5, shuffle=True, random_state=self.random_state)
        model = RandomForestClassifier(random_state=self.random_state)
        codes = np.unique(y, return_inverse=True)[1]
        probabilities = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
        self.contribution_ = -get_label_quality_scores(codes, probabilities)
        return self
