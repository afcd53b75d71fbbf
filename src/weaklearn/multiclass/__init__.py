"""Many classes from weak hypotheses: learned output codes, SAMME, and the classical reductions.

`_code_rounds` is the loop of AdaBoost.ECC and AdaBoost.ERP, `_partitions` the ways to pick a column, `_relabelled` the
weak learners whose labels change in every round; `_class_scores` and `_code_classifier` are the shared bases.
Builds on `weaklearn.boosting`, whose constants and weak learners it uses.
"""

from weaklearn.multiclass._ecc import AdaBoostECCClassifier
from weaklearn.multiclass._erp import AdaBoostERPClassifier
from weaklearn.multiclass._partitions import dominating_partitions
from weaklearn.multiclass._perceptron_svm import PerceptronKernelSVC
from weaklearn.multiclass._reductions import OneVsOneClassifier, OneVsRestClassifier
from weaklearn.multiclass._samme import SAMMEClassifier

__all__ = [
    "AdaBoostECCClassifier",
    "AdaBoostERPClassifier",
    "SAMMEClassifier",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "PerceptronKernelSVC",
    "dominating_partitions",
]
