"""What is done with an uploaded file in a process of its own: see `limited`.

Everything comes and goes as plain data. A table that cannot be read gives ``{"problem": sentence}``.
"""

import re
from pathlib import Path
from typing import Any

from weaklearn.tables import Column, Kind, Table, TableError, describe, read_table, rewritten, short_cell
from weaklearn.web._uploads import LEAST_ROWS, MOST_COLUMNS, UNPACKED_LIMIT

_HEAD_ROWS = 8
_LONGEST_NAME = 200
_MOST_CLASSES = 30
_MOST_NOTED = 3_000_000  # cells; in longer tables only the column that is guessed is looked through for notes
# Names that people give to the column of labels.
_LABEL_NAMES = frozenset([
    "label", "labels", "class", "classes", "target", "targets", "y", "outcome", "diagnosis", "result", "response",
    "category", "type", "species", "status", "churn", "survived", "default", "fraud", "spam", "grade", "verdict",
    "decision", "answer", "truth", "klasse", "ziel", "etikett",
])  # fmt: skip


def call(payload: dict[str, Any]) -> dict[str, Any]:
    """Call a function by its name. Errors about the table are sentences with the name that its owner knows."""
    if payload["function"] == "nothing":
        return {"found": None}
    try:
        return {"found": {"inspect": inspect, "rewrite": rewrite}[payload["function"]](payload)}
    except (TableError, RecursionError) as error:
        said = str(error).replace(payload["path"], payload["name"])
        return {"problem": said[:1].upper() + said[1:]}


def inspect(payload: dict[str, Any]) -> dict[str, Any]:
    """The preview: size, sheets, first rows, and each column with its kind and a sentence."""
    sheet, header = payload["sheet"], payload["header"]
    table = read_table(
        payload["path"], sheet=sheet, header=header, most_columns=MOST_COLUMNS, most_bytes=UNPACKED_LIMIT
    )
    _check_shape(table)
    guessed = _guessed_label(table)
    able = [column.name for column in table.columns if _may_be_label(column, table.n_rows)]
    if table.n_rows * len(able) > _MOST_NOTED:
        able = [] if guessed is None else [guessed]
    noted = {}
    for name in able:
        notes, telling = table.label_notes(name, LEAST_ROWS)
        noted[name] = {"notes": notes, "telling": [table.names.index(other) for other in telling]}
    columns = [
        {
            "name": column.name,
            "kind": column.kind.value,
            "used": column.used,
            "sentence": describe(column),
            "label": _may_be_label(column, table.n_rows),
            **noted.get(column.name, {"notes": [], "telling": []}),
        }
        for column in table.columns
    ]
    n_head = min(_HEAD_ROWS, table.n_rows)
    return {
        "n_rows": table.n_rows,
        "columns": columns,
        "head": [[short_cell(table.cells[name][row]) for name in table.names] for row in range(n_head)],
        "label": guessed,
        "sheets": list(table.sheets),
        "sheet": sheet,
        "header": header,
    }


def rewrite(payload: dict[str, Any]) -> int:
    """Write the table again with some labels replaced; the number of them."""
    source, target = Path(payload["path"]), Path(payload["target"])
    cells = {int(row): str(text) for row, text in payload["cells"].items()}
    content = rewritten(
        source, target, payload["column"], cells,
        sheet=payload["sheet"], header=payload["header"], keep_formulas=payload["keep_formulas"],
    )  # fmt: skip
    target.write_bytes(content)
    return len(cells)


def _may_be_label(column: Column, n_rows: int) -> bool:
    """Whether the column has 2 to 30 different values, each in a few rows."""
    few = 2 <= column.n_distinct <= min(_MOST_CLASSES, n_rows / 3)
    return few and column.kind not in (Kind.DATE, Kind.IDENTIFIER, Kind.EMPTY, Kind.CONSTANT)


def _guessed_label(table: Table) -> str | None:
    """The column that probably holds the labels: a telling name first, then the last or first column, then words."""
    last = len(table.names) - 1

    def likeliness(column: Column) -> tuple:
        k = table.names.index(column.name)
        words = set(re.findall(r"[a-zà-ÿ]+", column.name.lower()))
        return (
            column.name.strip().lower() in _LABEL_NAMES,
            bool(words & _LABEL_NAMES),
            k == last,
            k == 0 and column.kind is not Kind.NUMBER,
            column.kind in (Kind.CATEGORY, Kind.BOOLEAN, Kind.TEXT),
            -column.n_distinct,
            k,
        )

    able = [column for column in table.columns if _may_be_label(column, table.n_rows)]
    return max(able, key=likeliness).name if able else None


def _check_shape(table: Table) -> None:
    if table.n_rows == 0:
        raise TableError("the table has column names but no rows.")
    long = next((name for name in table.names if len(name) > _LONGEST_NAME), None)
    if long is not None:
        raise TableError(f"a column has a name of {len(long):,} characters; {_LONGEST_NAME} are allowed.")
