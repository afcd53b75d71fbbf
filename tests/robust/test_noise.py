"""What both noise models share: anchors, skill, the gradient, probabilities for one matrix."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import softmax

from weaklearn.robust._noise import NoiseLink, confident_labels, find_anchors, link_kinds, skill
from weaklearn.robust._wrong_labels import Mistakes, kinds_of_mistakes

KINDS = [link_kinds(3, [0, 1, 2])[0], link_kinds(3, [1])[1], *kinds_of_mistakes(np.eye(3), 2.0)[:4]]


@pytest.mark.parametrize("model", [NoiseLink, Mistakes])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_gradient(model, kind, anchored, weighted):
    random = np.random.RandomState(0)
    S, codes = random.randn(40, 3), random.randint(0, 3, 40)
    weight = random.rand(40) if weighted else None
    columns = kind.transitions[-1].T[codes]
    columns[:5] *= random.randint(0, 3, 5)[:, None] == np.arange(3)  # true labels that are known
    columns = np.maximum(columns, 1e-3)
    anchors = find_anchors(S, 20.0, weight, 0.3) if anchored else find_anchors(S, 0.0)
    arguments = (kind.slopes[-1], S, columns, anchors, weight)
    x = np.r_[1.3, 0.5 * random.randn(3)]
    error = check_grad(*(lambda x, k=k: model.objective(x, *arguments)[k] for k in (0, 1)), x)
    assert error < 2e-4


def test_gradient_of_doubt():
    S = np.random.RandomState(0).randn(40, 3)
    anchors = find_anchors(S, 20.0, share=0.3)
    assert anchors.weight.sum() == pytest.approx(20)

    def value(a):
        return anchors.doubt(softmax(a[0] * S, axis=1))[0]

    def slope(a):
        return [np.sum(anchors.doubt(softmax(a[0] * S, axis=1))[1] * S[anchors.rows])]

    assert check_grad(value, slope, np.array([1.3])) < 1e-5


def test_a_row_of_weight_two_is_two_anchors():
    random = np.random.RandomState(1)
    S, codes, copies = random.randn(60, 3), random.randint(0, 3, 60), random.randint(1, 4, 60)
    repeated = np.repeat(np.arange(60), copies)
    weighted = find_anchors(S, 20.0, copies.astype(float), 0.3)
    plain = find_anchors(S[repeated], 20.0, share=0.3)
    np.testing.assert_allclose(
        np.bincount(weighted.rows, weighted.weight, 60), np.bincount(repeated[plain.rows], plain.weight, 60)
    )
    assert skill(S, codes, copies) == pytest.approx(skill(S[repeated], codes[repeated]))


def test_labels_of_confident_predictions():
    random = np.random.RandomState(0)
    true = random.randint(0, 4, 2000)
    S = 6 * np.eye(4)[true] + 0.1 * random.randn(2000, 4)
    given = np.where((true == 1) & (random.rand(2000) < 0.3), 2, true)
    labels = confident_labels(S, given)
    np.testing.assert_array_equal(np.delete(labels, 1, axis=0) * ~np.eye(4, dtype=bool)[[0, 2, 3]], 0)
    assert labels[1, 2] / labels[1].sum() == pytest.approx(0.3, abs=0.06)
    assert labels.sum() == pytest.approx(1000, abs=4)


def test_skill_is_relative_to_the_majority_class():
    codes = np.repeat([0, 1], [30, 10])
    assert skill(np.eye(2)[codes], codes) == 1
    assert skill(np.eye(2)[np.zeros(40, dtype=int)], codes) == 0
    half = codes.copy()
    half[30:35] = 0
    assert skill(np.eye(2)[half], codes) == pytest.approx(0.5)
    # Of many classes, the majority class is nearly always wrong; what counts is that half of the rows are right.
    many = np.repeat(np.arange(10), 4)
    guess = np.where(np.arange(40) % 4 < 3, many, (many + 1) % 10)
    assert skill(np.eye(10)[guess], many) == pytest.approx(1 - 0.25 / 0.5)
