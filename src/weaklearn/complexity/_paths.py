"""Single paths: complexity against error as a set grows, and as examples are pruned greedily."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state

from weaklearn.complexity._measures import SVMComplexity
from weaklearn.complexity._problem import SET_FUNCTION, problem


@dataclass(frozen=True)
class ComplexityErrorPath:
    """A complexity-error path: ``complexity[m]`` is that of the first m examples of ``order``; ``error[m]`` are out."""

    order: np.ndarray
    complexity: np.ndarray
    error: np.ndarray


@SET_FUNCTION
def complexity_error_path(X, y, *, order=None, measure=None, random_state=None):
    """The complexity-error path of a subset path: a set that grows from nothing by one example at a time.

    Parameters
    ----------
    order : array-like of shape (n_samples,), default=None
        The order in which examples join; None draws one. Ordering by contribution, the smallest first, keeps the path
        close to the principal points.

    Returns
    -------
    ComplexityErrorPath

    References
    ----------
    li2006, Definitions 1.5 and 1.6.

    Examples
    --------
    >>> from weaklearn.complexity import complexity_error_path
    >>> path = complexity_error_path([[0], [1], [2], [3]], [0, 0, 1, 1], order=[0, 1, 3, 2])
    >>> path.complexity, path.error
    (array([0., 0., 0., 2., 2.]), array([4, 3, 2, 1, 0]))
    """
    given = problem(X, y, SVMComplexity() if measure is None else measure)
    n = given.n_examples
    if order is None:
        order = check_random_state(random_state).permutation(n)
    order = np.asarray(order, dtype=np.int64)
    if not np.array_equal(np.sort(order), np.arange(n)):
        raise ValueError(f"order must be a permutation of 0, ..., {n - 1}.")
    values = given.path_complexities(order[None], 0, n)[0]
    return ComplexityErrorPath(order, values, np.arange(n, -1, -1))


@dataclass(frozen=True)
class GreedyPruning:
    """What `greedy_pruning` took out.

    Attributes
    ----------
    removed : ndarray of shape (n_removed,)
        Numbers of the examples in the order of removal.
    contribution : ndarray of shape (n_removed,)
        By how much each removal lowered the complexity.
    complexity : ndarray of shape (n_removed + 1,)
        Before the first and after each removal.
    """

    removed: np.ndarray
    contribution: np.ndarray
    complexity: np.ndarray


@SET_FUNCTION
def greedy_pruning(X, y, *, lam=2.0, measure=None, max_removals=None):
    r"""Take out, again and again, the example whose removal lowers the complexity most, while that is at least lambda.

    With the ideal measure of Definition 1.3 this walks along the rightmost segment: what goes are the entries of the
    lookup table of a shortest hypothesis (Theorem 1.5). Practical measures are noisy, so the result depends on
    :math:`\lambda` and on single decisions: the average contribution is the more robust method.

    Parameters
    ----------
    lam : float, default=2.0
        The least contribution :math:`C(S) - C(S \setminus \{z\})` of an example that is taken out.
    max_removals : int, default=None
        None stops only at lambda.

    Returns
    -------
    GreedyPruning

    References
    ----------
    li2006, subsection 1.5.1.

    Examples
    --------
    >>> from weaklearn.complexity import greedy_pruning
    >>> found = greedy_pruning([[0], [1], [2], [3], [10], [11], [12]], [0, 1, 0, 0, 1, 1, 1], lam=1.5)
    >>> found.removed, found.complexity
    (array([1]), array([5., 2.]))
    """
    if not lam > 0:
        raise ValueError(f"lam must be positive; got {lam!r}.")
    given = problem(X, y, SVMComplexity() if measure is None else measure)
    present = np.ones(given.n_examples, dtype=bool)
    removed: list[int] = []
    contribution: list[float] = []
    values = [given.of(np.flatnonzero(present))]
    while max_removals is None or len(removed) < max_removals:
        decreases = given.removals(present)
        best = int(np.argmax(decreases))
        if decreases[best] < lam:
            break
        present[best] = False
        removed.append(best)
        contribution.append(decreases[best])
        values.append(values[-1] - decreases[best])
    return GreedyPruning(np.array(removed, dtype=int), np.array(contribution), np.array(values))
