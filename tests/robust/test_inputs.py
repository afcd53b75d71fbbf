"""Sparse matrices and nullable integers."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from weaklearn import _training
from weaklearn.linear import ZeroOneClassifier
from weaklearn.robust import RobustClassifier

MODELS = [RobustClassifier(n_trees=5, random_state=0), ZeroOneClassifier(max_iter=50, random_state=0)]


def table():
    random = np.random.RandomState(0)
    X = random.randn(60, 5) * (random.rand(60, 5) < 0.4)
    return X, (X[:, 0] - X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_sparse_matrix_is_the_dense_one(model, kind):
    X, y = table()
    expected = model.fit(X, y).predict(X)
    np.testing.assert_array_equal(model.fit(kind(X), y).predict(X), expected)
    np.testing.assert_array_equal(model.predict(kind(X)), expected)
    if hasattr(model, "predict_given_proba"):
        np.testing.assert_array_equal(model.predict_given_proba(kind(X)), model.predict_given_proba(X))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_what_would_be_too_large_is_refused_before_it_is_made(model, monkeypatch):
    X, y = table()
    wide = sparse.csr_matrix((60, 10**9))
    with pytest.raises(ValueError, match="60 rows and 1,000,000,000 columns"):
        model.fit(wide, y)
    monkeypatch.setattr(_training, "_DENSE_NUMBERS", 299)
    with pytest.raises(ValueError, match="at most 299 numbers"):
        model.fit(sparse.csr_matrix(X), y)
    monkeypatch.setattr(_training, "_DENSE_NUMBERS", 300)
    model.fit(sparse.csr_matrix(X), y)


def test_nullable_integers_with_gaps():
    X, y = table()
    X = np.round(3 * X)
    X[::7, 2] = np.nan
    frame = pd.DataFrame(X).convert_dtypes()
    assert str(frame.dtypes[2]) == "Int64"
    robust, zero_one = MODELS
    np.testing.assert_array_equal(
        robust.fit(frame, y).predict_proba(frame), robust.fit(X, y).predict_proba(X)
    )
    with pytest.raises(ValueError, match="NaN"):
        zero_one.fit(frame, y)
    labels = pd.array(np.where(np.arange(60) == 4, np.nan, y), dtype="Int64")
    for model in MODELS:
        with pytest.raises(ValueError, match="no label in row 4"):
            model.fit(X, labels)
