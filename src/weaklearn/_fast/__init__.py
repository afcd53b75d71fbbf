"""Compiled kernels: pure functions of arrays.

Nothing is compiled at import. Compiled code is cached beside this folder or in the user's cache folder, wherever numba
may write; where it may write nowhere, in a temporary folder, and a warning says that other processes compile again.
"""

from weaklearn._compilations import listen
from weaklearn._fast._cache import find_a_cache
from weaklearn._fast._typing_order import arrays_first

find_a_cache()
arrays_first()
listen()
