"""``weaklearn warmup``: compile the kernels now, rather than in the first command that needs them."""

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn warmup
  weaklearn warmup && weaklearn audit table.csv --label diagnosis
"""


def warmup() -> None:
    """Compile the kernels, once per installation.

    Kernels are compiled when they are first used and kept beside the package, or in the folder in NUMBA_CACHE_DIR. This
    uses all of them on a few made-up rows. Run it after installing, or when building a container.
    """
    from weaklearn.console import _kernels

    _kernels.compile_all()


COMMAND = warmup
