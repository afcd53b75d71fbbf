"""Who wants to know that a kernel is being compiled. Light: importing it does not import numba.

numba reports every compilation to listeners; kernels that it finds in its cache are not compiled and not reported.
`weaklearn._fast`, without which there is no kernel, calls `listen` when it is imported.
"""

from collections.abc import Callable

__all__ = ["listen", "tell", "watchers"]

#: Each is called with the name of a kernel when its compilation starts.
watchers: list[Callable[[str], None]] = []


def tell(kernel: str) -> None:
    """Tell everybody who wants to know that the compilation of a kernel starts."""
    for report in tuple(watchers):
        report(kernel)


def listen() -> None:
    """Have numba's reports passed on to the watchers, from now on."""
    from numba.core import event  # a third of a second: only a process with kernels needs it

    class Listener(event.Listener):
        def on_start(self, event):
            tell(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())
