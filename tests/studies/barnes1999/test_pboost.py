"""barnes1999: its tests are run as printed, trials on small data, drawings of real and of known results."""

import dataclasses

import numpy as np
import pytest

from weaklearn.lab import DataSource, Protocol, Row, Split, Trial, load_published
from weaklearn.lab._build import resolve
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.barnes1999 import pboost
from weaklearn.studies.barnes1999.parts import SETS, TRIALS, adaboost

RING = Row(
    "ring20",
    DataSource(f"{TRIALS}:ring_pool", Split(train_size=50), kind="artificial", params={"n_samples": 550}),
    {"flip": 0.2},
)


def run(protocol, data, algorithm, index=0):
    return run_protocol(Trial.series(protocol, data, algorithm, index + 1)[index])


def test_facts_and_snapshots():
    facts = run(Protocol(f"{TRIALS}:data_facts"), RING, None)
    assert (facts["n_samples"], facts["n_train"], facts["n_test"], facts["noise"]) == (550, 50, 500, 20)
    assert facts["first_class"] + facts["second_class"] == 550
    seen = run(Protocol(f"{TRIALS}:snapshots", {"rounds": [1, 20]}), RING, adaboost(20))
    assert np.mean(seen["weights 20"]) == pytest.approx(1)
    # After one round there are two weights and two margins, and the margins of one vote are -1 and 1.
    assert len(set(np.round(seen["weights 1"], 9))) == 2
    assert set(seen["margins 1"]) == {-1.0, 1.0}
    assert seen["norm 20"] > seen["norm 1"]
    assert list(seen["margins 20"]) == sorted(seen["margins 20"])


def test_table_52_is_run_as_it_is_printed():
    printed = {}
    for cell in load_published("barnes1999"):
        if cell.table == "5.2":
            numbers, _, name = cell.row.partition(" ")
            algorithm, _, what = cell.column.partition(" ")
            printed.setdefault((numbers, name, algorithm.lower()), {})[what] = cell.value
    experiment = pboost.EXPERIMENT
    tables = {table.item: table for table in experiment.tables}
    seen = set()
    for numbers, algorithm, names, _, rounds, p_values in pboost.TESTS:
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        setting = printed.pop((span, "ring*" if len(names) > 1 else names[0], algorithm.lower()))
        table = tables[f"table 5.2 test{'s' if len(numbers) > 1 else ''} {span}"]
        assert experiment.profiles["full"].of(table).n_trials == setting["Trials"]
        assert {column.algorithm.params["n_estimators"] for column in table.columns} == {rounds}
        assert rounds == setting["Iterations"]
        assert [row.label for row in table.rows] == list(names)
        if p_values:
            assert (p_values[0], p_values[-1]) == (setting["p lowest"], setting["p highest"])
            np.testing.assert_allclose(np.diff(p_values), setting["p step"])
        seen |= set(numbers)
    # The others need acacia; the document has no test 20.
    assert {key[1] for key in printed} == {"acacia"}
    assert seen | set(pboost.NOT_PUBLIC.values()) == set(range(1, 32)) - {20}


def test_settings_of_table_51():
    for cell in load_published("barnes1999"):
        if (
            cell.table != "5.1"
            or cell.row == "acacia"
            or cell.column not in ("Artificial noise", "Training samples")
        ):
            continue
        row = SETS["wpbc" if cell.row == "wdbc" else cell.row]
        if cell.column == "Training samples":
            assert row.data.split.train_size == cell.value
        else:
            assert 100 * row.data.params.get("flip", 0.0) == pytest.approx(cell.value)


def test_curves_end_where_all_runs_have_ended():
    figure = next(part for part in pboost.EXPERIMENT.figures if part.number == "6.4")
    rounds = figure.params["rounds"]
    runs = [
        {"test_errors": [level] * len(rounds), "train_errors": [level] * len(rounds), "n_rounds": ended}
        for level, ended in ((10.0, 3), (30.0, 12))
    ]
    column = figure.columns[0].name
    (panel,) = resolve(figure.draw)(figure, FigureData({("ring30", column): runs}))
    x, y = panel.axes[0].get_lines()[0].get_data()
    assert list(x) == [t for t in rounds if t <= 12]
    assert list(y) == [20.0 if t <= 3 else 30.0 for t in x]


def shorter(figure, columns=None):
    """The figure with the small ring, few rounds and some of its columns."""
    rounds = [t for t in figure.params["rounds"] if t <= 40] or [1, 5]
    rows = tuple(Row(row.label, RING.data, RING.setting) for row in figure.rows[:2])
    kept = tuple(
        dataclasses.replace(
            column,
            algorithm=dataclasses.replace(
                column.algorithm, params={**column.algorithm.params, "n_estimators": 40}
            ),
        )
        for column in figure.columns
        if columns is None or column.name in columns
    )
    return dataclasses.replace(
        figure, rows=rows, columns=kept, protocol=Protocol(figure.protocol.name, {"rounds": rounds})
    )


COLUMNS = ("AdaBoost", "sloppy p=0.5", "sloppy p=1.0", "strict p=0.5", "strict p=1.0", "naive p=0.5")


@pytest.mark.parametrize("figure", pboost.FIGURES, ids=lambda figure: figure.number)
def test_every_figure_is_drawn_from_what_its_trials_record(figure):
    results = {}
    if figure.needs_trials:
        figure = shorter(figure, COLUMNS)
        results = {
            (row.label, column.name): [run(figure.protocol, row, column.algorithm, k) for k in range(2)]
            for row in figure.rows
            for column in figure.columns
        }
    panels = resolve(figure.draw)(figure, FigureData(results))
    # Something is drawn, and not one flat line after the other.
    assert any(
        axes.collections or any(np.ptp(line.get_ydata()) > 0 for line in axes.get_lines())
        for panel in panels
        for axes in panel.axes
    )


def test_the_best_p_is_drawn_against_adaboost():
    figure = next(part for part in pboost.FIGURES if part.number == "6.1")
    levels = {"AdaBoost": 20.0, "sloppy p=0.5": 19.0, "sloppy p=1.0": 17.0, "strict p=1.0": 21.0}
    results = {
        ("ring10", name): [
            {"best_test_error": level - 1, "best_round": 5.0},
            {"best_test_error": level + 1, "best_round": 7.0},
        ]
        for name, level in levels.items()
    }
    sloppy, strict = resolve(figure.draw)(figure, FigureData(results))
    for panel, best in ((sloppy, 17.0), (strict, 21.0)):
        (point,) = (container for container in panel.axes[0].containers)
        x, y = point.lines[0].get_data()
        assert (list(x), list(y)) == ([best], [20.0])
