"""The complexity contribution of every example, estimated from random permutations."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from joblib import cpu_count
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from scipy.stats import rankdata
from sklearn.utils import check_random_state

from weaklearn._training import bounded_jobs
from weaklearn.complexity._estimators import ESTIMATORS, default_window
from weaklearn.complexity._measures import SVMComplexity
from weaklearn.complexity._problem import SET_FUNCTION, problem

# Permutations are given to threads in blocks of this size, which is also the unit of early stopping.
_BLOCK = 4
# Convergence is checked every this many blocks.
_CHECK_EVERY = 10
# Without a Gram matrix beyond this many examples: the surprise estimator needs only small parts of it.
_KEEP_GRAM = 2000


@dataclass(frozen=True)
class Contributions:
    """What `complexity_contribution` found.

    Attributes
    ----------
    contribution : ndarray of shape (n_samples,)
        NaN for an example that no permutation measured.
    standard_error : ndarray of shape (n_samples,)
        Of the randomness of the permutations; the examples themselves are taken as given.
    n_permutations : int
        How many were used.
    estimator : str
    start, stop : int
        Subset sizes.
    reliability : float
        Rank correlation between this ranking and one from as many other permutations, estimated from two halves.
    converged : bool
        Whether it stopped early because `reliability` reached ``tol``.
    interrupted : bool
        Whether Ctrl-C stopped it.
    """

    contribution: np.ndarray
    standard_error: np.ndarray
    n_permutations: int
    estimator: str
    start: int
    stop: int
    reliability: float
    converged: bool
    interrupted: bool

    @property
    def ranking(self):
        """Numbers of the examples, the largest contribution first; those not measured last."""
        return np.argsort(np.where(np.isnan(self.contribution), np.inf, -self.contribution), kind="stable")


@SET_FUNCTION
def complexity_contribution(
    X,
    y,
    *,
    measure=None,
    n_permutations=200,
    start="auto",
    stop=None,
    estimator="average",
    tol=0.995,
    random_state=None,
    n_jobs=None,
    verbose=False,
):
    r"""How much each example adds to the complexity of random subsets of the others.

    An example with a large contribution disagrees with the rest: it is likely to be mislabelled. With
    :math:`S_i(\pi)` the set of the examples before the n-th in the permutation :math:`\pi`, ``"average"`` is

    .. math:: \tilde\gamma_n = \mathbb{E}_\pi [ C(S_i \cup \{z_n\}) - C(S_i) \mid s_1 \le |S_i| < s_2 ],

    and ``"least_squares"`` fits :math:`C(S_{s_1+m}) - C(S_{s_1}) = \sum_n \gamma_n` over all prefixes with equal
    weights. ``"surprise"`` is ours: the mean of minus the margin, clipped to [-1, 1], that the hard-margin machine of a
    *small* subset gives to an example outside of it. See the notes.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of any kind. More than two classes: half the sum over one-against-the-rest problems; for the surprise,
        the margin is half the gap between the own class and the best other one.
    measure : callable or incremental measure, default=None
        ``measure(X, y) -> float``, or an object with ``push(x, y)``, ``pop()`` and ``value``, which is updated along
        each permutation; None means `SVMComplexity()`. The surprise needs `SVMComplexity`.
    n_permutations : int, default=200
        The largest number of permutations.
    start, stop : int, default="auto" and None
        Subset sizes :math:`s_1` and :math:`s_2`. By default from n / 8 to n, for the surprise from n / 10 to 0.35 n
        and never more than 420.
    estimator : {"average", "least_squares", "surprise"}, default="average"
    tol : float or None, default=0.995
        Stop early once `reliability` is at least this: the rank correlation r (Spearman) of the estimates from the two
        halves of the permutations so far, stepped up to the whole as 2 r / (1 + r). None never stops early.
    random_state : int, RandomState or None, default=None
        The p-th permutation depends on the seed and on p alone, so the number of threads changes nothing.
    n_jobs : int, default=None
        Number of threads; None means all cores.
    verbose : bool, default=False
        Show a progress bar with the time left on standard error.

    Returns
    -------
    Contributions
        After Ctrl-C, from the permutations that were finished; ``interrupted`` says so.

    Notes
    -----
    Why the surprise: almost all that the average contribution misses are flipped labels close to the class boundary. A
    count of support vectors cannot tell a wrong label there from a right one, since either costs about one; and as the
    hard-margin machine also replicates wrong labels, right ones beside them cost something, too. The margin outside of
    the subset has a sign: it says which label the other examples support. Small subsets hold few wrong labels, so their
    machines are smoother. ``docs/complexity.md`` has the evidence and a table of AUCs against other methods.

    References
    ----------
    li2006, subsection 1.5.2, equations (1.11) to (1.13).

    Examples
    --------
    >>> from weaklearn.complexity import complexity_contribution
    >>> from weaklearn.datasets import make_yinyang
    >>> X, y = make_yinyang(100, flip=0.03, random_state=4)  # the last three are flipped
    >>> found = complexity_contribution(X, y, estimator="surprise", random_state=0)
    >>> sorted(found.ranking[:3].tolist())
    [97, 98, 99]
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(ESTIMATORS)}; got {estimator!r}.")
    keep_gram = estimator != "surprise" or len(y) <= _KEEP_GRAM
    given = problem(X, y, SVMComplexity() if measure is None else measure, gram=keep_gram)
    n = given.n_examples
    default_start, default_stop = default_window(estimator, n)
    start = default_start if isinstance(start, str) and start == "auto" else start
    stop = default_stop if stop is None else stop
    _check_window(start, stop, n, estimator)
    n_permutations = _count("n_permutations", n_permutations)
    if tol is not None and not 0 < tol < 1:
        raise ValueError(f"tol must be between 0 and 1, or None; got {tol!r}.")
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    sums = ESTIMATORS[estimator](given, start, stop)
    # Whole blocks only: which permutations belong to which half must not depend on where a run stopped.
    n_blocks = -(-n_permutations // _BLOCK)

    def work(index):
        numbers = range(index * _BLOCK, (index + 1) * _BLOCK)
        orders = np.array([np.random.default_rng([seed, p]).permutation(n) for p in numbers], dtype=np.int64)
        return sums.block(given, orders)

    done, converged, interrupted = 0, False, False
    with _progress(verbose, n_blocks * _BLOCK) as report:
        try:
            for index, parts in _in_order(work, range(n_blocks), _threads(n_jobs)):
                sums.add(index, parts)
                done = index + 1
                report(done * _BLOCK)
                due = tol is not None and done % _CHECK_EVERY == 0 and done < n_blocks
                if due and _reliability(sums) >= tol:
                    converged = True
                    break
        except KeyboardInterrupt:
            if done == 0:
                raise
            interrupted = True
    contribution, standard_error = sums.estimate()
    return Contributions(
        contribution=contribution,
        standard_error=standard_error,
        n_permutations=done * _BLOCK,
        estimator=estimator,
        start=int(start),
        stop=int(stop),
        reliability=_reliability(sums) if done > 1 else np.nan,
        converged=converged,
        interrupted=interrupted,
    )


def _in_order(work, indices, n_threads):
    """Results of ``work(index)`` in the order of the indices, computed a few ahead by threads."""
    pool = ThreadPoolExecutor(n_threads)
    waiting: deque = deque()
    try:
        for index in indices:
            waiting.append((index, pool.submit(work, index)))
            if len(waiting) >= 2 * n_threads:
                oldest, future = waiting.popleft()
                yield oldest, future.result()
        while waiting:
            oldest, future = waiting.popleft()
            yield oldest, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _threads(n_jobs):
    if n_jobs is None or n_jobs == -1:
        return cpu_count()
    return bounded_jobs(_count("n_jobs", n_jobs))


def _count(name, value):
    if not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}.")
    return int(value)


def _check_window(start, stop, n, estimator):
    whole = all(isinstance(size, (int, np.integer)) for size in (start, stop))
    least, largest = (1, n - 1) if estimator == "surprise" else (0, n)
    if not whole or not least <= start < stop <= largest:
        raise ValueError(
            f"start and stop must be whole numbers with {least} <= start < stop <= {largest}; got {start!r}, {stop!r}."
        )


def _reliability(sums):
    one, other = sums.half(0), sums.half(1)
    both = np.isfinite(one) & np.isfinite(other)
    if both.sum() < 3:
        return np.nan
    ranks = rankdata(one[both]), rankdata(other[both])
    if min(np.ptp(ranks[0]), np.ptp(ranks[1])) == 0:
        return np.nan
    r = np.corrcoef(*ranks)[0, 1]
    return float(2 * r / (1 + r)) if r > 0 else float(r)


@contextmanager
def _progress(verbose, total):
    """A function of the number of permutations done, which moves a bar on standard error if there is one."""
    if not verbose:
        yield lambda done: None
        return
    columns = (
        "{task.description}", BarColumn(), MofNCompleteColumn(), "permutations,", TimeRemainingColumn(), "left"
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("complexity", total=total)
        yield lambda done: bar.update(task, completed=done)
