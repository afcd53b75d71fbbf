"""What single columns say about the labels: which ones contradict a label, give it away, or mark groups of errors.

Every used column is cut into cells: a category each, or a tenth of the numbers each; missing values are a cell of
their own. Everything here is counted from these cells.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from weaklearn.tables import Kind

_CELLS = 10
_MOST_REASONS = 3
_LEAST_RATIO = 1.5
_TELLING = 0.995
_GROUP_ROWS = 20
_GROUP_SHARE = 0.02
_MOST_GROUPS = 8


class CellColumn(NamedTuple):
    """A column as cells: ``codes[row]`` is the cell of a row, ``names[code]`` says what is in it."""

    name: str
    codes: np.ndarray
    names: list[str]


class Reason(NamedTuple):
    """A column whose value is ``ratio`` times as frequent among rows of the other label as among those of the given."""

    column: str
    value: str
    ratio: float


class Group(NamedTuple):
    """Rows whose label the learners miss more often (``share``) than that of all other rows (``elsewhere``)."""

    column: str
    value: str
    rows: int
    share: float
    elsewhere: float
    expected_wrong: float


def cell_columns(table):
    """The used columns of a LabelledTable as `CellColumn`."""
    return [_cells(column, table.table.values(column.name)) for column in table.used]


def _cells(column, values):
    if values.dtype == object or column.kind is Kind.BOOLEAN:
        known: dict = {}
        codes = np.array([known.setdefault(value, len(known)) for value in values.tolist()], dtype=np.intp)
        return CellColumn(
            column.name, codes, ["missing" if _missing(value) else _text(value) for value in known]
        )
    finite = np.isfinite(values)
    edges = (
        np.unique(np.quantile(values[finite], np.arange(1, _CELLS) / _CELLS)) if finite.any() else np.empty(0)
    )
    codes = np.where(
        finite, np.searchsorted(edges, np.where(finite, values, 0.0), side="right"), len(edges) + 1
    )
    shown = [_day(edge) if column.kind is Kind.DATE else f"{edge:.4g}" for edge in edges]
    names = [f"below {shown[0]}"] if shown else ["any number"]
    names += [f"{low} to {high}" for low, high in pairwise(shown)]
    names += [f"{shown[-1]} and above"] if shown else []
    return CellColumn(column.name, codes.astype(np.intp), [*names, "missing"])


def _missing(value):
    return value is None or value != value


def _text(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def _day(edge):
    return str(np.datetime64(int(edge), "D"))


def reasons(columns, rows, given, other, label_probability, texts):
    """For each of ``rows`` the columns that speak most for its ``other`` label (an index) against the ``given`` one.

    Cells are counted with the probabilities of the true labels, the row itself aside.
    """
    P = label_probability
    total = P.sum(axis=0)
    ratios = np.ones((len(rows), len(columns)))
    for j, column in enumerate(columns):
        n_cells = len(column.names)
        counts = np.column_stack([np.bincount(column.codes, P[:, k], n_cells) for k in range(P.shape[1])])
        overall = counts.sum(axis=1) / len(P)
        for i, row in enumerate(rows):
            cell = column.codes[row]
            share = (counts[cell] - P[row] + 2 * overall[cell]) / (total - P[row] + 2)
            ratios[i, j] = share[other[i]] / max(share[given[i]], 1e-12)
    found = []
    for i, row in enumerate(rows):
        best = np.argsort(-ratios[i], kind="stable")[:_MOST_REASONS]
        found.append(
            [
                Reason(columns[j].name, texts[columns[j].name][row], float(ratios[i, j]))
                for j in best
                if ratios[i, j] >= _LEAST_RATIO
            ]
        )
    return found


def telling_columns(columns, y):
    """Columns that give the label away: (name, share of rows whose label follows from this column alone)."""
    classes, codes = np.unique(y, return_inverse=True)
    base = np.bincount(codes).max() / len(y)
    found = []
    for column in columns:
        n_cells = len(column.names)
        if n_cells > max(_CELLS + 2, len(y) / 50):
            continue
        table = np.zeros((n_cells, len(classes)))
        np.add.at(table, (column.codes, codes), 1)
        share = table.max(axis=1).sum() / len(y)
        if share >= _TELLING and share - base > 0.5 * (1 - base):
            found.append((column.name, float(share)))
    return found


def groups_that_fail(columns, missed, wrong_probability):
    """Groups of rows whose labels are missed clearly more often than elsewhere, the worst first."""
    n, total = len(missed), missed.sum()
    found = []
    for column in columns:
        n_cells = len(column.names)
        sizes = np.bincount(column.codes, minlength=n_cells)
        misses = np.bincount(column.codes, missed, n_cells)
        wrong = np.bincount(column.codes, wrong_probability, n_cells)
        for cell in np.flatnonzero((sizes >= max(_GROUP_ROWS, _GROUP_SHARE * n)) & (sizes <= n / 2)):
            share, elsewhere = misses[cell] / sizes[cell], (total - misses[cell]) / (n - sizes[cell])
            pooled = total / n
            error = np.sqrt(pooled * (1 - pooled) * (1 / sizes[cell] + 1 / (n - sizes[cell])))
            # About as many comparisons as there are cells in the table are made.
            if share > 1.5 * elsewhere and share - elsewhere > 3.5 * error > 0:
                group = Group(
                    column.name,
                    column.names[cell],
                    int(sizes[cell]),
                    float(share),
                    float(elsewhere),
                    float(wrong[cell]),
                )
                found.append(((share - elsewhere) / error, group))
    found.sort(key=lambda pair: -pair[0])
    return [group for _, group in found[:_MOST_GROUPS]]
