"""``weaklearn datasets``: which real data sets there are, and where each is read or how to get it."""

import json

import typer

from weaklearn.commands._terminal import Json, print_table

__all__ = ["EXAMPLES", "datasets"]

EXAMPLES = """\b
Examples:
  weaklearn datasets
  weaklearn datasets --json
"""


def datasets(as_json: Json = False) -> None:
    """List the real data sets.

    For each one: its size, and where it is read or how to get it.
    """
    from dataclasses import asdict

    from weaklearn.datasets import available

    records = available()
    if as_json:
        typer.echo(json.dumps([asdict(record) for record in records]))
        return
    where = "where, or how to get it"
    print_table(
        ("name", "rows", "features", "classes", "found in", where),
        [
            (
                record.name,
                str(record.rows),
                str(record.features),
                str(record.classes),
                record.source or "not found",
                record.how_to_get,
            )
            for record in records
        ],
        left=("name", "found in", where),
        fold=(where,),
        width=160,
    )
