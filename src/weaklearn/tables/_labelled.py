"""A table with labels: the rows that have one, the labels apart, and what there is to say about them."""

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from weaklearn.tables._cells import Cells, is_missing_text
from weaklearn.tables._column import Column, Kind, TableError
from weaklearn.tables._describe import Note, NoteCode, describe
from weaklearn.tables._numbers import parse_number
from weaklearn.tables._read import read_table
from weaklearn.tables._table import Table

__all__ = ["LabelledTable", "labelled"]

_LEAST_ROWS = 10
_MOST_CLASSES = 30


class LabelledTable:
    """The labelled rows of a table, with the labels apart.

    Made by `labelled`.

    Attributes
    ----------
    y : ndarray of str
        Labels.
    lines : ndarray of int
        The number of each row in the given table, from 1 on (the header is not counted).
    label : str
        The name of the label column.
    columns : tuple of Column
        The other columns.
    notes : list of Note
    table : Table
        The other columns, of the labelled rows.
    """

    def __init__(self, table: Table, y: np.ndarray, lines: np.ndarray, label: str, notes: list[Note]):
        self.table, self.y, self.lines, self.label, self.notes = table, y, lines, label, notes

    def __len__(self) -> int:
        return len(self.y)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns besides the label."""
        return self.table.columns

    @property
    def used(self) -> tuple[Column, ...]:
        """The columns that are not dropped."""
        return tuple(column for column in self.columns if column.used)

    @property
    def cells(self) -> dict[str, Cells]:
        """The text of the cells by column, as it was given."""
        return self.table.cells

    @property
    def treatments(self) -> list[tuple[str, str]]:
        """For people: the name of each column, and a sentence on what is done with it."""
        return [(column.name, describe(column)) for column in self.columns]

    @cached_property
    def X(self) -> Any:
        """The used columns as they are read, for `TableEncoder(columns=self.used)`.

        A float64 array if all are numbers; else a data frame: numbers with NaN, dates as datetime64, texts with None.
        """
        if any(column.kind in (Kind.CATEGORY, Kind.DATE) for column in self.used):
            return self.table.frame
        return np.column_stack([self.table.values(column.name) for column in self.used])


def labelled(table: Any, label: str) -> LabelledTable:
    """Take one column of a table as the labels.

    Parameters
    ----------
    table : Table, LabelledTable, or anything that `read_table` takes
        Read it yourself to set the options of `read_table`.
    label : str
        The column with the labels: any text or numbers with 2 to 30 different values.

    Returns
    -------
    LabelledTable

    Raises
    ------
    TableError
        No such column, fewer than 10 labelled rows, one class, too many classes, or no usable column.

    Examples
    --------
    >>> from weaklearn.tables import labelled
    >>> data = labelled({"x": [1, 2, 3, 4] * 5, "y": ["1", "1.0", "0", " 1 "] * 5}, "y")
    >>> sorted(set(data.y.tolist())), str(data.notes[0])
    (['0', '1'], "Labels that are the same number were merged: '1', '1.0' are '1'.")
    """
    if isinstance(table, LabelledTable) and table.label == label:
        return table
    given = read_table(table)
    given.checked_name(label, "label")
    texts = np.array(given.cells[label].texts(), dtype=object)
    missing = np.array([is_missing_text(text) for text in texts], dtype=bool)
    kept = np.flatnonzero(~missing)
    notes = []
    if missing.any():
        n = int(missing.sum())
        sentence = (
            f"{n} rows have no label and were left out." if n > 1 else "1 row has no label and was left out."
        )
        notes.append(Note(NoteCode.ROWS_WITHOUT_LABEL, sentence, {"rows": n}, warning=True))
    y = _merged(texts[kept].tolist(), notes)
    _check_labels(y, label, notes)
    features = given.without(label, kept if missing.any() else None)
    if not features.names:
        raise TableError(f"the table has no column besides the label {label!r}.")
    if not any(column.used for column in features.columns):
        said = "; ".join(f"{column.name}: {describe(column)}" for column in features.columns[:10])
        raise TableError(f"no column can be used ({said}). Name columns to keep by categorical= or numeric=.")
    return LabelledTable(features, y, kept + 1, label, notes)


def _merged(texts: list[str], notes: list[Note]) -> np.ndarray:
    """Labels, with 1, 1.0 and 01 as one."""
    forms: dict[float, list[str]] = {}
    for text in dict.fromkeys(texts):
        value = parse_number(text)
        if np.isfinite(value) and not text.endswith("%"):
            forms.setdefault(value, []).append(text)
    groups = {
        min(group, key=lambda text: (len(text), text)): group for group in forms.values() if len(group) > 1
    }
    same = {text: shortest for shortest, group in groups.items() for text in group}
    if same:
        said = "; ".join(f"{', '.join(map(repr, group))} are {name!r}" for name, group in groups.items())
        sentence = f"Labels that are the same number were merged: {said}."
        notes.append(Note(NoteCode.LABELS_MERGED, sentence, {"merged": same}, warning=True))
    y = np.array([same.get(text, text) for text in texts], dtype=str)
    alike: dict[str, list[str]] = {}
    for name in np.unique(y).tolist():
        alike.setdefault(" ".join(name.lower().split()), []).append(name)
    twins = [names for names in alike.values() if len(names) > 1]
    if twins:
        shown = "; ".join(", ".join(map(repr, names)) for names in twins[:5])
        sentence = f"Labels that differ only in case or spaces count as different classes: {shown}."
        notes.append(Note(NoteCode.LABELS_DIFFER_IN_CASE, sentence, {"labels": twins}, warning=True))
    return y


def _check_labels(y: np.ndarray, label: str, notes: list[Note]) -> None:
    if len(y) < _LEAST_ROWS:
        raise TableError(
            f"the table has {len(y)} labelled row{'s' * (len(y) != 1)} (column {label!r}); at least {_LEAST_ROWS} are "
            "needed."
        )
    counts = Counter(y.tolist())
    if len(counts) < 2:
        raise TableError(
            f"the label column {label!r} has only one class, {str(y[0])!r}; at least two are needed."
        )
    if len(counts) > _MOST_CLASSES or len(counts) > len(y) / 3:
        raise TableError(
            f"the label column {label!r} has {len(counts)} different values in {len(y)} rows: it does not look like a "
            "class. If it is a measurement, cut it into classes first."
        )
    single = sorted(name for name, count in counts.items() if count == 1)
    if single:
        said = [
            f"{name!r} has one row"
            + "".join(f" (merge it into {other!r}?)" for other in counts if _alike(name, other))
            for name in single[:5]
        ]
        sentence = "; ".join(said + ["..."] * (len(single) > 5)) + "."
        notes.append(Note(NoteCode.SINGLE_ROW_CLASSES, sentence, {"classes": single}, warning=True))


def _alike(one: str, other: str) -> bool:
    return one != other and one.lower().split() == other.lower().split()
