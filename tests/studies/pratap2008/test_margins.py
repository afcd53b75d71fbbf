"""pratap2008, chapter 2: margins and coefficients of corrected ensembles, and their drawings."""

import dataclasses

import numpy as np
import pytest

from weaklearn.boosting import AdaBoostClassifier, DLPBoostClassifier
from weaklearn.lab import DataSource, Protocol, Split, Trial
from weaklearn.lab._build import resolve
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.pratap2008 import corrections, margins
from weaklearn.studies.pratap2008.drawings import margin_panels
from weaklearn.studies.pratap2008.margins_trials import MARGIN_GRID, _sets
from weaklearn.stumps import DecisionStump

TARGET = DataSource(
    "weaklearn.lab.rounds:engine_examples",
    Split(train_size=30),  # fewer than distinct stumps, so that a correction has room
    kind="artificial",
    params={"n_samples": 200, "family": "network"},
)


MARGINS = Protocol(f"{margins.TRIALS}:ensemble_margins")
COEFFICIENTS = Protocol(f"{margins.TRIALS}:round_coefficients")


def trial(protocol, algorithm, index=0):
    # Corrections draw their own examples of a named problem.
    data = corrections._problem("twonorm", 30 + 5 * index) if protocol == corrections.CORRECTION else TARGET
    return Trial.series(protocol, data, algorithm, index + 1)[index]


def of_rounds(algorithm, n):
    return dataclasses.replace(algorithm, params={**algorithm.params, "n_estimators": n})


DLP_120, ADA_120 = of_rounds(margins.DLP_250, 120), of_rounds(margins.ADA_250, 120)


def test_coefficients_by_the_round_that_found_the_stump():
    corrected, plain = (run_protocol(trial(COEFFICIENTS, algorithm)) for algorithm in (DLP_120, ADA_120))
    assert corrected["rounds"] == plain["rounds"] == sorted(plain["rounds"])
    assert plain["rounds"][0] == 1
    assert min(plain["coefficients"]) > 0
    for result in (corrected, plain):
        assert sum(result["coefficients"]) == pytest.approx(1)
    kept = sum(size > 0 for size in corrected["coefficients"])
    assert kept == run_protocol(trial(MARGINS, DLP_120))["size"] < len(plain["rounds"])


def test_margins_of_corrected_ensembles():
    corrected, plain = (run_protocol(trial(MARGINS, algorithm)) for algorithm in (DLP_120, ADA_120))
    assert corrected["max_change"] >= corrected["mean_change"] >= 0
    assert corrected["mean_margin"] - plain["mean_margin"] == pytest.approx(corrected["mean_change"])
    assert corrected["size"] <= corrected["rounds_size"] == plain["size"]
    assert (np.array(corrected["distribution"]) <= np.array(plain["distribution"]) + 1e-12).all()
    curve = dataclasses.replace(MARGINS, params={"rounds": [1, 100, 150]})
    lower = run_protocol(trial(curve, margins.ALPHA))
    assert lower["costs"][2] < lower["costs"][1] < lower["costs"][0]


FIGURES = {figure.number: figure for study in (margins, corrections) for figure in study.EXPERIMENT.figures}


@pytest.mark.parametrize("number", ["2.1", "2.3", "2.9", "2.10", "2.11", "2.17", "2.20", "2.23"])
def test_figures_of_every_kind_are_drawn_from_what_their_trials_record(number):
    figure = FIGURES[number]
    columns = tuple(
        dataclasses.replace(column, algorithm=of_rounds(column.algorithm, 60 + 20 * k))
        for k, column in enumerate(figure.columns)
    )
    params = {"rounds": [1, 5, 50]} if "rounds" in figure.params else {}
    figure = dataclasses.replace(
        figure, columns=columns, protocol=dataclasses.replace(figure.protocol, params=params)
    )
    results = {
        (row.label, column.name): [run_protocol(trial(figure.protocol, column.algorithm, k))]
        for k, row in enumerate(figure.rows[:2])
        for column in columns
    }
    panels = resolve(figure.draw)(figure, FigureData(results))
    assert panels
    for panel in panels:
        lines = [line.get_ydata() for line in panel.axes[0].get_lines()]
        assert any(len(values) > 1 and np.ptp(values) > 0 for values in lines)


def test_margin_distributions_are_means():
    figure = FIGURES["2.23"]
    rng = np.random.default_rng(0)
    runs = [{"distribution": np.sort(rng.random(len(MARGIN_GRID)))} for _ in range(3)]
    label = figure.rows[0].label
    (panel,) = margin_panels(figure, FigureData({(label, "AdaBoost"): runs}))
    x, y = panel.axes[0].get_lines()[0].get_data()
    np.testing.assert_array_equal(x, MARGIN_GRID)
    np.testing.assert_allclose(y, np.mean([one["distribution"] for one in runs], axis=0))


@pytest.mark.parametrize("number", [f"2.{k}" for k in range(2, 9)])
def test_panel_c_shows_the_margins_that_alphaboost_starts_from(number):
    """Section 2.5.3: margins after 100 rounds of AdaBoost and after 50 steps more; cost and error of 150 rounds."""
    figure = FIGURES[number]
    rounds = {column.name: column.algorithm.params["n_estimators"] for column in figure.columns}
    some = {"distribution": np.linspace(0, 1, len(MARGIN_GRID)), "costs": np.ones(len(margins.ROUNDS))}
    some["test_errors"] = some["costs"]
    label = figure.rows[0].label
    panels = resolve(figure.draw)(figure, FigureData({(label, name): [some] for name in rounds}))
    shown = [[text.get_text() for text in panel.legends[0].get_texts()] for panel in panels]
    assert [[rounds[name] for name in names] for names in shown] == [[100, 100], [100, 150], [100, 150]]


def test_ringnorm_is_that_of_the_document():
    """Section 4.7.1: the narrow class is centred at 2 / sqrt(20) in every coordinate."""
    for number in ("2.19", "2.22"):
        figure = FIGURES[number]
        (one,) = Trial.series(figure.protocol, figure.rows[0], figure.columns[0].algorithm, 1)
        _, X, _, y = _sets(one)
        assert abs(X[y < 0].mean()) == pytest.approx(2 / 20**0.5, abs=0.02)


def test_a_correction_minus_the_ensemble_it_starts_from():
    """Against two ensembles fitted by hand to the same draws."""
    row = corrections._problem("twonorm", 60)
    (one,) = Trial.series(corrections.CORRECTION, row, margins.booster("", "DLPBoost", 80), 1)
    result = run_protocol(one)
    X, X_test, y, y_test = _sets(one)
    assert X.shape == (60, 20)
    stump = DecisionStump(constant=False)
    dlp, ada = (kind(stump, 80).fit(X, y) for kind in (DLPBoostClassifier, AdaBoostClassifier))
    margin, before = (y * some.decision_function(X) / some.estimator_weights_.sum() for some in (dlp, ada))
    assert result["least_change"] == pytest.approx((margin - before).min(), abs=1e-12)
    assert result["mean_change"] == pytest.approx((margin - before).mean())
    assert result["error_change"] == pytest.approx(
        100 * (ada.score(X_test, y_test) - dlp.score(X_test, y_test))
    )
    assert result["size"] <= result["rounds_size"]
    assert result["size"] <= result["hypotheses"] <= result["rounds_hypotheses"] == 80
