"""Sorting numbers by their bits: several times faster than comparing them, for a few thousand numbers or more."""

import numpy as np
from numba import njit

_DIGIT = 11
_SIZE = 1 << _DIGIT


@njit(cache=True, nogil=True)
def sortable(bits, sign, keys):
    """Fill ``keys`` with unsigned integers in the order of floats, whose bit patterns are given. NaN comes last.

    ``sign`` is the sign bit of their type. Negative numbers have all their bits flipped, the others the sign.
    """
    for i in range(len(bits)):
        b = bits[i]
        keys[i] = ~b if b & sign else b | sign


@njit(cache=True, nogil=True)
def radix_order(keys, order, other_keys, other):
    """Sort ``keys`` in place and fill ``order`` with where they were, digit by digit from the lowest.

    ``other_keys`` and ``other`` are scratch of the same kinds. Returns whether the result is in the scratch instead.
    """
    n = len(keys)
    n_digits = (8 * keys.itemsize + _DIGIT - 1) // _DIGIT
    counts = np.zeros((n_digits, _SIZE), dtype=np.int64)
    for i in range(n):
        key = np.uint64(keys[i])
        for d in range(n_digits):
            counts[d, (key >> np.uint64(d * _DIGIT)) & np.uint64(_SIZE - 1)] += 1
        order[i] = i
    a, a_order, b, b_order = keys, order, other_keys, other
    swapped = False
    for d in range(n_digits):
        shift = np.uint64(d * _DIGIT)
        place = np.int64(0)
        largest = np.int64(0)
        for c in range(_SIZE):
            count = counts[d, c]
            largest = max(largest, count)
            counts[d, c] = place
            place += count
        if largest == n:  # all alike in this digit
            continue
        for i in range(n):
            digit = (np.uint64(a[i]) >> shift) & np.uint64(_SIZE - 1)
            at = counts[d, digit]
            counts[d, digit] = at + 1
            b[at] = a[i]
            b_order[at] = a_order[i]
        a, a_order, b, b_order = b, b_order, a, a_order
        swapped = not swapped
    return swapped
