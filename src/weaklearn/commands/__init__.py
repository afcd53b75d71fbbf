"""The commands of ``weaklearn``: one file each, with its options, wording and exit codes.

A command calls one function of a package below and prints what it returns. `weaklearn.cli` registers them. Nothing here
computes, and typer is used nowhere below this package. ``--help`` answers at once because a file with options imports
nothing heavy: what a command does is in a module beside it (``reproduce.py`` and ``_reproduction.py``), which the
command imports when it is called.
"""
