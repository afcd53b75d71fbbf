"""Errors against examples and the growth of sample complexities, tested by the data in their artists."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

from weaklearn.datasets import make_little_bit
from weaklearn.display import GrowthDisplay, SampleComplexityDisplay
from weaklearn.kernel import SampleComplexity, fit_growth, sample_complexity
from weaklearn.linear import LeastSquaresClassifier, novikoff_bound, winnow_disjunction_bound

RESULT = sample_complexity(
    LeastSquaresClassifier(fit_intercept=False), make_little_bit, 12, n_test=300, random_state=0
)


def test_curve_and_band():
    shown = SampleComplexityDisplay(RESULT, name="least squares").plot()
    np.testing.assert_allclose(shown.line_.get_xydata(), np.column_stack([RESULT.sizes, 100 * RESULT.errors]))
    low, high = shown.band
    k = 4
    expected = stats.t.interval(0.95, RESULT.runs[k] - 1, RESULT.errors[k], RESULT.standard_errors[k])
    np.testing.assert_allclose([low[k], high[k]], np.clip(expected, 0, 1))
    assert (low >= 0).all()
    assert shown.found_.get_xdata()[0] == RESULT.n_samples
    assert shown.wanted_line_.get_ydata()[0] == 10


def test_two_curves_share_the_line_of_the_wanted_error():
    _, ax = plt.subplots()
    first = SampleComplexityDisplay(RESULT).plot(ax)
    second = SampleComplexityDisplay(RESULT).plot(ax)
    assert first.wanted_line_ is not None
    assert second.wanted_line_ is None
    assert first.line_.get_color() != second.line_.get_color()


def test_single_runs_have_no_band():
    one = RESULT._replace(standard_errors=np.where(RESULT.runs == RESULT.runs[0], np.nan, 0.1))
    assert np.isnan(SampleComplexityDisplay(one).plot().band[:, 0]).all()


N = np.array([10, 20, 30, 40])


@pytest.mark.parametrize(
    ("kind", "curve"),
    [
        ("linear", lambda n: 3 + 2 * n),
        ("log", lambda n: 3 + 2 * np.log(n)),
        ("exponential", lambda n: 3 * np.exp(0.05 * n)),
    ],
)
def test_fitted_growth(kind, curve):
    shown = GrowthDisplay(N, curve(N), growth=fit_growth(N, curve(N))).plot()
    assert shown.kind == kind
    x, y = shown.curve_.get_data()
    np.testing.assert_allclose(y, curve(x), rtol=1e-4)
    assert shown.curve_.get_label().startswith("3 ")
    np.testing.assert_array_equal(shown.points_.get_xdata(), N)


def test_another_kind_than_the_best_and_a_falling_curve():
    shown = GrowthDisplay(N, 100 - 2 * N, growth=fit_growth(N, 100 - 2 * N), kind="linear").plot()
    assert shown.curve_.get_label() == "100 - 2 n"
    with pytest.raises(ValueError, match="kind must be one of"):
        GrowthDisplay(N, N, kind="cubic")


def test_bounds_beside_the_curve():
    bounds = {
        "Novikoff": lambda n: novikoff_bound(np.sqrt(n), 1.0),
        "winnow": lambda n: winnow_disjunction_bound(1, n),
    }
    shown = GrowthDisplay(N, 1.7 * N, bounds=bounds).plot()
    x, y = shown.bound_lines_["Novikoff"].get_data()
    np.testing.assert_allclose(x, y)
    assert shown.bound_lines_["winnow"].get_ydata()[-1] == winnow_disjunction_bound(1, N[-1])
    assert [text.get_text() for text in shown.ax_.get_legend().get_texts()] == [
        "estimate",
        "Novikoff",
        "winnow",
    ]
    assert shown.curve_ is None


def test_error_bars_are_intervals_and_open_ends_have_none():
    def result(m, interval):
        return SampleComplexity(m, interval, np.array([4, 8, m, 20]), *3 * [np.zeros(4)])

    shown = GrowthDisplay.from_sample_complexity([2, 3], [result(10, (8, 20)), result(12, (0, 10_000))])
    np.testing.assert_array_equal(shown.spread, [[2, 0], [10, 0]])
    assert GrowthDisplay.from_sample_complexity([12], [RESULT]).samples[0] == RESULT.n_samples
