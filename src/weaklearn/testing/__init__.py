"""The contract suite: checks of your own plug-ins, the same that the package's own parts pass.

Each check takes an instance and raises AssertionError with what went wrong:

>>> from weaklearn.costs import Hinge
>>> from weaklearn.testing import check_margin_cost
>>> check_margin_cost(Hinge())
"""

from weaklearn.testing._costs import check_margin_cost
from weaklearn.testing._measures import check_complexity_measure
from weaklearn.testing._weak_learners import check_weak_learner

__all__ = ["check_complexity_measure", "check_margin_cost", "check_weak_learner"]
