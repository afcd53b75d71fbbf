"""One check of labels for every estimator: what is missing, mixed or in disguise."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from benchmarks.every_estimator import fitted_kinds, quick
from sklearn.base import is_regressor

from weaklearn._training import check_labels

X = np.repeat(np.column_stack([np.linspace(-2, 2, 12), np.linspace(1, -1, 12) ** 2]), 2, axis=0)
WORDS = np.where(X[:, 0] > 0, "yes", "no").astype(object)


def put(row, value, labels=WORDS):
    labels = labels.astype(object)
    labels[row] = value
    return labels


LABELLED = [
    kind
    for _, _, kind in fitted_kinds()
    if "y" in inspect.signature(kind.fit).parameters
    and not is_regressor(quick(kind))
    and kind.__name__ != "SmoothedBootstrap"  # has y for pipelines, and does not use it
]
MISSING = {
    "None": put(5, None),
    "NaN": put(5, np.nan),
    "pd.NA": put(5, pd.NA),
    "a list": list(put(5, np.nan)),
    "pandas": pd.Series(put(5, None)),
    "pandas text": pd.Series(put(5, None), dtype="string"),
    "nullable integers": pd.Series(put(5, pd.NA, (X[:, 0] > 0) * 1), dtype="Int64"),
    "polars": pl.Series(list(put(5, None))),
    "polars integers": pl.Series(list(put(5, None, (X[:, 0] > 0) * 1)), dtype=pl.Int64),
    "floats": np.where(np.arange(24) == 5, np.nan, X[:, 0] > 0),
}


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING)
def test_a_missing_label_is_named_by_its_row(labels):
    with pytest.raises(ValueError, match=r"no label in row 5 \(counted from 0\): .*Drop the rows"):
        check_labels(labels)


@pytest.mark.parametrize("kind", LABELLED, ids=lambda kind: kind.__name__)
def test_every_estimator_has_this_check(kind):
    for labels in (put(5, None), pd.Series(put(5, pd.NA)), pl.Series(list(put(5, None)))):
        with pytest.raises(ValueError, match="no label in row 5"):
            quick(kind).fit(X, labels)
    with pytest.raises(ValueError, match=r"row 0 holds 'no', row 5 .* holds 3"):
        quick(kind).fit(X, put(5, 3))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.array(["a", 1, "b"], dtype=object), r"row 0 holds 'a', row 1 \(counted from 0\) holds 1"),
        ([b"a", "a"], "row 0 holds b'a'"),
        ([(0, 1), "a"], "row 0 of y .*tuple"),
        ([0, 2**70, 1], "row 1 of y .*64 bits"),
        ([0, {}, 1], "row 1 of y .*dict"),
    ],
)
def test_labels_of_several_types_are_refused(labels, message):
    cells = np.empty(len(labels), dtype=object)
    cells[:] = labels
    with pytest.raises(ValueError, match=message):
        check_labels(cells)


def test_good_labels_are_kept():
    for labels in (
        np.array([0, 1]),
        np.array(["a", "b"]),
        WORDS,
        pd.Series(["a", "b"]),
        np.array([0.5, 1.0]),
    ):
        assert check_labels(labels) is labels
    assert check_labels([True, False]).dtype == bool
    assert check_labels([1, 2.0]).dtype == np.float64
    assert check_labels(np.array([1, 2], dtype=object)).dtype == np.int64
