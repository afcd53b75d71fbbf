"""The encoder: what it learns, what it gives training rows and new rows, and scikit-learn's own checks."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.tables import Kind, TableEncoder, TableError, Treatment


@parametrize_with_checks([TableEncoder(), TableEncoder(scale="robust"), TableEncoder(scale=None)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_plain_numbers_are_standardised():
    X = np.random.default_rng(0).normal(3, 2, (50, 4))
    X[:, 2] = 7.0  # a constant stays a column, of zeros
    X[:, 3] = np.arange(50)  # and an index stays a number
    Z = TableEncoder().fit_transform(X)
    expected = (X - X.mean(axis=0)) / np.where(np.arange(4) == 2, 1, X.std(axis=0))
    np.testing.assert_allclose(Z, expected, atol=1e-12)
    np.testing.assert_array_equal(TableEncoder(scale=None).fit_transform(X), X)


def test_robust_scale_is_not_moved_by_outliers():
    x = np.random.default_rng(0).normal(size=10_001)
    dirty = np.append(x, [1e9, 1e9])[:, None]
    Z = TableEncoder(scale="robust").fit(dirty).transform(x[:, None])
    assert Z.std() == pytest.approx(1, abs=0.03)
    assert abs(Z.mean()) < 0.03


def test_missing_numbers_get_the_median_of_training_rows_and_an_indicator():
    X = np.array([[1.0, 5], [2, 6], [np.nan, 7], [9, 8]])
    encoder = TableEncoder(scale=None).fit(X)
    new = np.array([[np.nan, np.nan], [4, 4]])
    np.testing.assert_array_equal(encoder.transform(new), [[2, 1, 6.5], [4, 0, 4]])
    assert encoder.get_feature_names_out().tolist() == ["x0", "x0 missing", "x1"]
    assert encoder.sources_.tolist() == [0, 0, 1]


def frame(n=200, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "city": rng.choice(["a", "b", "c"], n),
            "shop": [f"s{k}" for k in rng.integers(0, 60, n)],
            "price": [f"{v:.1f}".replace(".", ",") for v in rng.uniform(0, 9, n)],
            "when": pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
            "member": rng.choice(["yes", "no"], n),
            "key": [f"k{k}" for k in range(n)],
        }
    )


KINDS = [Kind.NUMBER, Kind.CATEGORY, Kind.CATEGORY, Kind.NUMBER, Kind.DATE, Kind.BOOLEAN, Kind.IDENTIFIER]


def test_a_mixed_frame():
    X = frame()
    y = np.random.default_rng(1).integers(0, 2, len(X))
    encoder = TableEncoder().fit(X, y)
    assert [column.kind for column in encoder.columns_] == KINDS
    assert encoder.get_feature_names_out().tolist() == [
        *["x", "x missing", "city=a", "city=b", "city=c", "shop", "price"],
        *["when", "when season sin", "when season cos", "member"],
    ]
    Z = encoder.transform(X)
    assert Z.shape == (200, 11)
    assert np.isfinite(Z).all()
    for other in (pl.from_pandas(X), X.to_numpy(dtype=object)):
        again = TableEncoder().fit(other, y)
        assert [column.kind for column in again.columns_] == KINDS
        np.testing.assert_allclose(again.transform(other), Z, atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(encoder)).transform(X), Z)


def test_new_rows_may_hold_anything():
    X = frame()
    encoder = TableEncoder().fit(X, np.arange(200) % 3)
    new = pd.DataFrame(
        {
            "x": ["oops", "1.5"],
            "city": ["unheard of", None],
            "shop": [None, "s1"],
            "price": ["?", "2,5"],
            "when": ["2024-05-01", ""],
            "member": ["maybe", "YES"],
            "key": ["z", "z"],
        }
    )
    Z = encoder.transform(new)
    assert np.isfinite(Z).all()
    names = encoder.get_feature_names_out().tolist()
    assert Z[0, [names.index(f"city={c}") for c in "abc"]].tolist() == [0, 0, 0]
    assert Z[:, names.index("x missing")].tolist() == [1, 0]
    price = np.array([float(text.replace(",", ".")) for text in X["price"]])
    column = names.index("price")
    assert Z[1, column] == pytest.approx((2.5 - price.mean()) / price.std())
    assert Z[0, column] == pytest.approx((np.median(price) - price.mean()) / price.std())


def test_only_training_rows_are_learned_from():
    X = frame()
    y = np.arange(200) % 2
    half = TableEncoder().fit(X[:100], y[:100]).transform(X[100:])
    changed = X.copy()
    changed.loc[150:, ["x", "city"]] = [99.0, "zzz"]
    again = TableEncoder().fit(changed[:100], y[:100]).transform(X[100:])
    np.testing.assert_array_equal(half, again)


def test_target_encoding_does_not_leak():
    """Labels that are pure chance stay pure chance behind 100 categories; encoding by their own labels would not."""
    rng = np.random.default_rng(0)
    X = np.array([[f"c{k}"] for k in rng.integers(0, 100, 400)], dtype=object)
    y = rng.integers(0, 2, 400)
    encoder = TableEncoder()
    crossed = encoder.fit_transform(X, y)[:, 0]
    assert encoder.columns_[0].treatment is Treatment.TARGET_ENCODED
    leaking = encoder.transform(X)[:, 0]
    assert np.corrcoef(leaking, y)[0, 1] > 0.3
    assert np.corrcoef(crossed, y)[0, 1] < 0.1
    scores = cross_val_score(make_pipeline(TableEncoder(), LogisticRegression()), X, y, cv=10)
    assert abs(scores.mean() - 0.5) < 4 * 0.5 / np.sqrt(400)


def test_target_encoding_by_hand():
    values = [f"c{k}" for k in range(31)] * 4
    y = np.array([k % 31 < 10 for k in range(124)])
    encoder = TableEncoder(scale=None)
    encoder.fit(np.array(values, dtype=object)[:, None], y)
    Z = encoder.transform(np.array([["c0"], ["c30"], ["new"], [None]], dtype=object))[:, 0]
    prior = y.mean()
    np.testing.assert_allclose(Z, [(4 + 5 * prior) / 9, 5 * prior / 9, prior, prior])


def test_target_encoding_finds_what_is_there():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 60, 600)
    X = np.array([[f"c{k}"] for k in codes], dtype=object)
    y = np.where(rng.random(600) < 0.1, codes % 3 != 0, codes % 3 == 0)
    scores = cross_val_score(make_pipeline(TableEncoder(), LogisticRegression()), X, y, cv=5)
    assert scores.mean() > 0.8  # the best possible is 0.9; the majority class has 0.63
    classes = np.array(["u", "v", "w"])[codes % 3]
    assert TableEncoder().fit_transform(X, classes).shape == (600, 3)


def test_without_labels_the_most_frequent_categories_get_a_column():
    X = np.array([[f"c{k % 40}"] for k in range(100)] + [["c39"]], dtype=object)
    encoder = TableEncoder().fit(X)
    assert encoder.columns_[0].treatment is Treatment.ONE_HOT
    assert encoder.transform(X).shape == (101, 30)


def test_options_and_wrong_calls():
    X = frame()
    encoder = TableEncoder(drop=["x"], categorical=["price"], numeric=["key"])
    with pytest.raises(TableError, match="'key' cannot be read as numbers"):
        encoder.fit(X)
    kinds = {c.name: c.kind for c in TableEncoder(categorical=["x"]).fit(X, np.arange(200) % 2).columns_}
    assert kinds["x"] is Kind.CATEGORY
    with pytest.raises(ValueError, match="scale must be"):
        TableEncoder(scale="big").fit(X)
    with pytest.raises(ValueError, match="X has 200 rows"):
        TableEncoder().fit(X, [1, 2])
    with pytest.raises(TableError, match="no column can be used"):
        TableEncoder().fit(X[["key"]])
    with pytest.raises(ValueError, match="columns describes 7 columns; X has 2"):
        TableEncoder(columns=TableEncoder().fit(X).columns_).fit(X.iloc[:, :2])
    assert clone(encoder).get_params() == encoder.get_params()


@pytest.mark.parametrize("X", [frame(), np.eye(3)], ids=["frame", "array"])
@pytest.mark.parametrize("name", ["columns", "drop", "categorical", "numeric", "random_state", "scale"])
@pytest.mark.parametrize("value", [np.nan, -1, 2.5, [[1]]], ids=str)
def test_a_parameter_of_a_wrong_type_is_refused_by_name(X, name, value):
    with pytest.raises(ValueError, match=rf"^{name} must be "):
        TableEncoder(**{name: value}).fit(X)


def test_columns_to_drop_may_be_none():
    X = np.array([[1.0], [2.0]])
    settings = {"drop": None, "categorical": None, "numeric": None}
    np.testing.assert_array_equal(TableEncoder(**settings).fit_transform(X), TableEncoder().fit_transform(X))


def test_numbers_near_the_largest():
    X = np.array([[1e308], [-1e308], [5e307], [1.0]])
    Z = TableEncoder().fit_transform(X)
    assert np.isfinite(Z).all()
    assert len(np.unique(Z)) == 4
