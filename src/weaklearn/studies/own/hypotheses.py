"""Tables of our own: comparisons without a published counterpart, and hypotheses with an expected difference."""

from functools import partial

from weaklearn.lab import Algorithm, Column, Protocol, PublishedCell, Table
from weaklearn.studies.learners import adaboost_of_stumps

TRIALS = "weaklearn.studies.own.future_work_trials"
# number, title, metric, rows, columns, protocol
own_table = partial(Table, "weaklearn")
DIFFERENCE = Protocol(f"{TRIALS}:tuned_difference")


def booster(class_name, n_estimators=200, **params):
    """A classifier of `weaklearn.boosting`, without the ending of its name; of stumps of least error by default."""
    params = {"n_estimators": n_estimators, **params}
    if class_name == "AdaBoost":
        return adaboost_of_stumps(class_name, params)
    return Algorithm(class_name, f"weaklearn.boosting:{class_name}Classifier", params)


def pair(name, first, second, first_grid=(), second_grid=(), metric="test"):
    """A column: the first learner minus the second, each with the parameters to choose from."""
    params = {
        "first": first,
        "second": second,
        "first_grid": list(first_grid),
        "second_grid": list(second_grid),
    }
    learners = Algorithm(
        name, f"{TRIALS}:Pair", params, id="weaklearn.lab.studies.own.future_work_trials:Pair"
    )
    return Column(name, learners, metric)


def hypotheses(number, title, rows, columns, protocol=DIFFERENCE, most=0.0, unit="points", notes=None):
    """A table whose cells are expected to be at most `most`."""
    cells = tuple(
        PublishedCell("weaklearn", number, row.label, column.name, most, unit=unit, relation="at most")
        for row in rows
        for column in columns
    )
    return own_table(
        number, title, "test", rows, columns, protocol, unit=unit, notes=notes or {}, published=cells
    )
