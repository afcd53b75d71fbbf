"""The one way to read a user's table.

`read_table` reads a file, a data frame, a dict or an array into a `Table`: columns of cells, each described by a
`Column` (its kind, its treatment and the reason, as data). `labelled` takes one column as the labels. `TableEncoder`
turns columns into numbers, fitted on training rows only. `describe` makes the sentence that a person reads; nothing
is decided by that sentence. The packages above (complexity, cloning, robust, app) use these and parse nothing.
"""

from weaklearn.tables._column import Column, Kind, Reason, TableError, Treatment
from weaklearn.tables._describe import Note, NoteCode, describe, shortened
from weaklearn.tables._encoder import TableEncoder
from weaklearn.tables._estimator_input import encode_new_table, encode_training_table
from weaklearn.tables._labelled import LabelledTable, labelled
from weaklearn.tables._layout import Layout, is_table, stacked, take_rows
from weaklearn.tables._read import read_table
from weaklearn.tables._rewrite import check_rewritable, rewritten
from weaklearn.tables._table import Table

__all__ = [
    # reading
    "read_table",
    "labelled",
    "Table",
    "LabelledTable",
    "TableError",
    # what was found
    "Column",
    "Kind",
    "Treatment",
    "Reason",
    "Note",
    "NoteCode",
    "describe",
    "shortened",
    # the file again, with some cells replaced
    "rewritten",
    "check_rewritable",
    # numbers for machines
    "TableEncoder",
    "encode_training_table",
    "encode_new_table",
    # tables in, tables of the same type out
    "Layout",
    "is_table",
    "stacked",
    "take_rows",
]
