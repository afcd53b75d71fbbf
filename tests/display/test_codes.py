"""Displays of output codes, tested by the data in their artists."""

import numpy as np
import pytest

from weaklearn.datasets import load, make_tangram
from weaklearn.display import CodeDistanceDisplay, CodeMatrixDisplay, PartitionDisplay
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier

WINE = load("wine")
MODEL = AdaBoostERPClassifier(n_estimators=25).fit(WINE.X, WINE.y)


def test_code_matrix():
    shown = CodeMatrixDisplay.from_estimator(MODEL, first=5, last=15)
    np.testing.assert_array_equal(shown.image_.get_array(), MODEL.code_matrix_[:, 5:15])
    assert [tick.get_text() for tick in shown.ax_.get_yticklabels()] == ["1", "2", "3"]
    assert shown.image_.get_extent()[0] == 5.5
    pairs = CodeMatrixDisplay([[-1, -1, 0], [1, 0, -1], [0, 1, 1]]).plot()
    assert (pairs.image_.get_array() == 0).sum() == 3
    np.testing.assert_array_equal(CodeMatrixDisplay([[1], [-1]]).classes, [0, 1])


def test_distances_between_code_words():
    shown = CodeDistanceDisplay.from_estimator(MODEL, name="ERP")
    assert shown.distances.shape == (25, 3)
    code, weights = MODEL.code_matrix_, MODEL.estimator_weights_
    apart = code[0] != code[2]
    assert shown.distances[-1, 1] == pytest.approx(weights[apart].sum() / weights.sum())
    assert [line.get_label() for line in shown.lines_] == ["smallest (ERP)", "mean (ERP)", "largest (ERP)"]
    np.testing.assert_allclose(shown.lines_[0].get_ydata(), shown.distances.min(axis=1))
    asymmetric = AdaBoostECCClassifier(n_estimators=2, asymmetric=True).fit(WINE.X, WINE.y)
    with pytest.raises(ValueError, match="two coefficients"):
        CodeDistanceDisplay.from_estimator(asymmetric)


def test_partitions():
    X, y = make_tangram(200, random_state=0)
    model = AdaBoostECCClassifier(n_estimators=4, random_state=0).fit(X, y)
    shown = PartitionDisplay.from_estimator(model, X, y, round=2)
    assert len(shown.artists_) == 7
    np.testing.assert_array_equal(shown.partition, model.code_matrix_[:, 2])
    np.testing.assert_array_equal(shown.artists_[0].get_offsets(), X[y == 1])
    sides = {
        side: artist.get_facecolor().tolist()
        for side, artist in zip(shown.partition, shown.artists_, strict=True)
    }
    assert sides[-1] != sides[1]
    with pytest.raises(ValueError, match="two columns"):
        PartitionDisplay.from_estimator(MODEL, WINE.X, WINE.y)
