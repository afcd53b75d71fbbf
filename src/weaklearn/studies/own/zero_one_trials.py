"""Problems and label noise for the study of the smallest 0/1 error."""

from zlib import crc32

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression


def clouds(rng, n, m):
    """Two unit Gaussians, 1.8 apart in a random direction."""
    y = rng.choice([-1, 1], n)
    direction = rng.normal(size=m)
    return rng.normal(size=(n, m)) + 0.9 * y[:, None] * direction / np.linalg.norm(direction), y


def flips(rng, n, m):
    """A hyperplane through a cube, one label in five flipped."""
    X = rng.uniform(-1, 1, size=(n, m))
    y = np.where(X @ rng.normal(size=m) + 0.2 * rng.normal() > 0, 1, -1)
    return X, y * np.where(rng.random(n) < 0.2, -1, 1)


def curved(rng, n, m):
    """A random quadratic boundary."""
    X = rng.normal(size=(n, m))
    form = rng.normal(size=(m, m)) / m
    score = X @ rng.normal(size=m) / np.sqrt(m) + np.einsum("ij,jk,ik->i", X, form, X)
    return X, np.where(score > 0.5 * np.median(score), 1, -1)


def random_labels(rng, n, m):
    """Labels by tossing coins."""
    return rng.normal(size=(n, m)), rng.choice([-1, 1], n)


KINDS = {kind.__name__: kind for kind in (clouds, flips, curved, random_labels)}


def draws(kind, n_samples, n_features, random_state):
    """A pool of examples of one kind; every trial takes its own few of them."""
    seed = np.random.RandomState(random_state).randint(2**31) if random_state is not None else None
    return KINDS[kind](np.random.default_rng(seed), n_samples, n_features)


class FarFlips(ClassifierMixin, BaseEstimator):
    """Flips labels of training examples far from the boundary, then fits the estimator.

    Which ones depends on the training set alone, so that all estimators see the same wrong labels.

    Parameters
    ----------
    estimator : classifier
    share : float, default=0.2
        Share of the labels to flip.
    among : float, default=0.5
        They are drawn from this share of the examples, those farthest from the boundary of logistic regression on the
        labels as they were.
    """

    def __init__(self, estimator, share=0.2, among=0.5):
        self.estimator = estimator
        self.share = share
        self.among = among

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        distance = np.abs(LogisticRegression(max_iter=1000).fit(X, codes).decision_function(X))
        far = np.argsort(-distance, kind="stable")[: round(self.among * len(codes))]
        rng = np.random.default_rng(crc32(np.ascontiguousarray(X).tobytes()))
        far = rng.permutation(far)[: round(self.share * len(codes))]
        codes[far] = 1 - codes[far]
        self.estimator_ = clone(self.estimator).fit(X, self.classes_[codes])
        return self

    def predict(self, X):
        return self.estimator_.predict(X)
