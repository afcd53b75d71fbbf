"""What all boosted classifiers share: fitting by the loop, and everything done with the ensemble.

Conventions: ``F(x) = sum_t alpha_t h_t(x)``; ``classes_[1]`` is predicted where F(x) > 0. Hypotheses are
trained on the labels -1 and +1. A *stage* is one state of the ensemble: one for each round and, for the algorithms
that correct the coefficients afterwards, one for each correction.
"""

from abc import ABCMeta, abstractmethod
from itertools import islice
from numbers import Integral, Real

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context, clone
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from weaklearn._fast.stump_search import stump_scores
from weaklearn._training import signed_labels, training_set
from weaklearn.boosting._loop import Ensemble, boosting_rounds, error_curve, learning_curves
from weaklearn.boosting._path import Scores, coefficients, staged_scores, votes
from weaklearn.boosting._validation import HeldOut, fold_curve, least_error_round, split_off
from weaklearn.boosting._weak import prepare
from weaklearn.costs import Logistic
from weaklearn.stumps import DecisionStump

# Margins are kept for a few rounds and turned into learning curves together: NumPy's price per call
# is that of thousands of numbers. This is how many numbers are kept: beyond 128 KB allocation is slow.
_BLOCK = 12_000


class _Run:
    """A run of the loop that can go on: the ensemble, its random numbers, and what the rounds recorded."""

    def __init__(self, cost, step_rule, sample_weight, rng):
        self.step_rule = step_rule
        self.ensemble = Ensemble(cost, sample_weight)
        self.rng = rng
        self.hypotheses, self.errors = [], []
        self.costs, self.training_errors = [], []

    def advance(self, weak_learner, n_rounds, watch=None, **options):
        """Run until there are n_rounds rounds, there is a reason to stop, or ``watch`` says so."""
        ensemble, rule = self.ensemble, self.step_rule
        weight, cost = ensemble.sample_weight, ensemble.cost
        rounds = boosting_rounds(weak_learner, rule, ensemble, self.rng, **options)
        recent, values = [], []
        block_length = max(1, _BLOCK // len(weight))
        for hypothesis, error, margins, value in islice(rounds, n_rounds - len(self.hypotheses)):
            self.hypotheses.append(hypothesis)
            self.errors.append(error)
            recent.append(margins)
            values.append(value)
            if len(recent) == block_length:
                self._record(recent, values, weight, cost)
                recent, values = [], []
            if watch is not None and watch(hypothesis, ensemble.stages[-1]):
                break
        self._record(recent, values, weight, cost)

    def _record(self, margins, values, weight, cost):
        if not margins:
            return
        if None in values:
            costs, errors = learning_curves(margins, weight, cost)
            values = [c if v is None else v for c, v in zip(costs.tolist(), values, strict=True)]
        else:
            errors = error_curve(margins, weight)
        self.costs.extend(values)
        self.training_errors.extend(errors.tolist())


class BoostedClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the boosted classifiers: a subclass states its cost and its step rule."""

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "perfect": [StrOptions({"continue", "stop"})],
        "n_restarts": [Interval(Integral, 0, None, closed="left")],
        "validation": [
            None,
            Interval(Real, 0, 1, closed="neither"),
            Interval(Integral, 2, None, closed="left"),
        ],
        "patience": [None, Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    # What holds for classifiers that do not offer the parameter.
    perfect = "continue"
    n_restarts = 0
    validation = None
    patience = None

    @abstractmethod
    def _preset(self):
        """The margin cost (None if the rule needs none) and a fresh step rule."""

    def _corrections(self, votes, hypotheses, coefficients, sample_weight):
        """Coefficients that replace those of the rounds, one vector for each stage; none for most."""
        return []

    _corrects = False

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes, of any kind.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the examples in the cost; None means 1 each.

        Returns
        -------
        self
        """
        cost, step_rule = self._preset()
        step_rule.check(cost)
        if self.warm_start and self.validation is not None:
            raise ValueError("warm_start=True and validation do not go together: a choice cannot go on.")
        X, codes, sample_weight = training_set(self, X, y, sample_weight, binary=True)
        y = signed_labels(codes)
        run = self._resumed(len(y))
        if run is None:
            seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
            rng = np.random.default_rng(seed)
            if self.validation is not None:
                return self._fit_validated(X, y, sample_weight, cost, step_rule, rng)
            run = _Run(cost, step_rule, sample_weight, rng)
        self._advance(run, X, y, self.n_estimators)
        self._keep(run, X, y)
        return self

    def _resumed(self, n_samples):
        run = getattr(self, "_run", None) if self.warm_start else None
        if run is None:
            return None
        if len(run.ensemble.sample_weight) != n_samples:
            raise ValueError(
                f"warm_start goes on with the training set of the last fit, which had "
                f"{len(run.ensemble.sample_weight)} examples of positive weight; got {n_samples}."
            )
        if self.n_estimators < len(run.hypotheses):
            raise ValueError(
                f"n_estimators must be at least {len(run.hypotheses)}, the rounds of the last fit, "
                f"if warm_start=True; got {self.n_estimators}."
            )
        return run

    def _advance(self, run, X, y, n_rounds, watch=None):
        estimator = self._default_estimator() if self.estimator is None else self.estimator
        run.advance(
            prepare(estimator, X, y),
            n_rounds,
            watch,
            n_restarts=self.n_restarts,
            restart_every=self._restart_every(),
            stop_if_perfect=self.perfect == "stop",
        )
        return run

    def _fit_validated(self, X, y, sample_weight, cost, step_rule, rng):
        if isinstance(self.validation, Integral):

            def fold_run(rows):
                run = _Run(
                    cost, self._preset()[1], sample_weight[rows], np.random.default_rng(rng.integers(2**32))
                )
                self._advance(run, X[rows], y[rows], self.n_estimators)
                return run

            curve = fold_curve(fold_run, X, y, sample_weight, self.validation, self.n_estimators, rng)
            run = _Run(cost, step_rule, sample_weight, rng)
            self._advance(run, X, y, least_error_round(curve, self.patience))
        else:
            rest, held_out = split_off(y, self.validation, rng)
            run = _Run(cost, step_rule, sample_weight[rest], rng)
            watch = HeldOut(X[held_out], y[held_out], sample_weight[held_out], self.patience)
            self._advance(run, X[rest], y[rest], self.n_estimators, watch)
            curve = np.array(watch.errors)
        self.validation_curve_ = curve
        self._keep(run, None, None, least_error_round(curve, self.patience))
        return self

    def _default_estimator(self):
        return DecisionStump()

    def _restart_every(self):
        """After how many rounds the weights are drawn anew; None for most."""
        return

    def _keep(self, run, X, y, n_rounds=None):
        """Turn a run, or its first rounds, into fitted attributes."""
        n_all = len(run.hypotheses)
        n_rounds = n_all if n_rounds is None else min(n_rounds, n_all)
        reason = run.ensemble.stop_reason or "n_estimators"
        self.cost_ = run.ensemble.cost
        self._votes: np.ndarray | None = None
        self._training_weight = None
        if self._corrects:
            signs = [(y * votes(hypothesis, X)).astype(np.int8) for hypothesis in run.hypotheses]
            self._votes = np.array(signs, dtype=np.int8).reshape(n_rounds, len(y))
            self._training_weight = run.ensemble.sample_weight
        if self.warm_start:
            self._run = run
        self._set_rounds(
            run.hypotheses[:n_rounds],
            run.ensemble.stages[:n_rounds],
            run.errors[:n_rounds],
            (run.costs[:n_rounds], run.training_errors[:n_rounds]),
            reason if self.validation is None or n_rounds == self.n_estimators else "validation",
        )

    def _set_rounds(self, hypotheses, stages, errors, curves, reason):
        costs, training_errors = (np.array(curve, dtype=np.float64) for curve in curves)
        stages = list(stages)
        if self._votes is not None and hypotheses:
            signs = self._votes.astype(np.float64)
            rows = self._corrections(signs, hypotheses, coefficients(stages), self._training_weight)
            if rows:
                margins = [row @ signs for row in rows]
                more = learning_curves(margins, self._training_weight, self.cost_)
                costs, training_errors = np.append(costs, more[0]), np.append(training_errors, more[1])
                stages.extend(rows)
        self._hypotheses, self._stages = hypotheses, stages
        weights = coefficients(stages)
        errors = np.array(errors, dtype=np.float64)
        # Rounds always keep their hypothesis; corrections drop those that they give no weight.
        corrected = bool(stages) and type(stages[-1]) is not tuple
        kept = np.flatnonzero(weights) if corrected else np.arange(len(weights))
        self.estimators_ = [hypotheses[t] for t in kept] if corrected else hypotheses
        self.estimator_weights_ = weights[kept]
        self.estimator_errors_ = errors[kept]
        self._round_errors = errors
        self.cost_curve_, self.error_curve_ = costs, training_errors
        self.stop_reason_ = reason
        self.n_iter_ = len(hypotheses)

    def decision_function(self, X):
        """The weighted sum of votes, F(x).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = self._validated(X)
        if all(type(hypothesis) is DecisionStump for hypothesis in self.estimators_):
            return self._stump_scores(X)
        scores = Scores(X)
        for weight, hypothesis in zip(self.estimator_weights_, self.estimators_, strict=True):
            scores.advance((weight, 1.0, 0.0), hypothesis)
        return scores.total

    def staged_decision_function(self, X):
        """F(x) after each stage: each round, then each correction.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        yield from staged_scores(self._stages, self._hypotheses, self._validated(X))

    def predict(self, X):
        """Predicted class labels: ``classes_[1]`` where F(x) > 0.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._labels(self.decision_function(X))

    def staged_predict(self, X):
        """Predicted class labels after each stage.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        for scores in self.staged_decision_function(X):
            yield self._labels(scores)

    def predict_proba(self, X):
        """Class probabilities, ``P(classes_[1] | x) = 1 / (1 + exp(-2 F(x)))``; for the logistic cost, exp(-F(x)).

        The expected exponential cost is least where F is half the log-odds, the logistic one where it is the
        log-odds, which this inverts; for other costs it is a score between 0 and 1. Long runs drive F, and with it
        these probabilities, to extremes: calibrate them if they matter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        log_odds = self.decision_function(X) * (1 if isinstance(self.cost_, Logistic) else 2)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def truncated(self, n):
        """The classifier that a fit with ``n_estimators=n`` would have given.

        Parameters
        ----------
        n : int
            At least 1, and at most ``n_estimators`` unless boosting stopped for another reason.

        Returns
        -------
        A fitted classifier of the same class; it shares its hypotheses with this one.
        """
        check_is_fitted(self)
        known = self.n_estimators if self.stop_reason_ in ("n_estimators", "validation") else np.inf
        if not isinstance(n, (int, np.integer)) or not 1 <= n <= known:
            raise ValueError(f"n must be an integer from 1 to {known}; got {n!r}.")
        shorter = clone(self).set_params(n_estimators=n)
        # The classes, the number of features and, if there are any, their names.
        copied = {name: value for name, value in vars(self).items() if name.endswith("_")}
        shorter.__dict__.update(copied)
        rounds, reason = n, self.stop_reason_
        if self.validation is not None:
            shorter.validation_curve_ = self.validation_curve_[:n]
            rounds = least_error_round(shorter.validation_curve_, self.patience)
            reason = "n_estimators" if rounds == n else "validation"
        elif n <= self.n_iter_:
            reason = "n_estimators"
        shorter._votes = None if self._votes is None else self._votes[:rounds]
        shorter._training_weight = self._training_weight
        shorter._set_rounds(
            self._hypotheses[:rounds],
            self._stages[: min(rounds, self.n_iter_)],
            self._round_errors[:rounds],
            (self.cost_curve_[: self.n_iter_][:rounds], self.error_curve_[: self.n_iter_][:rounds]),
            reason,
        )
        return shorter

    def _validated(self, X):
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, order="C", reset=False)

    def _labels(self, scores):
        return self.classes_[(scores > 0).astype(int)]

    def _stump_scores(self, X):
        features = np.array([stump.feature_ for stump in self.estimators_], dtype=np.int64)
        thresholds = np.array([stump.threshold_ for stump in self.estimators_], dtype=np.float64)
        polarities = np.array([stump.polarity_ for stump in self.estimators_], dtype=np.float64)
        used, column = np.unique(features, return_inverse=True)
        return stump_scores(X, used, column, thresholds, self.estimator_weights_ * polarities)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
