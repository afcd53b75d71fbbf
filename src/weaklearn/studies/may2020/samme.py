"""may2020, section 6: SAMME with trees of depth 1, 2, 4 and 8 on the 9,298 digits. Tables 21 to 23, and 24's row.

The published tables have a row for every number of trees and depth. Here the digits are the one row: a fit of 100
trees also gives the errors after 25 and 50. Published deviations are those of single runs, so those of the means
are taken to be smaller by the square root of the number of runs. Table 22 lists the single runs behind Table
23: a random run has no counterpart among ours, so each number is compared as one draw.
"""

import math
from dataclasses import replace

from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    Profile,
    Protocol,
    Row,
    Split,
    Table,
    load_published,
)

TRIALS = "weaklearn.studies.may2020.samme_trials"
DIGITS = Row("digits", DataSource("usps", Split(test_share=0.2)))
STAGES, DEPTHS = (25, 50, 100), (1, 2, 4, 8)


def samme(depth, n_estimators=STAGES[-1]):
    """SAMME of trees of this depth."""
    tree = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": depth})
    return Algorithm(
        f"depth {depth}",
        "weaklearn.multiclass:SAMMEClassifier",
        {"estimator": tree, "n_estimators": n_estimators},
    )


def _name(stage, depth, part):
    return f"{stage} x depth {depth}, {part}"


ALGORITHMS = {depth: samme(depth) for depth in DEPTHS}
COLUMNS = tuple(
    Column(_name(stage, depth, part), ALGORITHMS[depth], f"{part}_error {stage}")
    for part in ("train", "test")
    for depth in DEPTHS
    for stage in STAGES
)


def _of_means(cell, column):
    """A published cell in its place in our table, with the error of its mean."""
    error = None if cell.error is None or not cell.n_runs else cell.error / math.sqrt(cell.n_runs)
    return replace(cell, row="digits", column=column, error=error)


def _published_21():
    for cell in load_published("may2020"):
        if cell.table == "21":
            stage, depth = (part.split("=")[1] for part in cell.row.split("; "))
            yield _of_means(cell, _name(stage, depth, cell.column.split()[0].lower()))


SELECTION = Protocol(f"{TRIALS}:samme_selection", {"stages": list(STAGES), "depths": list(DEPTHS)})
SELECTED = {
    "Mean test error": "test_error",
    "Mean number of classifiers": "n_classifiers",
    "Mean max depth": "depth",
}


def _published_23():
    for cell in load_published("may2020"):
        if cell.table == "23":
            yield _of_means(cell, cell.column)


RUN_ROWS = tuple(replace(DIGITS, label=f"run {k}") for k in range(1, 21))
RUN_COLUMNS = {"Number of classifiers": "n_classifiers", "Max depth": "depth", "Test error": "test_error"}
OVERALL = "Multi-class AdaBoost (SAMME) Mean test error"


def _published_24():
    for cell in load_published("may2020"):
        if cell.table == "24" and cell.column == OVERALL:
            yield replace(_of_means(cell, OVERALL), table="24, SAMME")


EXPERIMENT = Experiment(
    name="may2020_samme",
    source="may2020",
    title="SAMME with decision trees on digits",
    tables=(
        Table(
            source="may2020",
            number="21",
            title="Training and test error after 25, 50 and 100 trees",
            metric="test_error 100",
            rows=(DIGITS,),
            columns=COLUMNS,
            protocol=Protocol(f"{TRIALS}:staged_holdout", {"stages": list(STAGES)}),
            published=tuple(_published_21()),
        ),
        Table(
            source="may2020",
            number="23",
            title="Number of trees and depth by 5-fold cross-validation",
            metric="test_error",
            rows=(DIGITS,),
            columns=tuple(Column(name, ALGORITHMS[8], metric) for name, metric in SELECTED.items()),
            protocol=SELECTION,
            published=tuple(_published_23()),
        ),
        Table(
            source="may2020",
            number="22",
            title="The single runs behind Table 23",
            metric="test_error",
            rows=RUN_ROWS,
            columns=tuple(Column(name, ALGORITHMS[8], metric) for name, metric in RUN_COLUMNS.items()),
            protocol=SELECTION,
        ),
        Table(
            source="may2020",
            number="24, SAMME",
            title="Test error after cross-validation",
            metric="test_error",
            rows=(DIGITS,),
            columns=(Column(OVERALL, ALGORITHMS[8]),),
            protocol=SELECTION,
            published=tuple(_published_24()),
        ),
    ),
    profiles={
        "quick": Profile(n_trials=0),  # a trial takes nine seconds and more
        "full": Profile(n_trials=20),
    },
)
