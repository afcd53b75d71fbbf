"""Wrong labels on purpose."""

import numpy as np

from ._parameters import checked_real, random_generator

_KINDS = ("uniform", "asymmetric", "boundary")


def flip_labels(y, share, *, kind="uniform", exact=True, X=None, classes=None, random_state=None):
    """Replace a share of the labels by wrong ones.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    share : float in [0, 1]
        Share of labels to replace.
    kind : {"uniform", "asymmetric", "boundary"}, default="uniform"
        Which labels, and by what:

        - "uniform": any label, by any other class, all equally likely.
        - "asymmetric": any label but those of the last class, by the next class in order. With two classes, only the
          first is mistaken for the second.
        - "boundary": labels of examples near another class, by that class: of the ``2 * share * n_samples`` examples
          that are nearest to an example of another class (Euclidean, on standardised columns) half are replaced.
    exact : bool, default=True
        Replace exactly ``round(share * n_samples)`` labels. False replaces each label with probability `share`
        ("uniform" only).
    X : array-like of shape (n_samples, n_features), default=None
        Needed for "boundary".
    classes : array-like, default=None
        All classes in order; None takes those in `y`.
    random_state : int, RandomState instance, Generator or None, default=None
        Source of the random choice.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
    flipped : ndarray of bool of shape (n_samples,)
        Which labels were replaced.

    Examples
    --------
    >>> from weaklearn.datasets import flip_labels, make_yinyang
    >>> X, y = make_yinyang(200, random_state=0)
    >>> noisy, flipped = flip_labels(y, 0.1, random_state=0)
    >>> int(flipped.sum()), bool((noisy[flipped] != y[flipped]).all())
    (20, True)
    """
    share = checked_real("share", share, low=0.0, high=1.0)
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}; got {kind!r}.")
    if not exact and kind != "uniform":
        raise ValueError(f'exact=False is for kind="uniform"; got kind={kind!r}.')
    y = np.asarray(y)
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if len(classes) < 2 and share > 0:
        raise ValueError(f"flip_labels needs at least two classes; y has only {classes.tolist()}.")
    codes = np.searchsorted(classes, y)
    rng = random_state if isinstance(random_state, np.random.Generator) else random_generator(random_state)
    count = round(share * len(y))
    if kind == "uniform":
        if exact:
            rows = rng.permutation(len(y))[:count]
        else:
            rows = np.flatnonzero(rng.uniform(size=len(y)) < share)
        codes[rows] = _other(codes[rows], len(classes), rng)
    elif kind == "asymmetric":
        able = np.flatnonzero(codes < len(classes) - 1)
        if count > len(able):
            raise ValueError(
                f"share={share:g} asks for {count} labels; only {len(able)} are not of the last class."
            )
        rows = able[rng.permutation(len(able))[:count]]
        codes[rows] += 1
    else:
        distance, nearest = _nearest_of_another_class(X, codes)
        near = np.argsort(distance, kind="stable")[: 2 * count]
        rows = near[rng.permutation(len(near))[:count]]
        codes[rows] = codes[nearest[rows]]
    flipped = np.zeros(len(y), dtype=bool)
    flipped[rows] = True
    return classes[codes], flipped


def _other(codes, n_classes, rng):
    """Another class for each, all equally likely; with two classes there is nothing to draw."""
    if n_classes == 2:
        return 1 - codes
    return (codes + 1 + (rng.uniform(size=len(codes)) * (n_classes - 1)).astype(int)) % n_classes


def _nearest_of_another_class(X, codes):
    from sklearn.neighbors import NearestNeighbors  # a second to import, for one kind of flips

    if X is None:
        raise ValueError('kind="boundary" needs X.')
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or len(X) != len(codes):
        raise ValueError(f"X must have one row for each of the {len(codes)} labels; got shape {X.shape}.")
    spread = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    distance, nearest = np.empty(len(codes)), np.empty(len(codes), dtype=np.intp)
    for code in np.unique(codes):
        own, others = np.flatnonzero(codes == code), np.flatnonzero(codes != code)
        found, place = NearestNeighbors(n_neighbors=1).fit(Z[others]).kneighbors(Z[own])
        distance[own], nearest[own] = found[:, 0], others[place[:, 0]]
    return distance, nearest
