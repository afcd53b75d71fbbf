"""The audit of a labelled table: how many labels are wrong, which, and what they should be."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.utils import check_random_state

from weaklearn._files import write_file
from weaklearn.complexity import ComplexityView, complexity_view
from weaklearn.labels._evidence import (
    groups_that_fail,
    reasons,
    systematic_groups,
)
from weaklearn.labels._findings import findings, plain, row_record
from weaklearn.labels._health import Health, check_health
from weaklearn.labels._label_auditor import UNCLEAR, LabelAuditor
from weaklearn.labels._report import page, summary
from weaklearn.labels._review_files import ranked_rows, review_csv, review_tasks, reviewed_rows
from weaklearn.reports import csv_text
from weaklearn.tables import LabelledTable, Note, TableEncoder, labelled

# Rows that the page shows with their reasons and neighbours; the files hold all.
_MOST_SHOWN = 200
_MOST_ROWS_FOR_COMPLEXITY = 50_000
# Classes of at most this many rows are set aside; and the most classes.
_SMALL_CLASS, _MOST_CLASSES = 2, 1000
_DISAGREEMENT = (
    "The reviewed random rows and the model disagree about the number of wrong labels. Mistakes may be systematic: a "
    "rule of the labellers, which the learners take for the truth. Review more random rows rather than the list."
)
# Random orders of the complexity view.
_MOST_ORDERS = 200


@dataclass(frozen=True)
class Audit:
    """What `audit` found. Arrays have one entry for each labelled row of the table.

    Attributes
    ----------
    table : LabelledTable
        The rows as they were given, and what each column holds.
    auditor : LabelAuditor
        Fitted; has the probability of every label, the noise rates and weights for training.
    listed : ndarray of int
        The rows to look at, most probably wrong first; none if the columns do not predict the label.
    sample : ndarray of int
        The random sample to review, if one was asked for, in the order in which to look at it.
    top : list of dict
        What is known about the rows that are shown (at most 200 listed ones, and the sample): row number, labels,
        probability, the columns that speak most for another label, and the nearest rows with its label and with the
        other one.
    telling : list of (str, float)
        Columns that alone give the label in nearly all rows, and in what share of them.
    groups : list of Group
        Rows with signs of systematic mistakes, and rows whose labels are predicted worse than elsewhere.
    health : Health or None
        Duplicates, contradictions, outliers, small classes, drift; None if the run was interrupted before.
    complexity : ComplexityView or None
        The view of li2006, if it was asked for.
    reviewed : dict of int to str
        True labels that were given, or "unclear", by row number of the table.
    interrupted : bool
    notes : list of Note
        What was left out, merged or interrupted.
    """

    table: LabelledTable
    auditor: LabelAuditor
    listed: np.ndarray
    sample: np.ndarray
    top: list
    telling: list
    groups: list
    health: Health | None
    complexity: ComplexityView | None
    reviewed: dict
    interrupted: bool
    notes: list

    @property
    def wrong_probability(self):
        """Probability that each label is wrong."""
        return self.auditor.wrong_probability_

    @property
    def suggested_label(self):
        """The most probable label of each row."""
        return self.auditor.suggested_label_

    @property
    def n_wrong(self):
        """Expected number of wrong labels."""
        return self.auditor.n_wrong_

    @property
    def n_wrong_interval(self):
        """90% interval of that number."""
        return self.auditor.n_wrong_interval_

    @property
    def expected_precision(self):
        """Expected share of the listed rows whose label is wrong; NaN for an empty list."""
        return float(self.wrong_probability[self.listed].mean()) if len(self.listed) else float("nan")

    @property
    def ranking(self):
        """All rows, the most suspicious first."""
        return np.argsort(-self.wrong_probability, kind="stable")

    @property
    def shown(self):
        """The rows that a page shows: listed ones, then those of the sample that are not among them."""
        return _shown(self.listed, self.sample)

    @property
    def n_contradictions(self):
        """Groups of rows that are equal in all used columns and have different labels."""
        return 0 if self.health is None else len(self.health.contradictions)

    @property
    def suspicious(self):
        """Row numbers of the table, from 1 on, of the listed rows; the most suspicious first."""
        return self.table.lines[self.listed]

    @property
    def held_out_accuracy(self):
        """Share of the rows whose given label is predicted by learners that have not seen it."""
        return float(np.mean(self.auditor.held_out_label_ == self.table.y))

    def to_dict(self):
        """The findings as plain data (what ``--json`` prints).

        Returns
        -------
        dict
        """
        return findings(self)

    def to_frame(self):
        """All rows, the most suspicious first, as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
        """
        return pandas.DataFrame(ranked_rows(self))

    def to_csv(self, path=None):
        """All rows, the most suspicious first, as CSV; written to ``path`` if one is given.

        Returns
        -------
        str
        """
        return _written(csv_text(ranked_rows(self)), path)

    def to_review(self, path=None):
        """The sample and the listed rows as CSV with an empty column ``true_label``; written to ``path`` if given.

        A path that ends in .json gets them as tasks for Label Studio, which `audit` takes back as ``reviewed`` when
        they are exported from there as JSON.

        Fill in true labels, or "unclear", and give the file to `audit` as ``reviewed``. Answers that are known already
        are filled in. The column ``sample`` says which rows are of the random sample.

        Returns
        -------
        str
        """
        as_tasks = str(path).lower().endswith(".json")
        return _written((review_tasks if as_tasks else review_csv)(self), path)

    def corrected_labels(self, above=0.9):
        """Labels with those replaced that are wrong with a probability of more than ``above``, and reviewed ones.

        Parameters
        ----------
        above : float, default=0.9
            Another label must have at least this probability to replace the given one.

        Returns
        -------
        ndarray of str
        """
        if not 0.5 <= above <= 1:
            raise ValueError(f"above must be a probability from 0.5 to 1; got {above}.")
        P = self.auditor.label_probability_
        return np.where(P.max(axis=1) >= above, self.suggested_label, self.table.y)

    def _repr_html_(self):
        """In a notebook: the answer and the rows to look at."""
        return summary(self)

    def to_html(self, path=None):
        """The report: one self-contained page; written to ``path`` if one is given.

        Returns
        -------
        str
        """
        return _written(page(self), path)


def _shown(listed, sample):
    first = listed[:_MOST_SHOWN]
    return np.r_[first, sample[~np.isin(sample, first)]].astype(np.intp)


def _written(text, path):
    if path is not None:
        write_file(path, text)
    return text


def audit(
    table,
    label,
    *,
    reviewed=None,
    sample=None,
    budget=None,
    precision=None,
    merge_spellings=True,
    keep_small_classes=False,
    auditor=None,
    complexity=False,
    random_state=0,
    verbose=False,
    callback=None,
    engine=None,
):
    """Estimate how many labels of a table are wrong, and list the rows to look at.

    Columns are read as numbers, categories or dates and scaled so that they count alike (`weaklearn.tables`);
    identifiers, constants and free text are dropped. What was done to each column is part of the result. Every row is
    judged by a `LabelAuditor`. Nothing is sent anywhere.

    Parameters
    ----------
    table : path, pandas or polars table, dict of columns, or Table
        Anything that `weaklearn.tables.read_table` reads; read it yourself to set its options.
    label : str
        The column with the labels: any text with 2 to 1,000 different values, or numbers with 2 to 30 (as text if
        `read_table` was told that the column is categorical).
    reviewed : path or dict of int to label, default=None
        True labels of reviewed rows: a review file (`Audit.to_review`) with its column ``true_label`` filled in, an
        export of Label Studio (.json), or labels by row number of the table, from 1 on. "unclear" is an answer, too.
    sample : int, default=None
        Propose a random sample of this many rows to review (`LabelAuditor.review_sample`). Once it is reviewed, the
        count follows from it whatever the model says; other reviewed rows do not give an interval to trust. None
        proposes none, or the one of the review file.
    budget : int, default=None
        List at most this many rows.
    precision : float, default=None
        List as many rows as possible of which at least this share is expected to be wrong. Without budget and
        precision, the list has the greatest expected F1 score.
    merge_spellings : bool, default=True
        Whether labels that differ only in case or spaces ("Yes", "yes ") are one class.
    keep_small_classes : bool, default=False
        Whether to keep rows of classes with one or two rows, which can hardly be judged. They are set aside by default.
    auditor : LabelAuditor, default=None
        Its settings are used; None stands for the defaults with ``random_state``.
    complexity : bool, default=False
        Measure the view of li2006, too: the surprise of each row, its category, and the complexity of the labels beside
        that of shuffled ones. Takes longer, on all cores.
    random_state : int, RandomState or None, default=0
    verbose : bool, default=False
        Progress bar of the complexity view on standard error.
    callback : callable, default=None
        Called as ``callback(done, total)`` while the learners are fitted. If it raises KeyboardInterrupt, or the user
        presses Ctrl-C, the audit ends with the learners that are fitted; without any, KeyboardInterrupt is raised.
    engine : Engine, default=None
        Where learners are fitted: an engine that `weaklearn.engines.open_engine` has opened. None is this process.
        Results do not depend on it.

    Returns
    -------
    Audit

    Raises
    ------
    TableError
        A ValueError that says what is wrong with the table.

    Examples
    --------
    >>> from weaklearn.labels import LabelAuditor, audit
    >>> from weaklearn.datasets import make_noisy_table
    >>> table, wrong = make_noisy_table(300, random_state=0)
    >>> found = audit(table, label="result", auditor=LabelAuditor(n_trees=0))
    >>> found.table.columns[0].kind.value
    'identifier'
    >>> low, high = found.n_wrong_interval
    >>> bool(low < wrong.sum() < high)
    True
    >>> found.to_csv().splitlines()[0][:27]
    'rank,row,label,suggested_la'
    """
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
    given = labelled(
        table,
        label,
        merge_spellings=merge_spellings,
        least_rows=1 if keep_small_classes else _SMALL_CLASS + 1,
        most_classes=_MOST_CLASSES,
    )
    notes = list(given.notes)
    known, n_marked = reviewed_rows(reviewed, given)
    X = TableEncoder(columns=given.used).fit_transform(given.X, given.y)
    seed = int(rng.integers(2**31))
    auditor = LabelAuditor(random_state=seed) if auditor is None else clone(auditor)
    machine = auditor._fit(X, given.y, engine=engine, callback=callback, keep=True)
    n_sample = max(sample or 0, n_marked)
    sampled = auditor.review_sample(n_sample) if n_sample else np.arange(0)
    if known:
        auditor.update(known)
    if auditor.disagrees_:
        notes.append(Note(_DISAGREEMENT, warning=True))
    listed = auditor.list_for(budget=budget, precision=precision)
    shown = _shown(listed, sampled)
    cells = given.cuts
    health = view = None
    groups: list = []
    stopped = ""
    if machine.interrupted:
        fitted = ", ".join(member.name for member in machine.members)
        stopped = f"before all learners were fitted; the estimates are those of: {fitted}"
    else:
        try:
            missed = (auditor.held_out_label_ != given.y).astype(float)
            scores = auditor._S if auditor.predictable_ else None
            groups = systematic_groups(
                cells, given.y, scores, auditor.wrong_probability_, _found_wrong(known, given.y), seed
            )
            notes += [Note(group.sentence, warning=True) for group in groups]
            groups += groups_that_fail(cells, missed, auditor.wrong_probability_)
            health = check_health(given, X, auditor.wrong_probability_, seed)
            if complexity and len(given) > _MOST_ROWS_FOR_COMPLEXITY:
                limit = f"{_MOST_ROWS_FOR_COMPLEXITY:,}"
                notes.append(
                    Note(f"The complexity of the labels is measured for up to {limit} rows only.", True)
                )
            elif complexity:
                view = complexity_view(
                    X, given.y, shown,
                    n_permutations=_MOST_ORDERS, rng=rng, n_jobs=None, verbose=verbose,
                )  # fmt: skip
                if view.interrupted:
                    stopped = "before the complexity of the table was measured"
        except KeyboardInterrupt:
            stopped = "before everything was checked; the estimates are complete"
    if stopped:
        notes.append(Note(f"Stopped by Ctrl-C {stopped}.", warning=True))
    return Audit(
        table=given,
        auditor=auditor,
        listed=listed,
        sample=sampled,
        top=_records(given, auditor, X, cells, shown, sampled, view),
        telling=given.telling,
        groups=groups,
        health=health,
        complexity=view,
        reviewed={int(given.lines[row]): str(name) for row, name in known.items()},
        interrupted=bool(stopped),
        notes=notes,
    )


def _found_wrong(known, y):
    """By row: 1 for reviewed ones that were wrong, 0 for those that were right, NaN for others."""
    found = np.full(len(y), np.nan)
    for row, label in known.items():
        found[row] = np.nan if label in UNCLEAR else label != y[row]
    return found


def _records(table, auditor, X, cells, shown, sampled, view):
    """What is known about each shown row."""
    other = auditor.alternative_label_
    code = {name: k for k, name in enumerate(auditor.classes_.tolist())}
    here, there = ([code[str(name)] for name in labels[shown]] for labels in (table.y, other))
    speaking = reasons(cells, shown, here, there, auditor.label_probability_, table.cells)
    records = []
    for k, (row, why) in enumerate(zip(shown, speaking, strict=True)):
        record: dict[str, Any] = row_record(table, auditor, row)
        record["sample"] = bool(np.isin(row, sampled))
        record["reasons"] = [{**reason._asdict(), "ratio": plain(reason.ratio)} for reason in why]
        distance = cdist(X[row][None], X)[0]
        distance[row] = np.inf
        for name, rows in (("agreeing", table.y == table.y[row]), ("disagreeing", table.y == other[row])):
            best = int(np.argmin(np.where(rows, distance, np.inf)))
            found = rows[best] and np.isfinite(distance[best])
            record[f"nearest_{name}_row"] = int(table.lines[best]) if found else None
            record[f"nearest_{name}_distance"] = plain(distance[best]) if found else None
        if view is not None:
            record["contribution"] = plain(view.contribution[k])
            record["contribution_standard_error"] = plain(view.contribution_error[k])
        records.append(record)
    return records
