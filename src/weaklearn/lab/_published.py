"""The published cells: facts from the source documents, one CSV file per document.

A value is kept as it is published, because its digits say how well it is known; ``<0.0001`` and ``>2`` are bounds.
"""

import csv
import functools
import importlib.resources
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from weaklearn.lab._verdicts import Relation

# The package of the studies; the machinery knows its name and nothing else of it.
STUDIES = "weaklearn.studies"


@dataclass(frozen=True)
class PublishedCell:
    """One published number.

    Parameters
    ----------
    source, table, row, column : str
        Where it is published.
    value : float
        The number, or the bound.
    error : float or None
        The published standard error, if there is one.
    unit : str
    n_runs : int or None
        The number of runs behind it, if it is stated.
    decimals : int
        The number of published decimals, which bounds how well the value is known.
    note : str
        What to know about the published number (slips, readings).
    relation : {"value", "at least", "at most"}
        Whether the number is a value or a bound.
    text : str
        The value as published, sign of a bound included; "" for a number that was computed from others.
    """

    source: str
    table: str
    row: str
    column: str
    value: float
    error: float | None = None
    unit: str = "percent"
    n_runs: int | None = None
    decimals: int = 2
    note: str = ""
    relation: Relation = "value"
    text: str = ""

    @property
    def digit(self) -> float:
        """One unit of the last published digit."""
        return 10.0**-self.decimals


def _folder():
    return importlib.resources.files(STUDIES)


def published_sources() -> list[str]:
    """The documents that have published cells in the package."""
    return sorted(entry.name for entry in _folder().iterdir() if (entry / "published.csv").is_file())


@functools.cache
def load_published(source: str, table: str | None = None) -> tuple[PublishedCell, ...]:
    """All published numbers of a document or of one of its tables; none for one that the package does not know.

    Cells without a finite number (a dash, an infinity sign, an order of growth) are left out:
    there is nothing to compare.

    Examples
    --------
    >>> load_published("li2005", "2")[0].row
    'australian'
    """
    if table is not None:
        return tuple(cell for cell in load_published(source) if cell.table == table)
    file = _folder() / source / "published.csv"
    if not file.is_file():
        return ()
    with file.open(encoding="utf-8", newline="") as lines:
        cells = [_read(record) for record in csv.DictReader(lines)]
    return tuple(cell for cell in cells if cell is not None)


_BOUNDS: dict[str, Relation] = {"<": "at most", ">": "at least"}


def _number(text: str) -> Decimal | None:
    """The finite number in a published value, a sign of a bound apart."""
    try:
        number = Decimal(text[1:] if text[:1] in _BOUNDS else text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _read(record: dict[str, str]) -> PublishedCell | None:
    text = record["value"]
    number = _number(text)
    if number is None:
        return None
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # "n", "N" and "F" are not finite
    return PublishedCell(
        source=record["source"],
        table=record["table"],
        row=record["row"],
        column=record["column"],
        value=float(number),
        error=float(record["error"]) if record["error"] else None,
        unit=record["unit"],
        n_runs=int(record["n_runs"]) if record["n_runs"] else None,
        decimals=max(0, -exponent),
        note=record["note"],
        relation=_BOUNDS.get(text[:1], "value"),
        text=text,
    )
