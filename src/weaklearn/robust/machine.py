"""The machine behind `RobustClassifier` and `LabelAuditor`: members, a stack, a noise model, one refit.

This is the layer for builders of other estimators: `weaklearn.tables.encode_training_table` turns what a user passes
into numbers, `merge_rows` makes distinct rows of them, `Machine` gives held-out log-odds and probabilities, and
`wrong_labels` finds from the log-odds which labels are wrong.

1. Equal rows (features and label) are merged into one row with a count, and rows are sorted. So a row of weight two and
   two equal rows are the same thing, and the order of the rows does not matter, not even to the forests.
2. A few quick members are fitted, with boosted trees if they are a member; each gives held-out scores per class.
3. The stack turns them into log-odds of the *given* label.
4. The noise model turns these into probabilities of the *true* label and says how likely each given label is right.
5. All members are fitted with the weights of 4, so that rows whose label is probably wrong count less; 3 and 4 are
   repeated.

Large tables (more than 1,500 distinct rows) cost a fixed sum per row: kernels see them through landmarks, boosted trees
replace the random forest (from 10,000 rows on, all forests), the first round has fewer members, and columns,
calibration, stack and noise model are learned from a sample. Their views and scores are kept in single precision.
"""

import itertools
from typing import NamedTuple

import numpy as np

from weaklearn._training import bounded_jobs
from weaklearn.robust._columns import NumericColumns, Views, row_blocks
from weaklearn.robust._members import (
    BoostingMember,
    ForestMember,
    MemberData,
    RidgeMember,
    fit_members,
    member_scores,
)
from weaklearn.robust._noise import NoiseLink
from weaklearn.robust._ridge import landmark_count
from weaklearn.robust._stack import Calibration, Stack
from weaklearn.robust._wrong_labels import WrongLabels, wrong_labels

__all__ = ["Machine", "MergedRows", "WrongLabels", "merge_rows", "wrong_labels"]

# The members of the first round, which only finds weights, and the least weight that it gives to a row. Boosted trees
# are among them where there are any: what only trees can learn would otherwise look like wrong labels.
_QUICK_MEMBERS, _LEAST_WEIGHT = ("linear", "quadratic", "stump", "perceptron", "boosted trees"), 0.05
# Columns, calibration, stack and noise model have few parameters: more rows than this would only cost time.
_COLUMN_ROWS = 20_000
_STACK_ROWS = 20_000
_STACK_NUMBERS = 100_000
_NOISE_ROWS = 5_000
# Kernels use all of up to this many distinct rows (the cost grows with the cube), above it landmarks; and from these
# rows on there are no forests.
_EXACT_ROWS, _MANY_ROWS = 1500, 10_000
# Leaves of boosted trees beside kernels that use all rows.
_FEW_LEAVES = 6


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


def _default_members(distinct_ranks, n_trees):
    """The members of a table whose kernels see all rows; ranks are left out where they say the same as the values."""
    members: list = [
        RidgeMember(kernel, "standard")
        for kernel in ("linear", "quadratic", "stump", "perceptron", "rbf", "laplace")
    ]
    if distinct_ranks:
        members += [RidgeMember(kernel, "ranks") for kernel in ("quadratic", "perceptron")]
    if n_trees:
        members += [ForestMember(kind, n_trees) for kind in ("extra trees", "random forest")]
    return members


def _large_members(distinct_ranks, n_trees, n_rows, n_classes, kernels=True):
    """The members of a large table: boosted trees, cheap forests if there are not too many rows, and fewer kernels.

    Without kernels (if there are trees), only the linear one is left, and the trees see all rows.
    """
    kernels = kernels or not n_trees
    members: list = [RidgeMember("linear", "standard")]
    if kernels:
        members.append(RidgeMember("perceptron", "standard"))
        if distinct_ranks:
            members.append(RidgeMember("perceptron", "ranks"))
    if n_trees:
        leaves = 15 if n_classes > 2 and n_rows < _MANY_ROWS else 31
        members.append(_boosting(n_trees, n_classes, leaves, {} if kernels else {"most_rows": None}))
        if kernels and n_rows < _MANY_ROWS:
            members.append(ForestMember("extra trees", n_trees))
    return members


def _boosting(n_trees, n_classes, leaves, options):
    if n_classes > 2:  # a tree per class and round: fewer rounds cost and overfit less
        options = options | {"learning_rate": 0.15}
        n_trees = -(-2 * n_trees // 5)
    return BoostingMember(max_iter=n_trees, max_leaf_nodes=leaves, **options)


class Machine:
    """Fit with `fit`; then `log_odds` and `probability` of new rows; ``S`` has the held-out log-odds of merged rows.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of each forest, and rounds of boosted trees.
    boosting_rows : int, default=1501
        From this many rows on, boosted trees are a member.
    n_landmarks : int, default=1000
        At most this many rows stand for all in the kernels of large tables.
    kernel_rows : int, default=None
        Above this many rows, members are linear regression and boosted trees of all rows; None stands for no limit.
    refit : bool, default=True
        Whether there is a first round that finds weights for the second.
    n_jobs : int, default=None
        Of the forests.
    """

    def __init__(
        self,
        *,
        n_trees=100,
        boosting_rows=_EXACT_ROWS + 1,
        n_landmarks=1000,
        kernel_rows=None,
        refit=True,
        n_jobs=None,
    ):
        self.n_trees, self.boosting_rows, self.n_landmarks = n_trees, boosting_rows, n_landmarks
        self.kernel_rows, self.refit, self.n_jobs = kernel_rows, refit, n_jobs

    def fit(self, rows, n_classes, seed, class_factor=None, *, engine=None, callback=None, keep=False):
        """Fit to merged rows.

        Parameters
        ----------
        rows : MergedRows
        n_classes : int
        seed : int
        class_factor : ndarray of shape (n_classes,), default=None
            Multiplies the weights of a class.
        engine : Engine, default=None
            Where members are fitted; None is this process. The numbers are the same.
        callback : callable, default=None
            Called as ``callback(done, total)`` after each member; it may raise KeyboardInterrupt to stop.
        keep : bool, default=False
            Whether a KeyboardInterrupt ends the last round with the members that are fitted, and sets ``interrupted``.
            Without any member it is raised.

        Returns
        -------
        self
        """
        n = len(rows.codes)
        weight = rows.weight if class_factor is None else rows.weight * class_factor[rows.codes]
        random = np.random.RandomState(seed)
        large = n > _EXACT_ROWS
        landmarks = None
        if large:
            landmarks = np.sort(
                random.choice(n, landmark_count(n, n_classes, self.n_landmarks), replace=False)
            )
        known = _sample(n, _COLUMN_ROWS, random)
        self.columns = NumericColumns(rows.X[known], rows.weight[known])
        if len(known) < n:
            self.columns.widen(rows.X)
        views = self._single_views(rows.X) if large else self.columns.views(rows.X)
        data = MemberData(
            views, rows.codes, n_classes, weight, 1 / np.maximum(rows.copies, 1), landmarks, seed,
            bounded_jobs(self.n_jobs),
        )  # fmt: skip
        most = min(_STACK_ROWS, max(_NOISE_ROWS, _STACK_NUMBERS // n_classes))
        self.fit_rows = _sample(n, most, random)
        self.noise_rows = self.fit_rows[_sample(len(self.fit_rows), _NOISE_ROWS, random)]
        if large:
            kernels = self.kernel_rows is None or n <= self.kernel_rows
            members = _large_members(views.distinct, self.n_trees, n, n_classes, kernels)
        else:
            members = _default_members(views.distinct, self.n_trees)
            if self.n_trees and n >= self.boosting_rows:
                members.append(_boosting(self.n_trees, n_classes, _FEW_LEAVES, {}))
        first = [one.quick() for one in members if one.name in _QUICK_MEMBERS] if self.refit else []
        steps, total = itertools.count(1), len(first) + len(members)

        def one_more():
            if callback is not None:
                callback(next(steps), total)

        self.interrupted = False
        if first:
            self._fit_round(first, data, weight, engine, one_more)
            data = data._replace(weight=weight * np.clip(self.label_quality(), _LEAST_WEIGHT, 1))
        self._fit_round(members, data, weight, engine, one_more, keep)
        return self

    def _single_views(self, X):
        """Both views in single precision, made block by block."""
        few = self.columns.views(X[:2])
        standard = np.empty((len(X), few.standard.shape[1]), dtype=np.float32)
        ranks = np.empty_like(standard) if few.distinct else standard
        for rows in row_blocks(len(X), 8 * X.shape[1]):
            part = self.columns.views(X[rows])
            standard[rows] = part.standard
            if part.distinct:
                ranks[rows] = part.ranks
        return Views(standard, ranks)

    def _fit_round(self, members, data, weight, engine, one_more, keep=False):
        done: dict = {}
        try:
            for k, member, held_out in fit_members(members, data, engine):
                done[k] = member, held_out
                one_more()
        except KeyboardInterrupt:
            if not keep or not done:
                raise
            self.interrupted = True
        self.members = [done[k][0] for k in sorted(done)]
        self.data = data
        used, codes = self.fit_rows, data.codes[self.fit_rows]
        kind = np.float64 if data.landmarks is None else np.float32
        self.calibrations = []
        L = np.empty((len(done), len(data.codes), data.n_classes), dtype=kind)
        for place, k in enumerate(sorted(done)):
            _, F = done.pop(k)
            calibration = Calibration(F[used], codes, weight[used])
            self.calibrations.append(calibration)
            L[place] = calibration.log_odds(F)
        self.stack = Stack(
            L[:, used].astype(np.float64), codes, weight[used], wrong_labels=data.landmarks is not None
        )
        self.held_out_members = L
        # What members say of new rows stays within what they say of training rows that they have not seen.
        self._least, self._most = L.min(axis=1), L.max(axis=1)
        shares = np.bincount(codes, weights=weight[used], minlength=data.n_classes)
        self._base = np.log(shares / shares.sum())
        self.S = np.concatenate(
            [self.stack.log_odds(L[:, part]) for part in row_blocks(L.shape[1], L.shape[0] * L.shape[2])]
        )
        self._weight, self._noise = weight, None

    @property
    def noise(self):
        """The noise model of the classifier, fitted at first access: `wrong_labels` has another prior."""
        if self._noise is None:
            rows = self.noise_rows
            self._noise = NoiseLink(self.S[rows], self.data.codes[rows], self._weight[rows])
        return self._noise

    def label_quality(self):
        """Probability that the given label of each merged row is right."""
        codes = self.data.codes
        return self.noise.label_probability(self.S, codes)[np.arange(len(codes)), codes]

    def log_odds(self, X):
        """The stack's log-odds of the given label."""
        S = self.stack.log_odds(self.member_log_odds(X))
        beyond = self.columns.beyond(X)
        outside = beyond > 0
        # Nothing was learned outside the training range: towards the shares of the classes, halfway at one range.
        doubt = 1 + np.minimum(beyond[outside], 1)[:, None]
        S[outside] = self._base + (S[outside] - self._base) / doubt
        return S

    def member_log_odds(self, X):
        """Calibrated log-odds of every member, (n_members, n_samples, n_classes)."""
        scores = member_scores(self.members, self.columns.views(X))
        bounds = zip(self.calibrations, scores, self._least, self._most, strict=True)
        return np.array([np.clip(c.log_odds(F), least, most) for c, F, least, most in bounds])

    def probability(self, X, *, given=False):
        """P(true label | x), or that of the given label."""
        size = X.shape[1] + len(self.members) * self.data.n_classes
        link = self.noise.given_probability if given else self.noise.class_probability
        parts = [link(self.log_odds(X[rows])) for rows in row_blocks(len(X), size)]
        return np.concatenate(parts)


def _sample(n, most, random):
    return np.arange(n) if n <= most else np.sort(random.choice(n, most, replace=False))
