"""The catalogue of multiclass experiments: readings, splits, protocols, drawings."""

import dataclasses

import numpy as np
import pytest

from weaklearn.datasets import DatasetNotFoundError, load
from weaklearn.lab import Algorithm, Profile, Store, Trial, compare, make_plan, run_plan
from weaklearn.lab._figures import draw_figure
from weaklearn.lab._protocols import run_protocol
from weaklearn.lab._published import load_published
from weaklearn.lab.studies.li2006 import multiclass as li2006_multiclass
from weaklearn.lab.studies.li2006.multiclass_trials import training_and_test, validated_svm
from weaklearn.lab.studies.may2020 import samme as may2020_samme
from weaklearn.multiclass import AdaBoostECCClassifier, dominating_partitions


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
    if not published:
        pytest.skip("the published cells of li2006 are not in the package")
    placed = 0
    for table in li2006_multiclass.EXPERIMENT.tables:
        cells = published if table.published is None else table.published
        for cell in (cell for cell in cells if cell.table == table.number):
            assert cell.row in [row.label for row in table.rows]
            assert cell.column in [one.name for one in table.columns]
            placed += 1
    assert placed == sum(cell.table in ("4.2", "4.3", "4.4", "4.5") for cell in published)


def test_published_digits_are_means_with_the_errors_of_means():
    table = may2020_samme.EXPERIMENT.tables[0]
    if not load_published("may2020"):
        pytest.skip("the published cells of may2020 are not in the package")
    names = {one.name for one in table.columns}
    assert len(table.published) == 24
    assert {cell.column for cell in table.published} == names
    best = next(cell for cell in table.published if cell.column == "100 x depth 8, test")
    assert (best.value, best.error) == (3.60, pytest.approx(0.550 / np.sqrt(20)))


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


# Test errors printed in Table 4.2, and the number of test examples by which ours are known to differ.
MAX_TWO = [
    ("vowel", "LRL", 55.63, 0),
    ("vowel", "LRLR", 59.09, 1),
    ("pendigits", "LRL", 6.03, 0),
    ("pendigits", "LRLR", 5.80, 0),
    ("satimage", "LRL", 12.10, 0),
    ("satimage", "LRLR", 12.45, 0),
    ("dna", "LRL", 6.41, 2),
    ("dna", "LRLR", 5.56, 0),
    pytest.param("letter", "LRL", 21.05, 0, marks=pytest.mark.slow),
    pytest.param("letter", "LRLR", 17.73, 0, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "schedule", "published", "ties"), MAX_TWO)
def test_deterministic_columns_of_table_4_2(name, schedule, published, ties):
    data = needs(name)
    algorithm = column(li2006_multiclass.EXPERIMENT.tables[0], f"erp max-2 {schedule}")
    result = run_protocol(trials(name, algorithm, 1)[0])
    n_test = len(data.test)
    wrong = round(result["test_error"] * n_test / 100)
    assert abs(wrong - round(published * n_test / 100)) <= ties
    assert result["n_rounds"] == (1000 if name == "letter" else 500)
    assert len(result["costs"]) == len(li2006_multiclass.ROUNDS)


def test_many_classes_are_cut_greedily(monkeypatch):
    monkeypatch.setattr("weaklearn.multiclass._partitions.MOST_CLASSES", 2)
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


def test_the_validated_svm_chooses_among_the_given_values():
    wine = load("wine")
    model = validated_svm("AdaBoostERPClassifier", {"n_estimators": 2, "schedule": "LR"}, [0.125, 8.0])
    model.fit(wine.X, wine.y)
    assert model.best_params_["estimator__C"] in (0.125, 8.0)


def shortened(experiment, n_estimators, profile):
    """The experiment with few rounds."""

    def short(part):
        columns = []
        for one in part.columns:
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
    items |= dict.fromkeys(("table 4.2, folds", "figure 4.2", "figure 4.3"), only)
    experiment = shortened(li2006_multiclass.EXPERIMENT, 6, Profile(n_trials=2, items=items))
    with Store(tmp_path / "store.sqlite") as store:
        summary = run_plan(make_plan([experiment], "test"), store, engine="inline")
        assert summary.complete
        assert not summary.failures
        cells = compare(experiment, "test", store)["table 4.2, folds"]
        assert sum(cell.n == 2 for cell in cells) == 8
        by_number = {figure.number: figure for figure in experiment.figures}
        curves = draw_figure(experiment.name, by_number["4.2"], only, store)
        assert len(curves.panels) == 2
        partitions = draw_figure(experiment.name, by_number["4.3"], only, store)
        assert len(partitions.panels) == 4


def test_digits_of_a_few_trees(tmp_path):
    needs("usps")
    stump = may2020_samme.ALGORITHMS[1]
    algorithm = dataclasses.replace(stump, params={**stump.params, "n_estimators": 3})
    table = may2020_samme.EXPERIMENT.tables[0]
    protocol = dataclasses.replace(table.protocol, params={"stages": [1, 2, 50]})
    result = run_protocol(Trial.series(protocol, may2020_samme.DIGITS, algorithm, 1)[0])
    assert set(result) == {f"{part}_error {stage}" for part in ("train", "test") for stage in (1, 2, 50)}
    assert result["test_error 1"] > 50


def test_partitions_count_a_column_and_its_negative_together():
    code = np.array([[1, -1, 1, 1], [-1, 1, -1, 1], [1, -1, -1, -1]])
    columns, sums, counts = dominating_partitions(code, [1.0, 2.0, 4.0, 0.5])
    np.testing.assert_array_equal(columns, [[-1, 1, 1], [-1, 1, -1], [-1, -1, 1]])
    np.testing.assert_allclose(sums, [4.0, 3.0, 0.5])
    np.testing.assert_array_equal(counts, [1, 2, 1])
