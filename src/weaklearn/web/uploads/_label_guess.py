"""Which column probably holds the labels."""

import re

from weaklearn.tables import Column, Kind, Table

__all__ = ["guessed_label", "may_be_label"]

_MOST_CLASSES = 30
# Names that people give to the column of labels.
_NAMES = frozenset([
    "label", "labels", "class", "classes", "target", "targets", "y", "outcome", "diagnosis", "result", "response",
    "category", "type", "species", "status", "churn", "survived", "default", "fraud", "spam", "grade", "verdict",
    "decision", "answer", "truth", "klasse", "ziel", "etikett",
])  # fmt: skip


def may_be_label(column: Column, n_rows: int) -> bool:
    """Whether the column has 2 to 30 different values, each in a few rows."""
    few = 2 <= column.n_distinct <= min(_MOST_CLASSES, n_rows / 3)
    return few and column.kind not in (Kind.DATE, Kind.IDENTIFIER, Kind.EMPTY, Kind.CONSTANT)


def guessed_label(table: Table) -> str | None:
    """The best guess: a telling name first, then words rather than numbers, then the last or first column."""
    able = [column for column in table.columns if may_be_label(column, table.n_rows)]
    if not able:
        return None
    place = {name: k for k, name in enumerate(table.names)}
    last = len(table.names) - 1

    def likeliness(column: Column) -> tuple:
        k = place[column.name]
        words = set(re.findall(r"[a-zà-ÿ]+", column.name.lower()))
        return (
            column.name.strip().lower() in _NAMES,
            bool(words & _NAMES),
            k == last,
            k == 0 and column.kind is not Kind.NUMBER,
            column.kind in (Kind.CATEGORY, Kind.BOOLEAN, Kind.TEXT),
            -column.n_distinct,
            k,
        )

    return max(able, key=likeliness).name
