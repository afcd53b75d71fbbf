"""Complexity measures: callables ``measure(X, y) -> float``, some of which can be updated (see `_problem`).

Conventions:

- A set of no examples, or of one class only, has complexity 0: a constant explains it.
- More than two classes are measured one against the rest; the complexity is half the sum, so that each boundary is
  counted once and two classes are no special case.
- The smallest hypothesis that a *learner finds* takes the place of the smallest one; so these measures are noisy, and
  adding an example may even lower them.
"""

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.svm import SVC

from weaklearn._training import check_X_y
from weaklearn.complexity._problem import SET_FUNCTION, evaluate
from weaklearn.complexity._svm_problem import SVMProblem
from weaklearn.kernel import perceptron_kernel

# A Gram matrix of doubles for more rows than this would need more than 800 MB.
_GRAM_LIMIT = 10_000


class SVMComplexity(BaseEstimator):
    r"""The number of support vectors of the hard-margin SVM that replicates the labels.

    The machine is described by its support vectors and their coefficients, so their number is its length, up to a
    factor and a constant. With the perceptron kernel, which has no parameter, any set without contradictions can be
    replicated. Where labels contradict each other at the same place, pairs of opposite labels count 2 each (both
    have to be remembered) and the rest of the majority stays.

    Parameters
    ----------
    kernel : {"perceptron", "stump", "rbf", "polynomial", "linear"} or callable, default="perceptron"
        With all but the first a set may not be separable (with the stump kernel only if features tie, as on a lattice),
        which is an error that says so. A name stands for a function of `weaklearn.kernel` with its default parameters;
        for others pass a function of two tables, such as ``functools.partial(gaussian_kernel, gamma=40.0)``.

    Notes
    -----
    li2006, subsection 1.3.4. Features are taken as they are: scale them first if their units differ.

    Examples
    --------
    >>> from weaklearn.complexity import SVMComplexity
    >>> SVMComplexity()([[0], [1], [2], [3]], [0, 0, 1, 1])
    2.0
    >>> SVMComplexity()([[0], [1], [2], [3]], [0, 1, 0, 1])
    4.0
    """

    def __init__(self, kernel="perceptron"):
        self.kernel = kernel

    def __call__(self, X, y):
        """The complexity of a set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        float
        """
        if np.size(y) == 0:
            return 0.0
        X, y = check_X_y(X, y, dtype=np.float64, order="C")
        if (y == y[0]).all():
            return 0.0
        return SVMProblem(X, y, self).of(np.arange(len(y)))

    def prepare(self, X, y, *, gram=True):
        """The form that is evaluated on many subsets of one set, with one Gram matrix.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64
        y : ndarray of shape (n_samples,)
        gram : bool, default=True
            False if only small subsets are needed: no Gram matrix of all examples is kept.

        Returns
        -------
        Problem
        """
        if gram and len(y) > _GRAM_LIMIT:
            raise ValueError(
                f"{len(y)} examples need a Gram matrix of {8e-9 * len(y) ** 2:.0f} GB: take at most {_GRAM_LIMIT}, or "
                'estimator="surprise", which uses small subsets only.'
            )
        return SVMProblem(X, y, self, gram=gram)


class LookupComplexity(BaseEstimator):
    r"""The size of a learned hypothesis plus a price for each example that it gets wrong.

    .. math:: C_{H,\lambda}(D) \approx |h| + \lambda\, e_D(h),

    Definition 1.3 of li2006 with the hypothesis that a learner finds: what it gets wrong goes into a lookup table, at
    :math:`\lambda` for each entry.

    Parameters
    ----------
    estimator : classifier, default=None
        None means a soft-margin SVM with the perceptron kernel and C = 1.
    lam : float, default=1.0
        The price :math:`\lambda` of an entry.

    Notes
    -----
    The size of the fitted hypothesis is the first that there is of: the length of ``support_``, the length of
    ``estimators_``, ``tree_.node_count`` and the number of nonzero entries of ``coef_``.

    li2006, Definition 1.3; "support vectors + errors" is the form that pratap2008, chapter 4, uses.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from weaklearn.complexity import LookupComplexity
    >>> measure = LookupComplexity(DecisionTreeClassifier(max_depth=1), lam=2)
    >>> measure([[0], [1], [2], [3]], [0, 0, 1, 1]), measure([[0], [1], [2], [3]], [0, 1, 1, 0])
    (3.0, 5.0)
    """

    def __init__(self, estimator=None, lam=1.0):
        self.estimator = estimator
        self.lam = lam

    def __call__(self, X, y):
        """The complexity of a set; see `SVMComplexity.__call__`."""
        if np.size(y) == 0:
            return 0.0
        X, y = check_X_y(X, y, dtype=np.float64)
        if len(np.unique(y)) < 2:
            return 0.0
        estimator = SVC(kernel=perceptron_kernel, C=1.0) if self.estimator is None else clone(self.estimator)
        estimator.fit(X, y)
        errors = int(np.sum(estimator.predict(X) != y))
        return float(_size(estimator) + self.lam * errors)


def _size(estimator):
    for name in ("support_", "estimators_"):
        if hasattr(estimator, name):
            return len(getattr(estimator, name))
    if hasattr(estimator, "tree_"):
        return estimator.tree_.node_count
    if hasattr(estimator, "coef_"):
        return int(np.count_nonzero(estimator.coef_))
    raise ValueError(
        f"LookupComplexity does not know the size of a {type(estimator).__name__}: it has no support_, estimators_, "
        "tree_ or coef_. Use a measure of your own, a function measure(X, y) -> float."
    )


@SET_FUNCTION
def complexity(X, y, *, measure=None):
    """The complexity of a data set.

    Returns
    -------
    float

    Examples
    --------
    >>> from weaklearn.complexity import complexity
    >>> from weaklearn.datasets import make_yinyang
    >>> complexity(*make_yinyang(100, random_state=0)), complexity(*make_yinyang(100, flip=0.1, random_state=0))
    (45.0, 65.0)
    """
    return evaluate(SVMComplexity() if measure is None else measure, X, y)
