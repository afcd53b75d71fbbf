"""False verdicts on claims: 1,000 draws with the truth known, at the edge included."""

import numpy as np
import pytest

from claim_values import COLUMNS, ROWS, verdict
from weaklearn.lab._claim import FAILS, HOLDS, IN_PART, OPEN
from weaklearn.lab.claims import Difference, Lowest, Minimum, Share, Trend

N_DRAWS = 1000
MEAN = Difference("table 1", (("A", "B"),), "<")
EACH = Difference("table 1", (("A", "B"),), "<", over="each")
EQUAL = Difference("table 1", (("A", "B"),), "=", tolerance=0.5)
LOWEST = Lowest("table 1", ("A",), at_least=2)


def draws(test, n, effect, n_draws=N_DRAWS):
    """Shares of the verdicts when A - B is `effect` on each set; trials of a row share half of their variance."""
    rng = np.random.default_rng(n)
    found = []
    for _ in range(n_draws):
        values = {}
        for k, row in enumerate(ROWS):
            split = rng.normal(size=n)
            for column, mean in zip(
                COLUMNS, (effect if np.isscalar(effect) else effect[k], 0.0, 3.0), strict=True
            ):
                values[row, column] = mean + split + rng.normal(size=n)
        found.append(verdict(test, values))
    return {name: found.count(name) / n_draws for name in (HOLDS, IN_PART, FAILS, OPEN)}


@pytest.mark.parametrize("n", [2, 4, 20])
@pytest.mark.parametrize("test", [MEAN, EACH], ids=["mean", "each"])
def test_one_sided_claims(test, n):
    edge = draws(test, n, 0.0, 400)
    assert edge[HOLDS] <= 0.075
    assert edge[FAILS] <= 0.075
    true, false = draws(test, n, -3.0, 200), draws(test, n, 3.0, 200)
    assert true[FAILS] == false[HOLDS] == 0.0
    if n == 20:
        assert true[HOLDS] > 0.95
        assert false[FAILS] > 0.95


def test_the_rates_at_the_edge_in_full():
    """The rates that the documentation states: at most 5% each."""
    edge = draws(MEAN, 8, 0.0)
    assert edge[HOLDS] <= 0.065
    assert edge[FAILS] <= 0.065
    assert edge[OPEN] >= 0.85


def test_equality_at_its_edge_and_beyond():
    assert draws(EQUAL, 20, 0.5, 400)[HOLDS] <= 0.075
    assert draws(EQUAL, 20, 0.5, 400)[FAILS] <= 0.075
    assert draws(EQUAL, 200, 0.0, 100)[HOLDS] > 0.95
    assert draws(EQUAL, 20, 3.0, 100)[FAILS] > 0.95


def test_counts_of_sets():
    """True of two sets of three, and of one."""
    true, false = draws(LOWEST, 10, (-3.0, -3.0, 3.0), 200), draws(LOWEST, 10, (-3.0, 3.0, 3.0), 200)
    assert true[HOLDS] > 0.95
    assert false[FAILS] > 0.95
    # All sets level: neither way is shown.
    level = draws(LOWEST, 10, 0.0, 300)
    assert level[HOLDS] <= 0.1
    assert level[FAILS] <= 0.1


def test_trends_and_minima():
    rng = np.random.default_rng(0)
    x = {"A": 0.0, "B": 1.0, "C": 2.0}
    found = {"flat": [], "least": []}
    for _ in range(300):
        values = {("one", column): rng.normal(size=12) for column in COLUMNS}
        found["flat"].append(verdict(Trend("table 1", x, "<", others=("one",)), values))
        found["least"].append(verdict(Minimum("table 1", x, 0.5, 1.5, rows=("one",)), values))
    assert found["flat"].count(HOLDS) <= 24
    assert found["flat"].count(FAILS) <= 24
    # A flat curve has its minimum anywhere: in a third of the draws within the range.
    assert found["least"].count(HOLDS) <= 30


def test_shares_at_their_edge():
    rng = np.random.default_rng(1)
    test = Share("table 1", ("A",), ">", 0.5, at_most=0.5, rows=("one",))
    found = [verdict(test, {("one", "A"): rng.integers(2, size=30).astype(float)}) for _ in range(500)]
    assert found.count(HOLDS) <= 30
    assert found.count(FAILS) <= 30
