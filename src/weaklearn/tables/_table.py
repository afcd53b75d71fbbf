"""A table as it was read, and with one column as the labels: the object that goes from file to encoder and page."""

import difflib
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas

from weaklearn.tables._cells import Cells, frame_cells, is_missing_text, named_cells
from weaklearn.tables._column import Column, Kind, Note, Reason, TableError, Treatment, describe
from weaklearn.tables._cuts import CutColumn, cut_column, telling_columns
from weaklearn.tables._files import check_width, pandas_call, read_file
from weaklearn.tables._inspect import inspected, uses_decimal_comma, values_of
from weaklearn.tables._parse import parse_number

_LEAST_ROWS = 10
_MOST_CLASSES = 30


class Table:
    """A table as it was read.

    Made by `read_table`.

    Attributes
    ----------
    names : tuple of str
    n_rows : int
    columns : tuple of Column
        What each column holds and what is done with it.
    cells : mapping of str to Cells
        ``cells[name][row]`` is the text of a cell as it was given, without spaces around it.
    sheets : tuple of str
        The names of the sheets of an Excel file; else empty.
    asked : mapping of str to tuple of str
        The columns that were named for the options drop, categorical and numeric.
    reader : str
        How pandas reads another file in the format of this one.
    """

    def __init__(
        self,
        cells: dict[str, Cells],
        options: Mapping[str, tuple[str, ...]],
        decimal_comma: bool = False,
        sheets: tuple[str, ...] = (),
        reader: str = 'pandas.read_csv("new_rows.csv")',
    ):
        self.cells, self.sheets, self.names = cells, sheets, tuple(cells)
        self.n_rows = len(next(iter(cells.values()))) if cells else 0
        self.asked, self._decimal_comma, self.reader = options, decimal_comma, reader
        self._values: dict[str, np.ndarray] = {}
        for option, names in options.items():
            for name in names:
                self.checked_name(name, option)
        clash = set(options["categorical"]) & set(options["numeric"])
        if clash:
            raise TableError(f"column {sorted(clash)[0]!r} cannot be both categorical and numeric.")

    def __len__(self) -> int:
        return self.n_rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each column holds."""
        likely = self._decimal_comma or any(map(uses_decimal_comma, self.cells.values()))
        return tuple(self._inspected(name, likely) for name in self.names)

    def _inspected(self, name: str, decimal_comma: bool) -> Column:
        force = None
        if name in self.asked["categorical"]:
            force = Kind.CATEGORY
        elif name in self.asked["numeric"]:
            force = Kind.NUMBER
        column = inspected(name, self.cells[name], force=force, decimal_comma=decimal_comma)
        if column.used and name in self.asked["drop"]:
            return replace(column, treatment=Treatment.DROPPED, reason=Reason.ASKED_FOR)
        return column

    def checked_name(self, name: str, what: str = "column") -> str:
        """The name, if there is such a column; else a TableError with the nearest one."""
        if name in self.cells:
            return name
        low = {known.lower().strip(): known for known in reversed(self.names)}
        near = difflib.get_close_matches(str(name).lower().strip(), low, n=1, cutoff=0.7)
        hint = f"; did you mean {low[near[0]]!r}?" if near else "."
        shown = ", ".join(self.names[:20]) + (", ..." if len(self.names) > 20 else "")
        option = "" if what in ("column", "label") else f" (asked for by {what})"
        data = all(np.isfinite(parse_number(known)) for known in self.names[:-1]) and len(self.names) > 1
        more = " The first row looks like data: use header=False (--no-header)." if data else ""
        raise TableError(f"there is no column {name!r}{option}{hint} The columns are: {shown}.{more}")

    def values(self, name: str) -> np.ndarray:
        """The cells of a column as they are read: float64 with NaN (dates: days since 1970), or texts with None."""
        if name not in self._values:
            column = self.columns[self.names.index(self.checked_name(name))]
            self._values[name] = values_of(column, self.cells[name])
        return self._values[name]

    @property
    def frame(self) -> Any:
        """The used columns as they are read, as a pandas.DataFrame: float64, dates as datetime64, texts with None."""
        found = {}
        for column in self.columns:
            if column.used:
                values = self.values(column.name)
                if column.kind is Kind.DATE:
                    known = np.isfinite(values)
                    seconds = np.rint(np.where(known, values, 0) * 86400).astype(np.int64)
                    values = np.where(known, seconds.astype("datetime64[s]"), np.datetime64("NaT", "s"))
                found[column.name] = pandas.Series(values, dtype=values.dtype)
        return pandas.DataFrame(found)

    @cached_property
    def cuts(self) -> list[CutColumn]:
        """The used columns, cut into parts."""
        return [cut_column(column, self.values(column.name)) for column in self.columns if column.used]

    def label_notes(self, name: str, least_rows: int = 1) -> tuple[list[str], list[str]]:
        """What taking this column as the labels would do, in sentences, and the columns that would give labels away.

        Labels are those of `labelled` with spellings merged.
        """
        texts = self.cells[self.checked_name(name, "label")].texts()
        kept, y, said = _labels(texts, True, least_rows)
        telling = telling_columns([column for column in self.cuts if column.name != name], y, kept)
        for column, share in telling:
            said.append(
                f"{column!r} alone gives this label in {100 * share:.1f}% of the rows: leave it out if it is a copy."
            )
        return said, [column for column, _ in telling]

    def without(self, name: str, rows: np.ndarray | None = None) -> "Table":
        """The table without one column; if ``rows`` is given, only these rows, which are inspected anew."""
        cells = {other: kept for other, kept in self.cells.items() if other != name}
        if rows is not None:
            cells = {other: kept.take(rows) for other, kept in cells.items()}
        options = {option: tuple(n for n in names if n != name) for option, names in self.asked.items()}
        table = Table(cells, options, self._decimal_comma, reader=self.reader)
        if rows is None and "columns" in self.__dict__:  # inspected already
            table.columns = tuple(column for column in self.columns if column.name != name)
        return table


def read_table(
    source: Any,
    *,
    sheet: str | int | None = None,
    header: bool = True,
    drop: Any = (),
    categorical: Any = (),
    numeric: Any = (),
    most_columns: int | None = None,
    most_bytes: int | None = None,
) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path, DataFrame, dict of columns, array or Table
        Files: text separated by commas, semicolons, tabs or bars (the separator is found) and JSON lines, both also as
        .gz, .zip, .bz2 or .xz and in UTF-8, UTF-16 or Latin-1; Parquet (needs pyarrow); Excel (.xlsx, needs
        openpyxl). Frames: pandas or polars.
    sheet : str or int, default=None
        The sheet of an Excel file: its name, or its number from 1 on. None takes the first.
    header : bool, default=True
        Whether the first row of a file holds the names of the columns.
    drop, categorical, numeric : sequence of str
        Columns to leave out, to read as categories, and to read as numbers, whatever they look like.
    most_columns : int, default=None
        Refuse tables with more columns.
    most_bytes : int, default=None
        Refuse packed files (.gz, .zip, .bz2, .xz, .xlsx) that hold more than this.

    Returns
    -------
    Table

    Raises
    ------
    TableError
        A ValueError that names the file, row or column and says what to do.

    Examples
    --------
    >>> from weaklearn.tables import read_table
    >>> table = read_table({"age": [31, 45, None], "city": ["Rome", "Oslo", "Rome"]})
    >>> [(column.name, column.kind.value, column.n_missing) for column in table.columns]
    [('age', 'number', 1), ('city', 'text', 0)]
    """
    asked = {"drop": drop, "categorical": categorical, "numeric": numeric}
    options = {option: checked_names(option, names) for option, names in asked.items()}
    if isinstance(source, Table):
        if any(options.values()):
            raise TableError(
                "drop, categorical and numeric are given when a table is read; this one has been read."
            )
        return source
    found: tuple[Any, ...] = ()
    if isinstance(source, str | Path):
        path = Path(source).expanduser()
        columns, separator, sheets = read_file(path, sheet, header, most_columns, most_bytes)
        found = (separator == ";", tuple(sheets), pandas_call(path, separator))
    elif sheet is not None or header is not True:
        raise TableError("sheet and header are for files; this table is already in memory.")
    else:
        columns = _in_memory(source)
    if not columns:
        raise TableError("the table has no columns.")
    check_width(len(columns), most_columns)
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) > 1:
        raise TableError(f"the columns of the table differ in length: {sorted(lengths)}.")
    return Table(columns, options, *found)


def checked_names(option: str, names: Any) -> tuple[str, ...]:
    """The names of columns that are given for an option: one of them, several, or None."""
    if names is None or isinstance(names, str):
        return () if names is None else (names,)
    if not isinstance(names, Iterable):
        raise TableError(f"{option} must be a sequence of names of columns; got {names!r}.")
    found = tuple(names)
    for name in found:
        if not isinstance(name, Hashable):
            raise TableError(f"{option} must be a sequence of names of columns; it holds {name!r}.")
    return found


def _in_memory(source: Any) -> dict[str, Cells]:
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise TableError(f"an array must have two dimensions to be a table; this one has {source.ndim}.")
        source = {f"x{k}": source[:, k] for k in range(source.shape[1])}
    if isinstance(source, dict):
        return {str(name): named_cells(name, values) for name, values in source.items()}
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        return frame_cells(source)
    raise TableError(
        "the table must be a file, a pandas or polars table, a dict of columns or an array; "
        f"got {type(source).__name__}."
    )


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
    notes : list of Note
    table : Table
        The other columns, of the labelled rows.
    columns : tuple of Column
        Those of ``table``.
    used : tuple of Column
        Those that are not dropped.
    cells : mapping of str to Cells
        The text of the cells by column, as it was given.
    cuts : list
        The used columns, cut into parts.
    telling : list of (str, float)
        Columns that give the label away, and the share of rows whose label follows from this column alone.
    """

    def __init__(self, table: Table, y: np.ndarray, lines: np.ndarray, label: str, notes: list[Note]):
        self.table, self.y, self.lines, self.label, self.notes = table, y, lines, label, notes
        self.columns, self.cells = table.columns, table.cells
        self.used = tuple(column for column in table.columns if column.used)

    def __len__(self) -> int:
        return len(self.y)

    @property
    def cuts(self) -> list[CutColumn]:
        return self.table.cuts

    @property
    def telling(self) -> list[tuple[str, float]]:
        return telling_columns(self.cuts, self.y)

    @cached_property
    def X(self) -> Any:
        """The used columns as they are read, for `TableEncoder(columns=self.used)`.

        A float64 array if all are numbers; else a data frame: numbers with NaN, dates as datetime64, texts with None.
        """
        if any(column.kind in (Kind.CATEGORY, Kind.DATE) for column in self.used):
            return self.table.frame
        return np.column_stack([self.table.values(column.name) for column in self.used])


def labelled(
    table: Any,
    label: str,
    *,
    merge_spellings: bool = False,
    least_rows: int = 1,
    most_classes: int = _MOST_CLASSES,
) -> LabelledTable:
    """Take one column of a table as the labels.

    Parameters
    ----------
    table : Table, LabelledTable, or anything that `read_table` takes
        Read it yourself to set the options of `read_table`.
    label : str
        The column with the labels: any text or numbers with 2 to 30 different values. If the table was read with it
        as ``categorical``, numbers count as text.
    merge_spellings : bool, default=False
        Whether labels that differ only in case or spaces are one class, by the name of the most frequent spelling.
    least_rows : int, default=1
        Rows of classes with fewer rows are set aside, with a note.
    most_classes : int, default=30
        Refuse labels with more different values.

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
    (['0', '1'], "Labels that are the same number are merged: '1', '1.0' are '1'.")
    """
    if isinstance(table, LabelledTable) and table.label == label:
        return table
    given = read_table(table)
    texts = given.cells[given.checked_name(label, "label")].texts()
    kept, y, said = _labels(texts, merge_spellings, least_rows)
    _check_labels(y, label, most_classes, label in given.asked["categorical"], said)
    features = given.without(label, kept if len(kept) < len(texts) else None)
    if not features.names:
        raise TableError(f"the table has no column besides the label {label!r}.")
    if not any(column.used for column in features.columns):
        why = "; ".join(f"{column.name}: {describe(column)}" for column in features.columns[:10])
        raise TableError(f"no column can be used ({why}). Name columns to keep by categorical= or numeric=.")
    notes = [Note(sentence, warning=True) for sentence in said]
    return LabelledTable(features, y, kept + 1, label, notes)


def _labels(
    texts: Sequence[str], merge_spellings: bool, least_rows: int
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The rows that have a label of a large enough class, their labels, and what was done in sentences."""
    kept = np.array([row for row, text in enumerate(texts) if not is_missing_text(text)], dtype=np.intp)
    n_missing = len(texts) - len(kept)
    said = []
    if n_missing:
        rows = f"{n_missing} rows have no label and are" if n_missing > 1 else "1 row has no label and is"
        said.append(f"{rows} left out.")
    y = _merged([texts[row] for row in kept], merge_spellings, said)
    large = _large_classes(y, least_rows, said)
    return kept[large], y[large], said


def _merged(texts: list[str], merge_spellings: bool, said: list[str]) -> np.ndarray:
    """Labels, with 1, 1.0 and 01 as one, and with Yes and yes as one if spellings are merged."""
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
        shown = "; ".join(f"{', '.join(map(repr, group))} are {name!r}" for name, group in groups.items())
        said.append(f"Labels that are the same number are merged: {shown}.")
    y = np.array([same.get(text, text) for text in texts], dtype=str)
    counts = Counter(y.tolist())
    alike: dict[str, list[str]] = {}
    for name in sorted(counts):
        alike.setdefault(_plainest(name), []).append(name)
    twins = [names for names in alike.values() if len(names) > 1]
    more = "; ..." if len(twins) > 5 else ""
    if twins and merge_spellings:
        usual = {names[0]: max(names, key=lambda name: counts[name]) for names in twins}
        shown = "; ".join(f"{', '.join(map(repr, names))} are {usual[names[0]]!r}" for names in twins[:5])
        said.append(f"Spellings of the same label are merged: {shown}{more}.")
        merged = {name: usual[names[0]] for names in twins for name in names}
        y = np.array([merged.get(name, name) for name in y.tolist()], dtype=str)
    elif twins:
        shown = "; ".join(", ".join(map(repr, names)) for names in twins[:5])
        said.append(f"Labels that differ only in case or spaces count as different classes: {shown}{more}.")
    return y


def _plainest(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _large_classes(y: np.ndarray, least_rows: int, said: list[str]) -> np.ndarray:
    """Which rows are of classes with at least this many rows."""
    names, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    small = np.flatnonzero(counts < least_rows)
    # If hardly any class is larger, the column is no label at all, which the checks that follow say better.
    if len(small) == 0 or len(small) > len(names) / 2:
        return np.ones(len(y), dtype=bool)
    shown = [f"{str(names[k])!r} ({counts[k]} row{'s' if counts[k] > 1 else ''})" for k in small[:5]]
    more = [f"{len(small) - 5} more"] if len(small) > 5 else []
    said.append(f"Classes of fewer than {least_rows} rows are set aside: {', '.join(shown + more)}.")
    return ~np.isin(codes, small)


def _check_labels(y: np.ndarray, label: str, most_classes: int, as_text: bool, said: list[str]) -> None:
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
    # Numbers with many values are measurements rather than codes of classes.
    numbers = all(np.isfinite(parse_number(name)) for name in counts)
    if (numbers and not as_text and len(counts) > _MOST_CLASSES) or len(counts) > min(
        most_classes, len(y) / 3
    ):
        raise TableError(
            f"the label column {label!r} has {len(counts)} different values in {len(y)} rows: it does not look like a "
            "class. If it is a measurement, cut it into classes first"
            + (" (pandas.qcut); if its numbers are codes, read it as categorical." if numbers else ".")
        )
    single = sorted(name for name, count in counts.items() if count == 1)
    shown = []
    for name in single[:5]:
        twins = [other for other in counts if other != name and _plainest(other) == _plainest(name)]
        shown.append(f"{name!r} has one row" + "".join(f" (merge it into {o!r}?)" for o in twins))
    if single:
        said.append("; ".join(shown + ["..."] * (len(single) > 5)) + ".")
