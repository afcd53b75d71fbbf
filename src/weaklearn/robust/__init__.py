"""One machine for noisy labels: members with held-out scores, a stack, a noise model.

`RobustClassifier` predicts with it; `weaklearn.labels.LabelAuditor` reads from it which labels are wrong.
`CalibratedClassifier` gives probabilities to any other classifier. Files go from the bottom up: columns and kernels,
ridge machines and landmarks, members, stack and noise model, the machine. Tables are read by `weaklearn.tables`.
"""

from weaklearn.robust._calibrated import CalibratedClassifier
from weaklearn.robust._classifier import RobustClassifier

__all__ = ["RobustClassifier", "CalibratedClassifier"]
