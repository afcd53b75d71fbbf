"""The smoothed bootstrap: new rows like the old ones."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from weaklearn.cloning import SmoothedBootstrap


@pytest.fixture
def mixed():
    rng = np.random.default_rng(0)
    n = 200
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": np.where(rng.random(n) < 0.15, np.nan, rng.lognormal(10, 1, n)),
            "rooms": rng.choice([1.0, 1.5, 2.0], n),
            "city": pd.Categorical(rng.choice(["a", "b", "c"], n)),
            "member": rng.random(n) < 0.4,
            "note": rng.choice(["x", "y", None], n),
            "children": pd.array(np.where(rng.random(n) < 0.2, pd.NA, rng.integers(0, 4, n)), dtype="Int64"),
            "constant": 7.0,
        }
    )


def test_a_table_like_the_table(mixed):
    rows = SmoothedBootstrap().fit(mixed).sample(500, random_state=0)
    assert list(rows.columns) == list(mixed.columns)
    pd.testing.assert_series_equal(rows.dtypes, mixed.dtypes)
    assert rows["age"].between(mixed["age"].min(), mixed["age"].max()).all()
    assert set(rows["rooms"]) <= {1.0, 1.5, 2.0}
    assert set(rows["city"]) <= {"a", "b", "c"}
    assert set(rows["note"].dropna()) == {"x", "y"}
    assert (rows["constant"] == 7).all()
    for name in ("income", "children", "note"):
        assert abs(rows[name].isna().mean() - mixed[name].isna().mean()) < 0.1
    for name in ("age", "rooms", "constant", "city", "member"):
        assert not rows[name].isna().any()
    # Mostly new incomes, not copies.
    assert rows["income"].dropna().isin(mixed["income"]).mean() < 0.2


def test_polars(mixed):
    table = pl.DataFrame(
        {"age": mixed["age"].tolist(), "city": mixed["city"].tolist(), "x": [None, 1.5] * 100}
    )
    rows = SmoothedBootstrap().fit(table).sample(40, random_state=0)
    assert isinstance(rows, pl.DataFrame)
    assert rows.schema == table.schema
    assert set(rows["city"]) <= {"a", "b", "c"}


def test_moments_and_correlation_are_kept():
    rng = np.random.default_rng(1)
    a = rng.normal(size=2000)
    X = np.column_stack([a, a + 0.3 * rng.normal(size=2000), rng.normal(size=2000)])
    Y = SmoothedBootstrap().fit(X).sample(20_000, random_state=0)
    np.testing.assert_allclose(Y.mean(axis=0), X.mean(axis=0), atol=0.05)
    np.testing.assert_allclose(Y.std(axis=0), X.std(axis=0), rtol=0.06)
    np.testing.assert_allclose(np.corrcoef(Y.T), np.corrcoef(X.T), atol=0.04)


def test_clusters_stay_apart():
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(150, 3)), 50 + rng.normal(size=(150, 3))])
    Y = SmoothedBootstrap().fit(X).sample(1000, random_state=0)
    assert not ((Y > 8) & (Y < 42)).any()


def test_no_bandwidth_is_the_plain_bootstrap():
    X = np.random.default_rng(3).normal(size=(30, 2))
    Y = SmoothedBootstrap(bandwidth=0).fit(X).sample(100, random_state=0)
    assert all((np.abs(X - row).max(axis=1) < 1e-12).any() for row in Y)


def test_reproducible():
    X = np.random.default_rng(4).normal(size=(40, 2))
    model = SmoothedBootstrap().fit(X)
    np.testing.assert_array_equal(model.sample(9, random_state=5), model.sample(9, random_state=5))


def test_objects_and_missing():
    X = np.array([[1.0, "a"], [2.0, None], [np.nan, "b"], [4.0, "a"]] * 5, dtype=object)
    Y = SmoothedBootstrap().fit(X).sample(200, random_state=0)
    assert Y.dtype == object
    assert set(Y[:, 1]) == {"a", "b", None}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"bandwidth": -1}, "'bandwidth' parameter"),
        ({"bandwidth": "wide"}, "'bandwidth' parameter"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter"),
        ({"n_neighbors": 10}, "at most 9"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        SmoothedBootstrap(**params).fit(np.arange(20.0).reshape(10, 2))


def test_one_row():
    with pytest.raises(ValueError, match=r"minimum of 2|at least 2 rows"):
        SmoothedBootstrap().fit([[1.0, 2.0]])
