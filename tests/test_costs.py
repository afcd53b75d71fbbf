import subprocess
import sys

import numpy as np
import pytest

from weaklearn import costs
from weaklearn.testing import check_margin_cost

# A new cost is tested by its row in the registry; parameters other than the default go here.
COST_INSTANCES = [
    *(cost() for cost in costs.COSTS.values()),
    costs.Bisigmoid(kappa_pos=0.5, kappa_neg=2.0),
    costs.Bisigmoid(kappa_pos=3.0, kappa_neg=1.0),
]


@pytest.mark.parametrize("cost", COST_INSTANCES, ids=repr)
def test_contract(cost):
    check_margin_cost(cost)


@pytest.mark.parametrize(
    ("name", "at_minus_one", "at_zero", "at_two"),
    [
        ("perceptron", 1, 0, 0),
        ("hinge", 2, 1, 0),
        ("least_squares", 4, 1, 1),
        ("modified_least_squares", 4, 1, 0),
        ("zero_one", 1, 1, 0),
        ("arc_x4", 32, 1, -1),
        ("exponential", np.e, 1, np.exp(-2)),
        ("logistic", np.log1p(np.e), np.log(2), np.log1p(np.exp(-2))),
        ("sigmoid", 1 + np.tanh(1), 1, 1 - np.tanh(2)),
        ("bisigmoid", 1 + 1.05 * np.tanh(1 / 1.05), 1, 1 - np.tanh(2)),
    ],
)
def test_values_of_the_sources(name, at_minus_one, at_zero, at_two):
    values = costs.get_cost(name).value([-1, 0, 2])
    np.testing.assert_allclose(values, [at_minus_one, at_zero, at_two], rtol=1e-12)


def test_slopes_at_kinks_are_those_of_the_losing_side():
    assert costs.PerceptronCriterion().slope(0.0) == -1
    assert costs.Hinge().slope(1.0) == -1
    assert costs.ZeroOne().slope(0.0) == 0
    assert costs.Bisigmoid(0.3, 4.0).slope(0.0) == -1


@pytest.mark.parametrize("cost", [costs.Sigmoid(), costs.Bisigmoid(), costs.Bisigmoid(0.5, 2.0)], ids=repr)
@pytest.mark.parametrize("margin", [-300.0, -30.0, -16.0, 16.0, 30.0, 300.0])
def test_sigmoid_tails_do_not_cancel(cost, margin):
    kappa = 1.0
    if isinstance(cost, costs.Bisigmoid):
        kappa = cost.kappa_pos if margin > 0 else cost.kappa_neg
    # sech(x)^2 = 4 exp(-2 |x|) / (1 + exp(-2 |x|))^2, in logs.
    far = np.abs(margin / kappa)
    expected = np.log(4) - 2 * far - 2 * np.log1p(np.exp(-2 * far))
    assert cost.log_weights(margin) == pytest.approx(expected, rel=1e-14)
    if far < 300:
        assert np.log(-cost.slope(margin)) == pytest.approx(expected, rel=1e-13)
    if margin > 0:
        assert cost.value(margin) == pytest.approx(2 * kappa * np.exp(-2 * far), rel=1e-12)


@pytest.mark.parametrize("name", ["exponential", "logistic", "sigmoid", "bisigmoid"])
def test_weights_keep_their_ratios_where_slopes_underflow(name):
    weights = costs.get_cost(name).weights(np.array([1e4, 1e4 + 1, 1e4 + 2]))
    rate = 1 if name in ("exponential", "logistic") else 2
    np.testing.assert_allclose(weights, np.exp([0, -rate, -2 * rate]), rtol=1e-10)


@pytest.mark.parametrize("name", ["exponential", "logistic", "sigmoid", "bisigmoid", "arc_x4"])
def test_decay_is_the_relative_curvature(name):
    cost, step = costs.get_cost(name), 1e-5
    margin = np.array([-2.0, -0.7, -0.1, 0.3, 0.9])
    curvature = (cost.slope(margin + step) - cost.slope(margin - step)) / (2 * step)
    np.testing.assert_allclose(cost.decay(margin), curvature / -cost.slope(margin), rtol=1e-5, atol=1e-6)
    if name != "arc_x4":
        assert np.isfinite(cost.decay(np.array([-1e4, 1e4]))).all()


def test_weights_are_zero_where_all_slopes_are():
    np.testing.assert_array_equal(costs.Hinge().weights([2.0, 3.0]), [0, 0])


def test_no_weights_from_a_cost_that_increases():
    with pytest.raises(ValueError, match="LeastSquares gives no example weights"):
        costs.LeastSquares().weights([0.0])


def test_get_cost():
    assert costs.get_cost("hinge") == costs.Hinge()
    mine = costs.Bisigmoid(1, 2)
    assert costs.get_cost(mine) is mine
    for wrong in ("hing", None, costs.Hinge):
        with pytest.raises(ValueError, match="cost must be a MarginCost or one of 'exponential'"):
            costs.get_cost(wrong)


@pytest.mark.parametrize("kappa", [0, -1.0, np.nan, np.inf])
def test_bisigmoid_needs_positive_widths(kappa):
    with pytest.raises(ValueError, match="kappa_neg of Bisigmoid must be a positive number"):
        costs.Bisigmoid(1.0, kappa)


def test_costs_do_not_load_numba():
    code = "import sys, weaklearn.costs; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
