"""Tasks that compile something, for the tests of the engines."""

import functools
import sys


@functools.cache
def _kernel():
    from numba import njit

    import weaklearn._fast  # noqa: F401, with it a process listens to numba

    @njit
    def twice(x):
        return 2 * x

    return twice


def doubled(x):
    """Twice a number, by a kernel that no cache holds."""
    return _kernel()(x)


def has_numba(_):
    """Whether this process has imported numba."""
    return "numba" in sys.modules
