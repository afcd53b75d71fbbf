"""The files of an audit: all rows ranked, the list to review, what comes back from a review, findings as plain data."""

from typing import Any

import numpy as np

from weaklearn.labels._words import lead, list_sentence
from weaklearn.reports import csv_text
from weaklearn.tables import Table, TableError, read_table

__all__ = ["ANSWER", "findings", "has_answers", "ranked_csv", "review_csv", "reviewed_rows"]

ANSWER = "true_label"
_MOST_REVIEWED = 1000
_SHOWN_COLUMNS = 12


def findings(audit):
    """What an audit found, as numbers, texts, lists and dicts."""
    classes, counts = np.unique(audit.table.y, return_counts=True)
    low, high = audit.n_wrong_interval
    found: dict[str, Any] = {
        "answer": lead(audit),
        "rows": len(audit.table.y),
        "label": audit.table.label,
        "classes": {str(name): int(count) for name, count in zip(classes, counts, strict=True)},
        "wrong": _plain(audit.n_wrong),
        "wrong_interval": [_plain(low), _plain(high)],
        "list": list_sentence(audit),
        "expected_precision": _plain(audit.expected_precision),
        "suspicious_rows": [int(line) for line in audit.suspicious],
        "top": [_record(audit, k) for k in range(len(audit.shown))],
        "noise_matrix": {
            str(true): {str(name): _plain(p) for name, p in zip(audit.auditor.classes_, row, strict=True)}
            for true, row in zip(audit.auditor.classes_, audit.auditor.noise_matrix_, strict=True)
        },
        "held_out_accuracy": _plain(audit.held_out_accuracy),
        "reviewed": len(audit.reviewed),
        "columns": dict(audit.table.treatments),
        "telling_columns": [{"column": name, "share": _plain(share)} for name, share in audit.telling],
        "groups": [group._asdict() for group in audit.groups],
        "notes": [str(note) for note in audit.notes],
        "interrupted": audit.interrupted,
    }
    if audit.health is not None:
        found |= _health(audit)
    if audit.complexity is not None:
        found["complexity"] = _complexity(audit)
    return found


def _health(audit):
    health, lines = audit.health, audit.table.lines
    return {
        "duplicate_rows": health.duplicates,
        "contradictions": [[int(line) for line in lines[rows]] for rows in health.contradictions],
        "near_duplicates": [[int(lines[a]), int(lines[b])] for a, b in health.near_duplicates],
        "outliers": [int(lines[row]) for row, _ in health.outliers],
        "small_classes": dict(health.small_classes),
        "sorted_by_label": health.sorted_by_label,
        "label_drift": health.label_drift,
        "column_drift": dict(health.column_drift),
    }


def _complexity(audit):
    view = audit.complexity
    found = {
        "n_permutations": view.n_permutations,
        "reliability": _plain(view.reliability),
        "rows": {name: int(np.sum(view.category == name)) for name in ("typical", "critical", "noisy")},
    }
    if view.complexity is not None:
        found |= {
            "measured_on_rows": view.complexity.n_rows,
            "support_vectors": view.complexity.value,
            "shuffled_mean": float(view.complexity.shuffled.mean()),
            "shuffled_standard_deviation": float(view.complexity.shuffled.std(ddof=1)),
            "share_of_shuffled": view.complexity.share,
        }
    return found


def _record(audit, k):
    row = audit.shown[k]
    record = _row(audit, row) | {
        "columns_that_disagree": [
            {"column": r.column, "value": r.value, "ratio": _plain(r.ratio)} for r in audit.reasons[k]
        ],
        "nearest_agreeing_row": _line(audit.table, audit.agreeing[k]),
        "nearest_agreeing_distance": _plain(audit.agreeing_distance[k]),
        "nearest_disagreeing_row": _line(audit.table, audit.disagreeing[k]),
        "nearest_disagreeing_distance": _plain(audit.disagreeing_distance[k]),
    }
    if audit.complexity is not None:
        record["contribution"] = _plain(audit.complexity.contribution[k])
        record["contribution_standard_error"] = _plain(audit.complexity.contribution_error[k])
    return record


def _row(audit, row):
    return {
        "row": int(audit.table.lines[row]),
        "label": str(audit.table.y[row]),
        "suggested_label": str(audit.suggested_label[row]),
        "other_label": str(audit.auditor.alternative_label_[row]),
        "wrong_probability": _plain(audit.wrong_probability[row]),
    }


def ranked_csv(audit):
    """All rows, the most suspicious first."""
    listed = np.zeros(len(audit.table.y), dtype=bool)
    listed[audit.listed] = True
    view = audit.complexity
    records = []
    for rank, row in enumerate(audit.ranking, start=1):
        record = {"rank": rank, **_row(audit, row), "listed": "yes" if listed[row] else "no"}
        if view is not None:
            record["surprise"] = _plain(view.surprise[row])
            record["surprise_standard_error"] = _plain(view.standard_error[row])
            record["category"] = str(view.category[row])
        records.append(record)
    return csv_text(records)


def review_csv(audit):
    """The listed rows with an empty column to fill in; rows that were reviewed come first, with their answers."""
    place = {int(line): row for row, line in enumerate(audit.table.lines)}
    shown = [column.name for column in audit.table.used][:_SHOWN_COLUMNS]
    records = []
    for line, answer in audit.reviewed.items():
        records.append(_review_row(audit, place[line], answer, shown))
    for row in audit.listed[:_MOST_REVIEWED]:
        records.append(_review_row(audit, row, "", shown))
    return csv_text(records, [*_ASKED, *(_column_name(name) for name in shown)])


_ASKED = ("row", "label", ANSWER, "suggested_label", "wrong_probability")


def _column_name(name):
    """A column of the table never has the name of one of ours."""
    return f"column {name}" if name in _ASKED else name


def _review_row(audit, row, answer, shown):
    record = _row(audit, row)
    record["suggested_label"] = record["other_label"]
    return record | {ANSWER: answer} | {_column_name(name): audit.table.cells[name][row] for name in shown}


def reviewed_rows(reviewed, table):
    """True labels by index, from a review file or a dict by row number; checked against the table.

    Raises
    ------
    TableError
        A row or label that the table does not have, or a file that belongs to another table.
    """
    if reviewed is None:
        return {}
    place = {int(line): row for row, line in enumerate(table.lines)}
    classes = set(np.unique(table.y).tolist())
    if isinstance(reviewed, dict):
        answers = [(line, str(name), None, f"reviewed, row {line}") for line, name in reviewed.items()]
    else:
        answers = list(_answers(reviewed))
    found: dict[int, str] = {}
    for line, answer, given, where in answers:
        if line not in place:
            raise TableError(f"{where}: the table has no labelled row {line}.")
        row = place[line]
        if given is not None and _restored(given, classes) != table.y[row]:
            raise TableError(
                f"{where}: the table has the label {str(table.y[row])!r} there, and not {given!r}. "
                "Was the review file made for another table, or has the table changed since?"
            )
        label = _restored(answer, classes)
        if label not in classes:
            raise TableError(
                f"{where}: no row of the table has the label {answer!r}; known labels: "
                f"{', '.join(map(repr, sorted(classes)))}."
            )
        if found.get(row, label) != label:
            raise TableError(f"{where}: row {line} has two different answers.")
        found[row] = label
    return found


def _answers(source):
    given: Table = read_table(source)
    for name in ("row", "label", ANSWER):
        if name not in given.cells:
            raise TableError(f"{source} is not a review file: it has no column {name!r}.")
    columns = (given.cells[name].texts() for name in ("row", "label", ANSWER))
    for number, (line, label, answer) in enumerate(zip(*columns, strict=True), start=1):
        if not answer:
            continue
        where = f"{source}, row {number}"
        try:
            wanted = int(float(line))
        except ValueError:
            raise TableError(f"{where}: {line!r} in the column 'row' is not a row number.") from None
        yield wanted, answer, label, where


def has_answers(path):
    """Whether a file is a review file in which somebody has filled in something.

    Parameters
    ----------
    path : path

    Returns
    -------
    bool

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from weaklearn.labels import has_answers
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "review.csv")
    ...     _ = path.write_text("row,label,true_label\\n3,yes,no\\n")
    ...     has_answers(path)
    True
    """
    try:
        cells = read_table(path).cells
    except TableError:
        return False
    return ANSWER in cells and any(cells[ANSWER].texts())


def _restored(text, classes):
    """A label as the table has it: without the apostrophe that defused it, and 1.0 for 1 as spreadsheets write it."""
    if text in classes:
        return text
    if text.startswith("'") and text[1:] in classes:
        return text[1:]
    try:
        same = [name for name in classes if float(name) == float(text)]
    except ValueError:
        return text
    return same[0] if len(same) == 1 else text


def _plain(value):
    return round(float(value), 4) if np.isfinite(value) else None


def _line(table, row):
    return int(table.lines[row]) if row >= 0 else None
