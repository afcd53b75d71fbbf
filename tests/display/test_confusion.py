"""Confusion of classes: shares of classes and of errors, one run and several, numbers in the cells."""

import numpy as np
import pytest

from weaklearn.datasets import load
from weaklearn.display import ClassConfusionDisplay
from weaklearn.multiclass import AdaBoostERPClassifier

WINE = load("wine")
MODEL = AdaBoostERPClassifier(n_estimators=1).fit(WINE.X, WINE.y)
TRUE = ["a"] * 4 + ["b"] * 2 + ["c"]
ONE = ["a", "b", "b", "c", "b", "b", "c"]
OTHER = ["a", "a", "a", "b", "c", "c", "c"]


def test_shares_of_classes():
    predicted = MODEL.predict(WINE.X)
    shown = ClassConfusionDisplay.from_estimator(MODEL, WINE.X, WINE.y)
    np.testing.assert_allclose(shown.shares.sum(axis=1), 1.0)
    assert shown.shares[0, 1] == pytest.approx(np.mean(predicted[WINE.y == 1] == 2))
    assert shown.deviations is None
    assert np.ma.getmaskarray(np.ma.masked_invalid(shown.image_.get_array())).diagonal().all()
    # Right answers have neither a colour nor a number.
    assert all(i != j for i, j in shown.text_)


def test_shares_of_errors_over_runs():
    shown = ClassConfusionDisplay.from_runs([TRUE, TRUE], [ONE, OTHER], of="errors")
    np.testing.assert_allclose(shown.shares, [[0, 5 / 6, 1 / 6], [0, 0, 0.5], [0, 0, 0]])
    np.testing.assert_allclose(shown.deviations, [[0, 1 / 6, 1 / 6], [0, 0, 0.5], [0, 0, 0]])
    assert shown.text_[0, 1].get_text() == "83\n±17"
    assert sorted(shown.text_) == [(0, 1), (0, 2), (1, 2)]
    single = ClassConfusionDisplay.from_predictions(TRUE, ONE, of="errors")
    np.testing.assert_allclose(single.shares[0], [0, 2 / 3, 1 / 3])
    assert single.text_[0, 1].get_text() == "67"
    assert "errors" in shown.figure_.axes[-1].get_ylabel()


def test_runs_need_neither_the_same_classes_nor_the_same_size():
    shown = ClassConfusionDisplay.from_runs([["a", "b"], ["c"]], [["b", "b"], ["a"]])
    assert shown.classes.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(shown.shares[0], [0, 0.5, 0])


def test_many_classes_have_no_numbers():
    labels = np.arange(13)
    shown = ClassConfusionDisplay.from_predictions(labels, np.roll(labels, 1))
    assert shown.text_ == {}


def test_no_errors_at_all():
    assert ClassConfusionDisplay.from_predictions(TRUE, TRUE, of="errors").text_ == {}


def test_wrong_arguments():
    with pytest.raises(ValueError, match=r"of must be one of .*'errors'.*got 'all'"):
        ClassConfusionDisplay(np.eye(2), [0, 1], of="all")
    with pytest.raises(ValueError, match="no runs"):
        ClassConfusionDisplay.from_runs([], [])
    with pytest.raises(ValueError, match="zip"):
        ClassConfusionDisplay.from_runs([TRUE], [ONE, OTHER])
