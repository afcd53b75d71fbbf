"""The published cells: facts from the source documents, one CSV file per document."""

import csv
import functools
import importlib.resources
import math
from dataclasses import dataclass

__all__ = ["PublishedCell", "load_published", "published_sources"]


@dataclass(frozen=True)
class PublishedCell:
    """One printed number.

    Parameters
    ----------
    source, table, row, column : str
        Where it is printed.
    value : float
    error : float or None
        The printed standard error, if there is one.
    unit : str
    n_runs : int or None
        The number of runs behind it, if it is stated.
    decimals : int
        The number of printed decimals, which bounds how well the value is known.
    note : str
        What to know about the print (slips, readings).
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


def _folder():
    return importlib.resources.files("weaklearn.lab") / "studies"


def published_sources() -> list[str]:
    """The documents that have published cells in the package."""
    return sorted(entry.name for entry in _folder().iterdir() if (entry / "published.csv").is_file())


@functools.cache
def load_published(source: str) -> tuple[PublishedCell, ...]:
    """All published numbers of a document; none for a document the package does not know.

    Cells that print no finite number (a dash, an infinity sign, an order of growth) are left out:
    there is nothing to compare.

    Examples
    --------
    >>> load_published("li2005")[0].row
    'australian'
    """
    file = _folder() / source / "published.csv"
    if not file.is_file():
        return ()
    with file.open(encoding="utf-8", newline="") as lines:
        return tuple(_read(record) for record in csv.DictReader(lines) if _is_number(record["value"]))


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _read(record: dict[str, str]) -> PublishedCell:
    value = record["value"]
    return PublishedCell(
        source=record["source"],
        table=record["table"],
        row=record["row"],
        column=record["column"],
        value=float(value),
        error=float(record["error"]) if record["error"] else None,
        unit=record["unit"],
        n_runs=int(record["n_runs"]) if record["n_runs"] else None,
        decimals=len(value.partition(".")[2]),
        note=record["note"],
    )
