"""The baseline of li2005 that is not ours: a soft-margin SVM."""

from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC


def soft_svm():
    """Linear soft-margin SVM; C from the coarse grid of Hsu et al. (2003) by 5-fold cross-validation.

    Their grid extends to 2^15; on these sets nothing changes beyond 2^5 except the time.
    """
    return GridSearchCV(SVC(kernel="linear"), {"C": [2.0**k for k in range(-5, 7, 2)]}, cv=5)
