"""li2006, chapter 3: trials against fits by hand, published cells in their places, figures."""

import math

import numpy as np
import pytest

from weaklearn.boosting import AnyBoostClassifier, CGBoostClassifier
from weaklearn.costs import Bisigmoid
from weaklearn.lab import Algorithm, DataSource, Protocol, Split, Trial, load_published, seed_from
from weaklearn.lab._build import resolve
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData
from weaklearn.studies.li2006 import cgboost, cgboost_trials

TARGET = DataSource(
    "weaklearn.lab.rounds:engine_examples",
    Split(train_size=40),  # fewer than distinct stumps, so that a correction has room
    kind="artificial",
    params={"n_samples": 200, "family": "network"},
)


def trial(protocol, algorithm, index=0):
    return Trial.series(protocol, TARGET, algorithm, index + 1)[index]


def test_cost_ratios():
    exponential = cgboost.CONJUGATE[0]
    short = type(exponential)("short", exponential.builder, {"cost": "exponential", "n_estimators": 40})
    result = run_protocol(trial(Protocol(f"{cgboost.TRIALS}:cost_ratio"), short))
    assert result["log_ratio"] == pytest.approx(np.log(result["cg_cost"] / result["any_cost"]))
    assert result["log_ratio"] < 0


def test_validation_chooses_the_size_and_the_kappa():
    """Against the rule by hand: first best of all stages of all kappas, judged on the other half."""
    conjugate = cgboost.CONJUGATE[2]
    short = type(conjugate)("short", conjugate.builder, {"cost": "bisigmoid", "n_estimators": 15})
    kappas = [1.05, 1.2, 2.0]
    some = trial(Protocol(f"{cgboost.TRIALS}:validated_size", {"kappas": kappas}), short)
    X, X_rest, y, y_rest = some.split()
    half = len(y_rest) // 2
    stages = []
    for kappa in kappas:
        model = CGBoostClassifier(cost=Bisigmoid(1.0, kappa), n_estimators=15).fit(X, y)
        for predicted in model.staged_predict(X_rest):
            wrong = predicted != y_rest
            stages.append((100 * wrong[:half].mean(), 100 * wrong[half:].mean()))
    validation, test = min(stages, key=lambda pair: pair[0])
    assert run_protocol(some) == {
        "validation_error": pytest.approx(validation),
        "test_error": pytest.approx(test),
    }


def test_published_cells_are_turned_to_rows_of_data_sets():
    cells = {(cell.row, cell.column): cell for cell in cgboost.EXPERIMENT.tables[0].published}
    printed = {(cell.column, cell.row): cell for cell in load_published("li2006") if cell.table == "3.1"}
    assert set(cells) == set(printed)
    bounds = {place for place, cell in printed.items() if cell.relation == "at most"}  # published as 0.0000
    assert bounds == {place for place, cell in cells.items() if cell.relation == "at most"}
    assert bounds
    for place, cell in cells.items():
        assert cell.value == math.log(printed[place].value)


def test_figures():
    errors, costs = cgboost.EXPERIMENT.figures
    rounds = errors.params["rounds"]
    rng = np.random.default_rng(0)
    runs = [
        {name: rng.random(len(rounds)) for name in ("costs", "train_errors", "test_errors")} for _ in range(2)
    ]
    panels = resolve(errors.draw)(errors, FigureData({("svm target", "CGBoost exponential"): runs}))
    for panel, metric in zip(panels, ("costs", "train_errors", "test_errors"), strict=True):
        (line,) = panel.axes[0].get_lines()
        np.testing.assert_allclose(line.get_ydata(), np.mean([one[metric] for one in runs], axis=0))
    assert not costs.needs_trials
    (panel,) = resolve(costs.draw)(costs, FigureData({}))
    margin, exponential = panel.axes[0].get_lines()[0].get_data()
    np.testing.assert_allclose(exponential, np.exp(-margin))


def test_the_deviation_of_errors_is_unbiased_for_normal_samples(monkeypatch):
    """Ten normal numbers in the place of test errors: the mean of the corrected deviations is the true one."""
    rng = np.random.default_rng(0)
    monkeypatch.setattr(cgboost_trials, "staged_errors", lambda *_: rng.normal(10, 2, size=1))
    protocol = Protocol(f"{cgboost.TRIALS}:error_deviation", {"n_splits": 10})
    stump = Algorithm("stump", "weaklearn.boosting:AdaBoostClassifier", {"n_estimators": 1})
    source = DataSource("yinyang", Split(train_size=20), kind="artificial", params={"n_samples": 40})
    found = [run_protocol(one)["deviation"] for one in Trial.series(protocol, source, stump, 60)]
    assert np.mean(found) == pytest.approx(2, abs=3 * 2 / np.sqrt(2 * 9 * 60))


def test_curves_cross_where_they_do():
    """Against the curves of the two algorithms on the one split that is averaged."""
    some = trial(Protocol(f"{cgboost.TRIALS}:average_curves", {"n_splits": 1}), cgboost.EARLY)
    X, X_test, y, y_test = some.split(seed_from(seed=some.data_seed, split=0))
    plain = AnyBoostClassifier(cost="exponential", n_estimators=cgboost.N_ROUNDS).fit(X, y)
    conjugate = CGBoostClassifier(n_plain=1, n_estimators=cgboost.N_ROUNDS).fit(X, y)
    length = min(plain.n_iter_, conjugate.n_iter_)
    cheaper = [t for t in range(length) if plain.cost_curve_[t] < conjugate.cost_curve_[t]]
    errors = [np.mean(predicted != y_test) for predicted in plain.staged_predict(X_test)]
    assert run_protocol(some) == {
        "slower_until": max(cheaper, default=-1) + 1,
        "overfits_after": int(np.argmin(errors)) + 1,
    }
