"""The rows of an audit as files: all of them ranked, the list to review, and the labels that a review gives back."""

import csv
import json
from pathlib import Path

import numpy as np

from weaklearn.labels._findings import plain, row_record
from weaklearn.labels._label_auditor import UNCLEAR
from weaklearn.reports import csv_text
from weaklearn.tables import Table, TableError, read_table

ANSWER, SAMPLE = "true_label", "sample"
_SHOWN_COLUMNS = 12


def ranked_rows(audit):
    """All rows as records, the most suspicious first."""
    listed = np.zeros(len(audit.table.y), dtype=bool)
    listed[audit.listed] = True
    view = audit.complexity
    records = []
    for rank, row in enumerate(audit.ranking, start=1):
        record = {
            "rank": rank,
            **row_record(audit.table, audit.auditor, row),
            "listed": "yes" if listed[row] else "no",
        }
        if view is not None:
            record["surprise"] = plain(view.surprise[row])
            record["surprise_standard_error"] = plain(view.standard_error[row])
            record["category"] = str(view.category[row])
        records.append(record)
    return records


def review_csv(audit):
    """Sample and list with an empty column to fill in; rows that were reviewed come first, with their answers."""
    return csv_text(_review_records(audit), [*_ASKED, *(_column_name(name) for name in _shown(audit))])


def review_tasks(audit):
    """The same rows as tasks for Label Studio: the most probable label as a prediction, answers as annotations."""
    tasks = []
    for record in _review_records(audit):
        answer, suggested = record.pop(ANSWER), record["suggested_label"]
        task = {"data": record, "predictions": [{"model_version": "weaklearn", **_chosen(suggested)}]}
        tasks.append(task | ({"annotations": [_chosen(answer)]} if answer else {}))
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def _chosen(label):
    choice = {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": [label]}}
    return {"result": [choice]}


def _shown(audit):
    return [column.name for column in audit.table.used][:_SHOWN_COLUMNS]


def _review_records(audit):
    place = {int(line): row for row, line in enumerate(audit.table.lines)}
    records = [_review_row(audit, place[line], answer) for line, answer in audit.reviewed.items()]
    open_ = np.r_[audit.sample, audit.listed[~np.isin(audit.listed, audit.sample)]].astype(np.intp)
    open_ = open_[~np.isin(audit.table.lines[open_], list(audit.reviewed))]
    return records + [_review_row(audit, row, "") for row in open_]


_ASKED = ("row", "label", ANSWER, "suggested_label", "other_label", "wrong_probability", SAMPLE)


def _column_name(name):
    """A column of the table never has the name of one of ours."""
    return f"column {name}" if name in _ASKED else name


def _review_row(audit, row, answer):
    record = row_record(audit.table, audit.auditor, row)
    record[SAMPLE] = "yes" if row in audit.sample else "no"
    return (
        record
        | {ANSWER: answer}
        | {_column_name(name): audit.table.cells[name][row] for name in _shown(audit)}
    )


def reviewed_rows(reviewed, table):
    """True labels by index, from a review file or a dict by row number; checked against the table.

    Also the number of rows that the file marks as the random sample.

    Raises
    ------
    TableError
        A row or label that the table does not have, or a file that belongs to another table.
    """
    if reviewed is None:
        return {}, 0
    place = {int(line): row for row, line in enumerate(table.lines)}
    classes = set(np.unique(table.y).tolist())
    n_marked = 0
    if isinstance(reviewed, dict):
        answers = [(line, str(name), None, f"reviewed, row {line}") for line, name in reviewed.items()]
    elif str(reviewed).lower().endswith(".json"):
        answers, n_marked = _task_answers(reviewed)
    else:
        file = read_table(reviewed)
        answers = list(_answers(reviewed, file))
        if SAMPLE in file.cells:
            n_marked = sum(text == "yes" for text in file.cells[SAMPLE].texts())
    found: dict[int, str] = {}
    for line, answer, given, where in answers:
        if line not in place:
            raise TableError(
                f"{where}: the table has no labelled row {line}, or its class is so small that it was set aside "
                "(keep_small_classes keeps it)."
            )
        row = place[line]
        if given is not None and _restored(given, classes) != table.y[row]:
            raise TableError(
                f"{where}: the table has the label {str(table.y[row])!r} there, and not {given!r}. "
                "Was the review file made for another table, or has the table changed since?"
            )
        label = _restored(answer, classes)
        if label not in classes and label.lower() in UNCLEAR:
            label = UNCLEAR[0]
        elif label not in classes:
            raise TableError(
                f"{where}: no row of the table has the label {answer!r}; known labels: "
                f"{', '.join(map(repr, sorted(classes)))}; or 'unclear'."
            )
        if found.get(row, label) != label:
            raise TableError(f"{where}: row {line} has two different answers.")
        found[row] = label
    return found, n_marked


def _answers(source, given: Table):
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


def _task_answers(source):
    """Answers of an export of Label Studio, whose tasks are those of `review_tasks`, and the rows of the sample."""
    answers, n_marked = [], 0
    try:
        tasks = json.loads(Path(source).read_text(encoding="utf-8-sig"))
        for number, task in enumerate(tasks, start=1):
            data = task["data"]
            n_marked += data.get(SAMPLE) == "yes"
            kept = [one for one in task.get("annotations", ()) if not one.get("was_cancelled")]
            chosen = [
                part["value"]["choices"]
                for one in kept
                for part in one["result"]
                if part["type"] == "choices"
            ]
            if chosen:  # the last annotation counts
                answers.append(
                    (int(data["row"]), chosen[-1][0], str(data["label"]), f"{source}, task {number}")
                )
    except OSError as error:
        raise TableError(f"{source} cannot be read: {error}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise TableError(
            f"{source} is no export of review tasks from Label Studio (format JSON): {error!r}."
        ) from None
    return answers, n_marked


def has_answers(path):
    """Whether a file is a review file in which some labels are filled in."""
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
    spelled = [name for name in classes if name.casefold() == text.casefold()]
    if len(spelled) == 1:
        return spelled[0]
    try:
        same = [name for name in classes if float(name) == float(text)]
    except ValueError:
        return text
    return same[0] if len(same) == 1 else text


def filled_review(path, answers, notes):
    """The review file of an audit with the column ``true_label`` filled in, and the notes if there are any.

    `weaklearn audit --reviewed` reads it.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = list(reader)
        columns = list(reader.fieldnames or ())
    for row in rows:
        row[ANSWER] = answers.get(int(row["row"]), row[ANSWER])
    if notes:
        column = "note" if "note" not in columns else "review note"
        columns.append(column)
        for row in rows:
            row[column] = notes.get(int(row["row"]), "")
    return csv_text(rows, columns)
