"""Trials behind the claims of barnes1999 against computations by other means."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from weaklearn.boosting import AdaBoostClassifier, PBoostClassifier
from weaklearn.boosting.p_hull._pnorm import SloppyNewton
from weaklearn.datasets import flip_labels, make_ring
from weaklearn.lab import Protocol, Trial, run_protocol
from weaklearn.lab.rounds import flipped_split, staged_errors
from weaklearn.studies.barnes1999.parts import SETS, adaboost, variant
from weaklearn.studies.barnes1999.pboost_trials import kink_of
from weaklearn.studies.barnes1999.theory_trials import _THEOREMS, _slopes, has_minimum, largest_margin
from weaklearn.stumps import DecisionStump


def _cost(alpha, p):
    counts = {(1, 1): 7, (1, -1): 2, (-1, 1): 1}
    return sum(n * np.exp(-(u + alpha * v) / (1 + alpha**p) ** (1 / p)) for (u, v), n in counts.items())


def test_slopes_are_derivatives():
    alpha = np.logspace(-8, 4, 20_001)
    some = slice(12_000, 15_000, 300)
    for p in (0.6, 1.0, 2.0):
        h = 1e-6 * alpha[some]
        numeric = (_cost(alpha[some] + h, p) - _cost(alpha[some] - h, p)) / (2 * h)
        np.testing.assert_allclose(_slopes(p)[some], numeric, rtol=1e-4, atol=1e-7)


def test_a_minimum_is_one():
    """By a minimiser between the two published bounds' neighbours: 0.66 has none inside, 0.68 has one."""
    assert not has_minimum(0.66)
    assert has_minimum(0.68)
    found = minimize_scalar(lambda alpha: _cost(alpha, 1.0), bounds=(1e-3, 5), method="bounded")
    assert 0.01 < found.x < 4.9
    assert has_minimum(1.0)


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5])
def test_the_kink_is_where_the_search_ends_at_its_start(p, monkeypatch):
    """Against the steps themselves, seen while the machine is trained."""
    X, y = make_ring(50, random_state=3)
    y, _ = flip_labels(y, 0.3, random_state=3)
    steps = []
    honest = SloppyNewton.step

    def watched(self, ensemble, hypothesis_margins, error):
        before = np.array(self._gained)
        reason = honest(self, ensemble, hypothesis_margins, error)
        steps.append(float(np.abs(self._gained - before).max()))
        return reason

    monkeypatch.setattr(SloppyNewton, "step", watched)
    model = PBoostClassifier(variant="sloppy_newton", p=p, n_estimators=2500).fit(X, y)
    made = np.arange(1, len(steps))
    at_start = np.isclose(steps[1:], 0.5 / made, rtol=1e-9)
    pairs = np.flatnonzero(at_start[:-1] & at_start[1:])
    assert len(pairs)
    assert kink_of(np.abs(model.estimator_weights_), p) == pairs[0] + 2


def test_without_a_kink_it_is_the_number_of_rounds():
    assert kink_of(np.ones(30), 1.0) == 30


def test_a_training_run_in_numbers():
    protocol = Protocol("weaklearn.studies.barnes1999.pboost_trials:training_run")
    (trial,) = Trial.series(protocol, SETS["ring20"], adaboost(40), 1)
    found = run_protocol(trial)
    X_train, X_test, y_train, y_test = flipped_split(trial)
    model = AdaBoostClassifier(DecisionStump(), 40).fit(X_train, y_train)
    test, train = staged_errors(model, X_test, y_test), staged_errors(model, X_train, y_train)
    weights = sorted(model.estimator_weights_, reverse=True)
    needed = next(k for k in range(1, 41) if sum(weights[:k]) >= 0.9 * sum(weights))
    assert found["heavy"] == pytest.approx(100 * needed / 40)
    assert found["gap"] == pytest.approx(np.mean(test - train))
    assert found["rise"] == pytest.approx(train[-1] - train[0])
    assert found["overfit"] == pytest.approx(test[-1] - min(test))
    assert found["after 10"] == pytest.approx(test[9])
    assert found["after 1000"] == pytest.approx(test[-1])
    assert found["flutter"] == pytest.approx(np.mean(np.abs(np.diff(train[20:]))))
    assert found["train_error_late"] == pytest.approx(np.mean(train[20:]))
    assert found["converged"] == next((t + 1 for t in range(40) if train[t] == 0), 41)


def test_a_run_that_ends_at_once_has_numbers_too():
    protocol = Protocol("weaklearn.studies.barnes1999.pboost_trials:training_run")
    (trial,) = Trial.series(protocol, SETS["ring30"], variant("strict", 0.5), 1)
    assert all(np.isfinite(value) for value in run_protocol(trial).values())


def test_the_largest_margin_is_that_of_a_dense_search():
    rng = np.random.default_rng(0)
    votes = rng.choice([-1.0, 1.0], size=(3, 6))
    grid = [(a, b, 1 - a - b) for a in np.linspace(0, 1, 101) for b in np.linspace(0, 1 - a, 101)]
    assert largest_margin(votes) == pytest.approx(max((np.array(c) @ votes).min() for c in grid), abs=0.02)


@pytest.mark.parametrize("number", [7, 12, 13])
def test_theorems_that_are_true_are_never_violated(number):
    assert not any(_THEOREMS[number](np.random.default_rng(seed)) for seed in range(20))
