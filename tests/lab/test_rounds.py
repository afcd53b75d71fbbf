"""Boosting round by round: flipped labels, errors after every round, shared drawings."""

import numpy as np

from weaklearn import datasets
from weaklearn.lab import Algorithm, DataSource, Figure, Protocol, Row, Split, Trial
from weaklearn.lab._trial import run_protocol
from weaklearn.lab.drawings import FigureData, quantities, round_curves
from weaklearn.lab.rounds import engine_examples, flipped_split
from weaklearn.studies.barnes1999.parts import adaboost, variant

POOL = DataSource("ring", Split(train_size=50), kind="artificial", params={"n_samples": 550})
RING = Row("ring", POOL, {"flip": 0.2})


def run(protocol, data, algorithm, index=0):
    return run_protocol(Trial.series(protocol, data, algorithm, index + 1)[index])


def test_flipped_labels_are_a_fixed_number_of_the_training_part_alone():
    protocol = Protocol("weaklearn.lab.rounds:boosted_rounds")
    noisy, clean = (Trial.series(protocol, row, adaboost(), 1)[0] for row in (RING, POOL))
    X, X_test, y, y_test = flipped_split(noisy)
    X_clean, _, y_clean, y_clean_test = flipped_split(clean)
    # A setting does not change the split.
    np.testing.assert_array_equal(X, X_clean)
    np.testing.assert_array_equal(y_test, y_clean_test)
    assert np.count_nonzero(y != y_clean) == 10
    np.testing.assert_array_equal(y, flipped_split(noisy)[2])
    assert np.any(flipped_split(noisy, 7)[2] != y)
    inside = ((np.concatenate([X, X_test]) - 0.5) ** 2).sum(axis=1) <= 1 / 8
    np.testing.assert_array_equal(np.where(inside, 1, -1), np.concatenate([y_clean, y_test]))


def test_rounds():
    protocol = Protocol("weaklearn.lab.rounds:boosted_rounds", {"rounds": [1, 10, 30, 99]})
    result = run(protocol, RING, adaboost(30))
    assert result["test_errors"][2] == result["test_errors"][3] == result["test_error"]
    assert result["best_test_error"] <= min(result["test_errors"])
    assert 1 <= result["best_round"] <= 30
    assert result["aborted"] == result["reached_1000"] == 0
    assert run(protocol, RING, variant("strict", 0.5, 30))["aborted"] == 1
    assert run(protocol, RING, adaboost(1000))["reached_1000"] == 1


def test_engine_targets_stay_the_same_while_their_examples_change():
    X, y = engine_examples(400, family="svm", random_state=3)
    assert X.shape == (400, 8)
    np.testing.assert_array_equal(y, engine_examples(400, family="svm", random_state=3)[1])
    other = engine_examples(400, family="svm", random_state=4)[0]
    assert (other != X).any()
    np.testing.assert_array_equal(y, datasets.DataEngine(8, family="svm", seed=0).target(X))


def figure(**parts):
    algorithms = tuple(Algorithm(name, "m:a") for name in ("a", "b"))
    protocol = Protocol("weaklearn.lab.rounds:boosted_rounds", {"rounds": [1, 10, 100]})
    return Figure("s", "1", "t", (Row("r"), Row("q")), algorithms, protocol, **parts)


def test_curves_are_means_over_the_runs_that_were_still_going():
    drawn = figure(options={"metrics": {"errors": "error"}})
    runs = [{"errors": [4.0, 2.0, 2.0], "n_rounds": 12}, {"errors": [8.0, 4.0, 1.0], "n_rounds": 200}]
    (panel,) = round_curves(drawn, FigureData({("r", "a"): runs}))
    x, y = panel.axes[0].get_lines()[0].get_data()
    assert list(x) == [1, 10, 100]
    assert list(y) == [6.0, 3.0, 1.0]


def test_quantities_are_means_at_their_numbers():
    drawn = figure(options={"metrics": {"error": "error"}, "x": {"r": 5, "q": 2}, "mark_least": ["error"]})
    results = {
        (row, column): [{"error": value - 1}, {"error": value + 1}]
        for (row, column), value in {
            ("r", "a"): 3.0,
            ("q", "a"): 7.0,
            ("r", "b"): 9.0,
            ("q", "b"): 4.0,
        }.items()
    }
    (panel,) = quantities(drawn, FigureData(results))
    first, second, *least = panel.axes[0].get_lines()
    assert (list(first.get_xdata()), list(first.get_ydata())) == ([5, 2], [3.0, 7.0])
    assert (list(second.get_xdata()), list(second.get_ydata())) == ([5, 2], [9.0, 4.0])
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in least] == [(5, 3.0), (2, 4.0)]
