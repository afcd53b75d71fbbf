"""The terminal: how all commands print and fail, the options they share, and the two commands that belong to no job.

``datasets.py`` lists and downloads data sets, ``warmup.py`` compiles the kernels. Every job has its own ``command.py``;
`weaklearn.cli` lists them all. typer is used by commands alone.
"""

from weaklearn.console._table_command import TableCall, on_table
from weaklearn.console._terminal import (
    WRONG_CALL,
    Json,
    announcing,
    check_output,
    did_you_mean,
    fail,
    output_console,
    print_lines,
    print_table,
    print_wrapped,
    progress_bar,
)

__all__ = [
    "WRONG_CALL",
    "Json",
    "TableCall",
    "announcing",
    "check_output",
    "did_you_mean",
    "fail",
    "on_table",
    "output_console",
    "print_lines",
    "print_table",
    "print_wrapped",
    "progress_bar",
]
