"""may2020, section 6: SAMME with trees of depth 1, 2, 4 and 8 on the 9,298 digits. Tables 21 and 23.

The published tables have a row for every number of trees and depth. Here the digits are the one row: a fit of 100
trees also gives the errors after 25 and 50. Published deviations are those of single runs, so those of the means
are taken to be smaller by the square root of the number of runs. Table 22 lists the runs behind Table 23.
"""

import dataclasses
import math

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

TRIALS = "weaklearn.lab.studies.may2020.samme_trials"
DIGITS = Row("digits", DataSource("usps", Split(test_share=0.2)))
STAGES, DEPTHS = (25, 50, 100), (1, 2, 4, 8)


def _samme(depth):
    tree = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": depth})
    return Algorithm(
        f"depth {depth}",
        "weaklearn.multiclass:SAMMEClassifier",
        {"estimator": tree, "n_estimators": STAGES[-1]},
    )


def _name(stage, depth, part):
    return f"{stage} x depth {depth}, {part}"


ALGORITHMS = {depth: _samme(depth) for depth in DEPTHS}
COLUMNS = tuple(
    Column(_name(stage, depth, part), ALGORITHMS[depth], f"{part}_error {stage}")
    for part in ("train", "test")
    for depth in DEPTHS
    for stage in STAGES
)


def _of_means(cell, column):
    """A published cell in its place in our table, with the error of its mean."""
    error = None if cell.error is None or not cell.n_runs else cell.error / math.sqrt(cell.n_runs)
    return dataclasses.replace(cell, row="digits", column=column, error=error)


def _published_21():
    for cell in load_published("may2020"):
        if cell.table == "21":
            stage, depth = (part.split("=")[1] for part in cell.row.split("; "))
            yield _of_means(cell, _name(stage, depth, cell.column.split()[0].lower()))


SELECTED = {
    "Mean test error": "test_error",
    "Mean number of classifiers": "n_classifiers",
    "Mean max depth": "depth",
}


def _published_23():
    for cell in load_published("may2020"):
        if cell.table == "23":
            yield _of_means(cell, cell.column)


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
            protocol=Protocol(f"{TRIALS}:samme_selection", {"stages": list(STAGES), "depths": list(DEPTHS)}),
            published=tuple(_published_23()),
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=2,
            items={
                "table 21": Profile(
                    n_trials=2,
                    columns=tuple(column.name for column in COLUMNS if column.algorithm is ALGORITHMS[1]),
                ),
                "table 23": Profile(n_trials=0),
            },
        ),
        "full": Profile(n_trials=20),
    },
)
