from math import exp, log, log2, sqrt

import numpy as np
import pytest

from weaklearn.boosting import MarginDistribution, generalization_bound
from weaklearn.boosting._bounds import log2_covering_number
from weaklearn.boosting._margins import gamma_margin

# 10 of 100 margins at or below 0.1, 40 at 0.3, 50 at 0.8.
MARGINS = np.repeat([-0.2, 0.1, 0.3, 0.8], [4, 6, 40, 50])


def test_values_by_hand():
    finite = generalization_bound("finite", risk=0.1, n_samples=200, n_hypotheses=exp(3) / 2, failure=exp(-5))
    assert finite.confidence_interval == pytest.approx(sqrt(0.08))  # 2/200 * (3 + 5)
    assert finite.value == pytest.approx(0.1 + sqrt(0.08))
    vc = generalization_bound("vc", risk=0.2, n_samples=100, dimension=4, failure=exp(-5), constant=2)
    assert vc.value == pytest.approx(0.2 + sqrt(0.18))
    cover = generalization_bound(
        "covering", margins=MARGINS, gamma=0.1, log_covering_number=7 - log(2), failure=exp(-2)
    )
    assert (cover.risk, cover.confidence_interval) == (pytest.approx(0.1), pytest.approx(sqrt(0.72)))
    margin = generalization_bound("margin", margins=MARGINS, gamma=0.2, dimension=4, failure=exp(-3))
    assert margin.value == pytest.approx(0.1 + sqrt(0.01 * (4 * log(25) ** 2 / 0.04 + 3)))
    penalised = generalization_bound(
        "penalised_margin", margins=MARGINS, gamma=0.5, dimension=9, failure=0.1, constant=0.5
    )
    assert penalised.value == pytest.approx(
        0.5 + 0.5 / 0.5 * 0.3 + sqrt(log(log2(4)) / 100) + sqrt(log(20) / 200)
    )
    hull = generalization_bound(
        "p_convex_hull", margins=MARGINS, gamma=0.25, p=1, dimension=3, failure=0.125, constant=0.01
    )
    assert hull.value == pytest.approx(0.1 + sqrt(0.08 * (0.01 * 3 * 8**2 * 3 + 3)))
    assert [b.up_to_constant for b in (finite, vc, cover, margin, penalised, hull)] == [
        False,
        True,
        False,
        True,
        True,
        True,
    ]


def test_gamma_margin_by_hand():
    # gamma = 1, n = 100: delta P[<= delta] <= 0.1. With P = .1 on [.1, .3) any delta does; P = .5 from .3 on
    # allows only delta <= .2, so the supremum is .3, where the share jumps.
    assert gamma_margin(MARGINS, 1.0) == pytest.approx(0.3)
    # All margins bad: delta^gamma <= n^(gamma/2 - 1). None bad: 1.
    for gamma in (0.3, 2 / 3, 1.0):
        assert gamma_margin(np.full(50, -1.0), gamma) == pytest.approx(50 ** (0.5 - 1 / gamma))
        assert gamma_margin(np.full(50, 1.0), gamma) == 1
    bound = generalization_bound("gamma_margin", margins=MARGINS, gamma=1.0, constant=3)
    assert bound.value == pytest.approx(3 / (10 * 0.3))
    assert bound.gamma == pytest.approx(0.3)


@pytest.mark.parametrize("seed", range(10))
def test_gamma_margin_against_its_definition(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.uniform(-0.3, 1, size=30), 2)
    gamma = rng.uniform(0.2, 1)
    delta = np.linspace(1e-5, 1 - 1e-5, 100_000)
    held = delta**gamma * MarginDistribution(values)(delta) <= 30 ** (gamma / 2 - 1)
    assert gamma_margin(values, gamma) == pytest.approx(delta[held].max(), abs=3e-5)


def test_gamma_bounds_have_the_stated_limits():
    n = len(MARGINS)
    # V = 2 proves gamma = 2/3; V without limit proves only gamma = 1, the weakest.
    at = [
        generalization_bound("gamma_margin", margins=MARGINS, dimension=V).value for V in (1, 2, 5, 100, 1e9)
    ]
    assert at == sorted(at)
    assert at[0] == pytest.approx(1 / n)
    assert at[1] == pytest.approx(generalization_bound("gamma_margin", margins=MARGINS, gamma=2 / 3).value)
    assert at[-1] == pytest.approx(generalization_bound("gamma_margin", margins=MARGINS, gamma=1).value)
    # Margins of 1 give c n^(gamma/2 - 1), bad ones c: nothing.
    assert generalization_bound("gamma_margin", margins=np.ones(n), gamma=0.5).value == pytest.approx(
        n**-0.75
    )
    assert generalization_bound("gamma_margin", margins=-np.ones(n), gamma=0.5).value == pytest.approx(1)
    # beta without limit is the gamma-margin bound; smaller ones are tighter.
    by_beta = [
        generalization_bound("delta_dimension", margins=MARGINS, dimension=5, beta=beta).value
        for beta in (0.1, 1, 10, 1e9, np.inf)
    ]
    assert by_beta == sorted(by_beta)
    assert by_beta[-1] == pytest.approx(at[2])
    assert by_beta[-2] == pytest.approx(at[2])
    # gamma = beta = 1 is the exponent 1/2.
    half = generalization_bound("delta_dimension", margins=MARGINS, gamma=1, beta=1)
    assert half == generalization_bound("gamma_margin", margins=MARGINS, gamma=0.5)


def test_covering_numbers():
    assert log2_covering_number(1, 1 / 8, dimension=2, constant=0.5) == pytest.approx(0.5 * 2 * 64 * 3)
    assert log2_covering_number(1e-9, 1 / 8, dimension=2) == pytest.approx(2 * 3)  # the base class
    assert log2_covering_number(1, 1, dimension=2) == 0
    growing = [log2_covering_number(p, 0.1, dimension=2) for p in np.arange(0.1, 2, 0.1)]
    assert growing == sorted(growing)
    assert log2_covering_number(1.999, 0.1, dimension=2) == np.inf
    # From theorem 3 with these covering numbers to theorem 12: bits for nats, and without log 2.
    bits = log2_covering_number(1, 0.1, dimension=3)
    cover = generalization_bound("covering", margins=MARGINS, gamma=0.2, log_covering_number=bits * log(2))
    hull = generalization_bound("p_convex_hull", margins=MARGINS, gamma=0.2, p=1, dimension=3)
    ratio = (cover.confidence_interval / hull.confidence_interval) ** 2
    assert ratio == pytest.approx(log(2) * (bits + 1 - log2(0.05)) / (bits - log2(0.05)))


@pytest.mark.parametrize("kind", ["margin", "penalised_margin"])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_gamma_is_the_infimum_over_all(kind, seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0.3, 0.3, size=400), 2).clip(-1, 1)
    best = generalization_bound(kind, margins=values, dimension=2, constant=0.01)
    gammas = np.append(np.linspace(0.0025, 1, 400) - 1e-9, 1.0)  # just below every hundredth
    tried = [
        generalization_bound(kind, margins=values, dimension=2, constant=0.01, gamma=g).value for g in gammas
    ]
    assert best.value == pytest.approx(min(tried), abs=1e-6)
    assert best.value <= min(tried) + 1e-12


def test_general_form():
    """Figures 2.8 and 4.1: the interval falls with failure and n_samples, and grows with capacity."""

    def finite(**changes):
        given = {"risk": 0.1, "n_samples": 100, "n_hypotheses": 50, "failure": 0.05, **changes}
        return generalization_bound("finite", **given).confidence_interval

    def hull(n=1, **changes):
        given = {"gamma": 0.2, "p": 0.8, "dimension": 3, "failure": 0.05, **changes}
        return generalization_bound("p_convex_hull", margins=np.tile(MARGINS, n), **given).confidence_interval

    assert finite(failure=0.01) > finite() > finite(failure=0.5)
    assert finite(n_hypotheses=500) > finite() > finite(n_hypotheses=5)
    assert finite(n_samples=1000) == pytest.approx(finite() / sqrt(10))
    assert hull(failure=0.01) > hull() > hull(failure=0.5)
    assert hull(p=1.2) > hull() > hull(p=0.4)
    assert hull(gamma=0.1) > hull() > hull(gamma=0.4)
    assert hull(n=4) == pytest.approx(hull() / 2)
    assert generalization_bound("p_convex_hull", margins=MARGINS, gamma=0.2, p=1, dimension=3).is_vacuous


@pytest.mark.parametrize(
    ("kind", "quantities", "error", "message"),
    [
        ("vcdim", {}, ValueError, "kind must be one of"),
        (
            "finite",
            {"risk": 0.1},
            TypeError,
            "'finite' takes risk, n_samples, n_hypotheses, failure: missing",
        ),
        ("vc", {"p": 1}, TypeError, "'vc' takes"),
        ("finite", {"risk": 2, "n_samples": 9, "n_hypotheses": 1}, ValueError, "risk must lie in"),
        ("finite", {"risk": 0, "n_samples": 0, "n_hypotheses": 1}, ValueError, "n_samples must be positive"),
        (
            "vc",
            {"risk": 0, "n_samples": 9, "dimension": 1, "failure": 1},
            ValueError,
            "failure must be below",
        ),
        ("margin", {"margins": MARGINS, "dimension": 100}, ValueError, "dimension must be below"),
        ("margin", {"margins": MARGINS, "dimension": 1, "gamma": 2}, ValueError, "gamma must be positive"),
        ("gamma_margin", {"margins": MARGINS}, TypeError, "dimension"),
        ("gamma_margin", {"margins": MARGINS, "dimension": 2, "gamma": 0.5}, ValueError, "at least 0.6667"),
        ("covering", {"margins": MARGINS, "gamma": 0.5, "log_covering_number": 1}, ValueError, "below 1/2"),
        (
            "p_convex_hull",
            {"margins": MARGINS, "gamma": 0.2, "p": 2, "dimension": 1},
            ValueError,
            "p must lie",
        ),
    ],
)
def test_errors_say_what_is_wrong(kind, quantities, error, message):
    with pytest.raises(error, match=message):
        generalization_bound(kind, **quantities)
