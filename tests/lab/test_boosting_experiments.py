import numpy as np
import pytest

from weaklearn import datasets
from weaklearn.lab import DataSource, Experiment, Protocol, Split, Trial, load_published, make_plan
from weaklearn.lab._build import resolve
from weaklearn.lab._protocols import run_protocol
from weaklearn.lab.boosting_trials import engine_examples, noisy_split
from weaklearn.lab.catalog import _barnes1999_claims, barnes1999_pboost, li2006_cgboost, pratap2008_margins
from weaklearn.lab.curves import FigureData

EXPERIMENTS = [module.EXPERIMENT for module in (barnes1999_pboost, li2006_cgboost, pratap2008_margins)]
RING = DataSource(
    "weaklearn.lab.boosting_trials:ring_pool",
    Split(train_size=50),
    kind="artificial",
    params={"n_samples": 550, "flip": 0.2},
)
TARGET = DataSource(
    "weaklearn.lab.boosting_trials:engine_examples",
    Split(train_size=40),  # fewer than distinct stumps, so that a correction has room
    kind="artificial",
    params={"n_samples": 200, "family": "network"},
)


def run(protocol, data, algorithm, index=0):
    return run_protocol(Trial.series(protocol, data, algorithm, index + 1)[index])


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_the_catalogue_is_sound(experiment):
    assert isinstance(experiment, Experiment)
    quick, full = (len(make_plan([experiment], profile).trials) for profile in ("quick", "full"))
    assert 0 < quick < full
    for part in experiment.parts:
        for column in part.columns:
            assert callable(resolve(column.algorithm.builder))
    for figure in experiment.figures:
        assert callable(resolve(figure.draw))
    names = {record.name for record in datasets.available()}
    assert {
        source.name for source in make_plan([experiment], "full").sources if source.kind == "real"
    } <= names


def test_flipped_labels_are_a_fixed_number_of_the_training_part_alone():
    data = RING.describe()
    noisy = noisy_split(data, 7)
    clean = noisy_split({**data, "params": {"n_samples": 550}}, 7)
    again = noisy_split(data, 7)
    assert len(noisy[2]) == 50
    np.testing.assert_array_equal(noisy[2], again[2])
    # Another description is another draw of the pool, so the labels are compared with those of the points.
    for X, X_test, y, y_test in (noisy, clean):
        inside = ((np.concatenate([X, X_test]) - 0.5) ** 2).sum(axis=1) <= 1 / 8
        wrong = np.where(inside, 1, -1) != np.concatenate([y, y_test])
        assert wrong[:50].sum() == (10 if y is noisy[2] else 0)
        assert not wrong[50:].any()


def test_rounds():
    protocol = Protocol("boosted_rounds", {"rounds": [1, 10, 30, 99]})
    result = run(protocol, RING, barnes1999_pboost.adaboost(30))
    assert result["test_errors"][2] == result["test_errors"][3] == result["test_error"]
    assert result["best_test_error"] <= min(result["test_errors"])
    assert 1 <= result["best_round"] <= 30
    assert result["aborted"] == result["reached_1000"] == 0
    assert run(protocol, RING, barnes1999_pboost.variant("strict", 0.5, 30))["aborted"] == 1
    assert run(protocol, RING, barnes1999_pboost.adaboost(1000))["reached_1000"] == 1


def test_the_best_p_is_that_of_the_least_mean_error():
    sweep = type(barnes1999_pboost.adaboost())(
        "sloppy", "weaklearn.boosting:PBoostClassifier", {"variant": "sloppy", "n_estimators": 25}
    )
    found = run(Protocol("best_p", {"p_values": [0.5, 1.0, 1.5], "n_splits": 4}), RING, sweep)
    each = [
        run(Protocol("best_p", {"p_values": [p], "n_splits": 4}), RING, sweep)["best_error"]
        for p in (0.5, 1.0, 1.5)
    ]
    assert found["best_p"] == (0.5, 1.0, 1.5)[int(np.argmin(each))]
    assert found["best_error"] == pytest.approx(min(each))
    assert found["improvement"] == pytest.approx(100 * (1 - found["best_error"] / found["adaboost_error"]))


def test_facts_and_snapshots():
    facts = run(Protocol("data_facts"), RING, barnes1999_pboost.adaboost(1))
    assert (facts["n_samples"], facts["n_train"], facts["n_test"], facts["noise"]) == (550, 50, 500, 20)
    assert facts["first_class"] + facts["second_class"] == 550
    seen = run(Protocol("snapshots", {"rounds": [1, 20]}), RING, barnes1999_pboost.adaboost(20))
    assert np.mean(seen["weights 20"]) == pytest.approx(1)
    # After one round there are two weights and two margins, and the margins of one vote are -1 and 1.
    assert len(set(np.round(seen["weights 1"], 9))) == 2
    assert set(seen["margins 1"]) == {-1.0, 1.0}
    assert seen["norm 20"] > seen["norm 1"]
    assert list(seen["margins 20"]) == sorted(seen["margins 20"])


def test_coefficients_by_the_round_that_found_the_stump():
    dlp, ada = (
        type(algorithm)(algorithm.name, algorithm.builder, {**algorithm.params, "n_estimators": 120})
        for algorithm in (pratap2008_margins.DLP_250, pratap2008_margins.ADA_250)
    )
    corrected, plain = (run(Protocol("round_coefficients"), TARGET, algorithm) for algorithm in (dlp, ada))
    assert corrected["rounds"] == plain["rounds"] == sorted(plain["rounds"])
    assert plain["rounds"][0] == 1
    assert min(plain["coefficients"]) > 0
    for result in (corrected, plain):
        assert sum(result["coefficients"]) == pytest.approx(1)
    kept = sum(size > 0 for size in corrected["coefficients"])
    assert kept == run(Protocol("ensemble_margins"), TARGET, dlp)["size"] < len(plain["rounds"])


def test_table_52_is_run_as_it_is_printed():
    printed = {}
    for cell in load_published("barnes1999"):
        if cell.table == "5.2":
            numbers, _, name = cell.row.partition(" ")
            algorithm, _, what = cell.column.partition(" ")
            printed.setdefault((numbers, name, algorithm.lower()), {})[what] = cell.value
    experiment = barnes1999_pboost.EXPERIMENT
    tables = {table.item: table for table in experiment.tables}
    seen = set()
    for numbers, algorithm, names, _, rounds, p_values in barnes1999_pboost.TESTS:
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        setting = printed.pop((span, "ring*" if len(names) > 1 else names[0], algorithm.lower()))
        table = tables[f"table 5.2 test{'s' if len(numbers) > 1 else ''} {span}"]
        assert experiment.profiles["full"].of(table).n_trials == setting["Trials"]
        assert {column.algorithm.params["n_estimators"] for column in table.columns} == {rounds}
        assert rounds == setting["Iterations"]
        assert [row.label for row in table.rows] == [
            f"{number} {name}" for number, name in zip(numbers, names, strict=True)
        ]
        if p_values:
            assert (p_values[0], p_values[-1]) == (setting["p lowest"], setting["p highest"])
            np.testing.assert_allclose(np.diff(p_values), setting["p step"])
        seen |= set(numbers)
    # The others need acacia; the document has no test 20.
    assert {key[1] for key in printed} == {"acacia"}
    assert seen | set(barnes1999_pboost.NOT_PUBLIC.values()) == set(range(1, 32)) - {20}


def test_settings_of_table_51():
    for cell in load_published("barnes1999"):
        if (
            cell.table != "5.1"
            or cell.row == "acacia"
            or cell.column not in ("Artificial noise", "Training samples")
        ):
            continue
        source = barnes1999_pboost.SETS["wpbc" if cell.row == "wdbc" else cell.row]
        if cell.column == "Training samples":
            assert source.split.train_size == cell.value
        else:
            assert 100 * source.params.get("flip", 0.0) == pytest.approx(cell.value)


def test_every_claim_is_compared_or_has_its_reason():
    compared = {
        (cell.row, cell.column)
        for table in barnes1999_pboost.EXPERIMENT.tables
        if table.number.startswith("claims")
        for cell in table.published
    }
    # The bound on the best p is compared as a best p.
    compared = {
        (row, "Sloppy p* lower bound" if row == "ring0 and sonar" else column) for row, column in compared
    }
    reasons = _barnes1999_claims.NOT_COMPARED
    assert len(_barnes1999_claims.CLAIMS) == 73
    assert compared | set(reasons) == set(_barnes1999_claims.CLAIMS)
    assert not compared & set(reasons)
    for table in barnes1999_pboost.EXPERIMENT.tables:
        places = {(row.label, column.name) for row in table.rows for column in table.columns}
        assert {(cell.row, cell.column) for cell in table.published if cell.row != "acacia"} <= places


def test_cost_ratios_and_validated_sizes():
    exponential, bisigmoid = li2006_cgboost.CONJUGATE[0], li2006_cgboost.CONJUGATE[2]
    short = type(exponential)("short", exponential.builder, {"cost": "exponential", "n_estimators": 40})
    result = run(Protocol("cost_ratio"), TARGET, short)
    assert result["log_ratio"] == pytest.approx(np.log(result["cg_cost"] / result["any_cost"]))
    assert result["log_ratio"] < 0
    short = type(bisigmoid)("short", bisigmoid.builder, {"cost": "bisigmoid", "n_estimators": 15})
    chosen = run(Protocol("validated_size", {"kappas": [1.05, 1.2]}), TARGET, short)
    assert 0 <= chosen["validation_error"] <= 50
    assert 0 <= chosen["test_error"] <= 100


def test_published_cells_are_turned_to_rows_of_data_sets():
    cells = {(cell.row, cell.column): cell for cell in li2006_cgboost.EXPERIMENT.tables[0].published}
    assert cells["pima", "exponential"].value == pytest.approx(np.log(0.5716))
    bound = cells["sonar", "exponential"]  # printed 0.0000
    assert (bound.value, bound.relation) == (pytest.approx(np.log(0.00005)), "at most")


def test_margins_of_corrected_ensembles():
    dlp, ada = pratap2008_margins.DLP_250, pratap2008_margins.ADA_250
    shorter = [
        type(algorithm)(algorithm.name, algorithm.builder, {**algorithm.params, "n_estimators": 120})
        for algorithm in (dlp, ada)
    ]
    corrected, plain = (run(Protocol("ensemble_margins"), TARGET, algorithm) for algorithm in shorter)
    assert corrected["max_change"] >= corrected["mean_change"] >= 0
    assert corrected["mean_margin"] - plain["mean_margin"] == pytest.approx(corrected["mean_change"])
    assert corrected["size"] <= corrected["rounds_size"] == plain["size"]
    assert (np.array(corrected["distribution"]) <= np.array(plain["distribution"]) + 1e-12).all()
    alpha = pratap2008_margins.ALPHA
    lower = run(Protocol("ensemble_margins", {"rounds": [1, 100, 150]}), TARGET, alpha)
    assert lower["costs"][2] < lower["costs"][1] < lower["costs"][0]


SCALARS = ("best_test_error", "best_round", "test_error", "size", "error_change", "mean_change", "max_change")


def test_figures_are_drawn_from_few_results():
    for experiment in EXPERIMENTS:
        for figure in experiment.figures:
            rounds = figure.protocol.params.get("rounds", [])
            result = {
                name: [0.5] * len(rounds) for name in ("test_errors", "train_errors", "costs", "log_weights")
            }
            result |= dict.fromkeys((*SCALARS, "cost", "error", "n_rounds"), 1.0)
            result |= {"distribution": [0.5] * 81, "rounds": [1.0, 3.0], "coefficients": [1.0, 0.0]}
            result |= {"x1": [0.2, 0.5], "x2": [0.2, 0.5], "label": [-1.0, 1.0]}
            for t in rounds:
                result |= {f"weights {t}": [0.5, 1.5], f"margins {t}": [-0.1, 0.4], f"norm {t}": 2.0}
            cells = {
                (row.label, column.name): [result, result] for row in figure.rows for column in figure.columns
            }
            panels = resolve(figure.draw)(figure, FigureData(cells))
            assert panels, figure.item
            assert all(panel.axes for panel in panels)


def test_curves_end_where_all_runs_have_ended():
    figure = next(part for part in barnes1999_pboost.EXPERIMENT.figures if part.number == "6.4")
    rounds = figure.protocol.params["rounds"]
    runs = [
        {"test_errors": [level] * len(rounds), "train_errors": [level] * len(rounds), "n_rounds": ended}
        for level, ended in ((10.0, 3), (30.0, 12))
    ]
    column = figure.columns[0].name
    (panel,) = resolve(figure.draw)(figure, FigureData({("ring30", column): runs}))
    x, y = panel.axes[0].get_lines()[0].get_data()
    assert list(x) == [t for t in rounds if t <= 12]
    assert list(y) == [20.0 if t <= 3 else 30.0 for t in x]


def test_engine_targets_stay_the_same_while_their_examples_change():
    X, y = engine_examples(400, family="svm", random_state=3)
    assert X.shape == (400, 8)
    np.testing.assert_array_equal(y, engine_examples(400, family="svm", random_state=3)[1])
    other = engine_examples(400, family="svm", random_state=4)[0]
    assert (other != X).any()
    np.testing.assert_array_equal(y, datasets.DataEngine(8, family="svm", seed=0).target(X))
