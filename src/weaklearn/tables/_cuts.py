"""Columns cut into a few parts, by which they are compared with labels.

A part is a category, or a tenth of the numbers; missing values are a part of their own.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from weaklearn.tables._column import Column, Kind

_PARTS = 10
_TELLING = 0.995


class CutColumn(NamedTuple):
    """A column in parts: ``codes[row]`` is the part of a row, ``names[code]`` says what is in it."""

    name: str
    codes: np.ndarray
    names: list[str]
    edges: list[str] | None = None  # between the parts of dates; None for categories, empty for numbers


def cut_column(column: Column, values: np.ndarray) -> CutColumn:
    """Cut a column, given by its values as they are read."""
    if values.dtype == object or column.kind is Kind.BOOLEAN:
        known: dict = {}
        codes = np.array([known.setdefault(value, len(known)) for value in values.tolist()], dtype=np.intp)
        return CutColumn(
            column.name, codes, ["missing" if _missing(value) else _text(value) for value in known]
        )
    finite = np.isfinite(values)
    edges = (
        np.unique(np.quantile(values[finite], np.arange(1, _PARTS) / _PARTS)) if finite.any() else np.empty(0)
    )
    codes = np.where(
        finite, np.searchsorted(edges, np.where(finite, values, 0.0), side="right"), len(edges) + 1
    )
    shown = [_day(edge) if column.kind is Kind.DATE else f"{edge:.4g}" for edge in edges]
    names = [f"below {shown[0]}"] if shown else ["any number"]
    names += [f"{low} to {high}" for low, high in pairwise(shown)]
    names += [f"{shown[-1]} and above"] if shown else []
    dates = shown if column.kind is Kind.DATE else []
    return CutColumn(column.name, codes.astype(np.intp), [*names, "missing"], dates)


def _missing(value: Any) -> bool:
    return value is None or value != value


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _day(edge: float) -> str:
    return str(np.datetime64(int(edge), "D"))


def telling_columns(
    columns: list[CutColumn], y: np.ndarray, rows: Any = slice(None)
) -> list[tuple[str, float]]:
    """Columns that give the labels of some rows away: (name, share of labels that follow from this column alone)."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        return []
    base = np.bincount(codes).max() / len(y)
    found = []
    for column in columns:
        n_parts = len(column.names)
        if n_parts > max(_PARTS + 2, len(y) / 50):
            continue
        places = column.codes[rows] * len(classes) + codes
        table = np.bincount(places, minlength=n_parts * len(classes)).reshape(n_parts, -1)
        share = table.max(axis=1).sum() / len(y)
        if share >= _TELLING and share - base > 0.5 * (1 - base):
            found.append((column.name, float(share)))
    return found
