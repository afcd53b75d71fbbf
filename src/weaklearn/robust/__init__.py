"""One machine for noisy labels: members with held-out scores, a stack, a noise model.

`RobustClassifier` predicts with it; `weaklearn.complexity.LabelAuditor` reads from it which labels are wrong. Files go
from the bottom up: columns and kernels, ridge machines and landmarks, members, stack and noise model, the machine.
Nothing here reads tables (see `weaklearn.tables`) or draws.
"""

from weaklearn.robust._classifier import RobustClassifier

__all__ = ["RobustClassifier"]
