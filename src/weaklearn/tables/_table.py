"""A table as it was read: the one object that goes from the file to the encoder, the auditor and the page."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas

from weaklearn.tables._cells import Cells
from weaklearn.tables._column import Column, Kind, Reason, TableError, Treatment
from weaklearn.tables._inspect import inspected, uses_decimal_comma, values_of
from weaklearn.tables._numbers import parse_number

__all__ = ["Table"]


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
    """

    def __init__(
        self,
        cells: Mapping[str, Cells],
        *,
        decimal_comma: bool = False,
        drop: tuple[str, ...] = (),
        categorical: tuple[str, ...] = (),
        numeric: tuple[str, ...] = (),
        columns: tuple[Column, ...] | None = None,
        sheets: Iterable[str] = (),
    ):
        self.cells = dict(cells)
        self.sheets = tuple(sheets)
        self._values: dict[str, np.ndarray] = {}
        self.names = tuple(self.cells)
        self.n_rows = len(next(iter(self.cells.values()))) if self.cells else 0
        self._decimal_comma = decimal_comma
        self._options: dict[str, Any] = {"drop": drop, "categorical": categorical, "numeric": numeric}
        for option, names in self._options.items():
            for name in names:
                self.checked_name(name, option)
        clash = set(self._options["categorical"]) & set(self._options["numeric"])
        if clash:
            raise TableError(f"column {sorted(clash)[0]!r} cannot be both categorical and numeric.")
        if columns is not None:
            self.columns = columns

    def __len__(self) -> int:
        return self.n_rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each column holds."""
        likely = self._decimal_comma or any(uses_decimal_comma(cells) for cells in self.cells.values())
        return tuple(self._inspected(name, likely) for name in self.names)

    def _inspected(self, name: str, decimal_comma: bool) -> Column:
        force = {"categorical": Kind.CATEGORY, "numeric": Kind.NUMBER}
        asked = [force[option] for option in force if name in self._options[option]]
        column = inspected(
            name, self.cells[name], force=asked[0] if asked else None, decimal_comma=decimal_comma
        )
        if column.used and name in self._options["drop"]:
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
                values = _stamps(values) if column.kind is Kind.DATE else values
                found[column.name] = pandas.Series(values, dtype=values.dtype)
        return pandas.DataFrame(found)

    def without(self, name: str, rows: np.ndarray | None = None) -> "Table":
        """The table without one column; if ``rows`` is given, only these rows, which are inspected anew."""
        cells = {other: kept for other, kept in self.cells.items() if other != name}
        columns = None
        if rows is not None:
            cells = {other: kept.take(rows) for other, kept in cells.items()}
        elif "columns" in self.__dict__:  # inspected already
            columns = tuple(column for column in self.columns if column.name != name)
        options: dict[str, Any] = {
            option: tuple(n for n in names if n != name) for option, names in self._options.items()
        }
        return Table(cells, decimal_comma=self._decimal_comma, columns=columns, **options)


def _stamps(days: np.ndarray) -> np.ndarray:
    known = np.isfinite(days)
    seconds = np.rint(np.where(known, days, 0) * 86400).astype(np.int64)
    return np.where(known, seconds.astype("datetime64[s]"), np.datetime64("NaT", "s"))
