import numpy as np
import pytest

from weaklearn import datasets
from weaklearn.lab import DataSource, Experiment, Protocol, Split, Trial, make_plan
from weaklearn.lab._build import resolve
from weaklearn.lab._protocols import run_protocol
from weaklearn.lab.boosting_trials import make_network, noisy_split
from weaklearn.lab.catalog import barnes1999_pboost, li2006_cgboost, pratap2008_margins
from weaklearn.lab.curves import FigureData

EXPERIMENTS = [module.EXPERIMENT for module in (barnes1999_pboost, li2006_cgboost, pratap2008_margins)]
RING = DataSource("ring", Split(train_size=50), kind="artificial", params={"n_samples": 550})
NETWORK = DataSource(
    "weaklearn.lab.boosting_trials:make_network",
    Split(train_size=80),
    kind="artificial",
    params={"n_samples": 200},
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
    trial = Trial.series(Protocol("boosted_rounds", {"flip": 0.2}), RING, barnes1999_pboost.adaboost(10), 1)[
        0
    ]
    clean, noisy = noisy_split(trial), noisy_split(trial, 0.2)
    assert (clean[2] != noisy[2]).sum() == 10
    np.testing.assert_array_equal(clean[3], noisy[3])
    np.testing.assert_array_equal(clean[0], noisy[0])


def test_rounds():
    protocol = Protocol("boosted_rounds", {"flip": 0.2, "rounds": [1, 10, 30, 99]})
    result = run(protocol, RING, barnes1999_pboost.adaboost(30))
    assert result["test_errors"][2] == result["test_errors"][3] == result["test_error"]
    assert result["best_test_error"] <= min(result["test_errors"])
    assert 1 <= result["best_round"] <= 30
    assert result["aborted"] == 0
    assert run(protocol, RING, barnes1999_pboost.variant("strict", 0.5, 30))["aborted"] == 1


def test_cost_ratios_and_validated_sizes():
    exponential, bisigmoid = li2006_cgboost.CONJUGATE[0], li2006_cgboost.CONJUGATE[2]
    short = type(exponential)("short", exponential.builder, {"cost": "exponential", "n_estimators": 40})
    result = run(Protocol("cost_ratio"), NETWORK, short)
    assert result["log_ratio"] == pytest.approx(np.log(result["cg_cost"] / result["any_cost"]))
    assert result["log_ratio"] < 0
    short = type(bisigmoid)("short", bisigmoid.builder, {"cost": "bisigmoid", "n_estimators": 15})
    chosen = run(Protocol("validated_size", {"kappas": [1.05, 1.2]}), NETWORK, short)
    assert 0 <= chosen["validation_error"] <= 50
    assert 0 <= chosen["test_error"] <= 100


def test_published_cells_are_turned_to_rows_of_data_sets():
    cells = {(cell.row, cell.column): cell for cell in li2006_cgboost.EXPERIMENT.tables[0].published}
    assert cells["pima", "exponential"].value == pytest.approx(np.log(0.5716))
    assert ("sonar", "exponential") not in cells  # printed 0.0000


def test_margins_of_corrected_ensembles():
    dlp, ada = pratap2008_margins.DLP_250, pratap2008_margins.ADA_250
    shorter = [
        type(algorithm)(algorithm.name, algorithm.builder, {**algorithm.params, "n_estimators": 40})
        for algorithm in (dlp, ada)
    ]
    corrected, plain = (run(Protocol("ensemble_margins"), NETWORK, algorithm) for algorithm in shorter)
    assert corrected["max_change"] >= corrected["mean_change"] >= 0
    assert corrected["mean_margin"] - plain["mean_margin"] == pytest.approx(corrected["mean_change"])
    assert corrected["size"] <= corrected["rounds_size"] == plain["size"]
    assert (np.array(corrected["distribution"]) <= np.array(plain["distribution"]) + 1e-12).all()
    alpha = pratap2008_margins.ALPHA
    lower = run(Protocol("ensemble_margins", {"rounds": [1, 100, 150]}), NETWORK, alpha)
    assert lower["costs"][2] < lower["costs"][1] < lower["costs"][0]


def test_figures_are_drawn_from_few_results():
    for experiment in EXPERIMENTS:
        for figure in experiment.figures:
            rounds = len(figure.protocol.params.get("rounds", []))
            result = {
                name: [0.5] * rounds for name in ("test_errors", "train_errors", "costs", "log_weights")
            }
            result |= dict.fromkeys(
                (
                    "best_test_error",
                    "best_round",
                    "test_error",
                    "size",
                    "error_change",
                    "mean_change",
                    "max_change",
                ),
                1.0,
            )
            result["distribution"] = [0.5] * 81
            cells = {
                (row.label, column.name): [result, result] for row in figure.rows for column in figure.columns
            }
            panels = resolve(figure.draw)(figure, FigureData(cells))
            assert panels, figure.item
            assert all(panel.axes for panel in panels)


def test_the_network_is_balanced_and_seeded():
    X, y = make_network(400, random_state=3)
    assert X.shape == (400, 8)
    assert abs(int(y.sum())) <= 1
    np.testing.assert_array_equal(y, make_network(400, random_state=3)[1])
