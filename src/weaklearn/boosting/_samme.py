"""SAMME: AdaBoost's rounds for any number of classes, by one weak learner for all of them; its default tree.

`weaklearn.boosting.AdaBoostClassifier` uses it for more than two classes, `weaklearn.multiclass.SAMMEClassifier` for
any number. Its run has the interface of `weaklearn.boosting._run.Run`: rounds that can be resumed, and their record.

Conventions: examples and hypotheses number the classes 0, 1, ..., K - 1. The score of a class is the sum of the
coefficients of the hypotheses that vote for it, or of their centred log-probabilities; the class of largest
score is predicted, of equal scores the first one.
"""

import math

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn import config_context
from sklearn.tree import DecisionTreeClassifier

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._line import PERFECT_RATIO
from weaklearn.boosting._loop import NO_EDGE, warn_of_overflow
from weaklearn.boosting._run import Rounds
from weaklearn.boosting._stages import Move
from weaklearn.boosting._steps import ClosedForm
from weaklearn.boosting._weak import prepare_classes
from weaklearn.costs import Exponential
from weaklearn.trees import SmallTree

_LEAST_PROBABILITY = np.finfo(np.float64).eps
# Sums of many such numbers stay within float32: scikit-learn adds up a table to see whether all of it is finite.
_LARGEST = 1e25
# A range below this share of the largest value leaves fewer than 4,096 different numbers in float32; one below this
# size leaves fewer to a tree of scikit-learn, to which numbers closer than 1e-7 are the same.
_LEAST_SPREAD = 2.0**-12
_LEAST_RANGE = 2e-4


def class_votes(hypothesis, X, n_classes):
    """1.0 for the class that a hypothesis votes for, 0.0 for the others: (n_samples, n_classes)."""
    votes = np.zeros((X.shape[0], n_classes))
    votes[np.arange(len(votes)), hypothesis.predict(X)] = 1.0
    return votes


def centred_log_probabilities(hypothesis, X, n_classes):
    """The logarithms of a hypothesis's class probabilities minus their mean over the classes."""
    logs = np.zeros((X.shape[0], n_classes))
    # A resample may lack a class, which then has probability 0.
    logs[:, hypothesis.classes_] = hypothesis.predict_proba(X)
    logs = np.log(np.maximum(logs, _LEAST_PROBABILITY))
    return logs - logs.mean(axis=1, keepdims=True)


class ClassScores:
    """Scores of the classes on checked rows, brought up to date stage by stage; ``total`` is changed in place."""

    def __init__(self, X, n_classes, says=class_votes):
        self._X, self._says = X, says
        self.total = np.zeros((X.shape[0], n_classes))

    def advance(self, stage, hypothesis):
        """Apply one more stage, with its hypothesis."""
        self.total += stage.step * self._says(hypothesis, self._X, self.total.shape[1])


class SammeRun:
    """The rounds of SAMME on one training set.

    Round t multiplies what the hypothesis says by ``alpha_t = rate (ln((1 - e_t) / e_t) + ln(K - 1))``, or by the rate
    alone for log-probabilities. An error of exactly 0 has (1 - e) / e taken to be 1000. A hypothesis that is no better
    than guessing among the classes ends the run with the reason "no edge" and is not kept. Weights beyond the largest
    float end it with the reason "overflow".

    ``says``, what a hypothesis says of the classes, is `class_votes` or `centred_log_probabilities`; the cost is kept
    with the fitted classifier.
    """

    def __init__(self, n_classes, sample_weight, rng, rate=1.0, says=class_votes, cost=None):
        self.n_classes, self.rate, self.says, self.cost = n_classes, rate, says, cost
        self.sample_weight, self.rng = sample_weight, rng
        self.stop_reason: str | None = None
        self.rounds = Rounds([], [], [], [], [], starts=[0])
        self._scores = np.zeros((len(sample_weight), n_classes))
        self._log_loss = np.zeros(len(sample_weight))

    def tracker(self, X):
        """The scores of other rows, to be advanced stage by stage."""
        return ClassScores(X, self.n_classes, self.says)

    @staticmethod
    def wrong(codes, scores):
        """Which rows are misclassified."""
        return scores.argmax(axis=1) != codes

    def advance(self, learner, X, codes, n_rounds, watch=None, *, stop_if_perfect=False):
        """Run until there are n_rounds rounds, there is a reason to stop, or ``watch(hypothesis, stage)`` says so.

        The learner is that of X and these codes, as `weaklearn.boosting._weak.prepare_classes` makes it.
        """
        weight, total, rounds = self.sample_weight, self.sample_weight.sum(), self.rounds
        rows = np.arange(len(codes))
        while self.stop_reason is None and len(rounds.hypotheses) < n_rounds:
            # Relative to the largest, so that long runs do not underflow.
            hypothesis, _, error = learner.fit(
                weight * np.exp(self._log_loss - self._log_loss.max()), self.rng
            )
            if not error < 1 - 1 / self.n_classes - NO_EDGE:
                self.stop_reason = "no edge"
                return
            coefficient = self.rate
            if self.says is class_votes:
                # Two logarithms: the ratio of an error near the smallest float overflows.
                log_ratio = math.log(1 - error) - math.log(error) if error > 0 else math.log(PERFECT_RATIO)
                coefficient *= log_ratio + math.log(self.n_classes - 1)
            with config_context(assume_finite=learner.checked):
                self._scores += coefficient * self.says(hypothesis, X, self.n_classes)
            # (1/K) sum_k Y_k f_k is the score of the own class minus the mean score.
            self._log_loss = self._scores.mean(axis=1) - self._scores[rows, codes]
            wrong = self.wrong(codes, self._scores)
            rounds.hypotheses.append(hypothesis)
            rounds.stages.append(Move(coefficient))
            rounds.errors.append(error)
            with np.errstate(over="ignore"):
                rounds.costs.append(weight @ np.exp(self._log_loss) / total)
            rounds.training_errors.append(weight[wrong].sum() / total)
            if stop_if_perfect and error <= 0:
                self.stop_reason = "perfect"
            if not rounds.costs[-1] < np.inf:
                warn_of_overflow(len(rounds.costs) - 1)
                self.stop_reason = "overflow"
            if watch is not None and watch(hypothesis, rounds.stages[-1]):
                return


class SammeBoostedClassifier(BoostedClassifier):
    """Base of the classifiers that boost one weak learner for all classes; with ``_many`` False they are those of two.

    A class all of whose training examples have weight zero is never predicted: its score is -inf.
    """

    _multiclass = True
    _private_state = ("_present",)

    @property
    def _many(self):
        return True

    @property
    def _says(self):
        return class_votes

    def _preset(self):
        return Exponential(), ClosedForm(getattr(self, "learning_rate", 1.0))

    def _targets(self, codes):
        self._present = np.bincount(codes, minlength=len(self.classes_)) > 0
        return (np.cumsum(self._present) - 1)[codes] if self._many else super()._targets(codes)

    def _many_learner(self):
        return DecisionTreeClassifier(max_depth=1) if self.estimator is None else self.estimator

    def _new_run(self, sample_weight, rng):
        if not self._many:
            return super()._new_run(sample_weight, rng)
        n_classes, (cost, rule) = np.count_nonzero(self._present), self._preset()
        return SammeRun(n_classes, sample_weight, rng, rule.rate, self._says, cost)

    def _advance(self, run, X, y, n_rounds, watch=None):
        if not self._many:
            super()._advance(run, X, y, n_rounds, watch)
            return
        learner = prepare_classes(default_tree(X) if self.estimator is None else self.estimator, X, y)
        run.advance(learner, X, y, n_rounds, watch, stop_if_perfect=self.perfect == "stop")

    def _class_scores(self, scores):
        """Scores of all classes from those of the present ones."""
        result = np.full((len(scores), len(self._present)), -np.inf)
        result[:, self._present] = scores
        return result

    def _scores(self, X):
        if not self._many:
            return super()._scores(X)
        total = np.zeros((X.shape[0], np.count_nonzero(self._present)))  # of an ensemble without rounds
        for total in self._staged_scores(X):  # noqa: B007
            pass
        return total

    def _staged_scores(self, X):
        if not self._many:
            yield from super()._staged_scores(X)
            return
        tracker = ClassScores(
            seen_by_trees(self._rounds.hypotheses, X), np.count_nonzero(self._present), self._says
        )
        for stage, hypothesis in zip(self._stages, self._rounds.hypotheses, strict=True):
            tracker.advance(stage, hypothesis)
            yield tracker.total

    def _labels(self, F):
        return self.classes_[self._class_scores(F).argmax(axis=1)] if self._many else super()._labels(F)

    def _probabilities(self, F, n_runs):
        return softmax(self._class_scores(F), axis=1) if self._many else super()._probabilities(F, n_runs)


def default_tree(X):
    """An unfitted tree of depth 1 that can tell the values of X apart.

    It is scikit-learn's, which gives the same splits as scikit-learn's AdaBoost. But that tree works in float32:
    numbers beyond 3.4e38 become infinite there, numbers closer than 1e-7 are the same, and of an offset of
    1e15 nothing is left but the offset. A training set with such columns gets `SmallTree`, which works in float64.
    """
    if sparse.issparse(X) or X.dtype.kind != "f":
        return DecisionTreeClassifier(max_depth=1)
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)  # of the values that are not missing
    # Halving first keeps the range of columns near the largest float finite.
    half_width = high / 2 - low / 2
    largest = np.maximum(np.abs(low), np.abs(high))
    lost = (half_width < _LEAST_RANGE) | (half_width < _LEAST_SPREAD * largest) | (largest > _LARGEST)
    kind = SmallTree if (lost & (half_width > 0)).any() else DecisionTreeClassifier
    return kind(max_depth=1)


def seen_by_trees(hypotheses, X):
    """Checked X as trees of scikit-learn can take it: what float32 cannot hold is beyond all their thresholds."""
    plain = bool(hypotheses) and type(hypotheses[0]) is DecisionTreeClassifier
    if not plain or sparse.issparse(X) or not (np.abs(X) > _LARGEST).any():
        return X
    return np.clip(X, -2 * _LARGEST, 2 * _LARGEST)
