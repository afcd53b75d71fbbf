"""Partitions: how a round of multiclass boosting picks the first form of its column.

A partition is an object with one method, ``column(pairs, rng)``. ``pairs`` (n_classes, n_classes) holds in
entry (k, l) the cost that examples of class k have for class l; a column gives each class -1.0, +1.0 or,
in a partial partition, 0.0. What the column separates is U_t, the sum of ``pairs`` over the ordered pairs of
classes with opposite signs (li2006, Algorithm 4.1, step 4). To add one, write the class and give it a row in
``PARTITIONS``.

Ties: sums within 1e-12 of each other, relative to the total, are equal and the first pair or cut in the
order of the classes is taken.
"""

import numpy as np

from weaklearn._fast.code_columns import best_cut

# 2^19 cuts take about 10 ms; every further class doubles that, in every round.
MOST_CLASSES = 20
_TIE = 1e-12


class RandHalf:
    """Half of the classes, drawn at random, against the other half (one more if their number is odd)."""

    def column(self, pairs, rng):
        n_classes = len(pairs)
        column = np.ones(n_classes)
        column[rng.permutation(n_classes)[: n_classes // 2]] = -1.0
        return column


class MaxCut:
    """The column of largest U_t among all 2^(K-1) - 1: exact, for up to ``MOST_CLASSES`` classes."""

    def column(self, pairs, rng):
        if len(pairs) > MOST_CLASSES:
            raise ValueError(
                f"partition='max-cut' tries every cut, which is too slow beyond {MOST_CLASSES} classes; there are "
                f"{len(pairs)}. Use 'max-cut-greedy'."
            )
        return best_cut(pairs + pairs.T)


class MaxCutGreedy:
    """One class, drawn at random, against all others; the move that separates most is made until none does.

    The document uses "a simple greedy approximation" for 26 classes without saying which. This one, on the letter
    data, comes nearer to its errors than adding the classes in random order or than single exchanges from a
    random start, both of which make the binary problems easier.
    """

    def column(self, pairs, rng):
        joint = pairs + pairs.T
        np.fill_diagonal(joint, 0.0)
        column = np.ones(len(pairs))
        column[rng.integers(len(pairs))] = -1.0
        while True:
            # Moving a class gains what lies between it and its own side, and loses what lies between the sides.
            gains = np.where(column > 0, joint @ column, -np.inf)
            best = gains.argmax()
            if gains[best] <= _TIE * pairs.sum():
                return column
            column[best] = -1.0


class RandPair:
    """Two classes drawn at random; the others are left out at first."""

    def column(self, pairs, rng):
        column = np.zeros(len(pairs))
        column[rng.choice(len(pairs), size=2, replace=False)] = -1.0, 1.0
        return column


class MaxPair:
    """The two classes with the largest U_t."""

    def column(self, pairs, rng):
        first, second = np.triu_indices(len(pairs), 1)
        joint = (pairs + pairs.T)[first, second]
        best = np.flatnonzero(joint >= joint.max() - _TIE * pairs.sum())[0]
        column = np.zeros(len(pairs))
        column[[first[best], second[best]]] = -1.0, 1.0
        return column


PARTITIONS = {
    "rand-half": RandHalf,
    "max-cut": MaxCut,
    "max-cut-greedy": MaxCutGreedy,
    "rand-2": RandPair,
    "max-2": MaxPair,
}


def dominating_partitions(code_matrix, weights):
    """The different columns of a code, by falling sum of their coefficients.

    The sum says how much a partition of the classes influences the ensemble; divided by the count it says how easy
    the partition is to learn. A column and its negative are the same partition; the first class is put on side -1.

    Parameters
    ----------
    code_matrix : array-like of shape (n_classes, n_columns)
        Entries -1 and +1.
    weights : array-like of shape (n_columns,)
        The coefficients.

    Returns
    -------
    columns : ndarray of shape (n_partitions, n_classes)
    sums : ndarray of shape (n_partitions,)
    counts : ndarray of shape (n_partitions,)

    References
    ----------
    li2006, section 4.2 and figure 4.3.

    Examples
    --------
    >>> from weaklearn.multiclass import dominating_partitions
    >>> columns, sums, counts = dominating_partitions([[1, -1, 1], [-1, 1, 1]], [1.0, 0.5, 2.0])
    >>> columns.tolist(), sums.tolist(), counts.tolist()
    ([[-1, -1], [-1, 1]], [2.0, 1.5], [1, 2])
    """
    code_matrix = np.asarray(code_matrix)
    columns = -code_matrix.T * code_matrix[0][:, None]
    distinct, which = np.unique(columns, axis=0, return_inverse=True)
    sums = np.bincount(which.ravel(), weights=weights)
    counts = np.bincount(which.ravel())
    order = np.argsort(-sums, kind="stable")
    return distinct[order], sums[order], counts[order]
