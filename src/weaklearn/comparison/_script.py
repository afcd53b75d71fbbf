"""The script that comes with a saved classifier."""

from collections.abc import Sequence

__all__ = ["script"]


def script(columns: Sequence[str], foreign_types: Sequence[str] = ()) -> str:
    """Python code that loads ``model.skops`` and predicts the rows of a new table.

    Examples
    --------
    >>> from weaklearn.comparison._script import script
    >>> print(script(["age", "city"]), end="")
    import numpy, weaklearn.persistence, weaklearn.tables
    model = weaklearn.persistence.load("model.skops")
    cells = weaklearn.tables.read_table("new_rows.csv").cells
    rows = numpy.array([cells[name].texts() for name in ['age', 'city']], dtype=object).T
    print(*model.predict(rows), sep="\\n")
    """
    trusted = f", trusted={list(foreign_types)!r}" if foreign_types else ""
    return (
        "import numpy, weaklearn.persistence, weaklearn.tables\n"
        f'model = weaklearn.persistence.load("model.skops"{trusted})\n'
        'cells = weaklearn.tables.read_table("new_rows.csv").cells\n'
        f"rows = numpy.array([cells[name].texts() for name in {list(columns)!r}], dtype=object).T\n"
        'print(*model.predict(rows), sep="\\n")\n'
    )
