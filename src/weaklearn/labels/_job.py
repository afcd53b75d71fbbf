"""The job: audit the labels of a table."""

import json
from typing import Any

import numpy as np

import weaklearn
from weaklearn._files import write_file
from weaklearn.engines import Remembering, open_engine
from weaklearn.labels import Audit, audit
from weaklearn.persistence import save
from weaklearn.persistence._files import _skops_io
from weaklearn.tables import TableError
from weaklearn.web import JobError, TableFolder, Work, chosen_table

__all__ = ["check"]

_SHOWN_COLUMNS = 10
_LONGEST_CELL = 60


def check(work: Work) -> None:
    """Read, audit, write everything that the page shows or offers."""
    settings = work.settings
    _skops_io()  # what is missing is said before the work, not after it
    work.report(text="Reading the table")
    table = TableFolder(work.folder.parent.parent / "tables").find(settings["table"])
    if table is None:
        raise JobError("The table of this check has been deleted.")

    def fitted(done: int, total: int) -> None:
        work.report(done=done, total=total, text="Fitting learners that have not seen the labels they judge")

    reviewed = {int(line): label for line, label in settings.get("reviewed", {}).items()}
    try:
        given = chosen_table(table, settings)
        work.report(text=f"Checking {given.n_rows:,} rows")
        with open_engine("inline") as inner:
            # An audit needs of a fitted learner what it says of rows that it has not seen, and nothing else.
            engine = Remembering(
                inner,
                work.parts,
                [weaklearn.__version__],
                pack=lambda value: {"held_out": value[1]},
                unpack=lambda member, kept: (member, kept["held_out"]),
            )
            found = audit(given, settings["label"], reviewed=reviewed, callback=fitted, engine=engine)
    except TableError as error:
        said = str(error).replace(str(table.path), table.name)
        raise JobError(said[:1].upper() + said[1:]) from error
    work.report(text="Writing the report")
    found.to_html(work.result / "report.html")
    found.to_csv(work.result / "rows.csv")
    found.to_review(work.result / "review.csv")
    save(found.auditor, work.result / "auditor.skops", description=f"Audit of {settings['label']}")
    np.savez(work.result / "rows.npz", lines=found.table.lines, y=found.table.y)
    write_file(work.result / "page.json", json.dumps(_page(found), allow_nan=False))


def _page(found: Audit) -> dict[str, Any]:
    summary = found.summary()
    shown = [column.name for column in found.table.used][:_SHOWN_COLUMNS]
    place = {int(line): row for row, line in enumerate(found.table.lines)}
    rows = []
    for record in summary["top"]:
        cells = [_short(found.table.cells[name][place[record["row"]]]) for name in shown]
        reasons = [
            {**reason, "value": _short(reason["value"]) or "missing"}
            for reason in record["columns_that_disagree"]
        ]
        rows.append({**record, "columns_that_disagree": reasons, "cells": cells})
    kept = (
        "answer",
        "list",
        "rows",
        "label",
        "classes",
        "wrong",
        "wrong_interval",
        "reviewed",
        "telling_columns",
    )
    return {
        **{name: summary[name] for name in kept},
        "warnings": [str(note) for note in found.notes if note.warning],
        "n_listed": len(found.listed),
        "shown_columns": shown,
        "unused": [column.name for column in found.table.columns if not column.used],
        "top": rows,
    }


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
