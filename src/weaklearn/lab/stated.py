"""Tables of the numbers that a document states in its text, as cells beside those of its tables."""

from dataclasses import replace
from typing import Any

from weaklearn.lab._parts import Column, Protocol, Row
from weaklearn.lab._published import load_published
from weaklearn.lab._spec import Table

__all__ = ["stated_table"]


def stated_table(
    source: str,
    number: str,
    title: str,
    rows: tuple[Row, ...],
    columns: tuple[Column, ...],
    protocol: Protocol,
    *,
    kind: str = "claims",
    unit: str = "as published",
    n_runs: int | None = None,
    **options: Any,
) -> Table:
    """A table whose published cells are the claims of a document with the names of its rows and columns.

    Parameters
    ----------
    source : str
        The document.
    number : str
        The name of the table, without `kind` before it.
    title : str
    rows, columns : tuple of Row, tuple of Column
    protocol : Protocol
    kind : str, default="claims"
        What the published file has in place of the number of a table.
    unit : str, default="as published"
    n_runs : int, optional
        Of the published values, where not as published.
    **options
        Other parameters of `Table`; `metric` is that of the first column if not given.
    """
    labels, names = {row.label for row in rows}, {column.name for column in columns}
    number = f"{kind}: {number}"
    published = tuple(
        replace(cell, table=number, n_runs=n_runs or cell.n_runs)
        for cell in load_published(source, kind)
        if cell.row in labels and cell.column in names
    )
    options = {"metric": columns[0].metric, "published": published, "kind": "stated", **options}
    return Table(source, number, title, rows=rows, columns=columns, protocol=protocol, unit=unit, **options)
