"""Reading a table of mixed columns and turning it into numbers, saying what was done to each column."""

import csv
import gzip
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

__all__ = ["AuditError", "LabelledTable", "labelled_table"]

_MISSING = {"", "na", "n/a", "nan", "null", "none", "?", "missing", "#n/a"}
_MOST_CATEGORIES = 30
_MOST_CLASSES = 30
_LEAST_ROWS = 10
# A column in which nearly everything is a number is a column of numbers with some slips.
_NEARLY_ALL = 0.9


class AuditError(ValueError):
    """The table cannot be audited; the message says why and what to do."""


@dataclass(frozen=True)
class LabelledTable:
    """A table ready for distances.

    Attributes
    ----------
    X : ndarray
        Encoded features: every column, or group of columns made from one, on a comparable scale.
    y : ndarray of str
    lines : ndarray of int
        For each row its number in the given table, from 1 on (the header is not counted).
    label : str
    columns : list of (name, treatment)
    notes : list of str
        What was left out, and why.
    cells : dict of str to list
        The original text of the kept rows, by column.
    """

    X: np.ndarray
    y: np.ndarray
    lines: np.ndarray
    label: str
    columns: list
    notes: list = field(default_factory=list)
    cells: dict = field(default_factory=dict)


def labelled_table(table, label):
    """Read ``table`` (a path, a pandas or polars table, or a mapping of columns) and encode it."""
    columns = _columns(table)
    label = _label_name(columns, label)
    answers = [_text(value) for value in columns.pop(label)]
    kept = [i for i, text in enumerate(answers) if text.lower() not in _MISSING]
    notes = []
    if len(kept) < len(answers):
        notes.append(f"{len(answers) - len(kept)} rows have no label and were left out.")
    y = np.array([answers[i] for i in kept])
    _check_labels(y, label)
    cells = {name: [_text(values[i]) for i in kept] for name, values in columns.items()}
    blocks, treatments = [], []
    for name, values in cells.items():
        block, treatment = _encode(name, values)
        treatments.append((name, treatment))
        if block is not None:
            blocks.append(block)
    if not blocks:
        raise AuditError(
            "no column can be used: " + "; ".join(f"{name}: {treatment}" for name, treatment in treatments)
            if treatments
            else f"the table has no column besides the label {label!r}."
        )
    X = np.ascontiguousarray(np.column_stack(blocks), dtype=np.float64)
    lines = np.asarray(kept, dtype=int) + 1
    return LabelledTable(X, y, lines, label, treatments, notes, cells)


def _columns(table):
    if isinstance(table, (str, Path)):
        return _read_file(Path(table))
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        found = {}
        for name in table.columns:
            values = table[name]
            found[str(name)] = values.tolist() if hasattr(values, "tolist") else values.to_list()
        return found
    if isinstance(table, dict):
        return {str(name): list(values) for name, values in table.items()}
    raise AuditError(
        f"the table must be a file, a pandas or polars table or a dict of columns; got {type(table).__name__}."
    )


def _read_file(path):
    if not path.is_file():
        raise AuditError(f"there is no file {path}.")
    if path.suffix.lower() in (".parquet", ".pq"):
        return _read_parquet(path)
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rb") as stream:
            raw = stream.read()
    except OSError as error:
        raise AuditError(f"{path} cannot be read: {error}.") from error
    if b"\0" in raw[:4096]:
        raise AuditError(f"{path} is not a text table; CSV, TSV (also with .gz) and Parquet can be read.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return _parse(path, text)


def _parse(path, text):
    lines = text.splitlines()
    if not lines:
        raise AuditError(f"{path} is empty.")
    # The separator that cuts the header most often; a sniffer is easily fooled by text columns.
    delimiter = max(",;\t|", key=lines[0].count)
    # Quoted cells may hold line breaks, so the lines are given to the parser with their ends.
    rows = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter) if row]
    names = [name.strip() for name in rows[0]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AuditError(f"{path} has columns of the same name: {', '.join(map(repr, twice))}.")
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(names):
            raise AuditError(f"row {number} of {path} has {len(row)} cells, the header has {len(names)}.")
    return {name: [row[k] for row in rows[1:]] for k, name in enumerate(names)}


def _read_parquet(path):
    from importlib.util import find_spec

    try:
        if find_spec("polars"):
            import polars

            return _columns(polars.read_parquet(path))
        import pandas

        return _columns(pandas.read_parquet(path))
    except ImportError:
        raise AuditError(
            "reading Parquet needs polars, or pandas with pyarrow; or save the table as CSV."
        ) from None
    except Exception as error:  # whatever a reader raises about the user's file is the user's to read
        raise AuditError(f"{path} cannot be read as Parquet: {error}.") from error


def _label_name(columns, label):
    if not columns:
        raise AuditError("the table has no columns.")
    if label in columns:
        return label
    near = [name for name in columns if name.lower() == str(label).lower()]
    hint = f"; did you mean {near[0]!r}?" if near else "."
    shown = ", ".join(list(columns)[:20]) + (", ..." if len(columns) > 20 else "")
    raise AuditError(f"there is no column {label!r}{hint} The columns are: {shown}.")


def _text(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).strip()


def _check_labels(y, label):
    if len(y) < _LEAST_ROWS:
        raise AuditError(
            f"the table has {len(y)} labelled row{'s' * (len(y) != 1)}; fewer than {_LEAST_ROWS} cannot tell "
            "which one is odd."
        )
    classes = np.unique(y)
    if len(classes) < 2:
        raise AuditError(
            f"the label column {label!r} has only one class, {str(classes[0])!r}: nothing can contradict it."
        )
    if len(classes) > _MOST_CLASSES or len(classes) > len(y) / 3:
        raise AuditError(
            f"the label column {label!r} has {len(classes)} different values in {len(y)} rows: it does not look like a "
            "class. If it is a measurement, cut it into classes first."
        )


def _number(text):
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _encode(name, values):
    """(block of columns or None, what was done)."""
    missing = np.array([text.lower() in _MISSING for text in values])
    present = [text for text, gone in zip(values, missing, strict=True) if not gone]
    distinct = len(set(present))
    if distinct == 0:
        return None, "empty: left out"
    if distinct == 1 and not missing.any():
        return None, "constant: left out"
    numbers = np.array(
        [math.nan if gone else _number(text) for text, gone in zip(values, missing, strict=True)]
    )
    read = np.isfinite(numbers)
    if read.sum() >= _NEARLY_ALL * len(present) and read.any():
        return _numeric(name, numbers, int(len(present) - read.sum()), int(missing.sum()))
    if distinct > _MOST_CATEGORIES or distinct > 0.5 * len(values):
        return None, f"text with {distinct} different values (an identifier or free text): left out"
    names = sorted(set(present)) + (["(missing)"] if missing.any() else [])
    texts = np.where(missing, "(missing)", values)
    block = np.column_stack([(texts == one).astype(float) for one in names])
    said = f"{distinct} categories, one column each"
    return block, said + (f"; {missing.sum()} missing as a category of their own" if missing.any() else "")


def _numeric(name, numbers, n_unread, n_missing):
    read = np.isfinite(numbers)
    values = numbers[read]
    whole = bool((values == np.round(values)).all())
    if whole and read.all() and len(np.unique(values)) == len(values):
        named = re.search(r"(^|[\s_.-])(id|index|row|number|no|nr|unnamed.*)$", name.lower() or "unnamed")
        if (np.diff(values) == 1).all() or named:
            return None, "an identifier (a different whole number in each row): left out"
    said = "number, centred and scaled to standard deviation 1"
    if n_unread:
        said += f"; {n_unread} values are not numbers and count as missing"
    with np.errstate(over="ignore"):
        spread = float(np.std(values))
    filled = np.where(read, numbers, np.median(values))
    gone = (~read).astype(float)
    if not (spread > 0 and math.isfinite(spread)):
        if gone.any():
            return gone[:, None], "constant but for missing values: whether it is there"
        return None, "constant: left out"
    scaled = (filled - values.mean()) / spread
    if not gone.any():
        return scaled[:, None], said
    said += f"; {n_missing + n_unread} missing: the median, and a column that says so"
    return np.column_stack([scaled, gone]), said
