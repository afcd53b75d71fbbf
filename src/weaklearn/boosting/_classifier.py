"""What all boosted classifiers share: fitting by the loop, and everything done with the ensemble.

Conventions: ``F(x) = sum_t alpha_t h_t(x)``; ``classes_[1]`` is predicted where F(x) > 0. Hypotheses are
trained on the labels -1 and +1. A *stage* is one state of the ensemble: one for each round and, for the algorithms
that correct the coefficients afterwards (`_corrected`), one for each correction.
"""

from abc import ABCMeta, abstractmethod
from copy import copy
from numbers import Integral, Real

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._training import signed_labels, training_set, validate_data
from weaklearn.boosting._hypotheses import importances, scores
from weaklearn.boosting._run import Run
from weaklearn.boosting._staged import StagedPredictions
from weaklearn.boosting._stages import Correction, coefficients, staged_scores
from weaklearn.boosting._validation import HeldOut, fold_curve, least_error_round, split_off
from weaklearn.boosting._weak import as_taken, input_checks, prepare
from weaklearn.costs import MarginCost
from weaklearn.stumps import DecisionStump


def _estimates_log_odds(estimator):
    cost = None if estimator._scaled else estimator._preset()[0]
    if cost is None or not cost.has_link:
        raise AttributeError(
            f"{type(estimator).__name__} has no probabilities: its scores are not estimates of log-odds. Wrap it in "
            "weaklearn.robust.CalibratedClassifier to get them."
        )
    return True


class BoostedClassifier(
    CallbackSupportMixin, StagedPredictions, ClassifierMixin, BaseEstimator, metaclass=ABCMeta
):
    """Base of the boosted classifiers: a subclass states its cost and its step rule in ``_preset``.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    cost : str or MarginCost, default="exponential"
        The cost that is minimised, nowhere increasing; see `weaklearn.costs`.
    n_estimators : int, default=100
        The largest number of rounds.
    perfect : {"continue", "stop"}, default="continue"
        Whether to continue after a hypothesis without errors, which is kept in either case.
    n_restarts : int, default=0
        How often, at most, boosting restarts where a hypothesis has no edge: a bootstrap sample of the
        examples replaces their weights, and the ensemble is kept.
    validation_fraction : float or None, default=None
        Choose the number of rounds, up to ``n_estimators``, by examples held out from training: this share of each
        class, between 0 and 1. The rounds up to the least error on them are kept. None keeps all rounds.
    n_folds : int or None, default=None
        Choose the number of rounds by this many stratified folds, at least 2: the least mean error over them gives
        the number of rounds of a fit to all examples.
    n_iter_no_change : int or None, default=None
        With ``validation_fraction`` or ``n_folds``, stop after this many rounds without a lower validation error; None
        runs all rounds.
    warm_start : bool, default=False
        Whether ``fit`` continues the last fit, on the same data, up to a larger ``n_estimators``. The result
        is that of one long fit.
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner, resampling, restarts and validation. Plain boosting of stumps is deterministic.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_hypotheses,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_hypotheses,)
        Their weighted errors in the rounds that made them.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The share of the coefficients that belongs to each feature; only if the hypotheses have importances.
    cost_ : MarginCost
        The cost that is minimised.
    cost_curve_ : ndarray of shape (n_iter_,)
        The mean cost after each round.
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators" (all rounds were run), "no edge" (a hypothesis had a weighted error of 1/2 or more;
        it is not kept, and if it is the first, the ensemble is empty and predicts ``classes_[0]``),
        "perfect" (a hypothesis without errors, with ``perfect="stop"``) or "validation".
    n_iter_ : int
        The number of rounds.
    validation_curve_ : ndarray
        With ``validation_fraction`` or ``n_folds``: the validation error after each round.
    classes_ : ndarray of shape (2,)
        The class labels, sorted.
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "cost": [str, MarginCost],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "perfect": [StrOptions({"continue", "stop"})],
        "n_restarts": [Interval(Integral, 0, None, closed="left")],
        "validation_fraction": [None, Interval(Real, 0, 1, closed="neither")],
        "n_folds": [None, Interval(Integral, 2, None, closed="left")],
        "n_iter_no_change": [None, Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    # Whether more than two classes are taken, and whether one alone is.
    _multiclass = False
    _fewest_classes = 2
    # What a stump minimises that is the weak learner because there is none, and after how many rounds the weights are
    # drawn anew (None: never).
    _criterion = "error"
    run_length: int | None = None
    # Whether F has a scale of its own, such as coefficients that sum to 1, so that it cannot be log-odds.
    _scaled = False

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        perfect="continue",
        n_restarts=0,
        validation_fraction=None,
        n_folds=None,
        n_iter_no_change=None,
        warm_start=False,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.perfect = perfect
        self.n_restarts = n_restarts
        self.validation_fraction = validation_fraction
        self.n_folds = n_folds
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.random_state = random_state

    @abstractmethod
    def _preset(self):
        """The margin cost (None if the rule needs none) and a fresh step rule."""

    @documented
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            One row for each example. What else it may be is up to the weak learner.
        y : array-like of shape (n_samples,)
            Labels of two classes, of any kind.
        """
        cost, step_rule = self._preset()
        step_rule.check(cost)
        if self.validation_fraction is not None and self.n_folds is not None:
            raise ValueError("validation_fraction and n_folds cannot be combined: set one of them to None.")
        if self.warm_start and self._validates:
            raise ValueError(
                "warm_start=True cannot be combined with validation_fraction or n_folds: the rounds of the last fit "
                "were chosen, not merely stopped. Set one of them to its default."
            )
        X, codes, sample_weight = training_set(
            self,
            X,
            y,
            sample_weight,
            binary=not self._multiclass,
            fewest_classes=self._fewest_classes,
            checks=input_checks(self._weak_learner()),
        )
        X, y = as_taken(self._weak_learner(), X), self._targets(codes)
        run, n_rounds = self._resumed(len(y)), self.n_estimators
        if run is not None:
            n_rounds -= len(run.rounds.hypotheses)
        elif self.n_folds is not None:
            n_rounds = 0  # those of several folds are not rounds of this fit
        task = fit_task(self, "round", n_rounds, X, lambda: self.classes_[codes], sample_weight)
        n_kept = None
        if run is None:
            seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
            rng = np.random.default_rng(seed)
            if self._validates:
                run, n_kept = self._validated_run(X, y, sample_weight, rng, task)
            else:
                run = self._new_run(sample_weight, rng)
        if n_kept is None:
            self._advance(run, X, y, self.n_estimators, self._reporting(task, run))
        self._keep(run, n_kept)
        if task is not None:
            if task.stopped:
                self.stop_reason_ = "callback"
            task.end()
        return self

    @property
    def _validates(self):
        """Whether the number of rounds is chosen by data that they were not trained on."""
        return self.validation_fraction is not None or self.n_folds is not None

    def _reporting(self, task, run, watch=None):
        """What `_advance` calls after each round: tells callbacks of it, if there are any, besides ``watch``."""
        if task is None:
            return watch

        def fitted():
            twin = copy(self)
            twin._keep(run)
            return {
                name: value for name, value in vars(twin).items() if value is not getattr(self, name, None)
            }

        def report(hypothesis, stage):
            stop = watch is not None and watch(hypothesis, stage)
            return task.step(fitted) or stop

        return report

    def _targets(self, codes):
        """The labels that the rounds work with, from the numbers of the classes."""
        return signed_labels(codes)

    def _new_run(self, sample_weight, rng):
        cost, step_rule = self._preset()
        return Run(cost, step_rule, sample_weight, rng)

    def _resumed(self, n_samples):
        run = getattr(self, "_run", None) if self.warm_start else None
        if run is None:
            return None
        if len(run.sample_weight) != n_samples:
            raise ValueError(
                f"warm_start=True continues on the training set of the last fit, which had "
                f"{len(run.sample_weight)} examples of positive weight; got {n_samples}."
            )
        n_made = len(run.rounds.hypotheses)
        if self.n_estimators < n_made:
            raise ValueError(
                f"n_estimators must be at least {n_made}, the rounds of the last fit, if warm_start=True; got "
                f"{self.n_estimators}."
            )
        return run

    def _advance(self, run, X, y, n_rounds, watch=None):
        run.advance(
            prepare(self._weak_learner(), X, y),
            n_rounds,
            watch,
            n_restarts=self.n_restarts,
            restart_every=self.run_length,
            stop_if_perfect=self.perfect == "stop",
        )

    def _validated_run(self, X, y, sample_weight, rng, task):
        """A run, and how many of its rounds to keep; sets ``validation_curve_``."""
        if self.n_folds is not None:

            def fold_run(rows):
                run = self._new_run(sample_weight[rows], np.random.default_rng(rng.integers(2**32)))
                self._advance(run, X[rows], y[rows], self.n_estimators)
                return run

            curve = fold_curve(fold_run, X, y, sample_weight, self.n_folds, self.n_estimators, rng)
            run = self._new_run(sample_weight, rng)
            self._advance(run, X, y, least_error_round(curve, self.n_iter_no_change))
        else:
            rest, held_out = split_off(y, self.validation_fraction, rng)
            run = self._new_run(sample_weight[rest], rng)
            watch = HeldOut(run, X[held_out], y[held_out], sample_weight[held_out], self.n_iter_no_change)
            self._advance(run, X[rest], y[rest], self.n_estimators, self._reporting(task, run, watch))
            curve = np.array(watch.errors)
        self.validation_curve_ = curve
        return run, least_error_round(curve, self.n_iter_no_change)

    def _weak_learner(self):
        return DecisionStump(criterion=self._criterion) if self.estimator is None else self.estimator

    def _keep(self, run, n_rounds=None):
        """Turn a run, or its first rounds, into fitted attributes."""
        n_all = len(run.rounds.hypotheses)
        n_rounds = n_all if n_rounds is None else min(n_rounds, n_all)
        reason = run.stop_reason or "n_estimators"
        self.cost_ = run.cost
        if self.warm_start:
            self._run = run
        chosen = self._validates and n_rounds != self.n_estimators
        self._set_rounds(run.rounds.first(n_rounds), "validation" if chosen else reason)

    def _set_rounds(self, rounds, reason):
        self._rounds = rounds
        self.stop_reason_ = reason
        self.n_iter_ = len(rounds.hypotheses)
        rows, costs, errors = self._corrected(rounds)
        self._stages = stages = [*rounds.stages, *map(Correction, rows)]
        self.cost_curve_ = np.array([*rounds.costs, *costs], dtype=np.float64)
        self.error_curve_ = np.array([*rounds.training_errors, *errors], dtype=np.float64)
        # Rounds always keep their hypothesis; corrections drop those that they give no weight.
        weights = coefficients(stages)
        corrected = bool(stages) and isinstance(stages[-1], Correction)
        kept = np.flatnonzero(weights) if corrected else np.arange(len(weights))
        self.estimators_ = [rounds.hypotheses[t] for t in kept]
        self.estimator_weights_ = weights[kept]
        self.estimator_errors_ = np.array(rounds.errors, dtype=np.float64)[kept]

    def _corrected(self, rounds):
        """Coefficients that replace those of the rounds, one vector for each further stage; their costs and errors."""
        return (), (), ()

    @available_if(_estimates_log_odds)
    @documented
    def staged_predict_proba(self, X):
        """Class probabilities after each stage; see `predict_proba`.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
        """
        for t, F in enumerate(self._staged_scores(self._validated(X))):
            yield self._probabilities(F, self._rounds.n_runs(t + 1))

    @available_if(_estimates_log_odds)
    @documented
    def predict_proba(self, X):
        """Class probabilities, ``P(classes_[1] | x) = 1 / (1 + exp(-g(F(x))))``.

        The link g is that of the cost (`MarginCost.log_odds`): the expected exponential cost is least where F is half
        the log-odds, the logistic one where it is the log-odds. Where boosting was restarted, F is a sum of runs that
        each estimate the log-odds, and their mean is taken. Long runs drive F, and with it these probabilities, to
        extremes: use `weaklearn.robust.CalibratedClassifier` if they matter. Not available where F says nothing about
        probabilities: for costs without a link, and for classifiers that scale F.

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        return self._probabilities(self._scores(self._validated(X)), self._rounds.n_runs(self.n_iter_))

    @available_if(_estimates_log_odds)
    @documented
    def predict_log_proba(self, X):
        """The logarithms of `predict_proba`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def feature_importances_(self):
        """How much of the vote each feature has, shape ``(n_features_in_,)``.

        The mean of the hypotheses' own ``feature_importances_``, weighted by the sizes of their coefficients; of
        stumps, the share of the coefficients that belong to stumps on the feature. It says what the ensemble looks
        at, not what the labels depend on. AttributeError if the weak learner has no importances.
        """
        check_is_fitted(self)
        return importances(self.estimators_, self.estimator_weights_, self.n_features_in_)

    def _shorten(self, shorter, n):
        rounds, reason = n, self.stop_reason_
        if self._validates:
            shorter.validation_curve_ = self.validation_curve_[:n]
            rounds = least_error_round(shorter.validation_curve_, self.n_iter_no_change)
            reason = "n_estimators" if rounds == n else "validation"
        elif n <= self.n_iter_:
            reason = "n_estimators"
        shorter._set_rounds(self._rounds.first(rounds), reason)

    def _validated(self, X):
        check_is_fitted(self)
        learner = self._weak_learner()
        return as_taken(learner, validate_data(self, X, reset=False, **input_checks(learner)))

    # What follows is done with checked rows X and their scores F. A subclass for more classes has its own.

    def _scores(self, X):
        return scores(self.estimators_, self.estimator_weights_, X)

    def _staged_scores(self, X):
        return staged_scores(self._stages, self._rounds.hypotheses, X)

    def _decision(self, F):
        return F

    def _labels(self, F):
        return self.classes_[(F > 0).astype(int)]

    def _probabilities(self, F, n_runs):
        mean = F / n_runs
        log_odds = self.cost_.log_odds(mean)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._multiclass
        checks = input_checks(self._weak_learner())
        tags.input_tags.sparse = bool(checks["accept_sparse"])
        tags.input_tags.allow_nan = checks["ensure_all_finite"] is not True
        return tags
