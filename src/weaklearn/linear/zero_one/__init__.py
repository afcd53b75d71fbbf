"""Hyperplanes of least 0/1 error: the search, its proof of optimality, and the classifier built on them.

`ZeroOneClassifier` and `minimum_zero_one_error` share one problem (`_problem`), one search (`_search`) and one
certificate (`_certificate`); `_centre` picks among equally good hyperplanes and `_noise` fits a smooth loss that
estimates the share of wrong labels. Imports `weaklearn.linear` modules and `weaklearn._fast` only.
"""

from weaklearn.linear.zero_one._classifier import ZeroOneClassifier
from weaklearn.linear.zero_one._minimum import ZeroOneMinimum, minimum_zero_one_error
from weaklearn.linear.zero_one._step import ZeroOneStep, zero_one_step

__all__ = ["ZeroOneClassifier", "ZeroOneMinimum", "ZeroOneStep", "minimum_zero_one_error", "zero_one_step"]
