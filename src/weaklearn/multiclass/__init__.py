"""Many classes from weak hypotheses: learned output codes and SAMME.

`_code_classifier` has AdaBoost.ECC and AdaBoost.ERP, `_code_rounds` their loop, `_partitions` the ways to pick a
column. Weak learners and SAMME come from `weaklearn.boosting.engine`. One against one and one against the rest are
scikit-learn's.
"""

from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from weaklearn.multiclass._code_classifier import AdaBoostECCClassifier, AdaBoostERPClassifier
from weaklearn.multiclass._partitions import dominating_partitions
from weaklearn.multiclass._samme import SAMMEClassifier

__all__ = [
    "AdaBoostECCClassifier",
    "AdaBoostERPClassifier",
    "SAMMEClassifier",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "dominating_partitions",
]
