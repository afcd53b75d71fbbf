"""Reliability diagrams: bins by hand, and errors for what is no probability."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from weaklearn.display import ReliabilityDisplay


def test_bins_by_hand():
    y = np.array(["no", "yes", "yes", "no", "yes"])
    display = ReliabilityDisplay.from_predictions(y, [0.05, 0.02, 1.0, 0.55, 0.58], n_bins=10)
    np.testing.assert_allclose(display.predicted, [0.035, 0.565, 1.0])
    np.testing.assert_allclose(display.observed, [0.5, 0.5, 1.0])
    np.testing.assert_array_equal(display.counts, [2, 2, 1])
    assert display.expected_calibration_error == pytest.approx((2 * 0.465 + 2 * 0.065) / 5)


def test_calibrated_probabilities_are_near_the_diagonal():
    rng = np.random.default_rng(0)
    p = rng.random(20000)
    display = ReliabilityDisplay.from_predictions(rng.random(20000) < p, p)
    assert display.expected_calibration_error < 0.015
    extreme = ReliabilityDisplay.from_predictions(rng.random(20000) < p, np.round(p), ax=display.ax_)
    assert extreme.expected_calibration_error == pytest.approx(0.25, abs=0.02)
    assert extreme.line_.get_color() != display.line_.get_color()


def test_from_estimator():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.array(["a", "b", "c"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 1)]
    model = LogisticRegression().fit(X, y)
    display = ReliabilityDisplay.from_estimator(model, X, y, positive="a")
    assert display.counts.sum() == 300
    assert display.name == "LogisticRegression"
    assert display.ax_.get_xlabel() == "predicted probability"
    with pytest.raises(ValueError, match="positive='d' is not a class"):
        ReliabilityDisplay.from_estimator(model, X, y, positive="d")


@pytest.mark.parametrize(
    ("y", "p", "message"),
    [
        ([0, 1], [0.5], "one probability"),
        ([0, 1], [0.5, 1.5], "between 0 and 1"),
        ([], [], "one probability"),
    ],
)
def test_bad_input(y, p, message):
    with pytest.raises(ValueError, match=message):
        ReliabilityDisplay.from_predictions(y, p)
