"""Boosted trees of other libraries."""

import warnings

import numpy as np
import pytest

from weaklearn.studies.own.early_stopped_boosting import EarlyStoppedBoosting


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost"])
def test_boosting_without_rows_to_stop_by(library):
    """A class of three rows cannot spare one; the classifier is fitted all the same."""
    pytest.importorskip(library)
    X = np.r_[np.zeros((20, 2)), np.ones((3, 2))] + np.random.default_rng(0).normal(scale=0.1, size=(23, 2))
    y = ["a"] * 20 + ["b"] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = EarlyStoppedBoosting(library).fit(X, y)
        P = model.predict_proba(X)
    assert P.shape == (23, 2)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-6)
