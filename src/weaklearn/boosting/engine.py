"""The parts of boosting, for algorithms of your own and for `weaklearn.multiclass`.

- A *weak learner* is fitted again and again to new weights: `prepare` makes one from an estimator and a training set of
  two classes, `prepare_classes` for more, `prepare_relabelled` for labels that change in every round.
- The *loop*, `boosting_rounds`, asks it for hypotheses and lets a `StepRule` put them into an `Ensemble`.
- What the rounds did to the ensemble are *stages*, `Move` and `Correction`: they give its `coefficients` and the scores
  of new rows.
- `BoostedClassifier` is the estimator around the loop: a subclass states its cost and its step rule in ``_preset``;
  `SammeBoostedClassifier` is that of one weak learner for all classes, `class_votes` or `centred_log_probabilities`
  what a hypothesis says of them. `StagedPredictions` are the methods that other ensembles share.

>>> import numpy as np
>>> from itertools import islice
>>> from weaklearn.boosting.engine import Ensemble, StepRule, boosting_rounds, prepare
>>> from weaklearn.costs import Logistic
>>> from weaklearn.stumps import DecisionStump
>>> class SmallSteps(StepRule):
...     def step(self, ensemble, hypothesis_margins, error):
...         ensemble.add(0.1, hypothesis_margins)
>>> X, y = np.arange(6.0)[:, None], np.array([-1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
>>> ensemble = Ensemble(Logistic(), np.ones(6))
>>> rounds = boosting_rounds(prepare(DecisionStump(), X, y), SmallSteps(), ensemble, np.random.default_rng(0))
>>> [round(float(one.error), 2) for one in islice(rounds, 3)]
[0.33, 0.32, 0.31]
>>> ensemble.coefficients
array([0.1, 0.1, 0.1])
"""

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._hypotheses import vote, votes
from weaklearn.boosting._loop import Ensemble, Round, boosting_rounds
from weaklearn.boosting._samme import SammeBoostedClassifier, centred_log_probabilities, class_votes
from weaklearn.boosting._staged import StagedPredictions
from weaklearn.boosting._stages import Correction, Move, coefficients
from weaklearn.boosting._steps import StepRule
from weaklearn.boosting._weak import prepare, prepare_classes, prepare_relabelled

__all__ = [
    "BoostedClassifier",
    "Correction",
    "Ensemble",
    "Move",
    "Round",
    "SammeBoostedClassifier",
    "StagedPredictions",
    "StepRule",
    "boosting_rounds",
    "centred_log_probabilities",
    "class_votes",
    "coefficients",
    "prepare",
    "prepare_classes",
    "prepare_relabelled",
    "vote",
    "votes",
]
