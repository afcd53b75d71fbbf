"""What is done with an uploaded file in a process of its own: see `limited`.

Everything comes and goes as plain data. A table that cannot be read gives ``{"problem": sentence}``.
"""

from pathlib import Path
from typing import Any

from weaklearn.tables import Table, TableError, describe, read_table, rewritten
from weaklearn.web.uploads._label_guess import guessed_label, may_be_label
from weaklearn.web.uploads._limits import MOST_COLUMNS, UNPACKED_LIMIT

__all__ = ["call"]

_HEAD_ROWS = 8
_LONGEST_NAME = 200
_LONGEST_CELL = 60


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
    columns = [
        {
            "name": column.name,
            "kind": column.kind.value,
            "used": column.used,
            "sentence": describe(column),
            "label": may_be_label(column, table.n_rows),
        }
        for column in table.columns
    ]
    n_head = min(_HEAD_ROWS, table.n_rows)
    return {
        "n_rows": table.n_rows,
        "columns": columns,
        "head": [[_short(table.cells[name][row]) for name in table.names] for row in range(n_head)],
        "label": guessed_label(table),
        "sheets": list(table.sheets),
        "sheet": sheet,
        "header": header,
    }


def rewrite(payload: dict[str, Any]) -> int:
    """Write the table again with some labels replaced; the number of them."""
    source, target = Path(payload["path"]), Path(payload["target"])
    cells = {int(row): str(text) for row, text in payload["cells"].items()}
    content = rewritten(
        source, target, payload["column"], cells, sheet=payload["sheet"], header=payload["header"]
    )
    target.write_bytes(content)
    return len(cells)


def _check_shape(table: Table) -> None:
    if table.n_rows == 0:
        raise TableError("the table has column names but no rows.")
    long = next((name for name in table.names if len(name) > _LONGEST_NAME), None)
    if long is not None:
        raise TableError(f"a column has a name of {len(long):,} characters; {_LONGEST_NAME} are allowed.")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
