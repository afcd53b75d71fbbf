"""What holds for every learner of this family: scikit-learn's checks, and that curves are recounts of paths."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.utils.estimator_checks import parametrize_with_checks

from weaklearn.linear import (
    ROMMA,
    AveragedPerceptron,
    FisherDiscriminant,
    LeastSquaresClassifier,
    Perceptron,
    PocketPerceptron,
    SGDPerceptron,
    VotedPerceptron,
    Winnow,
)

CLOSED_FORM = [FisherDiscriminant(), LeastSquaresClassifier()]
ONLINE = [
    Perceptron(),
    PocketPerceptron(),
    AveragedPerceptron(),
    VotedPerceptron(),
    ROMMA(),
    ROMMA(aggressive=True),
    SGDPerceptron(),
    Winnow(),
    Winnow(complement=True),
]


def expected_failed_checks(estimator):
    if isinstance(estimator, FisherDiscriminant | LeastSquaresClassifier):
        return {}
    reason = (
        "examples are presented one at a time: a weight scales an update or the chance of a draw, which equals "
        "repetition in expectation only, and the order of the rows matters"
    )
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # ROMMA on overlapping classes
@parametrize_with_checks(CLOSED_FORM + ONLINE, expected_failed_checks=expected_failed_checks)
def test_scikit_learn(estimator, check):
    check(estimator)


WITH_PATH = [
    *(Perceptron(order=order) for order in ("cyclic", "permute", "random")),
    PocketPerceptron(),
    PocketPerceptron(init="fld", weighting="resample"),
    AveragedPerceptron(),
    AveragedPerceptron(init="fld", order="permute"),
    AveragedPerceptron(weighting="resample"),
    ROMMA(),
    SGDPerceptron(),
    SGDPerceptron("modified_least_squares", init="fld"),
    Winnow(),
    Winnow(complement=True),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", WITH_PATH, ids=str)
def test_error_curve_is_a_recount_of_the_path(model):
    X, y = make_classification(120, 6, flip_y=0.2, random_state=0)
    X = 50 + X * 10.0 ** np.arange(-3, 3)
    weight = np.random.default_rng(0).integers(0, 4, 120)
    # Few epochs: when ROMMA's margin is down to rounding, the examples it has just learned lie on the boundary.
    model.set_params(max_iter=12, keep_path=True, random_state=0).fit(X, y, sample_weight=weight)
    assert model.path_.shape == (model.n_iter_ + 1, 7)
    margins = (2 * y - 1) * (model.path_[:, :-1] @ X.T + model.path_[:, -1:])
    np.testing.assert_allclose(model.error_curve_, (margins <= 0) @ weight / weight.sum(), atol=1e-12)
    np.testing.assert_allclose(model.path_[-1], np.append(model.coef_[0], model.intercept_), rtol=1e-12)
    assert model.error_curve_[-1] == pytest.approx(1 - model.score(X, y, sample_weight=weight))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", ONLINE, ids=str)
def test_random_state_fixes_everything(model):
    X, y = load_iris(return_X_y=True)
    model.set_params(max_iter=10, random_state=5)
    first = model.fit(X, y).decision_function(X)
    np.testing.assert_array_equal(model.fit(X, y).decision_function(X), first)
    assert not hasattr(model, "path_")
