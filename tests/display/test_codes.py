"""The display of output codes, tested by the data in its artists."""

import numpy as np

from weaklearn.datasets import load
from weaklearn.display import CodeMatrixDisplay
from weaklearn.multiclass import AdaBoostERPClassifier

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
