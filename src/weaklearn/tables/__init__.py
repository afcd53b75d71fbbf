"""A user's table, read once into one object.

`read_table` turns a file, a data frame, a dict or an array into a `Table`: cells as they were given, and a `Column` for
each (its kind, its treatment and the reason, as data). `labelled` takes one column as the labels. `TableEncoder` turns
columns into numbers, fitted to training rows only; `encode_training_table` puts it in front of an estimator. `describe`
makes the sentence for people; nothing is decided by it. The rooms above (cloning, robust, labels, comparison, web) use
these and parse nothing themselves.
"""

from weaklearn.tables._cells import short_cell
from weaklearn.tables._column import Column, Kind, Note, Reason, TableError, Treatment, describe, described
from weaklearn.tables._encoder import (
    TableEncoder,
    TableInputMixin,
    encode_new_table,
    encode_training_table,
)
from weaklearn.tables._layout import Layout, is_table, stacked, take_rows
from weaklearn.tables._rewrite import check_rewritable, rewritten
from weaklearn.tables._table import LabelledTable, Table, labelled, read_table

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
    "describe",
    "described",
    "short_cell",
    # the file again, with some cells replaced
    "rewritten",
    "check_rewritable",
    # numbers for machines
    "TableEncoder",
    "TableInputMixin",
    "encode_training_table",
    "encode_new_table",
    # tables in, tables of the same type out
    "Layout",
    "is_table",
    "stacked",
    "take_rows",
]
