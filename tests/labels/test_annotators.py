"""The consensus of raters: a plain EM, majority vote on simulated raters, learners as one more rater."""

import numpy as np
import pandas as pd
import pytest

from weaklearn.datasets import make_twonorm
from weaklearn.labels import AnnotatorConsensus, LabelAuditor


def simulated(seed, n_raters, n_labels, n=300, K=3, true=None):
    """Raters who are right in 60 to 95% of the rows; ``n_labels`` random raters label each row."""
    random = np.random.default_rng(seed)
    true = random.integers(0, K, n) if true is None else true
    quality = random.uniform(0.6, 0.95, n_raters)
    answers = np.full((n, n_raters), np.nan)
    for row in range(n):
        for rater in random.permutation(n_raters)[:n_labels]:
            right = random.uniform() < quality[rater]
            answers[row, rater] = true[row] if right else (true[row] + random.integers(1, K)) % K
    return answers, true, quality


def majority(answers, K):
    counts = np.array([(answers == k).sum(axis=1) for k in range(K)]).T
    return counts.argmax(axis=1)


def plain_em(answers, K, smoothing, n_rounds):
    """The same by loops."""
    n, R = answers.shape
    P = np.array([[1e-3 + np.sum(answers[i] == k) for k in range(K)] for i in range(n)])
    P /= P.sum(axis=1)[:, None]
    for _ in range(n_rounds):
        pi = np.empty((R, K, K))
        for r in range(R):
            rows = [i for i in range(n) if not np.isnan(answers[i, r])]
            right = sum(P[i, int(answers[i, r])] for i in rows)
            right = (right + 0.75 * smoothing) / (len(rows) + smoothing)
            for j in range(K):
                for z in range(K):
                    pseudo = smoothing * (right if j == z else (1 - right) / (K - 1))
                    pi[r, j, z] = pseudo + sum(P[i, j] for i in rows if answers[i, r] == z)
                pi[r, j] /= pi[r, j].sum()
        share = (P.sum(axis=0) + 1) / (n + K)
        for i in range(n):
            for j in range(K):
                P[i, j] = share[j]
                for r in range(R):
                    if not np.isnan(answers[i, r]):
                        P[i, j] *= pi[r, j, int(answers[i, r])]
            P[i] /= P[i].sum()
    return P, pi


def test_the_same_as_a_plain_em():
    answers, _, _ = simulated(0, 4, 3, n=40)
    found = AnnotatorConsensus(max_iter=7, smoothing=0.5).fit(answers)
    P, pi = plain_em(answers, 3, 0.5, 7)
    np.testing.assert_allclose(found.label_probability_, P, atol=1e-10)
    np.testing.assert_allclose(found.confusion_, pi, atol=1e-10)
    assert found.n_iter_ == 7


def test_better_than_the_majority_on_simulated_raters():
    gains, errors = [], []
    for seed, (n_raters, n_labels) in enumerate([(3, 3), (5, 3), (5, 4), (8, 4), (10, 4), (10, 3)] * 3):
        answers, true, quality = simulated(seed, n_raters, n_labels)
        found = AnnotatorConsensus().fit(answers)
        gains.append(np.mean(found.label_ == true) - np.mean(majority(answers, 3) == true))
        errors.append(np.abs(found.rater_quality_ - quality).mean())
    gains = np.array(gains)
    assert gains.mean() > 2 * gains.std(ddof=1) / np.sqrt(len(gains))
    assert np.mean(errors) < 0.06


def test_columns_help_where_labels_are_few():
    X, y = make_twonorm(200, random_state=0)
    answers, true, _ = simulated(1, 4, 1, n=200, K=2, true=(y > 0).astype(int))
    alone = AnnotatorConsensus().fit(answers)
    helped = AnnotatorConsensus(auditor=LabelAuditor(n_trees=0, random_state=0)).fit(answers, X)
    assert np.mean(helped.label_ == true) > np.mean(alone.label_ == true) + 0.05
    assert helped.rater_quality_.shape == (4,)


def test_texts_frames_and_gaps():
    labels = pd.DataFrame({"ann": ["a", "b", None, "a"], "bob": ["a", None, "b", "b"], "eve": [None] * 4})
    found = AnnotatorConsensus().fit(labels)
    assert found.label_[:3].tolist() == ["a", "b", "b"]
    assert np.isnan(found.rater_quality_[2])
    np.testing.assert_allclose(found.label_probability_.sum(axis=1), 1)
    row, rater = found.next_rows(1)[0]
    assert (row, rater) == (3, 2)  # ann and bob contradict each other there


def test_what_cannot_be_used_is_said():
    with pytest.raises(ValueError, match="row 1 has no label"):
        AnnotatorConsensus().fit([["a", "b"], [None, None]])
    with pytest.raises(ValueError, match="only one class, 'a'"):
        AnnotatorConsensus().fit([["a", "a"], ["a", None]])
