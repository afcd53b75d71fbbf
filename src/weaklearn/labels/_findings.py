"""What an audit found, as sentences and as plain data: for JSON, the report, the review page and the terminal."""

import math
from typing import Any

import numpy as np

from weaklearn.tables import described, short_cell

UNPREDICTABLE = "The columns do not predict the label: nothing can be said about single rows."

# A range wider than this share of the rows says more than the number in its middle.
_WIDE = 0.15


def many(number, singular, plural=None):
    """ "1 row", "1,200 rows"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def count(number):
    """A count as people read it: with separators, three digits that matter."""
    number = round(number)
    if number >= 1000:
        step = 10 ** (len(str(number)) - 3)
        number = round(number / step) * step
    return f"{number:,}"


def percent(share):
    """A share as a percentage, never rounded to certainty."""
    if 0 < share < 0.005:
        return "less than 1%"
    return "more than 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def estimate_sentence(n, n_wrong, interval):
    """The estimate in one sentence, for n labels."""
    low, high = math.floor(interval[0]), math.ceil(interval[1])
    if high - low > _WIDE * n:
        return f"Between {count(low)} and {count(high)} of {n:,} labels are wrong (90% interval)."
    said = f"90% interval {count(low)} to {count(high)}"
    if round(n_wrong) == 0:
        return f"Hardly any of {n:,} labels is wrong ({said})."
    return f"About {count(n_wrong)} of {n:,} labels are wrong ({said})."


def lead(auditor, contradictions=0):
    """The answer by a fitted auditor, in a few sentences; ``contradictions`` are groups of equal rows."""
    n, (low, high) = len(auditor.wrong_probability_), auditor.n_wrong_interval_
    by_model = auditor.n_wrong_source_ == "model"
    said = []
    if not auditor.predictable_:
        said.append(UNPREDICTABLE)
    if auditor.predictable_ or not by_model:
        said.append(estimate_sentence(n, auditor.n_wrong_, (low, high)))
    else:
        said.append("Review a random sample to estimate how many labels are wrong.")
    if by_model and auditor.predictable_ and math.ceil(high) - math.floor(low) > _WIDE * n:
        said.append("The columns do not tell the labels apart well enough to say it more exactly.")
    elif by_model and auditor.predictable_ and low < 1 <= round(auditor.n_wrong_) and not contradictions:
        said.append("There may be no wrong labels.")
    elif not by_model:
        said.append(_source_sentence(auditor))
    if contradictions:
        verb = "has" if contradictions == 1 else "have"
        said.append(f"{many(contradictions, 'group')} of identical rows {verb} different labels.")
    return " ".join(said)


def _source_sentence(auditor):
    rows = many(auditor.n_sampled_, "random row")
    unclear = f" ({auditor.n_unclear_} unclear)" if auditor.n_unclear_ else ""
    if auditor.disagrees_:
        model = count(auditor.n_wrong_estimates_["model"][0])
        return (
            f"This is estimated from {rows}{unclear} alone. They contradict the model, which expects {model}: "
            "mistakes may be systematic."
        )
    if auditor.n_wrong_source_ == "sample":
        return f"This is estimated from {rows}{unclear} alone."
    return f"This is estimated by the model and {rows}{unclear}, which agree."


def list_sentence(length, precision):
    """How many rows are on the list, and how many of them are expected to be wrong."""
    if length == 0:
        return "No row is on the list."
    if length == 1:
        return f"1 row is on the list; its label is wrong with probability {percent(precision)}."
    expected = precision * length
    said = "fewer than one" if expected < 0.5 else f"about {count(expected)}"
    return f"Expect {said} of these {length:,} rows to be wrong ({percent(precision)})."


def findings(audit):
    """What an audit found, as numbers, texts, lists and dicts."""
    n_listed = len(audit.listed)
    classes, counts = np.unique(audit.table.y, return_counts=True)
    low, high = audit.n_wrong_interval
    found: dict[str, Any] = {
        "answer": lead(audit.auditor, audit.n_contradictions),
        "rows": len(audit.table.y),
        "label": audit.table.label,
        "classes": {str(name): int(count) for name, count in zip(classes, counts, strict=True)},
        "wrong": plain(audit.n_wrong),
        "wrong_interval": [plain(low), plain(high)],
        "wrong_source": audit.auditor.n_wrong_source_,
        "wrong_estimates": {
            name: [plain(value) for value in values]
            for name, values in audit.auditor.n_wrong_estimates_.items()
        },
        "disagrees": audit.auditor.disagrees_,
        "predictable": audit.auditor.predictable_,
        "sample_rows": [int(line) for line in audit.table.lines[audit.sample]],
        "sample_reviewed": audit.auditor.n_sampled_,
        "unclear": audit.auditor.n_unclear_,
        "list": list_sentence(n_listed, audit.expected_precision),
        "expected_precision": plain(audit.expected_precision),
        "suspicious_rows": [int(line) for line in audit.suspicious],
        "top": audit.top,
        "noise_matrix": {
            str(true): {str(name): plain(p) for name, p in zip(audit.auditor.classes_, row, strict=True)}
            for true, row in zip(audit.auditor.classes_, audit.auditor.noise_matrix_, strict=True)
        },
        "held_out_accuracy": plain(audit.held_out_accuracy),
        "reviewed": len(audit.reviewed),
        "columns": described(audit.table.columns),
        "telling_columns": [{"column": name, "share": plain(share)} for name, share in audit.telling],
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
        "reliability": plain(view.reliability),
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


def row_record(table, auditor, row):
    """A row of a LabelledTable, by a fitted auditor."""
    return {
        "row": int(table.lines[row]),
        "label": str(table.y[row]),
        "suggested_label": str(auditor.suggested_label_[row]),
        "other_label": str(auditor.alternative_label_[row]),
        "wrong_probability": plain(auditor.wrong_probability_[row]),
    }


def page_rows(audit, n_columns):
    """For a page: the first columns by name, and the records of the shown rows with their cells in these columns."""
    columns = [column.name for column in audit.table.used][:n_columns]
    rows = []
    for row, record in zip(audit.shown, audit.top, strict=True):
        reasons = [{**why, "value": short_cell(why["value"]) or "missing"} for why in record["reasons"]]
        near = []
        for name, label in (("agreeing", record["label"]), ("disagreeing", record["other_label"])):
            line = record[f"nearest_{name}_row"]
            if line is not None:
                place = int(np.searchsorted(audit.table.lines, line))
                near.append({"row": line, "label": label, "cells": _cells(audit.table, place, columns)})
        cells = _cells(audit.table, row, columns)
        rows.append({**record, "reasons": reasons, "cells": cells, "near": near})
    return columns, rows


def _cells(table, row, columns):
    return [short_cell(table.cells[name][row]) for name in columns]


def plain(value):
    """A number for JSON: four decimals, None for NaN."""
    return round(float(value), 4) if np.isfinite(value) else None
