"""Kinds of mistakes: their matrices, the gradient, and which kind is found."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import softmax

from weaklearn.robust._anchors import find_anchors
from weaklearn.robust._mistakes import Mistakes, kinds_of_mistakes, mistakes_objective


@pytest.mark.parametrize("K", [2, 3, 5])
def test_matrices_and_priors_are_probabilities(K):
    kinds = kinds_of_mistakes(np.random.RandomState(0).randint(1, 9, (K, K)))
    assert sum(kind.prior.sum() for kind in kinds) == pytest.approx(1)
    for kind in kinds:
        assert (kind.transitions >= 0).all()
        np.testing.assert_allclose(kind.transitions.sum(axis=2), 1)
        assert (np.diff(1 - kind.transitions.trace(axis1=1, axis2=2)) > 0).all()


def test_classes_and_pairs_that_contradict_most_are_tried():
    labels = 100 * np.eye(8)
    labels[5, 2] = 9
    labels[3, 1] = 4
    names = [kind.name for kind in kinds_of_mistakes(labels)]
    assert {"5 as others", "3 as others", "5 as 2", "3 as 1"} <= set(names)
    assert len(names) == 3 + 6 + 6


def test_gradient():
    random = np.random.RandomState(0)
    S = random.randn(40, 3)
    columns = kinds_of_mistakes(np.eye(3))[1].transitions[4].T[random.randint(0, 3, 40)]
    columns[:5] *= random.randint(0, 3, 5)[:, None] == np.arange(3)
    for anchors in (None, find_anchors(S, 0.3, 20.0)):
        arguments = (S, columns, anchors)
        x = np.r_[1.3, 0.5 * random.randn(3)]
        error = check_grad(
            lambda x, a=arguments: mistakes_objective(x, *a)[0],
            lambda x, a=arguments: mistakes_objective(x, *a)[1],
            x,
        )
        assert error < 1e-4


def table(kind, seed, n=300, K=3):
    """True labels by softmax, given ones by the kind of mistakes, and scores that know the truth."""
    random = np.random.RandomState(seed)
    S = 6 * random.randn(n, K)
    S -= S.mean(axis=1, keepdims=True)
    true = np.array([random.choice(K, p=p) for p in softmax(S, axis=1)])
    move = random.rand(n) < {"clean": 0.0, "alike": 0.2}.get(kind, 0.4)
    if kind == "1 as 2":
        return S, np.where(move & (true == 1), 2, true)
    if kind == "next":
        return S, np.where(move & (random.rand(n) < 0.5), (true + 1) % K, true)
    if kind == "1 as others":
        move &= true == 1
    return S, np.where(move, (true + random.randint(1, K, n)) % K, true)


@pytest.mark.parametrize("kind", ["clean", "alike", "next", "1 as 2", "1 as others"])
def test_the_right_kind_is_found(kind):
    found = [Mistakes(*table(kind, seed)).probability(kind) for seed in range(3)]
    assert np.mean(found) > 0.6


def test_known_labels_rule_out_others():
    S, given = table("alike", 0)
    true = softmax(S, axis=1).argmax(axis=1)
    known = np.full(300, -1)
    known[:200] = given[:200]  # all of them looked at and found right
    assert Mistakes(S, given).probability("clean") < 0.01
    known[200:] = np.where(true[200:] == given[200:], -1, given[200:])
    assert Mistakes(S, given, known).probability("clean") > 0.5
