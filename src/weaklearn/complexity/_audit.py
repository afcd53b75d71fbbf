"""The audit of a labelled table: how complex it is, and which rows look mislabelled."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from weaklearn._fast.complexity_paths import trial_increases
from weaklearn.complexity._contribution import complexity_contribution
from weaklearn.complexity._estimators import default_window
from weaklearn.complexity._measures import SVMComplexity
from weaklearn.complexity._paths import complexity_error_path
from weaklearn.complexity._pruner import categorise
from weaklearn.complexity._svm_problem import locations, one_vs_rest
from weaklearn.kernel._incremental import kernel_scale
from weaklearn.reports import csv_text, write_page
from weaklearn.tables import LabelledTable, Note, NoteCode, TableEncoder, TableError, labelled

__all__ = ["Audit", "audit"]

_THRESHOLDS = (-0.4, 0.0)
# Complexity against shuffled labels is measured on at most this many rows, and this many shuffles.
_SAMPLE = 400
_N_SHUFFLES = 10
# Subsets against which the contribution of the listed rows is measured.
_N_SUBSETS = 30
_MOST_LISTED = 200


@dataclass(frozen=True)
class SetComplexity:
    """The complexity of (a sample of) the table, and of copies with shuffled labels.

    ``ordered`` is the complexity-error path that takes the least surprising rows first, ``shuffled_path`` one of a
    shuffled copy.
    """

    n_rows: int
    value: float
    shuffled: np.ndarray
    ordered: Any
    shuffled_path: Any

    @property
    def share(self):
        """Complexity as a share of what shuffled labels need."""
        return self.value / float(self.shuffled.mean())


@dataclass(frozen=True)
class Audit:
    """What `audit` found. Arrays have one entry for each labelled row of the table.

    Attributes
    ----------
    table : LabelledTable
        The rows as they were given, and what each column holds.
    X : ndarray of shape (n_rows, n_features)
        The columns as numbers.
    surprise, standard_error : ndarray
        How firmly machines of small random subsets of the other rows contradict the label, in [-1, 1].
    category : ndarray of str
        "noisy" (surprise above 0), "critical" (above -0.4) or "typical".
    ranking : ndarray of int
        Rows, the most suspicious first.
    listed : ndarray of int
        The rows that the report shows: the first 5%, at least 10 and at most 200.
    contribution, contribution_error : ndarray
        Of the listed rows: by how much each raises the complexity of random subsets of the others.
    agreeing, disagreeing : ndarray of int
        Of the listed rows: the nearest other row of the same and of another label.
    agreeing_distance, disagreeing_distance : ndarray
    complexity : SetComplexity or None
        None if the run was interrupted before.
    duplicates : int
        Rows that equal an earlier one in all usable columns.
    contradictions : list of ndarray
        Groups of such rows whose labels differ.
    n_permutations : int
    reliability : float
    interrupted : bool
    notes : list of Note
        What was left out or subsampled.
    method : list of str
        How rows were judged.
    """

    table: LabelledTable
    X: np.ndarray
    surprise: np.ndarray
    standard_error: np.ndarray
    category: np.ndarray
    ranking: np.ndarray
    listed: np.ndarray
    contribution: np.ndarray
    contribution_error: np.ndarray
    agreeing: np.ndarray
    disagreeing: np.ndarray
    agreeing_distance: np.ndarray
    disagreeing_distance: np.ndarray
    complexity: SetComplexity | None
    duplicates: int
    contradictions: list
    n_permutations: int
    reliability: float
    interrupted: bool
    notes: list
    method: list

    @property
    def suspicious(self):
        """Row numbers of the table, from 1 on, whose label the others contradict; the most suspicious first."""
        rows = self.ranking[self.surprise[self.ranking] > _THRESHOLDS[1]]
        return self.table.lines[rows]

    def summary(self):
        """The findings as plain data (what ``--json`` prints)."""
        classes, counts = np.unique(self.table.y, return_counts=True)
        found: dict[str, Any] = {
            "rows": len(self.table.y),
            "label": self.table.label,
            "classes": {str(name): int(count) for name, count in zip(classes, counts, strict=True)},
            "suspicious_rows": [int(line) for line in self.suspicious],
            "duplicate_rows": self.duplicates,
            "contradictions": [
                [int(line) for line in self.table.lines[rows]] for rows in self.contradictions
            ],
            "n_permutations": self.n_permutations,
            "reliability": _plain(self.reliability),
            "interrupted": self.interrupted,
            "columns": dict(self.table.treatments),
            "notes": [str(note) for note in self.notes],
            "method": self.method,
            "top": [self._record(k) for k in range(len(self.listed))],
        }
        if self.complexity is not None:
            found["complexity"] = {
                "measured_on_rows": self.complexity.n_rows,
                "support_vectors": self.complexity.value,
                "shuffled_mean": float(self.complexity.shuffled.mean()),
                "shuffled_standard_deviation": float(self.complexity.shuffled.std(ddof=1)),
                "share_of_shuffled": self.complexity.share,
            }
        return found

    def _record(self, k):
        row = self.listed[k]
        return {
            "row": int(self.table.lines[row]),
            "label": str(self.table.y[row]),
            "surprise": _plain(self.surprise[row]),
            "surprise_standard_error": _plain(self.standard_error[row]),
            "category": str(self.category[row]),
            "contribution": _plain(self.contribution[k]),
            "contribution_standard_error": _plain(self.contribution_error[k]),
            "nearest_agreeing_row": _line(self.table, self.agreeing[k]),
            "nearest_agreeing_distance": _plain(self.agreeing_distance[k]),
            "nearest_disagreeing_row": _line(self.table, self.disagreeing[k]),
            "nearest_disagreeing_distance": _plain(self.disagreeing_distance[k]),
            "nearest_disagreeing_label": str(self.table.y[self.disagreeing[k]])
            if self.disagreeing[k] >= 0
            else None,
        }

    def to_csv(self, path=None):
        """All rows, the most suspicious first, as CSV; written to ``path`` if one is given.

        Returns
        -------
        str
        """
        listed = {int(row): k for k, row in enumerate(self.listed)}
        records = []
        for rank, row in enumerate(self.ranking, start=1):
            if int(row) in listed:
                record = self._record(listed[int(row)])
            else:
                record = {
                    "row": int(self.table.lines[row]),
                    "label": str(self.table.y[row]),
                    "surprise": _plain(self.surprise[row]),
                    "surprise_standard_error": _plain(self.standard_error[row]),
                    "category": str(self.category[row]),
                }
            records.append({"rank": rank, **record})
        text = csv_text(records, ["rank", *self._record(0)])
        if path is not None:
            write_page(path, text)
        return text

    def to_html(self, path=None):
        """The report: one self-contained page; written to ``path`` if one is given.

        Returns
        -------
        str
        """
        from weaklearn.complexity._audit_html import page

        text = page(self)
        if path is not None:
            write_page(path, text)
        return text

    def to_json(self):
        """`summary` as JSON text."""
        return json.dumps(self.summary(), allow_nan=False)


def audit(
    table,
    label,
    *,
    n_permutations=200,
    max_rows=50_000,
    random_state=0,
    n_jobs=None,
    verbose=False,
    callback=None,
):
    """Look for rows of a table whose labels do not belong.

    Columns are read as numbers, categories or dates and scaled so that they count alike (`weaklearn.tables`);
    identifiers, constants and free text are dropped. What was done to each column is part of the result. Rows are
    ranked by ``estimator="surprise"`` of `complexity_contribution`. Nothing is sent anywhere.

    Parameters
    ----------
    table : path, pandas or polars table, dict of columns, or Table
        Anything that `weaklearn.tables.read_table` reads; read it yourself to set its options.
    label : str
        The column with the labels: any text or numbers with 2 to 30 different values.
    n_permutations : int, default=200
        At most this many random orders; the ranking usually settles earlier.
    max_rows : int, default=50_000
        Larger tables are subsampled to this many rows, and the notes say so.
    random_state : int, RandomState or None, default=0
    n_jobs : int, default=None
        Threads; None stands for all cores.
    verbose : bool, default=False
        Progress bar on standard error.
    callback : callable, default=None
        Called as ``callback(done, total)``.

    Returns
    -------
    Audit

    Raises
    ------
    TableError
        A ValueError that says what is wrong with the table.

    Examples
    --------
    >>> from weaklearn.complexity import audit
    >>> from weaklearn.datasets import make_twonorm
    >>> X, y = make_twonorm(100, n_features=3, random_state=0)
    >>> table = {"id": range(100), "a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}
    >>> table["class"] = ["high" if label > 0 else "low" for label in y]
    >>> found = audit(table, label="class")
    >>> found.table.columns[0].kind.value
    'identifier'
    >>> found.to_csv().splitlines()[0][:31]
    'rank,row,label,surprise,surpris'
    """
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
    given = labelled(table, label)
    notes = list(given.notes)
    if len(given.y) > max_rows:
        kept = np.sort(rng.choice(len(given.y), max_rows, replace=False))
        notes.append(
            Note(
                NoteCode.SAMPLED,
                f"The table has {len(given.y)} labelled rows; a random sample of {max_rows} was audited.",
                {"rows": len(given.y), "sample": max_rows},
                warning=True,
            )
        )
        given = given.take(kept)
        if len(np.unique(given.y)) < 2:
            raise TableError("the sample has only one class: raise max_rows.")
    X = TableEncoder(columns=given.used).fit_transform(given.X, given.y)
    window = default_window("surprise", len(given.y))
    method = [
        f"Each row is judged by classifiers that learned from random subsets of {window[0]} to {window[1]} other rows."
    ]
    result = complexity_contribution(
        X,
        given.y,
        estimator="surprise",
        n_permutations=n_permutations,
        tol=0.99,
        random_state=int(rng.integers(2**31)),
        n_jobs=n_jobs,
        verbose=verbose,
        callback=callback,
    )
    if result.interrupted:
        notes.append(_stopped(f"after {result.n_permutations} of {n_permutations} permutations"))
    surprise = np.nan_to_num(result.contribution, nan=-1.0)
    ranking = np.argsort(-surprise, kind="stable")
    listed = ranking[: int(np.clip(np.ceil(0.05 * len(ranking)), 10, _MOST_LISTED))]
    place = locations(X)
    groups = [np.flatnonzero(place == first) for first in np.unique(place[place != np.arange(len(place))])]
    contribution, error = np.full((2, len(listed)), np.nan)
    measured = None
    interrupted = result.interrupted
    if not interrupted:
        try:
            contribution, error = _contributions_of(X, given.y, listed, window[1], rng)
            measured = _complexity(X, given.y, surprise, rng)
            if measured is not None and measured.n_rows < len(given.y):
                method.append(f"Complexity was measured on a random sample of {measured.n_rows} rows.")
        except KeyboardInterrupt:
            interrupted = True
            notes.append(_stopped("before the complexity of the whole table was measured"))
    return Audit(
        table=given,
        X=X,
        surprise=surprise,
        standard_error=result.standard_error,
        category=categorise(surprise, _THRESHOLDS),
        ranking=ranking,
        listed=listed,
        contribution=contribution,
        contribution_error=error,
        **_neighbours(X, given.y, listed),
        complexity=measured,
        duplicates=int(np.sum(place != np.arange(len(place)))),
        contradictions=[rows for rows in groups if len(np.unique(given.y[rows])) > 1],
        n_permutations=result.n_permutations,
        reliability=result.reliability,
        interrupted=interrupted,
        notes=notes,
        method=method,
    )


def _stopped(when):
    return Note(NoteCode.INTERRUPTED, f"Stopped by Ctrl-C {when}.", warning=True)


def _contributions_of(X, y, listed, size, rng):
    """Mean increase of complexity, and its standard error, when a listed row joins random subsets of the others."""
    classes, codes = np.unique(y, return_inverse=True)
    function = SVMComplexity().kernel_function()
    increases = np.zeros((_N_SUBSETS, len(listed)))
    for line in increases:
        subset = rng.permutation(len(codes))[:size]
        rows = np.concatenate([listed, np.setdiff1d(subset, listed)])
        member = np.isin(rows, subset)
        K = np.ascontiguousarray(function(X[rows], X[rows]))
        labels = one_vs_rest(codes[rows], len(classes))
        trial_increases(K, labels, locations(X[rows]), member, np.arange(len(listed)), kernel_scale(K), line)
        line /= 2.0 if len(labels) > 1 else 1.0
    count = np.sum(np.isfinite(increases), axis=0)
    mean = np.nansum(increases, axis=0) / np.maximum(count, 1)
    spread = np.nansum((increases - mean) ** 2, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(spread / (count - 1) / count)
    return np.where(count > 0, mean, np.nan), np.where(count > 1, error, np.nan)


def _complexity(X, y, surprise, rng):
    kept = np.sort(rng.permutation(len(y))[:_SAMPLE])
    if len(np.unique(y[kept])) < 2:
        kept = np.arange(len(y))[:_SAMPLE]
    X, y = X[kept], y[kept]
    if len(np.unique(y)) < 2:
        return None
    ordered = complexity_error_path(X, y, order=np.argsort(surprise[kept], kind="stable"))
    shuffled, path = [], None
    for _ in range(_N_SHUFFLES):
        path = complexity_error_path(X, rng.permutation(y), order=rng.permutation(len(y)))
        shuffled.append(path.complexity[-1])
    return SetComplexity(len(y), float(ordered.complexity[-1]), np.array(shuffled), ordered, path)


def _neighbours(X, y, listed):
    near: dict[str, Any] = {name: np.full(len(listed), -1) for name in ("agreeing", "disagreeing")} | {
        name: np.full(len(listed), np.nan) for name in ("agreeing_distance", "disagreeing_distance")
    }
    for k, row in enumerate(listed):
        distance = cdist(X[row][None], X)[0]
        distance[row] = np.inf
        for name, others in (("agreeing", y == y[row]), ("disagreeing", y != y[row])):
            best = int(np.argmin(np.where(others, distance, np.inf)))
            if others[best] and np.isfinite(distance[best]):
                near[name][k] = best
                near[f"{name}_distance"][k] = distance[best]
    return near


def _plain(value):
    return round(float(value), 4) if np.isfinite(value) else None


def _line(table, row):
    return int(table.lines[row]) if row >= 0 else None
