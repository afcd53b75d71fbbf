"""Data pruning as a scikit-learn estimator."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets

from weaklearn._docstrings import documented
from weaklearn._training import validate_data
from weaklearn.complexity._contribution import complexity_contribution
from weaklearn.complexity._paths import greedy_pruning

# li2006 for contributions. For the surprise: 0 is where the subsets contradict the label as often as they support it.
_DEFAULT_THRESHOLDS = {
    "average": (2 / 3, 1.0),
    "least_squares": (2 / 3, 1.0),
    "surprise": (-0.4, 0.0),
}


@documented
class ComplexityPruner(BaseEstimator):
    r"""Finds examples that make a set more complex than they are worth, and takes them out.

    Each example gets a contribution :math:`\gamma_n` (see `complexity_contribution`) and a category: *typical* if
    :math:`\gamma_n < \theta_1`, *noisy* if :math:`\gamma_n > \theta_2`, and *critical* between, as along the class
    boundary.

    Parameters
    ----------
    method : {"surprise", "average", "least_squares", "greedy"}, default="surprise"
        The first three are estimators of `complexity_contribution`; "greedy" is `greedy_pruning`, where the
        contribution of an example is by how much its removal lowered the complexity, and 0 if it stayed. For the
        probability that a label is wrong, and weights made from it, see `weaklearn.labels.LabelAuditor`.
    thresholds : (float, float) or None, default=None
        :math:`\theta_1 \le \theta_2`. None means (2/3, 1), those of li2006, and (-0.4, 0) for the surprise.
    measure : callable or incremental measure, default=None
        ``measure(X, y) -> float``, or an object with ``push(x, y)``, ``pop()`` and ``value``; None means
        `SVMComplexity()`, which the method "surprise" needs.
    lam : float, default=2.0
        Of the greedy method: the least decrease of complexity for which an example is removed.
    n_permutations, start, stop, random_state, n_jobs
        As in `complexity_contribution`; defaults 200, "auto", None, None and None. The greedy method ignores them.

    Attributes
    ----------
    contribution_ : ndarray of shape (n_samples,)
        The contribution of each example.
    standard_error_ : ndarray of shape (n_samples,)
        0 for the greedy method, which has none.
    category_ : ndarray of shape (n_samples,) of str
        "typical", "critical" or "noisy".
    thresholds_ : (float, float)
        The two thresholds.
    sample_weight_ : ndarray of shape (n_samples,)
        1 for typical examples, 0 for noisy ones, and falling linearly from 1 to 0 between the thresholds.
    sample_indices_ : ndarray
        Numbers of the examples that `fit_resample` keeps: all but the noisy ones. If all examples of a class are noisy,
        the least noisy of them is kept.

    Notes
    -----
    With more than two classes, contributions are half the sum over one-against-the-rest problems, so an example of one
    class inside another counts once for each of the two boundaries it breaks.

    References
    ----------
    li2006, subsections 1.5.1 to 1.5.3.

    Examples
    --------
    >>> from weaklearn.complexity import ComplexityPruner
    >>> from weaklearn.datasets import make_yinyang
    >>> X, y = make_yinyang(100, flip=0.03, random_state=4)  # the last three are flipped
    >>> pruner = ComplexityPruner(random_state=0)
    >>> X_clean, y_clean = pruner.fit_resample(X, y)
    >>> pruner.category_[-3:].tolist()
    ['noisy', 'noisy', 'noisy']
    """

    _parameter_constraints = {
        "method": [StrOptions({"surprise", "average", "least_squares", "greedy"})],
        "thresholds": [None, tuple, list],
        "measure": [None, callable, HasMethods(["push", "pop"])],
        "lam": [Interval(Real, 0, None, closed="neither")],
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "start": [StrOptions({"auto"}), Interval(Integral, 0, None, closed="left")],
        "stop": [None, Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        method="surprise",
        *,
        thresholds=None,
        measure=None,
        lam=2.0,
        n_permutations=200,
        start="auto",
        stop=None,
        random_state=None,
        n_jobs=None,
    ):
        self.method = method
        self.thresholds = thresholds
        self.measure = measure
        self.lam = lam
        self.n_permutations = n_permutations
        self.start = start
        self.stop = stop
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Estimate contributions and categorise the examples."""
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.thresholds_ = low, high = self._chosen_thresholds()
        self._contribute(X, y)
        at = self.contribution_
        self.category_ = np.select([at > high, at >= low], ["noisy", "critical"], "typical")
        if high > low:
            self.sample_weight_ = np.clip((high - self.contribution_) / (high - low), 0.0, 1.0)
        else:
            self.sample_weight_ = (self.contribution_ <= high).astype(float)
        kept = self.category_ != "noisy"
        for label in self.classes_:
            rows = np.flatnonzero(y == label)
            if not kept[rows].any():
                kept[rows[np.argmin(self.contribution_[rows])]] = True
        self.sample_indices_ = np.flatnonzero(kept)
        return self

    def fit_resample(self, X, y):
        """Fit, and return the examples without the noisy ones.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Tables keep their kind.
        y : array-like of shape (n_samples,)

        Returns
        -------
        X_resampled, y_resampled
        """
        self.fit(X, y)
        kept = self.sample_indices_
        return _safe_indexing(X, kept), _safe_indexing(y, kept)

    def _chosen_thresholds(self):
        if self.thresholds is None:
            removed = (np.nextafter(0.0, 1.0), self.lam / 2)  # removed or not
            return removed if self.method == "greedy" else _DEFAULT_THRESHOLDS[self.method]
        low, high = self.thresholds if len(self.thresholds) == 2 else (1.0, 0.0)
        if not low <= high:
            raise ValueError(
                f"thresholds must be two numbers, the smaller one first; got {self.thresholds!r}."
            )
        return float(low), float(high)

    def _contribute(self, X, y):
        if self.method == "greedy":
            found = greedy_pruning(X, y, lam=self.lam, measure=self.measure)
            self.contribution_ = np.zeros(len(X))
            self.contribution_[found.removed] = found.contribution
            self.standard_error_ = np.zeros(len(X))
            return
        names = ("measure", "n_permutations", "start", "stop", "random_state", "n_jobs")
        settings = {name: getattr(self, name) for name in names}
        result = complexity_contribution(X, y, estimator=self.method, **settings)
        # An example that no permutation measured says nothing against itself.
        self.contribution_ = np.nan_to_num(result.contribution, nan=np.nanmin(result.contribution))
        self.standard_error_ = result.standard_error
