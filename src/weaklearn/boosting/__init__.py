"""Boosting: one loop of rounds, and classifiers that are presets of cost, step rule and weights."""

from weaklearn.boosting._adaboost import AdaBoostClassifier
from weaklearn.boosting._adaboost_reg import AdaBoostRegClassifier
from weaklearn.boosting._alphaboost import AlphaBoostClassifier
from weaklearn.boosting._anyboost import AnyBoostClassifier
from weaklearn.boosting._arcing import ArcGVClassifier, ArcX4Classifier
from weaklearn.boosting._bounds import Bound, generalization_bound, log2_covering_number
from weaklearn.boosting._capacity_search import CapacitySearchCV, PConvexHullBound
from weaklearn.boosting._cgboost import CGBoostClassifier
from weaklearn.boosting._dlpboost import DLPBoostClassifier
from weaklearn.boosting._doom2 import Doom2Classifier
from weaklearn.boosting._logitboost import LogitBoostClassifier
from weaklearn.boosting._lpboost import LPBoostClassifier
from weaklearn.boosting._margins import (
    MarginDistribution,
    dimension_complexity,
    gamma_margin,
    margin_distribution,
    margins,
)
from weaklearn.boosting._noise_tolerant import NoiseTolerantBoostClassifier
from weaklearn.boosting._pboost import PBoostClassifier
from weaklearn.boosting._training_bound import TrainingErrorBound, training_error_bound

__all__ = [
    # gradient descent in function space
    "AnyBoostClassifier",
    "AdaBoostClassifier",
    "LogitBoostClassifier",
    "ArcX4Classifier",
    "ArcGVClassifier",
    "CGBoostClassifier",
    # coefficients corrected together
    "AlphaBoostClassifier",
    "DLPBoostClassifier",
    "LPBoostClassifier",
    # capacity control, noisy labels
    "PBoostClassifier",
    "AdaBoostRegClassifier",
    "Doom2Classifier",
    "NoiseTolerantBoostClassifier",
    "CapacitySearchCV",
    "PConvexHullBound",
    # margins and theory
    "margins",
    "margin_distribution",
    "MarginDistribution",
    "dimension_complexity",
    "generalization_bound",
    "Bound",
    "gamma_margin",
    "log2_covering_number",
    "training_error_bound",
    "TrainingErrorBound",
]
