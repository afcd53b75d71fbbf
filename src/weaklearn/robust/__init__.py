"""Learning from noisy labels: members with held-out scores, a stack, one noise model.

`RobustClassifier` predicts with them, `CalibratedClassifier` gives probabilities to any other classifier, and
`weaklearn.labels.LabelAuditor` finds wrong labels. `weaklearn.robust.machine` is the layer that they share, for
builders of other estimators. From the bottom up: columns (``_columns``), kernels and ridge machines (``_ridge``),
members (``_members``), ``_stack``, the noise model with the classifier's prior (``_noise``) and with the auditor's
(``_wrong_labels``), ``machine``. Text, categories and dates become numbers in `weaklearn.tables`.
"""

from weaklearn.robust._calibrated import CalibratedClassifier
from weaklearn.robust._classifier import RobustClassifier

__all__ = ["RobustClassifier", "CalibratedClassifier"]
