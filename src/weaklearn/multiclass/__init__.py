"""Many classes from weak hypotheses: learned output codes and SAMME.

`_code_rounds` is the loop of AdaBoost.ECC and AdaBoost.ERP, `_partitions` the ways to pick a column, `_staged` what all
ensembles here share, `_code_classifier` what those of codes share. Weak learners, SAMME's rounds and stages come from
`weaklearn.boosting.engine`. One against one and one against the rest are scikit-learn's.
"""

from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from weaklearn.multiclass._ecc import AdaBoostECCClassifier
from weaklearn.multiclass._erp import AdaBoostERPClassifier
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
