"""Margins of ensembles, bounds on their generalisation error, and the choice of capacity by one ordered parameter.

`_margins` measures, `_bounds` computes what the theorems of the source documents promise, `_capacity_search` minimises
the estimated or bounded risk. Nothing here depends on how an ensemble was trained.
"""

from weaklearn.boosting.theory._bounds import Bound, generalization_bound, log2_covering_number
from weaklearn.boosting.theory._capacity_search import CapacitySearchCV, PConvexHullBound
from weaklearn.boosting.theory._margins import (
    MarginDistribution,
    dimension_complexity,
    gamma_margin,
    margin_distribution,
    margins,
)
from weaklearn.boosting.theory._training_bound import TrainingErrorBound, training_error_bound

__all__ = [
    "Bound",
    "CapacitySearchCV",
    "MarginDistribution",
    "PConvexHullBound",
    "TrainingErrorBound",
    "dimension_complexity",
    "gamma_margin",
    "generalization_bound",
    "log2_covering_number",
    "margin_distribution",
    "margins",
    "training_error_bound",
]
