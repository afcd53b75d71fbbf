"""Copying values between arrays of the same length.

A slice assignment between arrays does the same but takes half a second to compile wherever it stands: it is prepared to
broadcast, and to word an error.
"""

from numba import njit


@njit(cache=True, nogil=True)
def copy_into(goal, source):
    """Overwrite the first values of one vector by another."""
    for i in range(source.size):
        goal[i] = source[i]
