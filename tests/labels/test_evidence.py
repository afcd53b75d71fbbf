"""Columns that speak for another label or give it away, groups that are predicted badly, systematic mistakes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from weaklearn.labels._evidence import (
    _share_beside_shift,
    groups_that_fail,
    reasons,
    systematic_groups,
)
from weaklearn.tables import labelled

N = 400


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    return labelled(
        {
            "speaks": y + 0.3 * rng.normal(size=N),
            "silent": rng.normal(size=N),
            "colour": np.where(rng.uniform(size=N) < 0.8, np.where(y, "red", "blue"), "green"),
            "copy": np.where(y, "one", "nought"),
            "y": y,
        },
        "y",
    )


def test_cells_cover_all_rows(table):
    for column in table.cuts:
        assert len(column.codes) == N
        assert column.codes.max() < len(column.names)
        assert set(np.bincount(column.codes, minlength=len(column.names))) != {0}
    numbers = table.cuts[0]
    assert np.bincount(numbers.codes, minlength=len(numbers.names)).tolist() == [40] * 10 + [0]


def test_missing_values_are_cells_of_their_own():
    x = [1.0, 2.0, None, 4.0, 5.0, 6.0] * 5
    colour = ["a", None, "b", "a", "a", "b"] * 5
    given = labelled({"x": x, "c": colour, "y": [0, 1, 0] * 10}, "y")
    x_cells, colour_cells = given.cuts
    assert {x_cells.names[code] for code in x_cells.codes[2::6]} == {"missing"}
    assert {colour_cells.names[code] for code in colour_cells.codes[1::6]} == {"missing"}
    assert "missing" not in {x_cells.names[code] for code in np.delete(x_cells.codes, np.arange(2, 30, 6))}


def test_reasons_are_ratios_of_frequencies(table):
    columns = table.cuts
    codes = np.arange(N) % 2
    given = codes.copy()
    given[0] = 1  # row 0 looks like class 0 and is called 1
    P = np.eye(2)[given]
    found = reasons(columns, [0], [1], [0], P, table.cells)[0]
    assert [r.ratio for r in found] == sorted((r.ratio for r in found), reverse=True)
    assert "silent" not in {r.column for r in found}
    by_name = {r.column: r for r in found}
    assert by_name["copy"].value == "nought"
    # By hand, without the row itself: 199 rows of class 0 have this value, none of class 1.
    overall = 200 / N
    expected = ((199 + 2 * overall) / (199 + 2)) / ((0 + 2 * overall) / (200 + 2))
    assert by_name["copy"].ratio == pytest.approx(expected)


def test_copies_of_the_label_are_named(table):
    assert table.telling == [("copy", 1.0)]


def test_groups_that_fail(table):
    missed = np.zeros(N)
    green = np.flatnonzero(np.array(table.cells["colour"].texts()) == "green")
    missed[green[: len(green) // 2]] = 1
    groups = groups_that_fail(table.cuts, missed, 0.5 * missed)
    assert (groups[0].column, groups[0].value) == ("colour", "green")
    assert groups[0].share == pytest.approx((len(green) // 2) / len(green))
    assert groups[0].elsewhere == 0
    assert groups[0].expected_wrong == pytest.approx(0.5 * (len(green) // 2))
    assert groups_that_fail(table.cuts, np.zeros(N), np.zeros(N)) == []
    scattered = (np.random.default_rng(1).uniform(size=N) < 0.1).astype(float)
    assert groups_that_fail(table.cuts, scattered, scattered) == []


def dated_table(seed, kind, n=600):
    """Labels that depend on the plan in truth; a tenth is wrong at random, or a rule is wrong in one group."""
    rng = np.random.default_rng(seed)
    plan = rng.choice(["basic", "plus", "pro"], n, p=[0.4, 0.35, 0.25])
    day = np.sort(rng.integers(0, 360, n))
    X = rng.normal(size=(n, 3))
    score = 2.5 * (X[:, 0] + X[:, 1] - 0.5 * X[:, 2]) + 1.5 * (plan == "basic")
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-score))).astype(int)
    if kind == "random":
        rows = rng.permutation(n)[: n // 10]
        y[rows] = 1 - y[rows]
    elif kind == "plan":
        y[(plan == "basic") & (rng.uniform(size=n) < 0.5)] = 1
    else:
        y[(day < 120) & (rng.uniform(size=n) < 0.4)] = 1
    table = {
        "plan": plan.tolist(),
        "day": np.datetime64("2024-01-01") + day,
        "label": np.where(y, "churn", "stay"),
    }
    table |= {f"x{k}": X[:, k] for k in range(3)}
    given = labelled(table, "label")
    # Held-out log-odds of a learner that knows of no mistakes, and takes the rule for the truth.
    Z = np.column_stack([X, plan == "basic", plan == "pro", day / 360])
    model = LogisticRegression()
    scores = cross_val_predict(model, Z, given.y, cv=5, method="predict_log_proba")
    return given, scores


def signs(seed, kind):
    given, scores = dated_table(seed, kind)
    nothing = np.full(len(given), np.nan)
    return systematic_groups(given.cuts, given.y, scores, np.zeros(len(given)), nothing, 0)


def test_mistakes_at_random_are_not_called_systematic():
    """True differences between groups neither: at most 5% of the tables, by a binomial bound for 60 tables."""
    assert sum(bool(signs(seed, "random")) for seed in range(60)) <= 7


@pytest.mark.parametrize(("kind", "column"), [("plan", "plan"), ("date", "day")])
def test_rules_of_one_group_are_found(kind, column):
    found = [signs(seed, kind) for seed in range(20)]
    hits = [groups[0] for groups in found if groups]
    assert len(hits) >= 12
    assert all(group.kind == "label" and group.label == "churn" for group in hits)
    assert np.mean([column in f"{group.column} {group.value}" for group in hits]) > 0.8
    share = np.mean([group.share for group in hits])
    assert share == pytest.approx(0.5 if kind == "plan" else 0.4, abs=0.15)
    assert hits[0].sentence.startswith(
        f"Labels of {hits[0].column} {hits[0].value} look systematically different: "
    )


def test_reviewed_rows_tell_where_labels_are_wrong():
    given, _ = dated_table(0, "random")
    plan = np.array(given.cells["plan"].texts())
    rng = np.random.default_rng(0)
    found_wrong = np.full(len(given), np.nan)
    rows = rng.permutation(len(given))[:80]
    found_wrong[rows] = 0.0
    cells, zero = given.cuts, np.zeros(len(given))
    assert systematic_groups(cells, given.y, None, zero, found_wrong, 0) == []
    found_wrong[rows] = (plan[rows] == "basic") & (rng.uniform(size=80) < 0.5)
    group = systematic_groups(cells, given.y, None, zero, found_wrong, 0)[0]
    assert (group.kind, group.column) == ("reviewed", "plan")
    assert "basic" in group.value
    assert group.share > 0.3 > 0.1 > group.elsewhere
    assert "of the reviewed rows there" in group.sentence


def test_the_gain_of_a_share_is_that_of_a_second_optimiser():
    rng = np.random.default_rng(0)
    s = 2 * rng.normal(size=300)
    is_z = rng.uniform(size=300) < 1 - 0.6 * (1 - expit(s + 0.5))

    def loss(theta, share):
        P = 0.02 + 0.95 * expit(s + theta[0])
        P = P + share * (1 - P)
        return -np.log(np.where(is_z, P, 1 - P)).sum()

    share, gain = _share_beside_shift(s, is_z, 0.02, 0.03)
    losses = [minimize(loss, [0.0], args=(one,)).fun for one in (0.0, share)]
    assert gain == pytest.approx(losses[0] - losses[1], abs=1e-3)
    assert 0.2 <= share <= 0.6
