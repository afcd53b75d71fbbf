r"""Anchors: rows so typical of a class that doubt about them speaks for wrong labels.

Held-out log-odds are those of the *given* label. If one label in five is wrong, no row is more than 80% certain, and
nothing in the likelihood says whether that is noise, or classes that overlap everywhere alike. In real tables, classes
do not overlap everywhere alike: the rows farthest inside a class are nearly certain. So a noise model that leaves doubt
about these rows is less probable, by the factor :math:`\exp(-c\, \overline{1 - q})`, where the mean is over the anchors
of all classes and q is the model's probability of their class.

This holds only where the classes can be told apart at all, so c grows with the square of the skill: 1 minus the share
of errors, relative to that of the majority class, or to 1/2 if that is less.
"""

from typing import NamedTuple

import numpy as np

__all__ = ["Anchors", "confident_labels", "find_anchors", "skill"]


class Anchors(NamedTuple):
    """Rows, their classes, and what each counts."""

    rows: np.ndarray
    classes: np.ndarray
    weight: np.ndarray

    def doubt(self, q):
        """The weighted sum of 1 - q over anchors, and its gradient by their log-odds, (n_anchors, K)."""
        p = q[self.rows]
        place = np.arange(len(self.rows))
        own = p[place, self.classes]
        slope = p * (self.weight * own)[:, None]
        slope[place, self.classes] -= self.weight * own
        return float(self.weight @ (1 - own)), slope


def find_anchors(S, share, strength, weight=None):
    """Anchors: of the rows whose greatest log-odds are those of class j, the share with the greatest lead.

    The weights add up to ``strength``; a class gets a part by the root of its number of rows. A row of ``weight`` two
    counts like two rows.
    """
    K = S.shape[1]
    weight = np.ones(len(S)) if weight is None else weight
    predicted, lead = _predicted(S)
    rows, classes, weights = [], [], []
    for j in range(K):
        inside = np.flatnonzero(predicted == j)
        inside = inside[np.argsort(-lead[inside], kind="stable")]
        total = weight[inside].sum()
        before = np.cumsum(weight[inside]) - weight[inside]
        used = np.clip(np.ceil(share * total) - before, 0, weight[inside])  # of the last row only a part
        chosen = used > 0
        rows.append(inside[chosen])
        classes.append(np.full(chosen.sum(), j))
        weights.append(np.sqrt(total) * used[chosen] / max(used.sum(), 1e-300))
    weight = np.concatenate(weights)
    return Anchors(np.concatenate(rows), np.concatenate(classes), strength * weight / weight.sum())


def confident_labels(S, codes):
    """How often confident predictions of each class (rows) have each label (columns), (K, K).

    Confident are those with a lead of at least the median of their class: contradictions of the others are overlap as a
    rule.
    """
    K = S.shape[1]
    predicted, lead = _predicted(S)
    counts = np.zeros((K, K))
    for j in range(K):
        inside = predicted == j
        if inside.any():
            confident = inside & (lead >= np.median(lead[inside]))
            counts[j] = np.bincount(codes[confident], minlength=K)
    return counts


def _predicted(S):
    """The class with the greatest log-odds, and its lead."""
    n, K = S.shape
    predicted = S.argmax(axis=1)
    second = np.where(np.arange(K) == predicted[:, None], -np.inf, S).max(axis=1)
    return predicted, S[np.arange(n), predicted] - second


def skill(S, codes, weight=None):
    """1 minus the share of errors of predictions by S, relative to that of the majority class; between 0 and 1.

    The majority class of many classes is nearly always wrong, so it counts as wrong in half of the rows at most.
    """
    total = len(codes) if weight is None else weight.sum()
    base = min(1 - np.bincount(codes, weights=weight).max() / total, 0.5)
    error = np.average(S.argmax(axis=1) != codes, weights=weight)
    return max(0.0, 1 - error / base) if base > 0 else 0.0
