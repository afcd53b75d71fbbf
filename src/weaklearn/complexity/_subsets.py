"""Decomposition: complexity-error plots over unions of clusters, principal points and principal subsets."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from weaklearn._training import check_X_y
from weaklearn.complexity._contribution import _count, _threads
from weaklearn.complexity._measures import SVMComplexity
from weaklearn.complexity._problem import SET_FUNCTION, problem

_AUTOMATIC_CLUSTERS = 15
# The local search also explores around subsets a little above the front, as the way to a better one may lead through
# them, but around at most this many of one size before the front is updated.
_SLACK = 2.0
_WIDTH = 4


@dataclass(frozen=True)
class PrincipalSubsets:
    """What `principal_subsets` found.

    Attributes
    ----------
    points : ndarray of shape (n_points, 2)
        Principal points (complexity, error), by complexity.
    subsets : list of ndarray of bool, of shape (n_subsets, n_samples)
        For each principal point its principal subsets, as masks.
    plot : ndarray of shape (n_pairs, 3)
        The complexity-error plot: (complexity, error, number of subsets), each pair once.
    clusters : ndarray of shape (n_samples,)
        Cluster numbers.
    exact : bool
        True if all subsets were evaluated; otherwise the points are the best that a Pareto local search found.
    n_evaluated : int
        Subsets whose complexity was computed.
    """

    points: np.ndarray
    subsets: list
    plot: np.ndarray
    clusters: np.ndarray
    exact: bool
    n_evaluated: int


def principal_points(X, y, **settings):
    """The principal points of a set; see `principal_subsets` for the parameters.

    Returns
    -------
    ndarray of shape (n_points, 2)
        Pairs (complexity, error) that no other subset improves on in both, by complexity.

    Examples
    --------
    >>> from weaklearn.complexity import principal_points
    >>> principal_points([[0], [1], [2], [3]], [0, 1, 0, 0], clusters=None)
    array([[0., 1.],
           [3., 0.]])
    """
    return principal_subsets(X, y, **settings).points


@SET_FUNCTION
def principal_subsets(
    X, y, *, clusters="auto", measure=None, max_subsets=None, random_state=None, n_jobs=None
):
    r"""The subsets that approximate a set best at each level of complexity.

    A subset S is a point :math:`(C(S), |D| - |S|)` of the complexity-error plot. A point (c, e) is *principal* if any
    other point has :math:`c' > c` or :math:`e' > e` (Definition 1.4).

    Parameters
    ----------
    clusters : "auto", int, None or array-like of shape (n_samples,), default="auto"
        Only unions of whole clusters are evaluated. None makes every example its own cluster; a number, or "auto" (at
        most 15), finds that many by `class_clusters`.
    max_subsets : int, default=None
        None means 2**20, or 2**15 if clusters is "auto"; if these are spent, a ConvergenceWarning says so. If there
        are at most this many unions, all of them are evaluated. Otherwise a Pareto local search evaluates about this
        many: it goes greedily from the full set down and from the single classes up, then tries the neighbours of the
        best subsets of every size, until none is left. Then `exact` is False.
    random_state : int, RandomState or None, default=None
        Order of the local search.
    n_jobs : int, default=None
        Threads of the exhaustive search; None means all cores.

    Returns
    -------
    PrincipalSubsets

    References
    ----------
    li2006, section 1.4.

    Examples
    --------
    >>> from weaklearn.complexity import principal_subsets
    >>> from weaklearn.datasets import make_concentric_disks
    >>> found = principal_subsets(*make_concentric_disks(31, random_state=0), clusters=12)
    >>> found.exact, found.n_evaluated, found.points[0].tolist()
    (True, 4096, [0.0, 7.0])
    """
    given = problem(X, y, SVMComplexity() if measure is None else measure)
    ids = _cluster_ids(given, clusters)
    # Small clusters get the low bits, which change most often.
    sizes = np.bincount(ids)
    by_size = np.argsort(sizes, kind="stable")
    members = np.concatenate([np.flatnonzero(ids == j) for j in by_size])
    bounds = np.concatenate([[0], np.cumsum(sizes[by_size])])
    budget = 2**_AUTOMATIC_CLUSTERS if isinstance(clusters, str) else 2**20
    if max_subsets is not None:
        budget = _count("max_subsets", max_subsets)
    exact = 2.0 ** len(sizes) <= budget
    if exact:
        codes = np.arange(2 ** len(sizes))
        chosen = (codes[:, None] >> np.arange(len(sizes)) & 1).astype(bool)
        values = given.every_union(members, bounds, _threads(n_jobs))
    else:
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
        chosen, values = _local_search(given, members, bounds, budget, rng)
        if max_subsets is None and len(values) >= budget:
            warnings.warn(
                f"{len(sizes)} clusters have 2**{len(sizes)} unions, of which {len(values)} were evaluated: there may "
                "be better points than those found. Merge classes, give fewer clusters, or raise max_subsets.",
                ConvergenceWarning,
                stacklevel=3,
            )
    errors = given.n_examples - chosen @ sizes[by_size]
    points, masks = _principal(values, errors, chosen)
    spread = np.empty(given.n_examples, dtype=int)
    spread[members] = np.repeat(np.arange(len(sizes)), sizes[by_size])
    pairs, counts = np.unique(np.column_stack([values, errors]), axis=0, return_counts=True)
    return PrincipalSubsets(
        points=points,
        subsets=[mask[:, spread] for mask in masks],
        plot=np.column_stack([pairs, counts]),
        clusters=ids,
        exact=bool(exact),
        n_evaluated=len(values),
    )


@SET_FUNCTION
def class_clusters(X, y, n_clusters):
    """Merge examples of the same class until the given number of clusters is left.

    Each step joins the two clusters of one class whose union has the smallest ratio of its diameter to its distance
    from the nearest example of another class: tight, and not close to the others. (li2006 chose clusters by these
    criteria by hand, footnote 6.)

    Parameters
    ----------
    n_clusters : int
        At least the number of classes.

    Returns
    -------
    ndarray of shape (n_samples,)
        Cluster numbers 0, 1, ..., in the order of their first examples.

    Examples
    --------
    >>> from weaklearn.complexity import class_clusters
    >>> class_clusters([[0], [1], [5], [9], [10], [12]], [0, 0, 1, 0, 0, 0], 3)
    array([0, 0, 1, 2, 2, 2])
    """
    X, y = check_X_y(X, y, dtype=np.float64)
    n_classes = len(np.unique(y))
    if not n_classes <= n_clusters <= len(y):
        raise ValueError(
            f"n_clusters must be between the number of classes, {n_classes}, and of examples, {len(y)}; "
            f"got {n_clusters!r}."
        )
    distance = cdist(X, X)
    different = y[:, None] != y
    gap = np.where(different, distance, np.inf).min(axis=1)
    cluster = np.arange(len(y))
    # diameter[i, j]: of the union of clusters i and j (complete linkage keeps it exact under merging).
    diameter = distance.copy()
    alive = np.ones(len(y), dtype=bool)
    for _ in range(len(y) - n_clusters):
        nearest = np.minimum(gap[:, None], gap)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(diameter == 0, 0.0, diameter / nearest)
        ratio[different | ~alive | ~alive[:, None]] = np.inf
        np.fill_diagonal(ratio, np.inf)
        if np.isinf(ratio.min()):  # all that are left coincide with an example of another class: the tightest
            ratio = np.where(different | ~alive | ~alive[:, None], np.inf, diameter)
            np.fill_diagonal(ratio, np.inf)
        i, j = sorted(np.unravel_index(np.argmin(ratio), ratio.shape))
        cluster[cluster == j] = i
        alive[j] = False
        own = max(diameter[i, j], diameter[i, i], diameter[j, j])
        diameter[i] = diameter[:, i] = np.maximum(np.maximum(diameter[i], diameter[j]), own)
        gap[i] = min(gap[i], gap[j])
    return np.unique(cluster, return_inverse=True)[1]


def _cluster_ids(given, clusters):
    n = given.n_examples
    if clusters is None:
        return np.arange(n)
    if isinstance(clusters, str):
        if clusters != "auto":
            raise ValueError(f'clusters must be "auto", a number, None or an array; got {clusters!r}.')
        clusters = max(min(n, _AUTOMATIC_CLUSTERS), len(given.classes))
    if np.ndim(clusters) == 0:
        return class_clusters(given.X, given.codes, int(clusters))
    ids = np.asarray(clusters)
    if ids.shape != (n,):
        raise ValueError(
            f"clusters must name the cluster of each of the {n} examples; got shape {ids.shape}."
        )
    ids = np.unique(ids, return_inverse=True)[1]
    if len(np.unique(np.column_stack([ids, given.codes]), axis=0)) > ids.max() + 1:
        raise ValueError("clusters must hold examples of one class each.")
    return ids


def _local_search(given, members, bounds, budget, rng):
    """Pareto local search: look around the best subsets of every size until none is left or the budget is spent."""
    n_clusters = len(bounds) - 1
    sizes = np.diff(bounds)
    known: dict[bytes, tuple[float, int]] = {}
    expanded: set[bytes] = set()

    def expand(chosen):
        values = given.unions_around(members, bounds, chosen)
        error = int(given.n_examples - sizes @ chosen)
        known[chosen.tobytes()] = (values[-1], error)
        expanded.add(chosen.tobytes())
        for j in range(n_clusters):
            neighbour = chosen.copy()
            neighbour[j] = not neighbour[j]
            change = -sizes[j] if neighbour[j] else sizes[j]
            known.setdefault(neighbour.tobytes(), (values[j], int(error + change)))
        return values

    full = np.ones(n_clusters, dtype=bool)
    for code in range(len(given.classes)):
        if code > 1 and len(known) >= budget:
            break
        _walk(expand, given.codes[members[bounds[:-1]]] == code, full, sizes)
    _walk(expand, full, ~full, sizes)
    while len(known) < budget:
        least = _front(np.array(list(known.values())), given.n_examples)
        open_keys = [key for key in known if key not in expanded]
        rng.shuffle(open_keys)
        open_keys.sort(key=lambda key: known[key][0] - least[known[key][1]])
        queue, taken = [], np.zeros(given.n_examples + 1, dtype=int)
        for key in open_keys:
            c, e = known[key]
            if c > least[e] + _SLACK:
                break
            # A few of every size, so that the search is not spent on the sizes with most subsets.
            if taken[e] < _WIDTH:
                taken[e] += 1
                queue.append(key)
        if not queue:
            break
        for key in queue:
            expand(np.frombuffer(key, dtype=bool).copy())
            if len(known) >= budget:
                break
    chosen = np.array([np.frombuffer(key, dtype=bool) for key in known])
    return chosen, np.array([value for value, _ in known.values()])


def _walk(expand, chosen, goal, sizes):
    """Put in or take out, one by one up to the goal, the cluster that costs least, or saves most, for each example."""
    while (chosen != goal).any():
        values = expand(chosen)
        price = np.where(chosen != goal, (values[:-1] - values[-1]) / sizes, np.inf)
        chosen = chosen ^ (np.arange(len(chosen)) == np.argmin(price))


def _front(points, n):
    """The least complexity met with at most each error 0..n."""
    least = np.full(n + 1, np.inf)
    np.minimum.at(least, points[:, 1].astype(int), points[:, 0])
    return np.minimum.accumulate(least)


def _principal(values, errors, chosen):
    """Principal points, and the choices of clusters at each of them."""
    order = np.lexsort((values, errors))
    points, masks, best = [], [], np.inf
    for i in order:
        if values[i] < best:
            best = values[i]
            points.append((best, errors[i]))
            masks.append(chosen[(values == best) & (errors == errors[i])])
    return np.array(points[::-1], dtype=float), masks[::-1]
