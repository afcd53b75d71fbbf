"""Data complexity: growing a hard-margin machine by one example at a time against fitting it anew, and what that buys.

The peer of a path is what one would do with scikit-learn: fit ``SVC(kernel="precomputed", C=1e9)`` to every prefix,
with its default tolerance, the Gram matrix being given. An example that enters or leaves the s support vectors costs
us a few passes over an s x s matrix and one over the s x n part of the Gram matrix.
"""

import resource
import time

import numpy as np
from sklearn.svm import SVC

from benchmarks.timing import Row, best_time
from weaklearn.complexity import SVMComplexity, complexity_contribution, principal_subsets
from weaklearn.complexity._problem import problem
from weaklearn.datasets import make_concentric_disks, make_yinyang

START, N = 50, 400


def refits(K, y):
    """The counts of every prefix from START on, by scikit-learn."""
    return [len(SVC(kernel="precomputed", C=1e9).fit(K[:n, :n], y[:n]).support_) for n in range(START, N + 1)]


def path_row():
    """One path from 50 to 400 examples."""
    X, y = make_yinyang(N, flip=0.1, random_state=0)
    given = problem(X, y, SVMComplexity())
    order = np.random.default_rng(0).permutation(N)[None]
    K, labels = given.gram[np.ix_(order[0], order[0])], y[order[0]]
    ours = best_time(lambda: given.path_complexities(order, START, N))
    start = time.perf_counter()
    refits(K, labels)
    peer = time.perf_counter() - start
    ours = min(ours, best_time(lambda: given.path_complexities(order, START, N)))
    return Row(f"complexities of a path, {START} to {N} examples", ours, peer, peer / ours, ">= 60")


def permutations_row(n_permutations=2000):
    """The thesis's 200,000 permutations, from a hundredth of them; the peer is an hour.

    The time is half the processor time of two threads: what two cores take that have nothing else to do.
    """
    X, y = make_yinyang(N, flip=0.1, random_state=0)
    settings = {"start": START, "tol": None, "random_state": 0, "n_jobs": 2}
    complexity_contribution(X, y, n_permutations=4, **settings)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    complexity_contribution(X, y, n_permutations=n_permutations, **settings)
    seconds = (time.process_time() - start) / 2 * 200_000 / n_permutations
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    what = f"200,000 permutations on two cores, from {n_permutations:,} (+{grown:.0f} MB), against an hour"
    return Row(what, seconds, 3600.0, 3600.0 / seconds, ">= 1")


def subsets_row():
    """All 32,768 unions of 15 clusters of 31 examples; the peer refits a sample of 300 of them."""
    X, y = make_concentric_disks(31, random_state=0)
    found = principal_subsets(X, y, n_jobs=1)
    ours = best_time(lambda: principal_subsets(X, y, n_jobs=1), repeats=2)
    given = problem(X, y, SVMComplexity())
    rng = np.random.default_rng(0)
    n_sampled = 300
    start = time.perf_counter()
    for _ in range(n_sampled):
        members = np.flatnonzero(rng.integers(2, size=found.clusters.max() + 1)[found.clusters])
        if len(np.unique(y[members])) == 2:
            SVC(kernel="precomputed", C=1e9).fit(given.gram[np.ix_(members, members)], y[members])
    peer = (time.perf_counter() - start) * 2 ** (found.clusters.max() + 1) / n_sampled
    return Row("complexities of 32,768 subsets", ours, peer, peer / ours, "")


def run():
    """All rows."""
    return [path_row(), subsets_row(), permutations_row()]


if __name__ == "__main__":
    for what, ours, peer, ratio, target in run():
        print(f"{what}: {ours:.4g} s against {peer:.4g} s: {ratio:.1f}x (target {target})")
