"""Structural risk minimisation: choosing the capacity of a classifier by one ordered parameter.

A *structure* is a sequence of hypothesis classes, each inside the next; for p-boosting the p-convex hulls of
growing p (barnes1999, section 2.4.1). The search fits one classifier per class of the structure and takes
the one of least estimated true risk: the risk on held-out data, or an upper bound computed on the
training data alone.
"""

from dataclasses import dataclass
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, _fit_context, clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, assert_all_finite, get_tags, indexable
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from weaklearn._docstrings import METHOD
from weaklearn._training import check_weights, refuse_conversions
from weaklearn.boosting.theory._bounds import generalization_bound
from weaklearn.boosting.theory._margins import margins

__all__ = ["CapacitySearchCV", "PConvexHullBound"]


@dataclass(frozen=True)
class PConvexHullBound:
    """The bound of p-boosting as a criterion of `CapacitySearchCV`: called with a fitted ensemble, X and y.

    It is ``generalization_bound("p_convex_hull")`` at the margins of X, normalised by the p-norm, and p is
    a parameter of the ensemble. Beware: on data of ordinary size the confidence interval is far above 1 and
    dwarfs the risk, so that the least p wins; barnes1999 (section 2.4.2) abandoned the bound for that reason
    and used held-out data. A `constant` well below 1 shows the trade-off of its figure 4.2.

    Parameters
    ----------
    gamma : float, default=0.1
        The margin at which the risk is taken, 0 < gamma < 1/2.
    dimension : float, default=None
        d, the exponent of the covering numbers of the base class; None means the number of features + 1,
        the bound on the VC-dimension of decision stumps.
    failure : float, default=0.05
    constant : float, default=1
        c(p), which is not known.
    parameter : str, default="p"
        The name of p among the parameters of the ensemble.

    References
    ----------
    - barnes1999, theorems 12 and 13.
    """

    gamma: float = 0.1
    dimension: float | None = None
    failure: float = 0.05
    constant: float = 1.0
    parameter: str = "p"

    def __call__(self, ensemble, X, y):
        """The bound on the true risk, as a number."""
        p = ensemble.get_params()[self.parameter]
        return generalization_bound(
            "p_convex_hull",
            margins=margins(ensemble, X, y, normalize=p),
            gamma=self.gamma,
            p=p,
            dimension=np.shape(X)[1] + 1 if self.dimension is None else self.dimension,
            failure=self.failure,
            constant=self.constant,
        ).value


def _best_estimator_has(name):
    return lambda search: hasattr(getattr(search, "best_estimator_", search.estimator), name)


class CapacitySearchCV(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Structural risk minimisation over one parameter that orders classifiers by capacity.

    Chooses ``argmin_k R(h_k)`` over the values of the parameter, where R is estimated by cross-validation,
    on a held-out part (give ``cv`` a splitter with one split), or bounded from the training data. Equal
    risks go to the least capacity, and `standard_errors` lets less capacity win even if it is a little worse.
    The chosen classifier is fitted again on all data.

    Parameters
    ----------
    estimator : classifier
    values : sequence
        Values of the parameter, from the least capacity to the greatest.
    parameter : str, default="p"
        Its name, as in ``set_params``.
    criterion : "validation" or callable, default="validation"
        A callable ``criterion(fitted_estimator, X, y)`` gives an upper bound on the risk from the data that
        the estimator was fitted to, such as `PConvexHullBound`; each value is then fitted once, to all data.
    cv : int, splitter or iterable, default=None
        As in scikit-learn's GridSearchCV, for ``criterion="validation"``.
    standard_errors : float, default=0.0
        With 1, the least capacity within one standard error (over the splits) of the best risk is chosen.
    n_jobs : int, default=None

    Attributes
    ----------
    best_value_ : object
        The chosen value.
    best_index_ : int
    best_estimator_ : classifier
        Fitted to all data.
    training_risk_ : ndarray of shape (n_values,)
        Mean error on the data fitted to.
    risk_ : ndarray of shape (n_values,)
        The estimate that is minimised: mean error on the held-out data, or the bound.
    risk_error_ : ndarray of shape (n_values,)
        Its standard error over the splits; 0 for a bound or a single split.
    values_ : ndarray of shape (n_values,)
    classes_, n_features_in_, feature_names_in_
        Those of ``best_estimator_``.

    See Also
    --------
    weaklearn.display.CapacityDisplay : Risks against the parameter.

    References
    ----------
    - barnes1999, sections 2.4.1, 2.4.2 and 4.1, figures 2.9 and 4.2.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier, CapacitySearchCV
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(150, noise=0.2, random_state=0)
    >>> rounds = [1, 3, 10, 30, 100, 300]
    >>> search = CapacitySearchCV(AdaBoostClassifier(), rounds, parameter="n_estimators").fit(X, y)
    >>> search.best_value_
    30
    >>> search.training_risk_.round(2)
    array([0.4 , 0.32, 0.22, 0.16, 0.1 , 0.02])
    >>> search.risk_.round(2)
    array([0.45, 0.43, 0.34, 0.33, 0.35, 0.39])
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"])],
        "values": ["array-like"],
        "parameter": [str],
        "criterion": [callable, str],
        "cv": ["cv_object"],
        "standard_errors": [Interval(Real, 0, None, closed="left")],
        "n_jobs": [int, None],
    }

    def __init__(
        self,
        estimator,
        values,
        *,
        parameter="p",
        criterion="validation",
        cv=None,
        standard_errors=0.0,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.values = values
        self.parameter = parameter
        self.criterion = criterion
        self.cv = cv
        self.standard_errors = standard_errors
        self.n_jobs = n_jobs

    @METHOD
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Fit a classifier for each value, choose one and fit it to all data.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            Passed on to the fits, and used in the risks; None passes nothing on.
        """
        if self.criterion != "validation" and not callable(self.criterion):
            raise ValueError(f'criterion must be "validation" or a callable; got {self.criterion!r}.')
        if len(self.values) == 0:
            raise ValueError("values must hold at least one value of the parameter.")
        refuse_conversions(y, "y")
        X, y = indexable(X, column_or_1d(y, warn=True))
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
            kept = np.flatnonzero(sample_weight)  # as everywhere in the package, weight 0 is absence
            X, y, sample_weight = _safe_indexing(X, kept), y[kept], sample_weight[kept]

        all_rows = np.arange(len(y))
        if callable(self.criterion):
            splits = [(all_rows, all_rows)]  # a bound uses the data that were fitted
        else:
            splits = list(check_cv(self.cv, y, classifier=True).split(X, y))
        parts = Parallel(n_jobs=self.n_jobs)(
            delayed(self._fit_part)(value, X, y, sample_weight, train, test)
            for value in self.values
            for train, test in splits
        )
        training_risks, risks = np.reshape(parts, (len(self.values), len(splits), 2)).transpose(2, 0, 1)
        self.training_risk_, self.risk_ = training_risks.mean(axis=1), risks.mean(axis=1)
        spread = risks.std(axis=1, ddof=1) if len(splits) > 1 else np.zeros(len(risks))
        self.risk_error_ = spread / np.sqrt(len(splits))
        self.values_ = np.array(self.values)

        best = int(np.argmin(self.risk_))  # the first of equals
        allowed = self.risk_[best] + self.standard_errors * self.risk_error_[best]
        self.best_index_ = int(np.flatnonzero(self.risk_ <= allowed)[0])
        self.best_value_ = self.values[self.best_index_]
        self.best_estimator_ = self._fitted(self.best_value_, X, y, sample_weight, all_rows)
        self.classes_ = self.best_estimator_.classes_
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _fitted(self, value, X, y, sample_weight, rows):
        model = clone(self.estimator).set_params(**{self.parameter: value})
        weights = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
        return model.fit(_safe_indexing(X, rows), y[rows], **weights)

    def _fit_part(self, value, X, y, sample_weight, train, test):
        """Training risk and estimated risk of one value on one split."""
        model = self._fitted(value, X, y, sample_weight, train)
        training_risk = _error(model, X, y, sample_weight, train)
        if callable(self.criterion):
            return training_risk, float(self.criterion(model, X, y))
        return training_risk, _error(model, X, y, sample_weight, test)

    @property
    def n_features_in_(self):
        """The number of features seen by ``best_estimator_``."""
        if not hasattr(self, "best_estimator_"):
            raise AttributeError("CapacitySearchCV has no n_features_in_ before fit.")
        return self.best_estimator_.n_features_in_

    def predict(self, X):
        """Labels predicted by ``best_estimator_``."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @available_if(_best_estimator_has("decision_function"))
    def decision_function(self, X):
        """Scores of ``best_estimator_``."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    @available_if(_best_estimator_has("predict_proba"))
    def predict_proba(self, X):
        """Class probabilities of ``best_estimator_``."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        return tags


def _error(model, X, y, sample_weight, rows):
    wrong = model.predict(_safe_indexing(X, rows)) != y[rows]
    return float(np.average(wrong, weights=None if sample_weight is None else sample_weight[rows]))
