"""The terminal: how all commands print and fail, the options they share, and the two commands of no job.

``datasets.py`` lists and downloads data sets, ``warmup.py`` compiles the kernels. Every job has its own ``command.py``;
`weaklearn.cli` lists them all. typer is used by commands alone.
"""

from weaklearn.console._compiling import announcing
from weaklearn.console._terminal import (
    WRONG_CALL,
    Categorical,
    Drop,
    Header,
    Json,
    Numeric,
    OptionalTableFile,
    Sheet,
    TableFile,
    check_output,
    fail,
    print_lines,
    print_table,
)

__all__ = [
    "WRONG_CALL",
    "Categorical",
    "Drop",
    "Header",
    "Json",
    "Numeric",
    "OptionalTableFile",
    "Sheet",
    "TableFile",
    "announcing",
    "check_output",
    "fail",
    "print_lines",
    "print_table",
]
