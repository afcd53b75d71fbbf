"""A run of SAMME: AdaBoost's rounds for any number of classes, by one weak learner for all of them.

`weaklearn.boosting.AdaBoostClassifier` uses it for more than two classes, `weaklearn.multiclass.SAMMEClassifier` for
any number. It has the interface of `weaklearn.boosting._run.Run`: rounds that can be resumed, and their record.

Conventions: examples and hypotheses number the classes 0, 1, ..., K - 1. The score of a class is the sum of the
coefficients of the hypotheses that vote for it, or of their centred log-probabilities; the class of largest
score is predicted, of equal scores the first one.
"""

import math

import numpy as np
from sklearn import config_context

from weaklearn.boosting._line import PERFECT_RATIO
from weaklearn.boosting._loop import NO_EDGE
from weaklearn.boosting._run import Rounds
from weaklearn.boosting._stages import Move

__all__ = ["ClassScores", "SammeRun", "centred_log_probabilities", "class_votes"]

_LEAST_PROBABILITY = np.finfo(np.float64).eps


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
    than guessing among the classes ends the run with the reason "no edge" and is not kept.

    Parameters
    ----------
    n_classes : int
    sample_weight : ndarray of shape (n_samples,)
        Positive.
    rng : numpy.random.Generator
    rate : float, default=1.0
    says : callable, default=class_votes
        What a hypothesis says of the classes: `class_votes` or `centred_log_probabilities`.
    cost : MarginCost, default=None
        Kept with the fitted classifier.
    """

    def __init__(self, n_classes, sample_weight, rng, rate=1.0, says=class_votes, cost=None):
        self.n_classes, self.rate, self.says, self.cost = n_classes, rate, says, cost
        self.sample_weight, self.rng = sample_weight, rng
        self.stop_reason: str | None = None
        self.hypotheses: list = []
        self._stages: list[Move] = []
        self._errors: list[float] = []
        self._costs: list[float] = []
        self._training_errors: list[float] = []
        self._scores = np.zeros((len(sample_weight), n_classes))
        self._log_loss = np.zeros(len(sample_weight))

    @property
    def rounds(self):
        """The record of all rounds so far."""
        return Rounds(
            self.hypotheses, self._stages, self._errors, self._costs, self._training_errors, starts=[0]
        )

    def tracker(self, X):
        """The scores of other rows, to be advanced stage by stage."""
        return ClassScores(X, self.n_classes, self.says)

    @staticmethod
    def wrong(codes, scores):
        """Which rows are misclassified."""
        return scores.argmax(axis=1) != codes

    def advance(self, learner, X, codes, n_rounds, watch=None, *, stop_if_perfect=False):
        """Run until there are n_rounds rounds, there is a reason to stop, or ``watch`` says so.

        Parameters
        ----------
        learner : object
            On X and these codes, as `weaklearn.boosting._weak.prepare_classes` makes it.
        X, codes
            The training set; its classes are numbered 0, 1, ...
        n_rounds : int
        watch : callable, default=None
            Called with each new hypothesis and stage; True ends the run.
        stop_if_perfect : bool, default=False
            End after a hypothesis without errors.
        """
        weight, total = self.sample_weight, self.sample_weight.sum()
        rows = np.arange(len(codes))
        while self.stop_reason is None and len(self.hypotheses) < n_rounds:
            # Relative to the largest, so that long runs do not underflow.
            hypothesis, _, error = learner.fit(
                weight * np.exp(self._log_loss - self._log_loss.max()), self.rng
            )
            if not error < 1 - 1 / self.n_classes - NO_EDGE:
                self.stop_reason = "no edge"
                return
            coefficient = self.rate
            if self.says is class_votes:
                ratio = (1 - error) / error if error > 0 else PERFECT_RATIO
                coefficient *= math.log(ratio) + math.log(self.n_classes - 1)
            with config_context(assume_finite=learner.checked):
                self._scores += coefficient * self.says(hypothesis, X, self.n_classes)
            # (1/K) sum_k Y_k f_k is the score of the own class minus the mean score.
            self._log_loss = self._scores.mean(axis=1) - self._scores[rows, codes]
            wrong = self.wrong(codes, self._scores)
            self.hypotheses.append(hypothesis)
            self._stages.append(Move(coefficient))
            self._errors.append(error)
            self._costs.append(weight @ np.exp(self._log_loss) / total)
            self._training_errors.append(weight[wrong].sum() / total)
            if stop_if_perfect and error <= 0:
                self.stop_reason = "perfect"
            if watch is not None and watch(hypothesis, self._stages[-1]):
                return
