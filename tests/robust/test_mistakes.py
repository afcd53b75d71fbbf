"""Kinds of mistakes: their matrices, and which kind is found."""

import numpy as np
import pytest
from scipy.special import softmax

from weaklearn.robust._noise import confident_labels, find_anchors, skill
from weaklearn.robust._wrong_labels import Mistakes, _evenness, kinds_of_mistakes


@pytest.mark.parametrize("K", [2, 3, 5])
def test_matrices_and_priors_are_probabilities(K):
    kinds = kinds_of_mistakes(np.random.RandomState(0).randint(1, 9, (K, K)), 0.5)
    assert sum(np.exp(kind.log_prior).sum() for kind in kinds) == pytest.approx(1)
    for kind in kinds:
        assert (kind.transitions >= 0).all()
        np.testing.assert_allclose(kind.transitions.sum(axis=2), 1)
        assert (np.diff(1 - kind.transitions.trace(axis1=1, axis2=2)) > 0).all()


def test_classes_and_pairs_that_contradict_most_are_tried():
    labels = 100 * np.eye(8)
    labels[5, 2] = 9
    labels[3, 1] = 4
    names = [kind.name for kind in kinds_of_mistakes(labels, 2.0)]
    assert {"5 as others", "3 as others", "5 as 2", "3 as 1"} <= set(names)
    assert len(names) == 3 + 6 + 6


def test_evenness_spreads_the_labels_of_the_kind_next():
    """A confident prediction of class 0 has the label 1 three times, of class 2 never: (3 + e) / (3 + 2e)."""
    labels = np.array([[9, 3, 0], [0, 9, 0], [0, 0, 9]])
    for evenness, share in ((0.5, 3.5 / 4), (2.0, 5 / 7)):
        kind = next(kind for kind in kinds_of_mistakes(labels, evenness) if kind.name == "next")
        wrong = kind.transitions[3] * (1 - np.eye(3))
        assert wrong[0, 1] / wrong[0].sum() == pytest.approx(share)
        np.testing.assert_allclose(wrong[1, [0, 2]] / wrong[1].sum(), 0.5)


def test_evenness_falls_with_the_skill():
    assert _evenness(0.0) == _evenness(0.4) == 2.0
    assert _evenness(0.65) == _evenness(1.0) == 0.5
    assert 0.5 < _evenness(0.6) < 2.0


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


def probability(found, kind):
    return found.posterior[np.array(found.names) == kind].sum()


@pytest.mark.parametrize("kind", ["clean", "alike", "next", "1 as 2", "1 as others"])
def test_the_right_kind_is_found(kind):
    found = [probability(Mistakes(*table(kind, seed)), kind) for seed in range(3)]
    assert np.mean(found) > 0.6


def test_probabilities_by_their_formula():
    """Prior x likelihood^kappa x exp(-doubt) / (1 + overlap / 0.03)^(4 skill^4), from the fits alone."""
    S, given = table("alike", 1, n=120)
    found = Mistakes(S, given)
    kinds = kinds_of_mistakes(confident_labels(S, given), _evenness(skill(S, given)))
    prior = np.exp(np.concatenate([kind.log_prior for kind in kinds]))
    anchors = find_anchors(S, 90.0 * min(1.0, skill(S, given) / 0.6) ** 2)
    for posterior, temper in ((found.posterior, 150), (found.interval_posterior, 600)):
        logarithms = []
        for weight, fit in zip(prior, found.fits, strict=True):
            q = fit.true_probability(S)
            likelihood = np.log((q * fit.transition.T[given]).sum(axis=1)).sum()
            likelihood -= 0.02 * (fit.a - 1) ** 2 + 0.025 * fit.b @ fit.b
            overlap = 1 + np.mean(1 - q.max(axis=1)) / 0.03
            logarithms.append(
                np.log(weight)
                + temper / (temper + 120) * likelihood
                - anchors.doubt(q)[0]
                - 4 * skill(S, given) ** 4 * np.log(overlap)
            )
        np.testing.assert_allclose(posterior, softmax(logarithms), rtol=1e-8, atol=1e-12)


def test_known_labels_rule_out_others():
    S, given = table("alike", 0)
    true = softmax(S, axis=1).argmax(axis=1)
    known = np.full(300, -1)
    known[:200] = given[:200]  # all of them looked at and found right
    assert probability(Mistakes(S, given), "clean") < 0.01
    known[200:] = np.where(true[200:] == given[200:], -1, given[200:])
    assert probability(Mistakes(S, given, known), "clean") > 0.5
