"""Claims of barnes1999 against computations by other means."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from weaklearn.boosting import PBoostClassifier
from weaklearn.boosting.p_hull._sloppy_newton import SloppyNewton
from weaklearn.datasets import flip_labels, make_ring
from weaklearn.lab import Trial
from weaklearn.lab._trial import run_protocol
from weaklearn.studies.barnes1999 import pboost
from weaklearn.studies.barnes1999.claims_trials import _kink, _slopes, has_minimum

TABLES = {table.number: table for table in pboost.EXPERIMENT.tables}


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


@pytest.mark.parametrize("number", ["claims: strict example", "claims: figure 4.5"])
def test_the_claims_about_the_ten_examples_hold(number):
    table = TABLES[number]
    assert table.deterministic is True
    (trial,) = Trial.series(table.protocol, table.rows[0], None, 1)
    result = run_protocol(trial)
    for column, cell in zip(table.columns, table.published, strict=True):
        value = result[table.metric_of(column)]
        if cell.relation == "at least":
            assert value > cell.value
        elif cell.relation == "at most":
            assert value < cell.value
        else:
            assert value == cell.value


def test_the_kink_is_where_the_search_ends_at_its_start(monkeypatch):
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
    model = PBoostClassifier(variant="sloppy_newton", p=1.0, n_estimators=2500).fit(X, y)
    made = np.arange(1, len(steps))
    at_start = np.isclose(steps[1:], 0.5 / made, rtol=1e-9)
    pairs = np.flatnonzero(at_start[:-1] & at_start[1:])
    assert len(pairs)
    assert _kink(np.abs(model.estimator_weights_), 1.0) == pairs[0] + 2


def test_without_a_kink_it_is_the_number_of_rounds():
    assert _kink(np.ones(30), 1.0) == 30
