import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from weaklearn._holm import holm
from weaklearn.lab import load_published
from weaklearn.lab._verdicts import (
    CONFIRMED,
    CONTRADICTED,
    UNDECIDED,
    Evidence,
    _hochberg,
    judge,
)


def evidence(n=50, mean=10.0, spread=1.0, published=10.0, **more):
    return Evidence(n=n, mean=mean, spread=spread, published=published, **more)


def verdict(*args, **more):
    return judge([evidence(*args, **more)])[0].verdict


# One cell, against scipy's own tests on samples


def test_runs_without_an_error_are_scipys_t_test_with_one_spread():
    """Our spread stands for theirs: the pooled t test in which all the spread is ours."""
    cell = evidence(n=8, mean=13.0, spread=1.5, published=10.0, runs=5, digit=0.0, tolerance=0.0)
    statistic = 3.0 / (1.5 * math.sqrt(1 / 8 + 1 / 5))
    assert cell.p_different(8) == pytest.approx(2 * stats.t.sf(statistic, 7))


def test_a_single_run_is_tested_against_a_prediction_interval():
    rng = np.random.default_rng(0)
    values = rng.normal(size=12)
    low, high = stats.t.interval(
        0.99, 11, loc=values.mean(), scale=values.std(ddof=1) * math.sqrt(1 + 1 / 12)
    )

    def p(published):
        cell = Evidence(12, values.mean(), values.std(ddof=1), published, runs=1, digit=0.0, tolerance=0.0)
        return cell.p_different(12)

    assert p(high - 1e-6) > 0.01 > p(high + 1e-6)
    assert p(low + 1e-6) > 0.01 > p(low - 1e-6)


def test_equivalence_is_two_one_sided_tests():
    rng = np.random.default_rng(1)
    values = 10.03 + 0.1 * rng.normal(size=30)
    # A published error of 0 leaves our spread alone: scipy's one-sample tests at both ends.
    cell = Evidence(
        30, values.mean(), values.std(ddof=1), 10.0, error=0.0, runs=500, digit=0.0, tolerance=0.1
    )
    below = stats.ttest_1samp(values, 10.1, alternative="less").pvalue
    above = stats.ttest_1samp(values, 9.9, alternative="greater").pvalue
    assert cell.p_equal(30) == pytest.approx(max(below, above))


def test_the_interval_of_rounding_is_no_difference():
    cell = evidence(n=10, mean=10.8, published=10.0, error=0.0, digit=0.5, tolerance=0.1)
    at = evidence(n=10, mean=10.55, published=10.0, error=0.0, digit=0.0, tolerance=0.01)
    assert cell.p_different(10) == pytest.approx(at.p_different(10))
    assert cell.p_different(10) < 1


def test_no_tolerance_is_smaller_than_the_last_digit():
    assert evidence(digit=0.5, tolerance=0.1).meaningful()[0] == 0.5
    assert evidence(digit=0.5, tolerance=0.7).meaningful()[0] == 0.7
    assert evidence(digit=0.5, tolerance=0.1, deterministic=True).meaningful()[0] == 0.1


def test_degrees_of_freedom_are_the_smaller_ones():
    assert evidence(n=50, error=0.1, runs=20).degrees_of_freedom(50) == 19
    assert evidence(n=5, error=0.1, runs=500).degrees_of_freedom(5) == 4
    assert evidence(n=50, runs=1).degrees_of_freedom(50) == 49


# The tolerance


@pytest.mark.parametrize(
    ("more", "tolerance", "words"),
    [
        ({"error": 0.1, "runs": 500}, 0.3 * math.sqrt(2), "three published"),
        ({"error": 0.001, "runs": 500}, 0.01, "one unit"),
        ({"runs": 4}, 1.5 * math.sqrt(2), "4 runs"),
        ({}, 0.01, "one unit"),
        ({"error": 0.1, "tolerance": 0.5}, 0.5, "stated"),
        ({"relation": "at least"}, 0.0, "bound"),
        ({"deterministic": True}, 0.005, "precision"),
    ],
)
def test_tolerances(more, tolerance, words):
    judgement = judge([evidence(**more)])[0]
    assert judgement.tolerance == pytest.approx(tolerance)
    assert words in judgement.tolerance_reason


# The verdicts


def test_few_trials_say_little():
    # 20 deviations off with two trials: t with one degree of freedom has heavy tails.
    assert verdict(n=2, mean=30.0, error=0.05, runs=500) == UNDECIDED
    assert verdict(n=6, mean=30.0, error=0.05, runs=500) == CONTRADICTED
    assert verdict(n=2, mean=10.0, error=0.05, runs=500) == UNDECIDED
    assert verdict(n=2000, mean=10.0, error=0.05, runs=500) == CONFIRMED


def test_a_difference_of_no_consequence_does_not_contradict():
    # Twenty standard errors from 0, and shown to be below the tolerance; then not even that.
    assert verdict(n=10_000, mean=10.2, error=0.0, tolerance=0.5) == CONFIRMED
    assert verdict(n=10_000, mean=10.49, error=0.0, tolerance=0.5) == UNDECIDED
    assert verdict(n=10_000, mean=10.6, error=0.0, tolerance=0.5) == CONTRADICTED


@pytest.mark.parametrize(("relation", "sign"), [("at least", 1), ("at most", -1)])
def test_bounds(relation, sign):
    def of(distance, n=50):
        return verdict(n=n, mean=2.0 + sign * distance, published=2.0, digit=1.0, relation=relation)

    assert of(1.0) == CONFIRMED
    assert of(30.0) == CONFIRMED
    assert of(0.1) == UNDECIDED
    assert of(-0.1) == UNDECIDED
    assert of(-0.45) == CONTRADICTED  # the bound is exact: half a unit of its digit is no excuse
    assert of(-1.0, n=2) == UNDECIDED


@pytest.mark.parametrize(
    ("mean", "published", "digit", "more", "expected"),
    [
        (60.172, 60.17, 0.01, {}, CONFIRMED),
        (60.175, 60.17, 0.01, {}, CONFIRMED),
        (60.176, 60.17, 0.01, {}, CONTRADICTED),
        (98.0, 97.0, 1.0, {}, CONTRADICTED),
        (98.0, 97.0, 1.0, {"tolerance": 1.0}, CONFIRMED),
        (3e-5, 5e-5, 1e-5, {"relation": "at most"}, CONFIRMED),
        (6e-5, 5e-5, 1e-5, {"relation": "at most"}, CONTRADICTED),
        (2.0, 2.0, 1.0, {"relation": "at least"}, CONFIRMED),
    ],
)
def test_deterministic_quantities_are_compared_at_the_published_precision(
    mean, published, digit, more, expected
):
    cell = Evidence(1, mean, 0.0, published, digit=digit, deterministic=True, **more)
    judgement = judge([cell])[0]
    assert judgement.verdict == expected
    assert judgement.standard_error is None


def test_equal_trials_are_not_deterministic():
    assert verdict(n=2, spread=0.0, mean=24.0, published=26.0, runs=60) == UNDECIDED
    assert verdict(n=2, spread=0.0, runs=60) == UNDECIDED
    assert verdict(n=100, spread=0.0, runs=60) == CONFIRMED
    assert verdict(n=100, spread=0.0, mean=24.0, published=26.0, runs=60) == CONTRADICTED
    # The published spread is taken where ours shows none.
    assert evidence(spread=0.0, error=0.1, runs=400).our_spread == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("more", "match"),
    [({"n": 1}, "at least 2 trials"), ({"spread": -1.0}, "spread"), ({"runs": 0}, "runs")],
)
def test_nonsense_is_refused(more, match):
    with pytest.raises(ValueError, match=match):
        evidence(**more)


# Families


def rejected(p_values, level):
    return {k for k, p in enumerate(holm(p_values)) if p <= level}


def test_holm_and_hochberg_by_definition():
    """Closed testing with Bonferroni (Holm) and with Simes' rule on the ordered values (which contains Hochberg)."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        p = list(rng.uniform(0, 0.08, size=5) ** rng.choice([1, 2]))
        subsets = [[k for k in range(5) if code >> k & 1] for code in range(1, 32)]

        def closed(rejects, p=p, subsets=subsets):
            return {k for k in range(5) if all(rejects([p[j] for j in s]) for s in subsets if k in s)}

        assert rejected(p, 0.05) == closed(lambda q: min(q) <= 0.05 / len(q))
        hochberg = set(_hochberg(p, 0.05))
        hommel = closed(lambda q: any(v <= 0.05 * (i + 1) / len(q) for i, v in enumerate(sorted(q))))
        assert rejected(p, 0.05) <= hochberg <= hommel


def test_a_whole_table_is_confirmed_at_the_level_of_one_cell():
    cell = evidence(n=500, mean=10.05, error=0.05, runs=500)
    assert cell.p_equal(500) < 0.05
    assert {judgement.verdict for judgement in judge([cell] * 80)} == {CONFIRMED}


def test_a_contradiction_among_many_cells_needs_more():
    cell = evidence(n=20, mean=13.0, spread=1.0, published=12.1, runs=500, digit=0.0)
    assert judge([cell])[0].verdict == CONTRADICTED
    calm = evidence(n=20, published=10.0, runs=500)
    assert judge([cell] + [calm] * 400)[0].verdict == UNDECIDED


# Simulation: tables in which everything is known


def _simulated_table(rng, n, shift):
    """A table of a random size; every cell is off by `shift` true tolerances."""
    cells = []
    n_cells = int(rng.choice([1, 4, 12, 40]))
    shared = rng.normal(size=n)  # splits that all cells share, as in a real table
    for _ in range(n_cells):
        spread = float(np.exp(rng.normal(0, 1)))
        level = float(rng.uniform(5, 40))
        kind = rng.choice(["error", "runs", "single", "silent"])
        runs = {"error": int(rng.choice([20, 100, 500])), "runs": 60, "single": 1, "silent": n}[kind]
        own = rng.normal(size=n)
        correlation = rng.uniform(0, 0.9)
        trials = level + spread * (math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * own)
        theirs = level + spread * rng.normal(size=runs)
        digit = float(rng.choice([0.01, 0.1]))
        error = round(theirs.std(ddof=1) / math.sqrt(runs), 2) if kind == "error" else None
        tolerance = digit if kind == "silent" else max(digit, 3 * math.sqrt(2 / runs) * spread)
        value = round((theirs.mean() + shift * tolerance) / digit) * digit
        cells.append(
            Evidence(
                n=n,
                mean=float(trials.mean()),
                spread=float(trials.std(ddof=1)),
                published=value,
                error=error,
                runs=None if kind == "silent" else runs,
                digit=digit,
            )
        )
    return cells


def _share(n_tables, n, shift, verdict):
    rng = np.random.default_rng([n, int(10 * abs(shift))])
    verdicts = [j.verdict for _ in range(n_tables) for j in judge(_simulated_table(rng, n, shift))]
    return verdicts.count(verdict) / len(verdicts)


TABLES = [
    pytest.param(60, id="60 tables"),
    pytest.param(1000, id="1000 tables", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("n_tables", TABLES)
@pytest.mark.parametrize("n", [2, 5, 50])
def test_false_contradictions_are_rare(n_tables, n):
    assert _share(n_tables, n, 0.0, CONTRADICTED) <= 0.01


@pytest.mark.parametrize("n_tables", TABLES)
@pytest.mark.parametrize("n", [2, 5, 50, 500])
def test_false_confirmations_are_rare(n_tables, n):
    assert _share(n_tables, n, 2.0, CONFIRMED) <= 0.01


def test_the_verdicts_have_power():
    assert _share(60, 500, 0.0, CONFIRMED) > 0.5
    assert _share(60, 50, 4.0, CONTRADICTED) > 0.4


@pytest.mark.slow
def test_family_wise_error_at_the_edge_of_the_tolerance():
    """Any false confirmation in a table whose cells are all off by exactly the tolerance: at most 5%."""
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(2000):
        shared = rng.normal()
        noise = math.sqrt(0.5) * shared + math.sqrt(0.5) * rng.normal(size=20)
        cells = [
            Evidence(50, 10 + 0.5 + e / math.sqrt(50), 1.0, 10.0, error=0.0, digit=0.0, tolerance=0.5)
            for e in noise
        ]
        false += any(j.verdict == CONFIRMED for j in judge(cells))
    assert false / 2000 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)


def test_last_bits_are_no_spread():
    """Two equal differences of errors that were rounded differently are two equal trials, not two precise ones."""
    a, b = 22.312703583061889 - 21.986970684039086, 0.3257328990228
    assert a != b
    cell = Evidence(
        n=2, mean=(a + b) / 2, spread=abs(a - b) / math.sqrt(2), published=0.0, digit=1.0, relation="at most"
    )
    assert judge([cell])[0].verdict == UNDECIDED
    assert judge([dataclasses.replace(cell, spread=0.0)])[0] == judge([cell])[0]


def test_a_value_at_the_level_itself_is_rejected():
    assert rejected([0.05], 0.05) == {0}
    assert rejected([0.05, 0.025], 0.05) == {0, 1}


def test_published_bounds_are_read_as_bounds():
    claims = {(cell.row, cell.column): cell for cell in load_published("li2005") if cell.table == "claims"}
    most = claims["all data sets", "data sets where RCD or RCD-bias has the lowest training error"]
    assert (most.value, most.relation) == (6, "at least")  # printed as ">6"
    less = claims["pima (figure 1)", "RCD (FLD) minus RCD, final training error"]
    assert (less.value, less.relation) == (0, "at most")


def test_published_numbers_keep_their_digits_errors_and_runs():
    sizes = {
        cell.column: cell
        for cell in load_published("barnes1999")
        if (cell.table, cell.row) == ("5.1", "sonar")
    }
    assert (sizes["Size"].value, sizes["Size"].decimals, sizes["Size"].error) == (208, 0, None)
    cells = [cell for cell in load_published("li2005") if cell.table == "2"]
    assert {cell.n_runs for cell in cells} == {500}
    for cell in cells:
        digits = cell.text.partition(".")[2]
        assert cell.decimals == len(digits)
        assert f"{cell.value:.{cell.decimals}f}" == cell.text


def test_a_difference_within_the_tolerance_is_none():
    for mean, within in ((10.5, True), (10.51, False), (9.5, True), (9.49, False)):
        cell = evidence(mean=mean, tolerance=0.5, spread=0.01, digit=0.0)
        assert (cell.p_different(50) == 1.0) == within
