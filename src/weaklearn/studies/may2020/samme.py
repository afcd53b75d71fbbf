"""may2020, section 6: SAMME with trees of depth 1, 2, 4 and 8 on the 9,298 digits. Tables 21 to 23, and 24's row.

The published tables have a row for every number of trees and depth. Here the digits are the one row: a fit of 100
trees also gives the errors after 25 and 50. Published deviations are those of single runs, so those of the means
are taken to be smaller by the square root of the number of runs. Table 22 lists the single runs behind Table
23: a random run has no counterpart among ours, so each number is compared as one draw.
"""

from dataclasses import replace

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol, Table
from weaklearn.studies.may2020.digits import DIGITS, RUN_ROWS, published_means

TRIALS = "weaklearn.studies.may2020.samme_trials"
STAGES, DEPTHS = (25, 50, 100), (1, 2, 4, 8)


def samme(depth, n_estimators=STAGES[-1]):
    """SAMME of trees of this depth."""
    tree = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": depth})
    params = {"estimator": tree, "n_estimators": n_estimators}
    return Algorithm(f"depth {depth}", "weaklearn.multiclass:SAMMEClassifier", params)


def _name(stage, depth, part):
    return f"{stage} x depth {depth}, {part}"


ALGORITHMS = {depth: samme(depth) for depth in DEPTHS}
COLUMNS = tuple(
    Column(_name(stage, depth, part), ALGORITHMS[depth], f"{part}_error {stage}")
    for part in ("train", "test")
    for depth in DEPTHS
    for stage in STAGES
)


def _place_in_21(cell):
    stage, depth = (part.split("=")[1] for part in cell.row.split("; "))
    return _name(stage, depth, cell.column.split()[0].lower())


SELECTION = Protocol(f"{TRIALS}:samme_selection", {"stages": list(STAGES), "depths": list(DEPTHS)})
OVERALL = "Multi-class AdaBoost (SAMME) Mean test error"


def _selected(number, title, columns, rows=(DIGITS,), **options):
    """A table of what cross-validation chose: the metrics by the names of the columns."""
    columns = tuple(Column(name, ALGORITHMS[8], metric) for name, metric in columns.items())
    return Table("may2020", number, title, "test_error", rows, columns, SELECTION, **options)


EXPERIMENT = Experiment(
    name="may2020_samme",
    source="may2020",
    title="SAMME with decision trees on digits",
    tables=(
        Table(
            "may2020",
            "21",
            "Training and test error after 25, 50 and 100 trees",
            "test_error 100",
            (DIGITS,),
            COLUMNS,
            Protocol(f"{TRIALS}:staged_holdout", {"stages": list(STAGES)}),
            published=tuple(published_means("21", "digits", _place_in_21)),
        ),
        _selected(
            "23",
            "Number of trees and depth by 5-fold cross-validation",
            {
                "Mean test error": "test_error",
                "Mean number of classifiers": "n_classifiers",
                "Mean max depth": "depth",
            },
            published=tuple(published_means("23", "digits")),
        ),
        _selected(
            "22",
            "The single runs behind Table 23",
            {"Number of classifiers": "n_classifiers", "Max depth": "depth", "Test error": "test_error"},
            RUN_ROWS,
        ),
        _selected(
            "24, SAMME",
            "Test error after cross-validation",
            {OVERALL: "test_error"},
            published=tuple(
                replace(cell, table="24, SAMME")
                for cell in published_means("24", "digits")
                if cell.column == OVERALL
            ),
        ),
    ),
    profiles={
        "quick": Profile(n_trials=0),  # a trial takes nine seconds and more
        "full": Profile(n_trials=20),
    },
)
