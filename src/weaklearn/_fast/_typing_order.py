"""Which of numba's rules for ``a[i]`` are tried first.

numba tries its typing rules in the order in which its modules were imported. A program that asks its cache before
compiling anything, as every kernel here does, imports those of lists, dictionaries and strings before those of
arrays: then each of a kernel's array accesses is typed after seven failures, which took 5 to 15% of the time of
compilation.
"""

import contextlib
import importlib


def arrays_first():
    """Have the rules of arrays tried first. The code that is compiled is the same."""
    # Where a version of numba keeps them elsewhere, compilation is merely slower.
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("numba.core.typing.arraydecl")
