"""SAMME and SAMME.R: AdaBoost for many classes with one multiclass weak learner."""

from numbers import Integral

import numpy as np
from sklearn.base import _fit_context
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._training import training_set
from weaklearn.boosting.engine import (
    ClassScores,
    Move,
    SammeRun,
    centred_log_probabilities,
    class_votes,
    coefficients,
    default_tree,
    prepare_classes,
    seen_by_trees,
)
from weaklearn.multiclass._staged import StagedClassifier, seeded_generator, shown_rows


@documented
class SAMMEClassifier(CallbackSupportMixin, StagedClassifier):
    r"""Stagewise additive modelling with a multiclass exponential loss.

    Round t trains a classifier T_t with the current weights of the examples, measures its weighted error e_t and,
    in SAMME, adds it with the coefficient

    .. math:: \alpha_t = \ln\frac{1 - e_t}{e_t} + \ln(K - 1),

    which is positive for anything better than guessing among K classes; the weights of the examples that it gets
    wrong are multiplied by :math:`e^{\alpha_t}`. The score of class k is the sum of alpha_t over the classifiers that
    vote for k. SAMME.R uses the class probabilities p_k(x) of T_t instead: the score of class k is the sum of
    :math:`\ell_k(x) = \ln p_k(x) - \frac1K \sum_j \ln p_j(x)`, and the weights are multiplied by
    :math:`e^{-\ell_y(x)}`.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier for the same classes; SAMME.R needs its ``predict_proba``. None means
        scikit-learn's ``DecisionTreeClassifier(max_depth=1)``, or `weaklearn.trees.SmallTree` where float32, in
        which it works, cannot tell the values of a column apart.
    algorithm : {"SAMME", "SAMME.R"}, default="SAMME"
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner.

    Attributes
    ----------
    estimators_ : list of classifiers
        Trained on 0, 1, ...: the present classes in order.
    estimator_weights_ : ndarray of shape (n_iter_,)
        alpha; ones for SAMME.R.
    estimator_errors_ : ndarray of shape (n_iter_,)
        Weighted errors in the round that made them.
    cost_curve_ : ndarray of shape (n_iter_,)
        Weighted mean of the loss ``exp(-(1/K) sum_k Y_k f_k)`` after each round, 1 before the first. Y is 1 for the
        example's class and -1 / (K - 1) for others, f is (K - 1) times the centred scores.
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share.
    stop_reason_ : str
        "n_estimators", or "no edge" if a classifier was no better than guessing; that one is not kept.

    See Also
    --------
    AdaBoostERPClassifier : Many classes from a binary weak learner.

    Notes
    -----
    The expected loss is least where the scores are log-probabilities up to a constant, so ``predict_proba`` is
    the softmax of the scores. With two classes SAMME is AdaBoost, its scores twice as large.

    A classifier without errors has (1 - e) / e taken to be 1000, and boosting continues. SAMME.R stops only at
    ``n_estimators``, or when a classifier is no better than guessing; probabilities are kept above 2.2e-16.

    References
    ----------
    - may2020, section 6, Algorithm 6: SAMME on digits.
    - Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost: both algorithms and the loss.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from weaklearn.datasets import load
    >>> from weaklearn.multiclass import SAMMEClassifier
    >>> wine = load("wine")
    >>> model = SAMMEClassifier(DecisionTreeClassifier(max_depth=2), 30, random_state=0)
    >>> round(model.fit(wine.X[::2], wine.y[::2]).score(wine.X[1::2], wine.y[1::2]), 2)
    0.97
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "algorithm": [StrOptions({"SAMME", "SAMME.R"})],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, n_estimators=100, *, algorithm="SAMME", random_state=None):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.algorithm = algorithm
        self.random_state = random_state

    @documented
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set."""
        given = self._weak_learner()
        if self.algorithm == "SAMME.R" and not hasattr(given, "predict_proba"):
            raise ValueError(
                f"algorithm='SAMME.R' needs class probabilities, and {type(given).__name__} has no "
                "predict_proba. Use algorithm='SAMME'."
            )
        X, codes, sample_weight = training_set(self, X, y, sample_weight, finite=self._finite())
        estimator = default_tree(X) if self.estimator is None else given
        numbers = codes
        present, codes = shown_rows(codes, len(self.classes_))
        self.absent_ = ~present
        learner = prepare_classes(estimator, X, codes)
        run = SammeRun(
            np.count_nonzero(present), sample_weight, seeded_generator(self.random_state), says=self._says
        )
        task = fit_task(self, "round", self.n_estimators, X, lambda: self.classes_[numbers], sample_weight)
        watch = None if task is None else lambda hypothesis, stage: task.step(lambda: self._fitted(run))
        run.advance(learner, X, codes, self.n_estimators, watch)
        for name, value in self._fitted(run).items():
            setattr(self, name, value)
        if task is not None:
            if task.stopped:
                self.stop_reason_ = "callback"
            task.end()
        return self

    def _fitted(self, run):
        """The fitted attributes after the rounds so far."""
        rounds = run.rounds
        return {
            "estimators_": list(rounds.hypotheses),
            "estimator_weights_": coefficients(rounds.stages),
            "estimator_errors_": np.array(rounds.errors),
            "cost_curve_": np.array(rounds.costs),
            "error_curve_": np.array(rounds.training_errors),
            "stop_reason_": run.stop_reason or "n_estimators",
        }

    def _weak_learner(self):
        return DecisionTreeClassifier(max_depth=1) if self.estimator is None else self.estimator

    @property
    def _says(self):
        return class_votes if self.algorithm == "SAMME" else centred_log_probabilities

    def _staged_scores(self, X):
        X = seen_by_trees(self.estimators_, X)
        tracker = ClassScores(X, np.count_nonzero(~self.absent_), self._says)
        scores = np.zeros((len(X), len(self.absent_)))
        for hypothesis, weight in zip(self.estimators_, self.estimator_weights_, strict=True):
            tracker.advance(Move(weight), hypothesis)
            scores[:, ~self.absent_] = tracker.total
            yield scores
