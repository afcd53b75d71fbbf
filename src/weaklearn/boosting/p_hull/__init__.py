"""Boosting on p-convex hulls (barnes1999): combinations whose coefficients have p-norm 1.

`_pboost` is the classifier, `_pnorm` has its step rules, which build on `weaklearn.boosting._steps`.
"""

from weaklearn.boosting.p_hull._pboost import PBoostClassifier
from weaklearn.boosting.p_hull._pnorm import Sloppy

__all__ = ["PBoostClassifier", "Sloppy"]
