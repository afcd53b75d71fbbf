"""The bound of pratap2008, theorem 5, on a world small enough to enumerate."""

import itertools

import numpy as np
import pytest

from weaklearn.boosting import generalization_bound
from weaklearn.cloning import clone_bound

# Eight inputs; every function is a row of signs.
EVERY = np.array(list(itertools.product((-1, 1), repeat=8)))


def test_the_triangle_inequality_it_rests_on():
    share = np.random.default_rng(0).dirichlet(np.ones(8))
    differ = (EVERY[:, None] != EVERY[None]) @ share
    some = np.random.default_rng(1).integers(len(EVERY), size=(2000, 3))
    for f, c, t in some:
        exact = generalization_bound("finite", risk=differ[c, t], n_samples=10**18, n_hypotheses=1)
        assert clone_bound(differ[f, c], exact).value >= differ[f, t] - 1e-12


def test_it_holds_as_often_as_it_says_for_the_worst_of_all_hypotheses():
    """Cloners are the 20 functions of a class, learned from samples; the hypothesis is the worst of all 256."""
    rng = np.random.default_rng(2)
    share = rng.dirichlet(np.ones(8))
    family, target = EVERY[rng.choice(256, size=20, replace=False)], EVERY[rng.integers(256)]
    differ_target = (target != EVERY) @ share
    n, failure, failed = 200, 0.05, 0
    for _ in range(400):
        seen = rng.choice(8, size=n, p=share)
        errors = (family[:, seen] != target[seen]).mean(axis=1)
        cloner = family[errors.argmin()]
        bound = generalization_bound(
            "finite", risk=errors.min(), n_samples=n, n_hypotheses=20, failure=failure
        )
        disagreement = (cloner != EVERY) @ share
        promised = np.array([clone_bound(float(d), bound).value for d in np.minimum(disagreement, 1.0)])
        failed += (differ_target > promised + 1e-12).any()
    assert failed <= failure * 400


def test_counted_disagreements_have_hoeffdings_interval():
    cloner = generalization_bound("vc", risk=0.1, n_samples=500, dimension=3)
    exact, counted = clone_bound(0.2, cloner), clone_bound(0.2, cloner, n_fresh=50, failure=0.1)
    assert exact.risk == pytest.approx(0.3)
    assert exact.confidence_interval == cloner.confidence_interval
    assert exact.up_to_constant
    # exp(-2 n t^2) = failure
    extra = counted.confidence_interval - exact.confidence_interval
    assert np.exp(-2 * 50 * extra**2) == pytest.approx(0.1)


def test_wrong_arguments():
    cloner = generalization_bound("finite", risk=0.1, n_samples=500, n_hypotheses=3)
    with pytest.raises(ValueError, match="disagreement"):
        clone_bound(1.2, cloner)
    with pytest.raises(TypeError, match="generalization_bound"):
        clone_bound(0.2, 0.1)
    with pytest.raises(ValueError, match="n_fresh"):
        clone_bound(0.2, cloner, n_fresh=0)
    with pytest.raises(ValueError, match="failure"):
        clone_bound(0.2, cloner, n_fresh=10, failure=0.0)
