"""The commands of ``weaklearn``: one file each, with its options, wording and exit codes.

A command calls one function of a package below and prints what it returns. `weaklearn.cli` registers them. Nothing here
computes, and typer is used nowhere below this package. To answer ``--help`` at once, a command imports what is heavy
inside its function.
"""
