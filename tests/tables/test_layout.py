"""Tables that are taken apart and put together again are what they were."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from weaklearn.tables import Layout, is_table, stacked


def pandas_table():
    return pd.DataFrame(
        {
            "whole": np.array([3, 1, 2], dtype=np.int32),
            "share": [0.5, np.nan, 1.0],
            "nullable": pd.array([7, None, 9], dtype="Int64"),
            "name": ["a", None, "c"],
            "kind": pd.Categorical(["x", "y", None]),
            "seen": pd.array([True, None, False], dtype="boolean"),
            "when": pd.to_datetime(["2024-02-29", None, "1950-01-01"]),
        }
    )


def polars_table():
    return pl.DataFrame(
        {
            "whole": pl.Series([3, 1, 2], dtype=pl.Int16),
            "share": [0.5, None, 1.0],
            "name": ["a", None, "c"],
            "seen": [True, None, False],
        }
    )


def test_pandas():
    X = pandas_table()
    layout = Layout(X)
    assert layout.numeric == [True, True, True, False, False, False, False]
    columns = layout.split(X)
    assert [column.dtype for column in columns[:3]] == [np.float64] * 3
    assert columns[3].tolist() == ["a", None, "c"]
    pd.testing.assert_frame_equal(layout.join(columns), X)
    pd.testing.assert_frame_equal(
        layout.join([column[::-1] for column in columns]), X[::-1].reset_index(drop=True)
    )


def test_polars():
    X = polars_table()
    layout = Layout(X)
    columns = layout.split(X)
    assert layout.join(columns).equals(X)
    assert layout.join([column[[1, 0]] for column in columns]).equals(X[[1, 0]])


def test_arrays():
    numbers = np.array([[1.0, np.nan], [3.0, 4.0]])
    assert not is_table(numbers)
    np.testing.assert_array_equal(Layout(numbers).join(Layout(numbers).split(numbers)), numbers)
    mixed = np.array([[1, "a"], [None, None], [2.5, "b"]], dtype=object)
    layout = Layout(mixed)
    assert is_table(mixed)
    assert layout.numeric == [True, False]
    joined = layout.join(layout.split(mixed))
    assert joined[:, 1].tolist() == ["a", None, "b"]
    np.testing.assert_array_equal(joined[:, 0].astype(float), [1, np.nan, 2.5])


def test_another_layout_is_refused():
    X = pandas_table()
    with pytest.raises(ValueError, match="whole, share, nullable"):
        Layout(X).split(X[["whole", "share"]])
    with pytest.raises(ValueError, match="share was numeric"):
        Layout(X).split(X.assign(share=["a", "b", "c"]))


@pytest.mark.parametrize(
    "table", [pandas_table, polars_table, lambda: np.array([[1, "a"], [2, "b"]], dtype=object)]
)
def test_one_below_the_other(table):
    X = table()
    twice = stacked([X, X])
    assert type(twice) is type(X)
    assert twice.shape == (2 * len(X), X.shape[1])
