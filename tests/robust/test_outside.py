"""Outside its data: scores saturate, probabilities turn to the shares of the classes, and inside nothing changes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from weaklearn.datasets import make_twonorm
from weaklearn.robust import RobustClassifier
from weaklearn.robust._columns import NumericColumns
from weaklearn.robust._noise import NoiseLink


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X[1::2], y[1::2], RobustClassifier(n_trees=20, random_state=0).fit(X[::2], y[::2])


def test_beyond_is_counted_in_ranges_from_a_tenth_on():
    columns = NumericColumns(np.array([[0.0, 5.0], [2.0, 6.0], [np.nan, 7.0]]), np.ones(3))
    rows = np.array([[1.0, 6.0], [2.2, 5.0], [np.nan, 6.0], [4.2, 6.0], [-2.2, 9.2]])
    np.testing.assert_allclose(columns.beyond(rows), [0, 0, 0, 1, 2], atol=1e-12)


def test_widening_is_learning_the_range_of_all_rows():
    X = np.random.RandomState(0).normal(size=(60, 3))
    X[::7, 1] = np.nan
    part, whole = NumericColumns(X[:30], np.ones(30)), NumericColumns(X, np.ones(60))
    part.widen(X)
    np.testing.assert_array_equal(part.low, whole.low)
    np.testing.assert_array_equal(part.high, whole.high)


def test_inside_the_range_the_stack_alone_speaks(iris):
    _, _, model = iris
    machine = model._machine
    rows = machine.columns.low + np.random.RandomState(0).rand(50, 4) * (
        machine.columns.high - machine.columns.low
    )
    np.testing.assert_array_equal(
        machine.log_odds(rows), machine.stack.log_odds(machine.member_log_odds(rows))
    )
    members = np.array(
        [
            c.log_odds(m.scores(machine.columns.views(rows)))
            for m, c in zip(machine.members, machine.calibrations, strict=True)
        ]
    )
    least, most = (f(machine.held_out_members, axis=1)[:, None] for f in (np.min, np.max))
    within = (members >= least) & (members <= most)
    np.testing.assert_array_equal(machine.member_log_odds(rows)[within], members[within])


def test_far_outside_probabilities_no_longer_change_and_are_halfway_to_the_shares(iris):
    X, _, model = iris
    machine, far = model._machine, X.copy()
    far[:, 2] = 1e3
    farther = far.copy()
    farther[:, 2] = 1e9
    np.testing.assert_array_equal(model.predict_proba(far), model.predict_proba(farther))
    S = machine.stack.log_odds(machine.member_log_odds(far))
    shares = np.log(np.bincount(machine.data.codes, weights=machine._weight) / machine._weight.sum())
    np.testing.assert_allclose(machine.log_odds(far), (S + shares) / 2)


def test_a_column_in_another_unit_is_no_catastrophe(iris):
    X, y, model = iris
    losses = []
    for column in range(4):
        scaled = X.copy()
        scaled[:, column] *= 10
        losses.append(log_loss(y, model.predict_proba(scaled)))
    assert np.mean(losses) < 2.0  # 3.6 with members and stack left alone, 1.1 for class shares


def test_labels_that_columns_do_not_explain_are_not_taken_for_wrong_ones():
    rates = []
    for seed in range(6):
        rng = np.random.RandomState(seed)
        X, y = rng.normal(size=(150, 5)), (rng.rand(150) < 0.3).astype(int)
        model = RobustClassifier(n_trees=0).fit(X, y)
        rates.append(model.noise_rate_)
    assert np.mean(rates) < 0.06  # above .1 with a prior that does not know of skill


def test_with_skill_the_prior_is_that_of_the_rates_alone(monkeypatch):
    X, y = make_twonorm(200, random_state=0)
    machine = RobustClassifier(n_trees=0).fit(X, y)._machine
    found = NoiseLink(machine.S, machine.data.codes, machine._weight).posterior
    monkeypatch.setattr("weaklearn.robust._noise._UNSKILLED_PRIOR", 0.0)
    without = NoiseLink(machine.S, machine.data.codes, machine._weight).posterior
    np.testing.assert_allclose(found, without, atol=1e-9)
