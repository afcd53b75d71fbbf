import numpy as np
import pytest
from problems import noisy_ring

from weaklearn.boosting import AdaBoostClassifier, training_error_bound


def test_the_product_is_adaboosts_cost_and_bounds_its_error():
    X, y, weight = noisy_ring()
    model = AdaBoostClassifier(n_estimators=80).fit(X, y, weight)
    bound = training_error_bound(model.estimator_errors_)
    assert bound.product == pytest.approx(model.cost_curve_, rel=1e-9)
    assert (model.error_curve_ <= bound.product).all()
    assert (bound.product <= bound.exponential).all()


def test_a_hypothesis_without_errors_leaves_none():
    assert training_error_bound([0.4, 0.0]).product[-1] == 0.0


def test_both_forms_agree_for_small_edges():
    bound = training_error_bound(np.full(10, 0.499))
    assert bound.product[-1] == pytest.approx(bound.exponential[-1], rel=1e-9)


@pytest.mark.parametrize("errors", [[0.5], [-0.1], [[0.1]], [np.nan]])
def test_nonsense_is_refused(errors):
    with pytest.raises(ValueError, match="weighted errors"):
        training_error_bound(errors)
