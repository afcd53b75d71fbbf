"""Duplicates, contradictions, outliers, small classes and drift: found where they were planted, and only there."""

import numpy as np
import pytest

from weaklearn.labels._health import check_health, equal_rows
from weaklearn.tables import TableEncoder, labelled

N = 300


def checked(columns, P=None):
    table = labelled(columns, "y")
    X = TableEncoder(columns=table.used).fit_transform(table.X, table.y)
    return check_health(table, X, np.zeros(len(table)) if P is None else P, 0)


def plain(seed=0):
    rng = np.random.default_rng(seed)
    return {"a": rng.normal(size=N), "b": rng.normal(size=N), "y": rng.integers(0, 2, N)}


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_found_in_noise(seed):
    health = checked(plain(seed), np.full(N, 0.05))
    assert (health.duplicates, health.contradictions, health.near_duplicates) == (0, [], [])
    assert (health.outliers, health.small_classes, health.sorted_by_label) == ([], [], False)
    assert (health.label_drift, health.column_drift, health.wrong_block) == (None, [], None)


def test_equal_rows_are_those_with_equal_cells():
    table = labelled(
        {"x": [1.5, 1.5, None, None, 2.5] * 4, "c": ["a", "a", "b", "b", None] * 4, "y": [0, 1] * 10}, "y"
    )
    group = equal_rows(table)
    keys = [(table.cells["x"][k], table.cells["c"][k]) for k in range(20)]
    for i in range(20):
        for j in range(20):
            assert (group[i] == group[j]) == (keys[i] == keys[j])


def test_duplicates_and_contradictions():
    columns = plain()
    for name in ("a", "b"):
        columns[name][[10, 20]] = columns[name][[0, 1]]
    columns["y"][[0, 10]] = 1
    columns["y"][[1, 20]] = [0, 1]
    health = checked(columns)
    assert health.duplicates == 2
    assert [rows.tolist() for rows in health.contradictions] == [[1, 20]]
    assert health.near_duplicates == []


def test_near_duplicates_and_outliers():
    columns = plain()
    for name in ("a", "b"):
        columns[name][7] = columns[name][3] + 1e-6
    columns["a"][50] = 40.0
    health = checked(columns)
    assert (3, 7) in health.near_duplicates
    assert [row for row, _ in health.outliers] == [50]


def test_classes_and_order():
    columns = plain()
    columns["y"] = np.where(np.arange(N) < 5, "rare", np.where(np.arange(N) < 150, "a", "b"))
    health = checked(columns)
    assert health.small_classes == [("rare", 5)]
    assert health.sorted_by_label
    columns["y"] = (np.random.default_rng(0).uniform(size=N) < np.linspace(0, 1, N)).astype(int)
    assert checked(columns).label_drift > 0.25
    columns["b"] += np.linspace(0, 5, N)
    assert [name for name, _ in checked(columns).column_drift] == ["b"]


def test_a_block_of_wrong_labels():
    P = np.full(N, 0.02)
    P[60:90] = 0.6
    first, last, share, rest = checked(plain(), P).wrong_block
    assert (first, last) == (60, 89)
    assert share == pytest.approx(0.6)
    assert rest == pytest.approx(0.02)
