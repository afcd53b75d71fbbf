"""li2006, chapter 4: splits, deterministic cells, trials, drawings."""

import dataclasses

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.lab import (
    Algorithm,
    Profile,
    Protocol,
    Store,
    Trial,
    compare,
    load_published,
    make_plan,
    run_plan,
)
from weaklearn.lab._figures import Asked, draw_figures
from weaklearn.lab._results import StoredResults
from weaklearn.lab._trial import run_protocol
from weaklearn.multiclass import AdaBoostECCClassifier, AdaBoostERPClassifier
from weaklearn.studies.li2006 import multiclass as li2006_multiclass
from weaklearn.studies.li2006.multiclass_trials import training_and_test, validated_svm
from weaklearn.studies.li2006.perceptron_svm import PerceptronKernelSVC


def needs(name):
    try:
        return load(name)
    except DatasetNotFoundError as error:
        pytest.skip(str(error))


def trials(name, algorithm, n, protocol=li2006_multiclass.STUMP_PROTOCOL):
    return Trial.series(protocol, li2006_multiclass.ROWS[name], algorithm, n)


def column(table, name):
    return next(one for one in table.columns if one.name == name).algorithm


def test_every_published_cell_has_its_place():
    published = load_published("li2006")
    placed = 0
    for table in li2006_multiclass.EXPERIMENT.tables:
        cells = published if table.published is None else table.published
        for cell in (cell for cell in cells if cell.table == table.number):
            assert cell.row in [row.label for row in table.rows]
            assert cell.column in [one.name for one in table.columns]
            placed += 1
    assert placed == sum(cell.table in ("4.1", "4.2", "4.3", "4.4", "4.5") for cell in published)


def test_ten_folds_share_a_shuffle_and_test_every_example_once():
    wine = load("wine")
    seen = []
    for trial in trials("wine", li2006_multiclass.STUMP, 10):
        X_train, _, y_train, y_test = training_and_test(trial)
        assert len(y_train) + len(y_test) == 178
        np.testing.assert_allclose([X_train.min(axis=0), X_train.max(axis=0)], np.tile([[-1], [1]], 13))
        seen += y_test.tolist()
    assert sorted(seen) == sorted(wine.y.tolist())
    other = trials("wine", li2006_multiclass.STUMP, 11)[10]
    assert not np.array_equal(training_and_test(other)[3], seen[:18])


def test_an_official_split_is_used_as_it_is():
    vowel = needs("vowel")
    first, second = trials("vowel", li2006_multiclass.STUMP, 2)
    np.testing.assert_array_equal(training_and_test(first)[3], vowel.y[vowel.test])
    np.testing.assert_array_equal(training_and_test(first)[1], training_and_test(second)[1])


# Deterministic cells of Table 4.2, and the number of test examples by which ours are known to differ.
MAX_TWO = [
    ("vowel", "LRL", 0),
    ("vowel", "LRLR", 1),
    ("pendigits", "LRL", 0),
    ("pendigits", "LRLR", 0),
    ("satimage", "LRL", 0),
    ("satimage", "LRLR", 0),
    ("dna", "LRL", 2),
    ("dna", "LRLR", 0),
    pytest.param("letter", "LRL", 0, marks=pytest.mark.slow),
    pytest.param("letter", "LRLR", 0, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "schedule", "ties"), MAX_TWO)
def test_deterministic_columns_of_table_4_2(name, schedule, ties):
    data = needs(name)
    place = ("4.2", name, f"erp max-2 {schedule}")
    (published,) = (
        cell.value for cell in load_published("li2006") if (cell.table, cell.row, cell.column) == place
    )
    algorithm = column(li2006_multiclass.EXPERIMENT.tables[1], f"erp max-2 {schedule}")
    result = run_protocol(trials(name, algorithm, 1)[0])
    n_test = len(data.test)
    wrong = round(result["test_error"] * n_test / 100)
    assert abs(wrong - round(published * n_test / 100)) <= ties
    assert result["n_rounds"] == (1000 if name == "letter" else 500)
    assert len(result["costs"]) == len(li2006_multiclass.ROUNDS)


def test_many_classes_are_cut_greedily(monkeypatch):
    monkeypatch.setattr("weaklearn.studies.li2006.multiclass_trials.MOST_CLASSES", 2)
    algorithm = Algorithm(
        "ecc", "weaklearn.multiclass:AdaBoostECCClassifier", {"partition": "max-cut", "n_estimators": 2}
    )
    seen = []
    fit = AdaBoostECCClassifier.fit

    def watched(self, X, y):
        seen.append(self.partition)
        return fit(self, X, y)

    monkeypatch.setattr(AdaBoostECCClassifier, "fit", watched)
    run_protocol(trials("wine", algorithm, 1)[0])
    assert seen == ["max-cut-greedy"]


def test_the_validated_svm_takes_the_best_c_on_the_validation_part():
    wine = load("wine")
    params, values = {"n_estimators": 2, "schedule": "LR", "random_state": 0}, [1e-4, 8.0, 16.0]
    model = (
        validated_svm("AdaBoostERPClassifier", params, values).set_params(random_state=0).fit(wine.X, wine.y)
    )
    ((train, held_out),) = ShuffleSplit(n_splits=1, test_size=0.3, random_state=0).split(wine.X)
    scores = [
        AdaBoostERPClassifier(PerceptronKernelSVC(C=C), **params)
        .fit(wine.X[train], wine.y[train])
        .score(wine.X[held_out], wine.y[held_out])
        for C in values
    ]
    assert scores[0] < max(scores)
    assert model.best_c_ == values[int(np.argmax(scores))]
    final = AdaBoostERPClassifier(PerceptronKernelSVC(C=model.best_c_), **params).fit(wine.X, wine.y)
    np.testing.assert_array_equal(model.predict(wine.X), final.predict(wine.X))


def test_times_are_compared_with_the_same_machines():
    table = next(one for one in li2006_multiclass.EXPERIMENT.tables if one.item == "table 4.5 time")
    short = dataclasses.replace(
        table.columns[0].algorithm,
        params={**table.columns[0].algorithm.params, "params": {"n_estimators": 3, "schedule": "LR"}},
    )
    protocol = Protocol(table.protocol.name, {"against": {"partition": "rand-half", "n_estimators": 3}})
    result = run_protocol(trials("iris", short, 1, protocol)[0])
    assert result["ratio"] == result["seconds"] / result["other"] > 0


def test_the_order_of_the_classes_decides_between_equals():
    needs("vowel")
    table = next(one for one in li2006_multiclass.EXPERIMENT.tables if one.item == "table 4.2 orders")
    wrong = {
        run_protocol(trial)["n_wrong"]
        for trial in trials("vowel", column(table, "one-vs-one one-vs-all"), 4, table.protocol)
    }
    assert len(wrong) > 1


def shortened(experiment, n_estimators, profile):
    """The experiment with few rounds."""

    def short(part):
        columns = []
        for one in part.columns:
            if one.algorithm is None:  # facts about the sets
                columns.append(one)
                continue
            params = {**one.algorithm.params}
            if "n_estimators" in params:
                params["n_estimators"] = n_estimators
            algorithm = dataclasses.replace(one.algorithm, params=params)
            columns.append(dataclasses.replace(one, algorithm=algorithm))
        return dataclasses.replace(part, columns=tuple(columns))

    return dataclasses.replace(
        experiment,
        tables=tuple(short(table) for table in experiment.tables),
        figures=tuple(short(figure) for figure in experiment.figures),
        profiles={"test": profile},
    )


def test_tables_and_figures_from_one_run(tmp_path):
    off = Profile(n_trials=0)
    only = Profile(n_trials=2, rows=("wine", "tangram"))
    items = dict.fromkeys([part.item for part in li2006_multiclass.EXPERIMENT.parts], off)
    items |= dict.fromkeys(("table 4.2", "figure 4.2", "figure 4.3"), only)
    experiment = shortened(li2006_multiclass.EXPERIMENT, 6, Profile(n_trials=2, items=items))
    with Store(tmp_path / "store.sqlite") as store:
        summary = run_plan(make_plan([experiment], "test"), store, engine="inline")
        assert summary.complete
        assert not summary.failures
        cells = compare(experiment, StoredResults(store, experiment.profiles["test"]))["table 4.2"]
        assert sum(cell.n == 2 for cell in cells) == 8
        by_number = {figure.number: figure for figure in experiment.figures}
        (curves,) = draw_figures(
            [Asked(experiment.name, by_number["4.2"], StoredResults(store, only))], "inline"
        )
        assert len(curves.panels) == 2
        (partitions,) = draw_figures(
            [Asked(experiment.name, by_number["4.3"], StoredResults(store, only))], "inline"
        )
        assert len(partitions.panels) == 4
