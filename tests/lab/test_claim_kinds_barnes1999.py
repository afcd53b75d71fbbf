"""The best of several columns, chosen on other trials, and the largest gain."""

import numpy as np
import pytest

from weaklearn.lab.claims import Difference, Gain, Ratio


class _Read:
    """Cells as {(row, column, metric): values}."""

    def __init__(self, cells):
        self.cells = cells

    def rows(self, item):
        return list(dict.fromkeys(row for row, _, _ in self.cells))

    def values(self, item, row, column, metric=None):
        return dict(enumerate(map(float, self.cells[row, column, metric])))


def test_each_half_takes_the_column_that_is_best_on_the_other():
    read = _Read(
        {("r", "a", None): [0, 4, 1, 6], ("r", "b", None): [3, 3, 2, 2], ("r", "c", None): [0, 0, 0, 0]}
    )
    # Trials 0 and 2 have a as the best, trials 1 and 3 have b; each half takes the other's.
    (part,) = Difference("t", ((("a", "b"), "c"),), ">").found(read).parts
    assert part.effect == pytest.approx((3 + 4 + 2 + 6) / 4)
    (part,) = Difference("t", (("c", ("a", "b")),), "<").found(read).parts
    assert part.effect == pytest.approx(-(3 + 4 + 2 + 6) / 4)


def test_the_choice_may_be_by_another_metric():
    cells = {("r", "a", "error"): [1, 1, 1], ("r", "b", "error"): [2, 2, 2], ("r", "c", "rounds"): [5, 5, 5]}
    cells |= {("r", "a", "rounds"): [10, 20, 40], ("r", "b", "rounds"): [1, 1, 1]}
    (part,) = Ratio("t", ((("a", "b"), "c"),), ">", metric="rounds", by="error").found(_Read(cells)).parts
    assert part.effect == pytest.approx(20 / 5)


def test_choosing_among_equal_columns_makes_nothing_look_better():
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(200):
        cells = {("r", f"{k}", None): rng.normal(size=20) for k in range(8)}
        (part,) = Difference("t", ((tuple("1234567"), "0"),), "<").found(_Read(cells)).parts
        wrong += part.p_true <= 0.05
    assert wrong <= 20  # 10 expected


def test_the_largest_gain_is_that_of_the_best_row():
    rng = np.random.default_rng(0)
    levels = {"ring10": (10, 9, 20), "ring20": (18, 15, 20)}
    cells = {
        (row, column, None): level + 0.01 * rng.normal(size=10)
        for row, some in levels.items()
        for column, level in zip("abc", some, strict=True)
    }
    (part,) = Gain("t", ("a", "b"), "c", at_least=50, at_most=60).found(_Read(cells)).parts
    assert part.effect == pytest.approx(55, abs=0.2)
    assert part.p_true < 0.05
    assert Gain("t", ("a", "b"), "c", at_most=50).found(_Read(cells)).parts[0].p_false < 0.05
