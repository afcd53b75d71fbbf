"""The job: audit the labels of a table."""

import json
from typing import Any

import numpy as np

import weaklearn
from weaklearn._files import write_file
from weaklearn.engines import Remembering, open_engine
from weaklearn.labels import Audit, audit
from weaklearn.labels._findings import page_rows
from weaklearn.labels._reviews import SAMPLE_ROWS, reviewed_before
from weaklearn.persistence import save
from weaklearn.web import Work, table_of

_SHOWN_COLUMNS = 10


def check(work: Work) -> None:
    """Read, audit, write everything that the page shows or offers."""
    settings = work.settings

    def fitted(done: int, total: int) -> None:
        work.report(done=done, total=total, text="Fitting learners that have not seen the labels they judge")

    reviewed = reviewed_before(settings)
    with table_of(work) as given, open_engine("inline") as inner:
        work.report(text=f"Checking {given.n_rows:,} rows")
        # An audit needs of a fitted learner what it says of rows that it has not seen, and nothing else.
        engine = Remembering(
            inner,
            work.parts,
            [weaklearn.__version__],
            pack=lambda value: {"held_out": value[1]},
            unpack=lambda member, kept: (member, kept["held_out"]),
        )
        found = audit(
            given,
            settings["label"],
            merge_spellings=settings["merge_spellings"],
            keep_small_classes=settings["least_rows"] == 1,
            reviewed=reviewed,
            sample=settings.get("sample", SAMPLE_ROWS),
            callback=fitted,
            engine=engine,
        )
    work.report(text="Writing the report")
    found.to_html(work.result / "report.html")
    found.to_csv(work.result / "rows.csv")
    found.to_review(work.result / "review.csv")
    save(found.auditor, work.result / "auditor.skops", description=f"Audit of {settings['label']}")
    np.savez(
        work.result / "rows.npz",
        lines=found.table.lines,
        y=found.table.y,
        contradictions=found.n_contradictions,
    )
    write_file(work.result / "page.json", json.dumps(_page(found), allow_nan=False))


def _page(audit: Audit) -> dict[str, Any]:
    found = audit.to_dict()
    shown, rows = page_rows(audit, _SHOWN_COLUMNS)
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
        "sample_rows",
    )
    return {
        **{name: found[name] for name in kept},
        "warnings": [str(note) for note in audit.notes if note.warning],
        "n_listed": len(audit.listed),
        "shown_columns": shown,
        "unused": [column.name for column in audit.table.columns if not column.used],
        "top": rows,
    }
