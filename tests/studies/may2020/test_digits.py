"""may2020, part I: published cells in their places, protocols on small data, drawings."""

import dataclasses
from collections import Counter

import numpy as np
import pytest
from matplotlib.figure import Figure as Panel
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

from weaklearn.kernel import KernelSVC
from weaklearn.lab import (
    Algorithm,
    Column,
    DataSource,
    Protocol,
    Row,
    Split,
    Trial,
    load_published,
    make_plan,
)
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.may2020 import drawings
from weaklearn.studies.may2020.digits import EXPERIMENT as DIGITS
from weaklearn.studies.may2020.digits import TRIALS
from weaklearn.studies.may2020.digits_trials import BalancedRestSVC, Selection


def small_digits(n_samples, random_state):
    X, y = load_digits(return_X_y=True)
    return X[:n_samples] / 16, y[:n_samples]


def small(label="small", **setting):
    data = DataSource(
        f"{__name__}:small_digits", Split(test_share=0.2), kind="artificial", params={"n_samples": 500}
    )
    return Row(label, data, setting)


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    import sys

    module = type(sys)(__name__)
    module.small_digits = small_digits
    monkeypatch.setitem(sys.modules, __name__, module)


def run(protocol, algorithm, row, index=0):
    # As the lab's workers do it: nearest neighbours with more threads than free cores wait for each other.
    with threadpool_limits(limits=1):
        return run_protocol(Trial.series(Protocol(f"{TRIALS}:{protocol}"), row, algorithm, index + 1)[index])


@pytest.mark.parametrize("table", DIGITS.tables, ids=lambda table: table.number)
def test_every_published_number_has_a_cell(table):
    columns = {column.name for column in table.columns}
    rows = {row.label for row in table.rows}
    for cell in table.published:
        if table.number == "24" and "SAMME" in cell.column:
            continue
        assert cell.row in rows, cell
        assert cell.column in columns, cell


def test_errors_of_means():
    printed = next(cell for cell in load_published("may2020") if cell.table == "1")
    (table,) = (table for table in DIGITS.tables if table.number == "1")
    assert table.published[0].error == pytest.approx(printed.error / np.sqrt(20))


def test_profiles():
    assert len(make_plan([DIGITS], "quick").trials) < 10
    full = make_plan([DIGITS], "full")
    # Tables 1 and 2, 6 and 7, 10 and 14, ... share their trials, and so do Tables 3, 4, 5, 24 and Figure 6.
    assert len(full.trials) < 1300


def test_settings_see_the_same_splits_and_their_own_parameters():
    algorithm = Algorithm(
        "p",
        "weaklearn.kernel:KernelPerceptronClassifier",
        {"kernel": "linear", "max_iter": 1, "random_state": 0},
    )
    once, twice = (run("setting_holdout", algorithm, small(max_iter=epochs)) for epochs in (1, 2))
    assert once["n_iter"] == 1
    assert twice["n_iter"] == 2
    same = run("setting_holdout", algorithm, small("other name", max_iter=1))
    assert same == once
    assert once["support"] == sum(once[f"support {k}"] for k in range(10))
    # The seed of the algorithm is fixed and so are the splits: the first epoch of both is the same.
    assert run("setting_holdout", algorithm, small(max_iter=1, tol=None)) == once


def test_selection():
    learner = Algorithm("svm", "weaklearn.kernel:KernelSVC", {"kernel": "gaussian"})
    selection = Algorithm(
        "choice",
        f"{TRIALS}:Selection",
        {
            "estimator": learner,
            "grid": [{"gamma": 1e-6, "C": 1.0}, {"gamma": 0.1, "C": 4.0}],
            "everything": True,
        },
    )
    result = run("kernel_selection", selection, small())
    assert result["gamma"] == 0.1
    assert result["C"] == 4.0
    assert result["test_error"] < 10
    assert (result["chosen 0"], result["chosen 1"]) == (0.0, 1.0)
    shares = np.array([[result.get(f"confusion {i} {j}", 0.0) for j in range(10)] for i in range(10)])
    assert np.isin(shares.sum(axis=1).round(9), [0.0, 1.0]).all()
    assert len(result["wrong"]) < 50
    wrong, taken = (np.asarray(result[name], dtype=int) for name in ("wrong", "taken"))
    assert (taken != small_digits(500, None)[1][wrong]).all()
    assert Selection(grid=[1]).get_params()["grid"] == [1]


def test_the_slip_is_a_machine_with_the_last_parameters_of_the_grid():
    """Choice and error stay; beside them stands the error of a machine with the last width."""
    learner = Algorithm("svm", "weaklearn.kernel:KernelSVC", {"kernel": "gaussian"})
    grid = [{"gamma": 0.1}, {"gamma": 1e-6}]

    def selected(grid, **options):
        params = {"estimator": learner, "grid": grid, **options}
        return run("kernel_selection", Algorithm("choice", f"{TRIALS}:Selection", params), small())

    chosen, both, alone = selected(grid), selected(grid, final="both"), selected(grid[1:])
    assert {**chosen, "last_test_error": alone["test_error"]} == both
    assert both["gamma"] == 0.1
    assert both["last_test_error"] > both["test_error"]


@pytest.mark.parametrize("C", [0.5, 8.0])
def test_the_balanced_machine_is_the_same_by_both_solvers(C):
    pytest.importorskip("clarabel")
    X, y = small_digits(300, None)
    ours = BalancedRestSVC(C, gamma=0.1, random_state=0).fit(X, y)
    theirs = BalancedRestSVC(C, gamma=0.1, solver="clarabel", random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=5e-3)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.99
    # Each machine has seen twice its class, so its support is at most that.
    assert (ours.n_support_ <= 2 * np.bincount(y)).all()
    full = KernelSVC(C=C, gamma=0.1).fit(X, y)
    assert (full.n_support_ > ours.n_support_).any()


def test_drawings_of_the_digits():
    params = {"kernel": "polynomial", "random_state": 0}
    algorithm = Algorithm("p", "weaklearn.kernel:KernelPerceptronClassifier", params)
    rows = (small("degree=1", degree=1), small("degree=2", degree=2))
    results = {(row.label, "p"): [run("setting_holdout", algorithm, row)] for row in rows}
    figure = dataclasses.replace(DIGITS.figures[3], rows=rows, columns=(Column("p", algorithm),))
    assert isinstance(drawings.support_counts(figure, FigureData(results)), Panel)

    overview = [run("digits_overview", None, small())]
    for draw in (drawings.example_digits, drawings.class_counts):
        assert isinstance(draw(figure, FigureData({("small", "p"): overview})), Panel)

    chosen = {f"confusion {i} {j}": 0.1 * i for i in range(3) for j in range(3) if i != j}
    # Examples 1 and 2 are a one and a two.
    runs = [{**chosen, "wrong": [1, 2], "taken": [4, 7]}, {**chosen, "wrong": [2], "taken": [7]}]
    figure = dataclasses.replace(DIGITS.figures[2], rows=(small(),), columns=(Column("p", algorithm),))
    data = FigureData({("small", "p"): runs})
    assert isinstance(drawings.confusion(figure, data), Panel)
    images, often = drawings.hardest_examples(figure, data)
    titles = [inset.get_title() for inset in images.axes[0].child_axes]
    assert titles == ["labelled 2\nwrong in 2 of 2\ntaken for 7", "labelled 1\nwrong in 1 of 2\ntaken for 4"]
    assert "2 examples" in often.axes[0].get_title()


def published_choices(number):
    """What each of the 20 published runs chose, and how often."""
    runs = {}
    for cell in load_published("may2020"):
        if cell.table == number and cell.column != "Test error":
            runs.setdefault(cell.row, []).append(cell.value)
    return Counter(map(tuple, runs.values()))


@pytest.mark.parametrize("number", ["3", "8", "12", "16", "19"])
def test_single_runs_are_compared_one_by_one_and_as_shares(number):
    single, shares = (
        next(table for table in DIGITS.tables if table.number == name)
        for name in (number, f"{number} shares")
    )
    # Every run is a draw from the same distribution: all rows are the same trials.
    assert len({str(row.describe()) for row in single.rows}) == 1
    assert len(single.published) == 20 * len(single.columns)
    assert all(cell.n_runs == 1 and cell.error is None for cell in single.published)
    assert sum(cell.value for cell in shares.published) == pytest.approx(1)
    favourite = max(shares.published, key=lambda cell: cell.value)
    assert 20 * favourite.value == max(published_choices(number).values())
    assert favourite.error == pytest.approx(np.sqrt(favourite.value * (1 - favourite.value) / 20))
    (printed,) = (
        cell
        for cell in load_published("may2020")
        if cell.table == str(int(number) + 1) and cell.column == "Mean test error"
    )
    errors = [cell.value for cell in single.published if cell.column == "Test error"]
    # The mean of Table 13 is printed a little larger than that of the runs.
    assert np.mean(errors) == pytest.approx(printed.value, abs=0.035)


def test_drawing_of_single_runs():
    figure = next(figure for figure in DIGITS.figures if figure.number == "T3")
    runs = [
        {"test_error": error, **{f"chosen {k}": float(k == degree - 1) for k in range(7)}}
        for error, degree in ((3.5, 5), (2.5, 6))
    ]
    errors, often = drawings.single_runs(figure, FigureData({("cross-validation", "one-versus-rest"): runs}))
    published, ours = errors.axes[0].get_lines()
    assert ours.get_ydata().tolist() == [2.5, 3.5]
    assert (np.diff(published.get_ydata()) >= 0).all()
    assert len(published.get_ydata()) == 20
    theirs, mine = often.axes[0].containers
    assert [bar.get_height() for bar in mine] == pytest.approx([0, 0, 0, 0, 50, 50, 0])
    counts = published_choices("3")
    expected = [100 * counts[(degree,)] / 20 for degree in range(1, 8)]
    assert [bar.get_height() for bar in theirs] == pytest.approx(expected)
