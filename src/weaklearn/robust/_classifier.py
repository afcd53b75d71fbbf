"""`RobustClassifier`: the machine of `weaklearn.robust.machine` as a classifier."""

from numbers import Integral, Real

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import dense, encoded
from weaklearn.robust.machine import Machine, merge_rows
from weaklearn.tables import TableEncoder, TableInputMixin, encode_new_table, encode_training_table

_N_LANDMARKS = 1000
# From this many distinct rows on, boosted trees are a member.
_BOOSTING_ROWS = 700
# Importances: more rows than this add little to an average over rows; members of less weight are left out.
_ROWS, _NEGLIGIBLE = 2000, 0.01


@documented
class RobustClassifier(TableInputMixin, ClassifierMixin, BaseEstimator):
    r"""The classifier to pick for a small table whose labels may be wrong.

    Ridge machines on several kernels (linear, stump, perceptron, RBF; on values and on ranks), two forests and, with
    many rows, boosted trees are fitted. Each predicts every training row without having seen its label: the ridge
    machines by an exact formula, the forests out of bag, boosted trees out of fold. These held-out scores decide how
    much each member counts, give calibrated probabilities, and estimate how many labels are wrong; rows whose label is
    probably wrong count less. See ``docs/robust.md`` for the mathematics and measurements.

    Any number of classes; missing values (NaN) are allowed. Frames (pandas, polars) and arrays of objects may hold
    text, categories, booleans and dates.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of each forest; from 700 distinct rows on, also rounds of boosted trees (two fifths of it for more than
        two classes), which above 1,500 rows replace the random forest and, from 10,000 rows on, all forests. 0 leaves
        all trees out: several times as fast, slightly less accurate, and, up to 1,500 rows, deterministic.
    class_weight : dict, "balanced" or None, default=None
        Multiplies ``sample_weight`` by the weight of a row's class. Probabilities are then those of a population with
        these proportions.
    n_jobs : int, default=None
        Of the forests. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Of forests and landmarks.

    Attributes
    ----------
    loo_proba_ : ndarray of shape (n_samples, n_classes)
        Probabilities of the true label of each training row, from members that have not seen its label.
    loo_error_ : float
        Weighted share of training rows whose given label is not the one predicted by ``loo_proba_``.
    label_quality_ : ndarray of shape (n_samples,)
        Probability that the given label of each training row is right.
    noise_rate_ : float
        Estimated share of wrong labels; `weaklearn.labels.LabelAuditor` says more.
    member_weights_ : dict of str to float
        The weight of each member in the stack.
    feature_importances_ : ndarray of shape (n_features_in_,)
        By how much the held-out log loss rises when a column is shuffled, divided by the sum over columns. Computed at
        first access.

    Notes
    -----
    Integer sample weights count copies of a row: a row of weight two and two equal rows give the same classifier, and a
    row left out means one copy left out. If any weight is not an integer, all weights are importances.

    Up to 1,500 distinct rows, kernels use all of them. Above, at most 1,000 random rows stand for all in the kernels,
    and fewer for large tables, at least 300, so that the cost grows linearly with the rows.

    Examples
    --------
    >>> from weaklearn.datasets import make_twonorm
    >>> from weaklearn.robust import RobustClassifier
    >>> X, y = make_twonorm(200, random_state=0)
    >>> y[:20] *= -1  # one label in ten is wrong
    >>> X_test, y_test = make_twonorm(1000, random_state=1)
    >>> classifier = RobustClassifier(n_trees=0).fit(X, y)
    >>> bool(classifier.score(X_test, y_test) > 0.95)
    True
    """

    _parameter_constraints = {
        "n_trees": [Interval(Integral, 0, None, closed="left")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "encoder": [TableEncoder, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(self, *, n_trees=100, class_weight=None, encoder=None, n_jobs=None, random_state=None):
        self.n_trees = n_trees
        self.class_weight = class_weight
        self.encoder = encoder
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    @documented
    def fit(self, X, y, sample_weight=None):
        """Fit to rows with labels.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            NaN, None or an empty text for missing values. A sparse matrix is made dense; at most 100 million numbers.
        """
        X, y = encode_training_table(self, dense(X), y, sample_weight)
        data, self.classes_ = encoded(type(self).__name__, X, y, sample_weight)
        if isinstance(self.class_weight, dict):
            _check_class_weight(self.class_weight)
        self._present, codes = np.unique(data.codes, return_inverse=True)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        rows = merge_rows(data.X, codes, data.sample_weight)
        factor = None
        if self.class_weight is not None:
            factor = compute_class_weight(
                self.class_weight,
                classes=self.classes_,
                y=self.classes_[data.codes],
                sample_weight=data.sample_weight,
            )[self._present]
        self._machine = Machine(
            n_trees=self.n_trees, boosting_rows=_BOOSTING_ROWS, n_landmarks=_N_LANDMARKS, n_jobs=self.n_jobs
        )
        self._machine.fit(rows, len(self._present), seed, factor)
        self._rows, self._seed = rows, seed
        kept = np.ones(len(X), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
        self._describe(X, kept)
        return self

    def _describe(self, X, kept):
        machine, rows = self._machine, self._rows
        held_out = machine.noise.class_probability(machine.S)
        self.noise_rate_ = machine.noise.noise_rate
        self.member_weights_ = {
            member.name: float(weight)
            for member, weight in zip(machine.members, machine.stack.weight, strict=True)
        }
        self.loo_error_ = float(np.average(held_out.argmax(axis=1) != rows.codes, weights=rows.weight))
        self.loo_proba_ = np.empty((len(X), len(self.classes_)))
        self.label_quality_ = np.ones(len(X))
        self.loo_proba_[kept] = self._all_classes(held_out[rows.inverse])
        self.label_quality_[kept] = machine.label_quality()[rows.inverse]
        if not kept.all():  # rows of weight zero were never seen
            self.loo_proba_[~kept] = self._all_classes(machine.probability(X[~kept]))
        self._importances = None

    def _all_classes(self, probability):
        if len(self._present) == len(self.classes_):
            return probability
        full = np.zeros((len(probability), len(self.classes_)))
        full[:, self._present] = probability
        return full

    @documented
    def predict_proba(self, X):
        """Probabilities of the true label."""
        return self._probability(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @documented
    def predict_given_proba(self, X):
        """Probabilities of the label that a new row would be given, if labels are wrong as often as in training."""
        return self._probability(X, given=True)

    def _probability(self, X, **label):
        check_is_fitted(self)
        return self._all_classes(self._machine.probability(encode_new_table(self, dense(X)), **label))

    @documented
    def predict(self, X):
        """The most probable label of each row."""
        probability = self.predict_proba(X)  # first: it checks that the classifier is fitted
        return self.classes_[probability.argmax(axis=1)]

    @property
    def feature_importances_(self):
        check_is_fitted(self)
        if self._importances is None:
            n_columns = self.n_features_in_
            sources = np.arange(n_columns) if self.encoder_ is None else self.encoder_.sources_
            self._importances = _held_out_importances(
                self._machine, self._rows, self._seed, sources, n_columns
            )
        return self._importances


def _held_out_importances(machine, rows, seed, sources, n_columns):
    r"""The rise of the held-out log loss when a column is shuffled, for each of the n_columns of a table.

    The shuffled row i, :math:`x'_i`, is scored by the machine that has not seen row i. For a ridge machine this is
    exact: with :math:`g(x, x_i)` the weight that the prediction at x gives to one unit of row i,
    :math:`f^{-i}(x'_i) = f(x'_i) - g(x'_i, x_i)\, \phi_i u_i\, (y_i - f^{-i}(x_i))` in the notation of `_ridge`.
    Forests score it with the trees that have not drawn row i, boosted trees with the fold that has not.

    The numbers sum to one (all 0 if no column matters). ``sources`` has, for each column of ``rows.X``, the column of
    the table that it was made from; those of one source are shuffled together.
    """
    random = np.random.RandomState(seed)
    n = len(rows.codes)
    chosen = np.arange(n) if n <= _ROWS else np.sort(random.choice(n, _ROWS, replace=False))
    codes, weight = rows.codes[chosen], rows.weight[chosen]
    used = np.flatnonzero(machine.stack.weight > _NEGLIGIBLE)
    scorers = {k: machine.members[k].held_out_scorer(machine.data, chosen) for k in used}

    def loss(X):
        views = machine.columns.views(X)
        S = machine.stack.constant + sum(
            machine.stack.weight[k] * machine.calibrations[k].log_odds(scorers[k](views)) for k in used
        )
        return weight @ (logsumexp(S, axis=1) - S[np.arange(len(codes)), codes])

    X = rows.X[chosen].copy()
    before = loss(X)
    rise = np.zeros(n_columns)
    order = random.permutation(len(X))
    for j in np.unique(sources):
        part = np.flatnonzero(sources == j)
        kept = X[:, part]
        X[:, part] = kept[order]
        rise[j] = max(loss(X) - before, 0.0)
        X[:, part] = kept
    total = rise.sum()
    return rise / total if total > 0 else rise


def _check_class_weight(class_weight):
    for label, weight in class_weight.items():
        number = isinstance(weight, Real) and not isinstance(weight, bool)
        if not number or not 0 < weight < np.inf:
            raise ValueError(
                f"class_weight must hold finite numbers above 0; got {weight!r} for the class {label!r}. To leave a "
                "class out, drop its rows."
            )
