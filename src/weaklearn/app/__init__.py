"""Threshold experiments with people: ``weaklearn threshold`` in the terminal, ``weaklearn serve`` in the browser.

Both are thin: `weaklearn.adaptive.Session` keeps the experiment, one file each, and either may go on with what
the other began. Nothing here listens beyond 127.0.0.1.
"""

__all__: list[str] = []
