"""How well whole tables agree: the estimate, its bounds, and the rates of false verdicts."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2

from weaklearn.lab._agreement import Pair, _tau, agreement


def table(differences, errors, published=None, tolerance=0.5, n_columns=6):
    published = np.zeros(len(differences)) if published is None else published
    return [
        Pair(f"row {k // n_columns}", float(d), float(s), float(p), tolerance)
        for k, (d, s, p) in enumerate(zip(differences, errors, published, strict=True))
    ]


def test_tau_solves_its_equation():
    rng = np.random.default_rng(0)
    errors = rng.uniform(0.1, 0.5, 30)
    d = rng.normal(size=30) * np.sqrt(errors**2 + 1.0)
    for target in (30.0, chi2.ppf(0.05, 30), chi2.ppf(0.95, 30)):
        expected = math.sqrt(brentq(lambda t, q=target: (d**2 / (errors**2 + t)).sum() - q, 0, 100))
        assert _tau(d, errors**2, target) == pytest.approx(expected, rel=1e-9)
    assert _tau(0.01 * d, errors**2, 30.0) == 0.0


def test_what_a_table_is_compared_with():
    published = np.array([1.0, 3.0, 1.0, 3.0, 10.0, 12.0, 10.0, 12.0])
    found = agreement("s", "1", "error", table(np.full(8, 0.1), np.full(8, 0.05), published, n_columns=4))
    assert found.spread == pytest.approx(1.0)
    assert found.correlation == pytest.approx(1.0)
    assert found.median_z == pytest.approx(2.0)
    assert found.lower <= found.rms <= found.upper
    assert found.to_dict()["verdict"] == "reproduced"


def simulated(rng, tau, n_rows, n_columns, spread=1.0, shared=0.5):
    """A table whose true differences have root-mean-square tau; cells of a row share half of their error."""
    errors = rng.uniform(0.05, 0.4, n_rows * n_columns)
    noise = rng.normal(size=(n_rows, n_columns)) * math.sqrt(1 - shared)
    noise += rng.normal(size=(n_rows, 1)) * math.sqrt(shared)
    true = rng.normal(size=n_rows * n_columns)
    true *= tau / math.sqrt((true**2).mean())
    published = rng.normal(scale=spread, size=n_rows * n_columns)
    return table(true + noise.ravel() * errors, errors, published, 0.3, n_columns)


@pytest.mark.parametrize("shape", [(6, 4), (12, 7), (3, 4)])
def test_false_verdicts_on_tables_are_rare(shape):
    """1,000 tables: ours equal to the published ones, off by more than the limit of each verdict, far off."""
    rng = np.random.default_rng(sum(shape))
    limit = max(0.3, 1.0 / 3)
    verdicts = {
        tau: [agreement("s", "1", "error", simulated(rng, tau, *shape)).verdict for _ in range(250)]
        for tau in (0.0, 1.1 * limit, 1.2, 4.0)
    }
    share = {
        tau: {name: some.count(name) / len(some) for name in set(some)} for tau, some in verdicts.items()
    }
    assert share[0.0].get("not", 0.0) <= 0.02
    assert share[0.0].get("reproduced", 0.0) > (0.9 if shape[0] > 3 else 0.6)
    assert share[1.1 * limit].get("reproduced", 0.0) <= 0.08
    assert share[1.2].get("reproduced", 0.0) <= 0.01
    assert share[1.2].get("roughly", 0.0) <= 0.08
    assert share[4.0].get("not", 0.0) >= 0.95
