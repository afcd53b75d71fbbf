"""Choosing between models by their error on clones of the data."""

import time
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid, check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import _safe_indexing, check_random_state, get_tags, indexable
from sklearn.utils._param_validation import HasMethods, Interval

from weaklearn._training import bounded_jobs, check_labels
from weaklearn.cloning._rho import RhoCloner
from weaklearn.tables import stacked


class CloneSearchCV(BaseSearchCV):
    r"""Choose parameters, or algorithms, by their mean score on clones of the data.

    A cloner is fitted to the data. Each of ``n_clones`` splits is a cloned training set of the size of the original,
    with its mix of typical, critical and noisy examples, and a cloned test set with the noise-free labels of the cloner
    function. The candidate with the best mean test score is refitted on the original. The data itself is never used
    to compare candidates.

    Parameters
    ----------
    estimator : estimator
    param_grid : dict or list of dict
        As in GridSearchCV. To choose between algorithms, let one step of a pipeline be the parameter:
        ``{"model": [SVC(), LogisticRegression()]}``.
    cloner : AdaBoostCloner, RhoCloner or None, default=None
        None means ``RhoCloner()``: where choosing on clones helps at all, it was the better of the two.
    n_clones : int, default=5
        Number of cloned training sets.
    test_size : int or None, default=None
        Size of each cloned test set; None means 5 times the original, but at least 1,000 and at most 10,000.
    scoring : str, callable or None, default=None
        One score, as in GridSearchCV.
    refit : bool, default=True
        Whether the best candidate is fitted to the original.
    cv : int, cross-validation generator or iterable, default=5
        The cross-validation that cloning is compared with; used only if ``outer_cv`` is given.
    outer_cv : int, cross-validation generator, iterable or None, default=None
        With this, every way of choosing is run in the training part of each outer fold, its choice is scored on
        the test part, and `comparison_` reports them side by side.
    n_jobs : int or None, default=None
    random_state : int, RandomState instance or None, default=None
        Seeds the cloner and the clones.

    Attributes
    ----------
    cv_results_ : dict
        As in GridSearchCV; ``split0_test_score`` and so on are the scores on clones.
    best_estimator_, best_params_, best_index_, best_score_, refit_time_, scorer_, n_splits_, multimetric_
        As in GridSearchCV.
    cloner_ : fitted cloner
    comparison_ : dict
        If ``outer_cv`` is given. For each of "clone", "cv" and "one standard error": ``params`` (chosen on all data),
        ``score`` (that it was chosen by), ``outer_score`` and ``outer_standard_error`` (of its choices on the outer
        test parts; for "cv" this is nested cross-validation), and ``optimism``, the mean over the outer folds of the
        score by which the choice was made minus its score on the test part.
    classes_, n_features_in_, feature_names_in_
        Of ``best_estimator_``.

    See Also
    --------
    sklearn.model_selection.GridSearchCV : Choice by cross-validation.

    Notes
    -----
    Where this helps and where it does not is measured in ``docs/cloning.md``. In short: with few examples, noisy labels
    and many candidates on few columns, choices made on rho-clones are better than those of cross-validation; elsewhere
    they are no better, and in many dimensions or between unlike algorithms they are worse.

    "One standard error" takes the *first* candidate in the order of the grid whose mean cross-validation score is
    within one standard error of the best: list simple models first.

    References
    ----------
    - pratap2008, sections 4.7.3 and 4.7.4.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from weaklearn.cloning import CloneSearchCV
    >>> from weaklearn.datasets import make_yinyang
    >>> X, y = make_yinyang(100, random_state=0)
    >>> search = CloneSearchCV(SVC(), {"C": [0.01, 1, 100]}, n_clones=3, random_state=0).fit(X, y)
    >>> search.best_params_["C"] > 0.01
    True
    >>> search.cv_results_["mean_test_score"].shape
    (3,)
    """

    _parameter_constraints: dict = {
        **BaseSearchCV._parameter_constraints,
        "param_grid": [dict, list],
        "cloner": [None, HasMethods(["fit", "sample"])],
        "n_clones": [Interval(Integral, 1, None, closed="left")],
        "test_size": [None, Interval(Integral, 1, None, closed="left")],
        "refit": ["boolean"],
        "outer_cv": ["cv_object"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator,
        param_grid,
        *,
        cloner=None,
        n_clones=5,
        test_size=None,
        scoring=None,
        refit=True,
        cv=5,
        outer_cv=None,
        n_jobs=None,
        random_state=None,
    ):
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            error_score="raise",
        )
        self.param_grid = param_grid
        self.cloner = cloner
        self.n_clones = n_clones
        self.test_size = test_size
        self.outer_cv = outer_cv
        self.random_state = random_state

    def _run_search(self, evaluate_candidates):
        evaluate_candidates(ParameterGrid(self.param_grid))

    def fit(self, X, y=None, **params):
        """Make the clones, score every candidate on them, and fit the best to the data.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Numbers; in a data frame also categories. Entries may be missing, if the estimator can do with that.
        y : array-like of shape (n_samples,)
        **params : dict
            Passed to the ``fit`` of the final fit on the data only: there is no such thing for the examples of clones.

        Returns
        -------
        self
        """
        self._validate_params()
        if y is None:
            raise ValueError(
                "This CloneSearchCV estimator requires y to be passed, but the target y is None: "
                "clones are labelled like the original."
            )
        X, y = indexable(X, check_labels(y))
        rng = check_random_state(self.random_state)
        search = self._on_clones(X, y, rng)
        for name in vars(search):
            if name.endswith("_"):
                setattr(self, name, getattr(search, name))
        if self.refit:
            started = time.perf_counter()
            self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_.fit(X, y, **params)
            self.refit_time_ = time.perf_counter() - started
            if hasattr(self.best_estimator_, "feature_names_in_"):
                self.feature_names_in_ = self.best_estimator_.feature_names_in_
        if self.outer_cv is not None:
            self.comparison_ = self._side_by_side(X, y, search, rng)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Cloners take tables apart by columns; a sparse matrix would have to be made dense.
        tags.input_tags.sparse = False
        # Cloners keep missing entries missing.
        tags.input_tags.allow_nan = get_tags(self.estimator).input_tags.allow_nan
        return tags

    def _on_clones(self, X, y, rng):
        """A finished search over clones of (X, y), without a refit."""
        cloner = RhoCloner() if self.cloner is None else clone(self.cloner)
        if cloner.random_state is None:
            cloner.set_params(random_state=rng.randint(2**31 - 1))
        cloner.fit(X, y)
        n = len(cloner.values_)
        test_size = min(max(5 * n, 1000), 10_000) if self.test_size is None else self.test_size
        parts, splits, start = [], [], 0
        for _ in range(self.n_clones):
            for size, selection in ((n, True), (test_size, False)):
                parts.append(cloner.sample(size, selection=selection, random_state=rng))
            splits.append((np.arange(start, start + n), np.arange(start + n, start + n + test_size)))
            start += n + test_size
        X_all, y_all = stacked([X for X, _ in parts]), np.concatenate([labels for _, labels in parts])
        # GridSearchCV on all clones at once, its folds being the clones: results look and behave as everywhere.
        search = self._grid_search(splits).fit(X_all, y_all)
        search.cloner_ = cloner
        return search

    def _grid_search(self, cv):
        return GridSearchCV(
            self.estimator,
            self.param_grid,
            scoring=self.scoring,
            n_jobs=bounded_jobs(self.n_jobs),
            refit=False,
            cv=cv,
            error_score="raise",
        )

    def _side_by_side(self, X, y, search, rng):
        chosen = self._choices(search, X, y)
        candidates = search.cv_results_["params"]
        score = self.scorer_
        outer: dict[str, list[Any]] = {name: [] for name in chosen}
        for train, test in check_cv(self.outer_cv, y, classifier=True).split(X, y):
            X_train, y_train = _safe_indexing(X, train), _safe_indexing(y, train)
            X_test, y_test = _safe_indexing(X, test), _safe_indexing(y, test)
            choices = self._choices(self._on_clones(X_train, y_train, rng), X_train, y_train)
            scored: dict[int, float] = {}
            for name, (index, promised) in choices.items():
                if index not in scored:
                    model = clone(self.estimator).set_params(**clone(candidates[index], safe=False))
                    scored[index] = score(model.fit(X_train, y_train), X_test, y_test)
                outer[name].append((promised, scored[index]))
        result = {}
        for name, (index, promised) in chosen.items():
            pairs = np.array(outer[name])
            result[name] = {
                "params": candidates[index],
                "score": float(promised),
                "outer_score": float(pairs[:, 1].mean()),
                "outer_standard_error": float(pairs[:, 1].std(ddof=1) / np.sqrt(len(pairs)))
                if len(pairs) > 1
                else None,
                "optimism": float((pairs[:, 0] - pairs[:, 1]).mean()),
            }
        return result

    def _choices(self, on_clones, X, y):
        """The number of the candidate that each way of choosing takes, and the score by which it does."""
        search = self._grid_search(self.cv).fit(X, y)
        index = one_standard_error_choice(search.cv_results_)
        return {
            "clone": (on_clones.best_index_, on_clones.best_score_),
            "cv": (search.best_index_, search.best_score_),
            "one standard error": (index, search.cv_results_["mean_test_score"][index]),
        }


def one_standard_error_choice(results):
    """The first candidate whose mean score is within one standard error of the best (of the best one's own error)."""
    n_splits = sum(name.startswith("split") and name.endswith("_test_score") for name in results)
    mean, spread = results["mean_test_score"], results["std_test_score"]
    best = int(np.nanargmax(mean))
    error = spread[best] / np.sqrt(max(n_splits - 1, 1))
    return int(np.flatnonzero(mean >= mean[best] - error)[0])
