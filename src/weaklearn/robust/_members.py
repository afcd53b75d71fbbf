"""The learners inside the machine. Each gives, for every training row, scores per class that do not know its label.

A member has a ``name``; ``fit(data)`` returns held-out scores, an array (n_samples, n_classes); ``scores(views)``
returns those of new rows; ``held_out_scorer(data, rows)`` those of training rows with changed columns. Scores need no
common scale: the stack calibrates them. `fit_members` fits them in this process or on an engine of `weaklearn.engines`,
with the same numbers.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.utils import gen_batches
from sklearn.utils.extmath import softmax

from weaklearn.engines import EngineError
from weaklearn.robust._columns import Views, row_blocks
from weaklearn.robust._ridge import (
    CLIP,
    STRENGTHS,
    DualRidge,
    Pairs,
    PrimalRidge,
    choose_strength,
    landmark_basis,
)
from weaklearn.robust._stacked_trees import stacked_boosting, stacked_forest, tree_sums

# Rows on which the strength of a ridge machine is chosen when there are more.
_CHOOSING_ROWS = 5_000
# Boosted trees of large tables see a sample; more rows would cost minutes and, with noisy labels, buy little.
_BOOSTED_ROWS = 200_000
# Bins of a column, and the rows whose quantiles they are if there are more.
_MOST_BINS, _BINNED_ROWS = 255, 50_000
# Kernel values that are computed at once, so that they stay in the cache; rows come in multiples of 64.
_KERNEL_NUMBERS, _KERNEL_ROWS = 1 << 17, 64
# A product with one column is four times as fast as with two, but not worth another rounding for fewer rows.
_FEW_ROWS = 500


class MemberData(NamedTuple):
    """What members are fitted to.

    ``share`` is what leaving out a row takes from its weight (one of its copies); ``landmarks`` are the rows that stand
    for all in kernels, None for all of them.
    """

    views: Views
    codes: np.ndarray
    n_classes: int
    weight: np.ndarray
    share: np.ndarray
    landmarks: np.ndarray | None
    seed: int
    n_jobs: int | None


def class_targets(codes, n_classes):
    """+1 for a row's class and -1 for the others."""
    return np.where(codes[:, None] == np.arange(n_classes), 1.0, -1.0)


def _mean_without(data, Y, rows=slice(None)):
    """What leaving out a row takes from the mean target, (n_rows, n_targets).

    It is added to left-out scores again: on its own, this shift points away from a row's label, and where columns say
    little about the label it would outweigh them, so that the calibration found a negative slope.
    """
    total = data.weight.sum()
    part = (data.share * data.weight)[rows, None]
    return part * (Y[rows] - data.weight @ Y / total) / np.maximum(total - part, 1e-9 * total)


class RidgeMember:
    """A ridge machine on one kernel and one view; targets are +1 for a row's class and -1 for the others."""

    def __init__(self, kernel, view):
        self.name = kernel if view == "standard" else f"{kernel} on {view}"
        self.kernel, self.view = kernel, view

    def quick(self):
        """This member, to be fitted in a first round."""
        return RidgeMember(self.kernel, self.view)

    def fit(self, data):
        Y = class_targets(data.codes, data.n_classes)
        ridge = self._ridge(data, Y)
        rows: Any = slice(None)
        if len(Y) > _CHOOSING_ROWS:
            rows = np.sort(np.random.RandomState(data.seed).choice(len(Y), _CHOOSING_ROWS, replace=False))
        left_out = ridge.left_out(rows)
        self._chosen = choose_strength(left_out, Y[rows], data.weight[rows])
        self._coef, self._bias = ridge.solution(self.strength)
        held_out = left_out[self._chosen]
        if len(held_out) < len(Y):
            chosen, blocks = STRENGTHS[[self._chosen]], row_blocks(len(Y), len(self._coef))
            held_out = np.concatenate([ridge.left_out(block, chosen)[0] for block in blocks])
        return held_out + _mean_without(data, Y)

    def _ridge(self, data, Y):
        """The machine of some training data. Features are columns, or kernel values with training rows or landmarks."""
        X = getattr(data.views, self.view)
        n, n_features = X.shape
        self._support = X if data.landmarks is None else X[data.landmarks].astype(np.float64)
        self._explicit, basis = self.kernel == "linear" and n_features < n, None
        if not self._explicit:
            if data.landmarks is None:
                return DualRidge(self._features(self.pairs(X)), data.weight, data.share, Y)
            n_features, basis = len(data.landmarks), landmark_basis(self.kernel, self._support)
        blocks = row_blocks(n, n_features)
        return PrimalRidge(
            blocks, lambda rows: self._features(self.pairs(X[rows])), data.weight, data.share, Y, basis
        )

    @property
    def strength(self):
        """The chosen lambda."""
        return STRENGTHS[self._chosen]

    def pairs(self, X):
        """Rows of the view with those that stand for all: the same for every member with this view."""
        return Pairs(np.asarray(X, dtype=np.float64), self._support)

    def _features(self, pairs):
        return pairs.P if self._explicit else pairs.kernel(self.kernel)

    def scores(self, views):
        return member_scores([self], views)[0]

    def pair_scores(self, pairs):
        """`scores` of the rows of some pairs."""
        features = self._features(pairs)
        if (
            self._coef.shape[1] == 2 and len(self._coef) > _FEW_ROWS
        ):  # targets of two classes differ in sign only
            second = features @ np.ascontiguousarray(self._coef[:, 1]) + self._bias[1]
            scores = np.column_stack([-second, second])
        else:
            scores = features @ self._coef + self._bias
        return np.clip(scores, -CLIP, CLIP, out=scores)

    def held_out_scorer(self, data, rows):
        """A function from changed views of ``rows`` to their scores by machines that have not seen the row."""
        X = getattr(data.views, self.view)
        Y = class_targets(data.codes, data.n_classes)
        ridge = self._ridge(data, Y)
        lost = (data.share * data.weight)[rows, None]
        residual = Y[rows] - ridge.left_out(rows, STRENGTHS[[self._chosen]])[0]
        shrunk = ridge.spectral(self._features(self.pairs(X[rows]))) * (ridge.s / (ridge.s + self.strength))
        shift = _mean_without(data, Y, rows)

        def scores(views):
            features = self._features(self.pairs(getattr(views, self.view)))
            known = features @ self._coef + self._bias
            reach = np.einsum("ij,ij->i", ridge.spectral(features), shrunk)[:, None]
            without = known - (1 / data.weight.sum() + reach) * lost * residual
            return np.clip(without, -CLIP, CLIP) + shift

        return scores


class ForestMember:
    """Randomised trees; their out-of-bag class shares, as logarithms."""

    def __init__(self, kind, n_estimators=100):
        self.name = kind
        self.kind, self.n_estimators = kind, n_estimators

    def fit(self, data):
        forest, leaf = {
            "extra trees": (ExtraTreesClassifier, 3),
            "random forest": (RandomForestClassifier, 5),
        }[self.kind]
        fitted = forest(
            self.n_estimators,
            min_samples_leaf=leaf,
            bootstrap=True,
            random_state=data.seed,
            n_jobs=data.n_jobs,
        )
        fitted.fit(data.views.standard, data.codes, data.weight)
        self.trees = stacked_forest(fitted)
        self._drawn = np.zeros((len(fitted.estimators_), len(data.codes)), dtype=bool)
        for drawn, rows in zip(self._drawn, fitted.estimators_samples_, strict=True):
            drawn[rows] = True
        return self.scores(data.views, self._drawn)

    def held_out_scorer(self, data, rows):
        """A function from changed views of ``rows`` to their scores by the trees that have not drawn the row."""
        drawn = self._drawn[:, rows]
        return lambda views: self.scores(views, drawn)

    def scores(self, views, drawn=None):
        X = views.standard.astype(np.float32)  # as scikit-learn's trees see it
        total, votes = tree_sums(self.trees, X, drawn)
        n_classes = total.shape[1]
        # A row that every tree has drawn, one of overwhelming weight, is scored as undecided.
        share = np.where(votes > 0, total / np.maximum(votes, 1), 1 / n_classes)
        # Half a tree's vote spread over the classes; the mean over classes is immaterial.
        logarithm = np.log(share + 1 / (self.n_estimators * n_classes))
        return logarithm - logarithm.mean(axis=1, keepdims=True)


class Bins:
    """Columns cut once, for boosted trees that are fitted to many parts of one finite table.

    Bins have about equally many rows, or there is one for each value of a column that has at most 255. ``random`` draws
    the rows whose quantiles are used, if there are more than 50,000.
    """

    def __init__(self, X, random):
        if len(X) > _BINNED_ROWS:
            X = X[random.choice(len(X), _BINNED_ROWS, replace=False)]
        self.edges = [self._edges(column) for column in X.T]

    @staticmethod
    def _edges(column):
        values = np.unique(column)
        if len(values) <= _MOST_BINS:
            return (values[1:] + values[:-1]) / 2
        return np.unique(np.quantile(column, np.arange(1, _MOST_BINS) / _MOST_BINS))

    def codes(self, X):
        """Bin numbers, (n_samples, n_features)."""
        codes = np.empty(X.shape, dtype=np.uint8)
        for j, edges in enumerate(self.edges):
            codes[:, j] = np.searchsorted(edges, X[:, j])
        return codes


class BoostingMember:
    """Boosted trees, out of fold, each fold's from at most ``most_rows``; new rows get the mean over folds."""

    name = "boosted trees"

    def __init__(self, n_folds=4, most_rows=_BOOSTED_ROWS, **options):
        self.n_folds, self.most_rows, self.options = n_folds, most_rows, options

    def quick(self):
        """This member, to be fitted in a first round: a third of the work."""
        return BoostingMember(2, self.most_rows, **self.options)

    def fit(self, data):
        random = np.random.RandomState(data.seed)
        # Binned here: scikit-learn takes seconds to find the bins of weighted rows.
        self.bins = Bins(data.views.standard, random)
        X = self.bins.codes(data.views.standard)
        self.n_classes = data.n_classes
        self.fold = stratified_folds(data.codes, self.n_folds, data.seed)
        self.models = []
        for k in range(self.n_folds):
            train = np.flatnonzero(self.fold != k)
            if self.most_rows is not None and len(train) > self.most_rows:
                train = np.sort(random.choice(train, self.most_rows, replace=False))
            classes = np.unique(data.codes[train])
            model = None
            if len(classes) > 1:
                fitted = HistGradientBoostingClassifier(
                    random_state=data.seed, early_stopping=False, **self.options
                ).fit(X[train], data.codes[train], data.weight[train])
                model = classes, fitted._baseline_prediction.ravel(), stacked_boosting(fitted)
            self.models.append(model)
        return self.held_out_scorer(data, np.arange(len(X)))(data.views)

    def held_out_scorer(self, data, rows):
        """A function from changed views of ``rows`` to their scores by the model that has not seen their fold."""
        fold = self.fold[rows]

        def scores(views):
            held_out = np.zeros((len(rows), data.n_classes))
            X = self.bins.codes(views.standard)
            for k, model in enumerate(self.models):
                if model is not None and np.any(fold == k):
                    held_out[fold == k] = self._log_share(model, X[fold == k])
            return held_out

        return scores

    def _log_share(self, model, X):
        classes, start, stacks = model
        sums = np.hstack(
            [tree_sums(trees, X, start=one)[0] for one, trees in zip(start, stacks, strict=True)]
        )
        share = np.full((len(X), self.n_classes), 1e-4)
        if len(classes) == 2:
            second = expit(sums)
            share[:, classes] += np.hstack([1 - second, second])
        else:
            share[:, classes] += softmax(sums)
        logarithm = np.log(share)
        return logarithm - logarithm.mean(axis=1, keepdims=True)

    def scores(self, views):
        models = [model for model in self.models if model is not None]
        X = self.bins.codes(views.standard)
        undecided = np.zeros((len(X), self.n_classes))
        return sum((self._log_share(model, X) / len(models) for model in models), start=undecided)


def stratified_folds(codes, n_folds, seed):
    """A fold for every row; each class is spread as evenly as it goes."""
    order = np.random.RandomState(seed).permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), dtype=np.intp)
    fold[order] = np.arange(len(codes)) % n_folds
    return fold


def member_scores(members, views):
    """Scores of new rows by each member, a list; ridge machines share what their kernels are computed from."""
    ridge = [one for one in members if isinstance(one, RidgeMember)]
    parts: dict = {one.name: [] for one in ridge}
    most = max((len(one._support) for one in ridge), default=1)
    n_rows = max(1, _KERNEL_NUMBERS // (most * _KERNEL_ROWS)) * _KERNEL_ROWS
    for rows in gen_batches(len(views.standard), n_rows):
        pairs: dict = {}
        for one in ridge:
            if one.view not in pairs:
                pairs[one.view] = one.pairs(getattr(views, one.view)[rows])
            parts[one.name].append(one.pair_scores(pairs[one.view]))
    return [np.concatenate(parts[one.name]) if one in ridge else one.scores(views) for one in members]


def fit_member(member, data):
    """The member, fitted, and its held-out scores; what an engine's workers run."""
    held_out = member.fit(data)
    return member, held_out


def fit_members(members, data, engine=None):
    """Yield a position, a fitted member and its held-out scores, each as soon as it is fitted.

    ``engine`` is an open engine; None is this process.
    """
    if engine is None:
        yield from ((k, *fit_member(member, data)) for k, member in enumerate(members))
        return
    for outcome in engine.run("weaklearn.robust._members:fit_member", members, shared=data):
        if outcome.failure is not None:
            name = members[outcome.index].name
            raise EngineError(f"the learner {name!r} could not be fitted: {outcome.failure}")
        yield outcome.index, *outcome.value
