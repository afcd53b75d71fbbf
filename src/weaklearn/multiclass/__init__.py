"""Many classes from weak hypotheses: learned output codes, SAMME, and the classical reductions."""

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
