"""Tables of our own: comparisons without a published counterpart, and hypotheses with an expected difference."""

from functools import partial

from weaklearn.lab import Algorithm, Column, Protocol, PublishedCell, Table
from weaklearn.studies.learners import adaboost_of_stumps

# number, title, metric, rows, columns, protocol
own_table = partial(Table, "weaklearn")
DIFFERENCE = Protocol("weaklearn.studies.own.future_work_trials:tuned_difference")


def booster(class_name, n_estimators=200, **params):
    """A classifier of `weaklearn.boosting`, without the ending of its name; of stumps of least error by default."""
    params = {"n_estimators": n_estimators, **params}
    if class_name == "AdaBoost":
        return adaboost_of_stumps(class_name, params)
    return Algorithm(class_name, f"weaklearn.boosting:{class_name}Classifier", params)


def own_algorithm(name, path, params=None, version=1):
    """An algorithm of this folder; the id is where the folder was when its first trials were recorded."""
    id = f"weaklearn.lab.studies.own.{path}"
    return Algorithm(name, f"weaklearn.studies.own.{path}", params or {}, version, id)


def pair(name, first, second, first_grid=(), second_grid=(), metric="test"):
    """A column: the first learner minus the second, each with the parameters to choose from."""
    grids = {"first_grid": list(first_grid), "second_grid": list(second_grid)}
    params = {"first": first, "second": second, **grids}
    return Column(name, own_algorithm(name, "future_work_trials:Pair", params), metric)


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
