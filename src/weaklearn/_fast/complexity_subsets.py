"""The complexities of many subsets made of whole clusters, each reached from another by a few updates."""

import numpy as np
from numba import njit

from weaklearn._fast.active_set import copy_state, empty_state
from weaklearn._fast.complexity_paths import arrive, complexity_of, depart, empty_places
from weaklearn._fast.copying import copy_into
from weaklearn._fast.incremental_svm import NOT_SEPARABLE


@njit(cache=True, nogil=True)
def _copy_places(source, target):
    copy_into(target.present, source.present)
    copy_into(target.net, source.net)
    copy_into(target.stands, source.stands)
    target.pairs[0] = source.pairs[0]


@njit(cache=True, nogil=True)
def _push_cluster(state, places, members, bounds, cluster, scale):
    for k in range(bounds[cluster], bounds[cluster + 1]):
        if arrive(state, places, members[k], scale) == NOT_SEPARABLE:
            return False
    return True


@njit(cache=True, nogil=True)
def all_subsets(K, y, location, members, bounds, first, last, scale, complexities):
    """Complexity of every union of clusters whose code is in [first, last).

    Bit j of a code says whether cluster j is in. Codes are counted upwards: from one to the next a run of low bits is
    cleared and one bit set, so the state before that bit was last decided is fetched and one cluster is added. On
    average this is one copy and one cluster for each subset, and nothing is ever taken out, so nothing drifts.
    """
    n_clusters = bounds.size - 1
    # kept[j] is the state with exactly the bits above j of the current code; owner says which copy that is.
    kept = [empty_state(K, y) for _ in range(n_clusters + 1)]
    kept_places = [empty_places(location, location.size) for _ in range(n_clusters + 1)]
    owner = np.full(n_clusters + 1, n_clusters, np.int64)
    state = empty_state(K, y)
    places = empty_places(location, location.size)
    # Build the first code from its highest bit down.
    copied = n_clusters
    for j in range(n_clusters - 1, -1, -1):
        owner[j] = copied
        if (first >> j) & 1:
            if not _push_cluster(state, places, members, bounds, j, scale):
                return False
            copy_state(state, kept[j])
            _copy_places(places, kept_places[j])
            copied = j
    complexities[0] = complexity_of(state, places)
    for code in range(first + 1, last):
        bit = 0
        while not (code >> bit) & 1:
            bit += 1
        copy_state(kept[owner[bit]], state)
        _copy_places(kept_places[owner[bit]], places)
        if not _push_cluster(state, places, members, bounds, bit, scale):
            return False
        complexities[code - first] = complexity_of(state, places)
        if bit > 0:
            copy_state(state, kept[bit])
            _copy_places(places, kept_places[bit])
            for j in range(bit):
                owner[j] = bit
    return True


@njit(cache=True, nogil=True)
def neighbours(K, labels, location, members, bounds, chosen, turned, scale):
    """Complexity of the union of the ``chosen`` clusters with each cluster of ``turned`` put in or taken out.

    Sums over the rows of ``labels``, the last one that of the union itself, and whether all sets were separable.
    """
    complexities = np.zeros(turned.size + 1, np.int64)
    for q in range(labels.shape[0]):
        state, spare = empty_state(K, labels[q]), empty_state(K, labels[q])
        places, spare_places = empty_places(location, location.size), empty_places(location, location.size)
        for j in range(chosen.size):
            if chosen[j] and not _push_cluster(state, places, members, bounds, j, scale):
                return complexities, False
        complexities[turned.size] += complexity_of(state, places)
        copy_state(state, spare)
        _copy_places(places, spare_places)
        for t in range(turned.size):
            j = turned[t]
            for k in range(bounds[j], bounds[j + 1]):
                if chosen[j]:
                    status = depart(state, places, members[k], scale)
                else:
                    status = arrive(state, places, members[k], scale)
                if status == NOT_SEPARABLE:
                    return complexities, False
            complexities[t] += complexity_of(state, places)
            copy_state(spare, state)
            _copy_places(spare_places, places)
    return complexities, True
