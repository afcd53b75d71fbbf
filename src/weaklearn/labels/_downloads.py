"""What a reviewer takes away: the review file with the answers, and the table with the labels corrected."""

import csv
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.responses import Response

from weaklearn.reports import csv_text
from weaklearn.web import StoredTable, download, limited

__all__ = ["corrected_table", "filled_review"]


def filled_review(path: Path, answers: Mapping[int, str], notes: Mapping[int, str]) -> str:
    """The review file of an audit with the column ``true_label`` filled in, and the notes if there are any.

    `weaklearn audit --reviewed` reads it.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = list(reader)
        columns = list(reader.fieldnames or ())
    for row in rows:
        row["true_label"] = answers.get(int(row["row"]), row["true_label"])
    if notes:
        column = "note" if "note" not in columns else "review note"
        columns.append(column)
        for row in rows:
            row[column] = notes.get(int(row["row"]), "")
    return csv_text(rows, columns)


def corrected_table(table: StoredTable, settings: Mapping[str, Any], cells: Mapping[int, str]) -> Response:
    """The table again, in its own format, with new labels by row number (from 1 on)."""
    ending = "".join(table.path.suffixes)
    with tempfile.TemporaryDirectory(dir=table.path.parent.parent, prefix=f".new-{os.getpid()}-") as folder:
        target = Path(folder) / f"table{ending}"
        payload = {
            "path": str(table.path),
            "name": table.name,
            "target": str(target),
            "column": settings["label"],
            "cells": {str(line - 1): label for line, label in cells.items()},
            "sheet": settings["sheet"],
            "header": settings["header"],
        }
        limited("rewrite", payload)
        content = target.read_bytes()
    stem = table.name.removesuffix(ending) or os.path.splitext(table.name)[0]
    return download(content, f"{stem}_corrected{ending}")
