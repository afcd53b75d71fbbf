"""Boosting whose coefficients are corrected together once the rounds are over."""

from abc import abstractmethod

import numpy as np

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._hypotheses import vote
from weaklearn.boosting._loop import learning_curves
from weaklearn.boosting._stages import coefficients
from weaklearn.boosting._steps import ClosedForm
from weaklearn.costs import Exponential


class CorrectedClassifier(BoostedClassifier):
    """Base of AlphaBoost, DLPBoost and DOOM, whose rounds are AdaBoost's: a subclass states `_corrections`.

    The votes of all hypotheses on the training set are kept (one byte each), because `truncated` has to correct
    a shorter ensemble anew. They offer no ``validation_fraction`` and no ``n_folds``: the rounds alone do not determine
    the classifier.
    """

    _private_state = ("_signs", "_training_weight")

    def _preset(self):
        return Exponential(), ClosedForm()

    @abstractmethod
    def _corrections(self, signs, hypotheses, coefficients, sample_weight):
        """Coefficients that replace those of the rounds, one vector for each further stage.

        ``signs`` are ``y_i h_t(x_i)`` on the training set, of shape (n_hypotheses, n_samples).
        """

    def _advance(self, run, X, y, n_rounds, watch=None):
        super()._advance(run, X, y, n_rounds, watch)
        signs = [(y * vote(hypothesis, X)).astype(np.int8) for hypothesis in run.rounds.hypotheses]
        self._signs = np.array(signs, dtype=np.int8).reshape(-1, len(y))
        self._training_weight = run.ensemble.sample_weight

    def _corrected(self, rounds):
        if not rounds.hypotheses:
            return super()._corrected(rounds)
        weight, signs = self._training_weight, self._signs[: len(rounds.hypotheses)].astype(np.float64)
        rows = self._corrections(signs, rounds.hypotheses, coefficients(rounds.stages), weight)
        return rows, *learning_curves([row @ signs for row in rows], weight, self.cost_)
