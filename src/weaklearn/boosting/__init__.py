"""Boosting for two classes: one loop of rounds, and classifiers that are presets of cost, step rule and weights.

The loop (`_loop`) makes rounds, a run (`_run`) records them, and `BoostedClassifier` (`_classifier`) turns them into a
fitted ensemble; `_corrected` adds the algorithms that change all coefficients afterwards. Step rules are in `_steps`,
`p_hull` and `_linear_program`; what the package asks of weak learners and hypotheses in `_weak` and `_hypotheses`.
Margins are in `_margins`, bounds in `_bounds`. Costs live in `weaklearn.costs`, the stump in `weaklearn.stumps`, more
than two classes in `weaklearn.multiclass`.
"""

from weaklearn.boosting._adaboost import AdaBoostClassifier
from weaklearn.boosting._alphaboost import AlphaBoostClassifier
from weaklearn.boosting._anyboost import (
    AnyBoostClassifier,
    ArcGVClassifier,
    ArcX4Classifier,
    CGBoostClassifier,
    LogitBoostClassifier,
)
from weaklearn.boosting._bounds import Bound, generalization_bound
from weaklearn.boosting._doom import DoomClassifier
from weaklearn.boosting._margins import MarginDistribution, margin_distribution, margins
from weaklearn.boosting._noise_tolerant import NoiseTolerantBoostClassifier
from weaklearn.boosting._soft_margins import AdaBoostRegClassifier, Doom2Classifier
from weaklearn.boosting._steps import StepRule
from weaklearn.boosting._stump_dimension import stump_dichotomies, stump_dimension
from weaklearn.boosting.linear_programs._dlpboost import DLPBoostClassifier
from weaklearn.boosting.linear_programs._lpboost import LPBoostClassifier
from weaklearn.boosting.p_hull._pboost import PBoostClassifier

__all__ = [
    # gradient descent in function space
    "AnyBoostClassifier",
    "AdaBoostClassifier",
    "LogitBoostClassifier",
    "ArcX4Classifier",
    "ArcGVClassifier",
    "CGBoostClassifier",
    "StepRule",
    # coefficients corrected together
    "AlphaBoostClassifier",
    "DLPBoostClassifier",
    "LPBoostClassifier",
    # capacity control, noisy labels
    "PBoostClassifier",
    "AdaBoostRegClassifier",
    "DoomClassifier",
    "Doom2Classifier",
    "NoiseTolerantBoostClassifier",
    # margins and theory
    "margins",
    "margin_distribution",
    "MarginDistribution",
    "generalization_bound",
    "Bound",
    "stump_dimension",
    "stump_dichotomies",
]
