"""What else is worth knowing about a table: duplicates, contradictions, outliers, small classes, drift."""

from typing import NamedTuple

import numpy as np
import pandas
from scipy.stats import chi2_contingency, norm, spearmanr
from sklearn.neighbors import NearestNeighbors

from weaklearn.tables import Kind

# Distances are measured from at most this many rows to at most that many.
_FROM, _TO = 3000, 20_000
_NEAR = 0.01
_FAR = 5.0
_ALONE = 5.0
_MOST_SHOWN = 20
_BLOCKS = 10
_SMALL_CLASS = 10


class Health(NamedTuple):
    """Findings about a table; rows are indices.

    ``duplicates`` counts rows that equal an earlier one in all used columns; ``contradictions`` are groups of such rows
    with different labels; ``near_duplicates`` pairs of rows that are almost equal; ``outliers`` rows far from all
    others, with the factor by which; ``small_classes`` pairs of label and rows; ``sorted_by_label``; ``label_drift`` is
    Cramér's V of label and place if labels change along the rows; ``column_drift`` pairs of a column and its rank
    correlation with the place; ``wrong_block`` first row, last row, expected share of wrong labels there and elsewhere.
    """

    duplicates: int
    contradictions: list
    near_duplicates: list
    outliers: list
    small_classes: list
    imbalance: float
    sorted_by_label: bool
    label_drift: float | None
    column_drift: list
    wrong_block: tuple | None


def equal_rows(table):
    """For each row of a LabelledTable the number of its group of rows that are equal in all used columns."""
    columns = pandas.DataFrame({column.name: table.table.values(column.name) for column in table.used})
    return columns.groupby(list(columns), dropna=False, sort=False).ngroup().to_numpy()


def check_health(table, X, wrong_probability, seed):
    """Look at a LabelledTable, its encoded columns X and the probabilities of wrong labels."""
    group = equal_rows(table)
    sizes = np.bincount(group)
    contradictions = _contradictions(group, sizes, table.y)
    near, outliers = _distances(X, group, seed)
    names, codes, counts = np.unique(table.y, return_inverse=True, return_counts=True)
    in_order = int(np.sum(codes[1:] != codes[:-1])) == len(names) - 1 and len(codes) > 3 * len(names)
    return Health(
        duplicates=len(group) - len(sizes),
        contradictions=contradictions,
        near_duplicates=near,
        outliers=outliers,
        small_classes=[(str(n), int(c)) for n, c in zip(names, counts, strict=True) if c < _SMALL_CLASS],
        imbalance=float(counts.max() / counts.min()),
        sorted_by_label=in_order,
        label_drift=None if in_order else _label_drift(codes),
        column_drift=[] if in_order else _column_drift(table),
        wrong_block=None if in_order else _wrong_block(wrong_probability),
    )


def _contradictions(group, sizes, y):
    order = np.argsort(group, kind="stable")
    order = order[sizes[group[order]] > 1]
    if len(order) == 0:
        return []
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return [np.sort(rows) for rows in parts if len(np.unique(y[rows])) > 1]


def _distances(X, group, seed):
    """Pairs of rows that are almost equal, and rows far from their fifth neighbour."""
    random = np.random.RandomState(seed)
    _, distinct = np.unique(group, return_index=True)
    if len(distinct) < 30:
        return [], []
    base = np.sort(random.permutation(distinct)[:_TO])
    asked = base if len(base) <= _FROM else np.sort(random.choice(base, _FROM, replace=False))
    neighbours = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(X[base])
    distance, place = neighbours.kneighbors(X[asked])
    neighbour = base[place]
    # A row is its own nearest neighbour, unless another one lies on the same spot.
    own = neighbour[:, 0] == asked
    first = np.where(own, distance[:, 1], distance[:, 0])
    partner = np.where(own, neighbour[:, 1], neighbour[:, 0])
    typical = np.median(first)
    near = {
        (int(min(a, b)), int(max(a, b)))
        for a, b in zip(asked[first < _NEAR * typical], partner[first < _NEAR * typical], strict=True)
    }
    fifth = np.log(np.maximum(distance[:, 5], 1e-12))
    middle = np.median(fifth)
    spread = max(1.4826 * np.median(np.abs(fifth - middle)), 0.1)
    far = np.flatnonzero(fifth > middle + _FAR * spread)
    far = far[np.argsort(-fifth[far], kind="stable")][: 5 * _MOST_SHOWN]
    # The thin rim of a cloud is far from its middle, too; an outlier is alone even among its own neighbours.
    alone = [
        k
        for k in far
        if distance[k, 5] > _ALONE * np.median(neighbours.kneighbors(X[neighbour[k, 1:]])[0][:, 5])
    ]
    far = np.array(alone[:_MOST_SHOWN], dtype=np.intp)
    outliers = [(int(asked[k]), float(np.exp(fifth[k] - middle))) for k in far]
    return sorted(near)[:_MOST_SHOWN], outliers


def _blocks(n):
    return np.arange(n) * _BLOCKS // n


def _label_drift(codes):
    n, n_classes = len(codes), codes.max() + 1
    if n < 10 * _BLOCKS:
        return None
    counts = np.zeros((_BLOCKS, n_classes))
    np.add.at(counts, (_blocks(n), codes), 1)
    found = chi2_contingency(counts)
    strength = float(np.sqrt(found.statistic / (n * min(_BLOCKS - 1, n_classes - 1))))
    return strength if strength > 0.25 and found.pvalue < 1e-4 else None


def _column_drift(table):
    """Columns of numbers that rise or fall along the rows; dates are expected to."""
    if len(table) < 30:
        return []
    found = []
    for column in table.used:
        if column.kind is not Kind.NUMBER:
            continue
        values = table.table.values(column.name)
        known = np.flatnonzero(np.isfinite(values))
        if len(known) < 30 or np.ptp(values[known]) == 0:
            continue
        drift = spearmanr(known, values[known])
        if abs(drift.statistic) > 0.4 and drift.pvalue < 1e-6:
            found.append((column.name, float(drift.statistic)))
    return found


def _wrong_block(P):
    n = len(P)
    if n < 20 * _BLOCKS:
        return None
    block = _blocks(n)
    sums, sizes = np.bincount(block, P), np.bincount(block)
    worst = int(np.argmax(sums / sizes))
    rest = (sums.sum() - sums[worst]) / (n - sizes[worst])
    share = sums[worst] / sizes[worst]
    error = np.sqrt(max(rest, 1e-4) / sizes[worst])
    if share < 2.5 * rest or norm.sf((share - rest) / error) * _BLOCKS > 1e-4:
        return None
    rows = np.flatnonzero(block == worst)
    return int(rows[0]), int(rows[-1]), float(share), float(rest)
