"""How well a whole table agrees with the published one.

The differences d_i = ours - published of a table's cells are taken to be normal with variance tau^2 + s_i^2: s_i is the
standard error of the difference, known for each cell, and tau the root-mean-square *true* difference, which no number
of trials removes. Cell by cell tests say little about tau; the table as a whole does.

- tau is estimated by the rule of Paule and Mandel: sum d_i^2 / (tau^2 + s_i^2) = number of cells.
- The bounds (one-sided, 95% each) are Q profiles: the same sum at the 5% and the 95% quantile of chi-squared. Cells of
  a row share their splits and are not independent; so the upper bound is the larger of that and the 95% quantile over a
  bootstrap of rows.

The verdicts, with the table's tolerance (the smallest difference that the document treats as meaningful) and the
published spread (root-mean-square deviation of the cells from the mean of their row: how much columns differ):

- *reproduced*: the upper bound is below the larger of the tolerance and a third of the spread;
- *roughly*: it is below the larger of twice the tolerance and the spread;
- *not*: neither, and the lower bound is above the limit of *reproduced*;
- *open*: more trials are needed to tell.

A table of several measures (errors and rounds, means and variances) is judged measure by measure. Not judged: cells of
single published runs, bounds, deterministic facts, and cells without a published value.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

REPRODUCED, ROUGHLY, NOT_REPRODUCED, UNSURE = "reproduced", "roughly", "not", "open"
_LEVEL = 0.05
_N_DRAWS = 400


@dataclass(frozen=True)
class Pair:
    """A cell: its row, ours minus published, the standard error of that, the published value, and the tolerance."""

    row: str
    difference: float
    error: float
    published: float
    tolerance: float


@dataclass(frozen=True)
class Agreement:
    """How well a table, or one measure of it, agrees.

    Attributes
    ----------
    document, table, measure : str
    n_cells : int
    rms, lower, upper : float
        The root-mean-square true difference and its bounds.
    tolerance, spread : float
    median_z : float
        Of the absolute differences in standard errors; 0.67 if chance alone makes them.
    correlation : float or None
        Of the deviations from the row's mean, ours with published; None if rows have a single cell.
    verdict : {"reproduced", "roughly", "not", "open"}
    explained : int
        How many cells were left out because a note explains them.
    """

    document: str
    table: str
    measure: str
    n_cells: int
    rms: float
    lower: float
    upper: float
    tolerance: float
    spread: float
    median_z: float
    correlation: float | None
    verdict: str
    explained: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in asdict(self).items()
        }


def agreement(
    document: str, table: str, measure: str, pairs: Sequence[Pair], explained: int = 0
) -> Agreement:
    """Judge the cells of one measure of a table.

    Examples
    --------
    >>> cells = [Pair(f"set {k % 4}", 0.01 * (-1) ** k, 0.1, float(k), 0.5) for k in range(12)]
    >>> agreement("document", "2", "error", cells).verdict
    'reproduced'
    """
    differences = np.array([pair.difference for pair in pairs])
    variances = np.array([pair.error for pair in pairs]) ** 2
    rms = _tau(differences, variances, len(pairs))
    lower = _tau(differences, variances, float(chi2.ppf(1 - _LEVEL, len(pairs))))
    upper = max(
        _tau(differences, variances, float(chi2.ppf(_LEVEL, len(pairs)))),
        _row_bound(pairs, differences, variances),
    )
    tolerance = float(np.median([pair.tolerance for pair in pairs]))
    rows: dict[str, list[int]] = {}
    for k, pair in enumerate(pairs):
        rows.setdefault(pair.row, []).append(k)
    published = np.array([pair.published for pair in pairs])
    theirs, ours = _centred(published, rows), _centred(published + differences, rows)
    spread = math.sqrt(float((theirs**2).mean()))
    norm = math.sqrt(float((theirs**2).sum() * (ours**2).sum()))
    correlation = float((theirs * ours).sum()) / norm if norm > 0 else None
    z = np.abs(differences) / np.sqrt(np.where(variances > 0, variances, np.inf))
    if upper < (limit := max(tolerance, spread / 3)):
        verdict = REPRODUCED
    elif upper < max(2 * tolerance, spread):
        verdict = ROUGHLY
    else:
        verdict = NOT_REPRODUCED if lower > limit else UNSURE
    median_z = float(np.median(z))
    shown = (rms, lower, upper, tolerance, spread, median_z, correlation)
    return Agreement(document, table, measure, len(pairs), *shown, verdict, explained)


def _tau(differences: np.ndarray, variances: np.ndarray, target: float) -> float:
    """The tau at which the weighted sum of squares has the value `target`; 0 if it is smaller without any."""
    return float(_taus(differences[None], variances[None], np.array([target]))[0])


def _taus(
    differences: np.ndarray, variances: np.ndarray, targets: np.ndarray, weights: Any = 1.0
) -> np.ndarray:
    """As `_tau`, for each row of the arrays, by bisection; `weights` count how often a cell was drawn."""
    squares = weights * differences**2
    low, high = np.zeros(len(targets)), squares.sum(axis=1) / targets
    for _ in range(60):
        middle = (low + high) / 2
        total = np.maximum(variances + middle[:, None], 1e-300)
        above = (squares / total).sum(axis=1) > targets
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    without = (squares / np.maximum(variances, 1e-300)).sum(axis=1)
    return np.where(without > targets, np.sqrt(high), 0.0)


def _row_bound(pairs: Sequence[Pair], differences: np.ndarray, variances: np.ndarray) -> float:
    names = list(dict.fromkeys(pair.row for pair in pairs))
    if len(names) < 3:
        return 0.0  # too few rows to draw from; the Q profile alone
    of_row = np.array([names.index(pair.row) for pair in pairs])
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=_N_DRAWS)[:, of_row]
    found = _taus(differences[None], variances[None], drawn.sum(axis=1).astype(np.float64), drawn)
    return float(np.quantile(found, 1 - _LEVEL))


def _centred(values: np.ndarray, rows: dict[str, list[int]]) -> np.ndarray:
    """Deviations from the mean of the row."""
    centred = np.zeros(len(values))
    for members in rows.values():
        centred[members] = values[members] - values[members].mean()
    return centred
