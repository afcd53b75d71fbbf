"""The machine behind `RobustClassifier` and `LabelAuditor`: members, a stack, a noise model, one refit.

1. Equal rows (features and label) are merged into one row with a count, and rows are sorted. So a row of weight two and
   two equal rows are the same thing, and the order of the rows does not matter, not even to the forests.
2. Members are fitted; each gives held-out scores per class.
3. The stack turns them into log-odds of the *given* label.
4. The noise link turns these into probabilities of the *true* label and says how likely each given label is right.
5. Members are fitted again with the weights of 4, so that rows whose label is probably wrong count less; 3 and 4 are
   repeated.
"""

from typing import NamedTuple

import numpy as np

from weaklearn.robust._columns import NumericColumns
from weaklearn.robust._members import BoostingMember, ForestMember, MemberData, RidgeMember
from weaklearn.robust._noise import NoiseModel
from weaklearn.robust._stack import Calibration, Stack

__all__ = ["Machine", "MergedRows", "default_members", "merge_rows"]

# Of the classifier's noise model. The auditor has its own, with a prior.
LINK = {"rates": np.arange(0, 0.41, 0.05), "prior": np.ones(9), "kappa": 0.5, "asymmetric": True}
_LEAST_WEIGHT = 0.05
# Calibration, stack and noise model have few parameters: more rows than this would only cost time.
_STACK_ROWS = 20_000
# So that a million rows take minutes.
_MANY_ROWS = 100_000
_FEW_LANDMARKS = 300


class MergedRows(NamedTuple):
    """Distinct rows in a fixed order: ``rows[inverse]`` restores the table that they were merged from."""

    X: np.ndarray
    codes: np.ndarray
    weight: np.ndarray
    copies: np.ndarray
    inverse: np.ndarray


def merge_rows(X, codes, weight):
    """Merge equal rows; copies are the weight if all weights are integers, and the number of rows if not."""
    X = X + 0.0  # -0.0 becomes 0.0
    n = len(codes)
    order = np.lexsort((codes, *X.T[::-1]))
    new = np.ones(n, dtype=bool)
    ordered, labels = X[order], codes[order]
    # NaN sorts last and equals NaN here.
    same = (ordered[1:] == ordered[:-1]) | (np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    new[1:] = ~(same.all(axis=1) & (labels[1:] == labels[:-1]))
    group = np.cumsum(new) - 1
    inverse = np.empty(n, dtype=np.intp)
    inverse[order] = group
    merged_weight = np.bincount(group, weights=weight[order])
    whole = np.all(weight == np.round(weight))
    copies = merged_weight if whole else np.bincount(group).astype(float)
    return MergedRows(ordered[new], labels[new], merged_weight, copies, inverse)


def default_members(distinct_ranks, n_trees, large=False):
    """The members of a table; ranks are left out where they say the same as the values.

    Boosted trees are added where kernels see the table through landmarks only.
    """
    members: list = [
        RidgeMember(kernel, "standard")
        for kernel in ("linear", "quadratic", "stump", "perceptron", "gaussian", "laplace")
    ]
    if distinct_ranks:
        members += [RidgeMember(kernel, "ranks") for kernel in ("quadratic", "perceptron")]
    if n_trees:
        members += [ForestMember(kind, n_trees) for kind in ("extra trees", "random forest")]
        if large:
            members.append(BoostingMember(max_iter=n_trees))
    return members


class Machine:
    """Fit with `fit`; then `log_odds` and `probability` of new rows; ``S`` has the held-out log-odds of merged rows."""

    def __init__(self, *, n_trees=100, n_landmarks=1000, exact_rows=1500, refit=True, n_jobs=None):
        self.n_trees = n_trees
        self.n_landmarks, self.exact_rows, self.refit, self.n_jobs = n_landmarks, exact_rows, refit, n_jobs

    def fit(self, rows, n_classes, seed, class_factor=None):
        """Fit to `MergedRows`; ``class_factor`` multiplies the weights of a class."""
        n = len(rows.codes)
        weight = rows.weight if class_factor is None else rows.weight * class_factor[rows.codes]
        self.columns = NumericColumns(rows.X, rows.weight)
        views = self.columns.views(rows.X)
        random = np.random.RandomState(seed)
        landmarks = None
        if n > self.exact_rows:
            m = min(self.n_landmarks, n, _FEW_LANDMARKS if n > _MANY_ROWS else n)
            landmarks = np.sort(random.choice(n, m, replace=False))
        data = MemberData(
            views, rows.codes, n_classes, weight, 1 / np.maximum(rows.copies, 1), landmarks, seed, self.n_jobs
        )  # fmt: skip
        self.fit_rows = np.arange(n)
        if n > _STACK_ROWS:
            self.fit_rows = np.sort(random.choice(n, _STACK_ROWS, replace=False))
        self._fit_once(data, weight)
        if self.refit:
            right = self.noise.label_probability(self.S, rows.codes)[np.arange(n), rows.codes]
            self._fit_once(data._replace(weight=weight * np.clip(right, _LEAST_WEIGHT, 1)), weight)
        return self

    def _fit_once(self, data, weight):
        self.members = default_members(data.views.distinct, self.n_trees, data.landmarks is not None)
        self.data = data
        used, codes = self.fit_rows, data.codes[self.fit_rows]
        self.calibrations, held_out = [], []
        for member in self.members:
            F = member.fit(data)
            calibration = Calibration(F[used], codes, weight[used])
            self.calibrations.append(calibration)
            held_out.append(calibration.log_odds(F))
        L = np.array(held_out)
        self.stack = Stack(L[:, used], codes, weight[used])
        self.held_out_members = L
        self.S = self.stack.log_odds(L)
        self.noise = NoiseModel(self.S[used], codes, weight[used], **LINK)

    def log_odds(self, X):
        """The stack's log-odds of the given label."""
        return self.stack.log_odds(self.member_log_odds(X))

    def member_log_odds(self, X):
        """Calibrated log-odds of every member, (n_members, n_samples, n_classes)."""
        views = self.columns.views(X)
        return np.array(
            [c.log_odds(m.scores(views)) for m, c in zip(self.members, self.calibrations, strict=True)]
        )  # fmt: skip

    def probability(self, X):
        """P(true label | x)."""
        return self.noise.class_probability(self.log_odds(X))
