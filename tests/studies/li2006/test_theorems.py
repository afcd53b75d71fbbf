"""The checks of the theorems find violations where there are some."""

import numpy as np
import pytest

from weaklearn.studies.li2006 import theorems_trials as theorems


@pytest.fixture
def instance():
    return theorems.Instance(np.random.default_rng(0))


def test_complexities_are_minima_over_hypotheses(instance):
    for mask in (0, 5, 63):
        errors = [bin(mask & wrong).count("1") for wrong in instance.wrong]
        expected = min(
            length + instance.cost * error for length, error in zip(instance.lengths, errors, strict=True)
        )
        assert instance.complexity[mask] == expected


@pytest.mark.parametrize("check", [theorems.monotone, theorems.same_principal_points, theorems.equivalent])
def test_a_wrong_complexity_is_noticed(instance, check):
    assert check(instance) == 0
    instance.complexity[theorems.ALL] -= 10
    assert check(instance) > 0


def test_the_lemma_needs_its_assumption(instance):
    assert theorems.rightmost(instance) == 0
    instance.complexity[theorems.ALL] += 10
    assert theorems.rightmost(instance) > 0


def test_the_average_is_the_best_estimator():
    rng = np.random.default_rng(0)
    assert sum(theorems.best_unbiased(rng, start) for start in (0, 1, 3)) == 0
