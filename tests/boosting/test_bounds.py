from math import exp, log, sqrt

import numpy as np
import pytest

from weaklearn.boosting import generalization_bound

# 10 of 100 margins at or below 0.1, 40 at 0.3, 50 at 0.8.
MARGINS = np.repeat([-0.2, 0.1, 0.3, 0.8], [4, 6, 40, 50])


def test_values_by_hand():
    finite = generalization_bound("finite", risk=0.1, n_samples=200, n_hypotheses=exp(3) / 2, failure=exp(-5))
    assert finite.confidence_interval == pytest.approx(sqrt(0.08))  # 2/200 * (3 + 5)
    assert finite.value == pytest.approx(0.1 + sqrt(0.08))
    vc = generalization_bound("vc", risk=0.2, n_samples=100, dimension=4, failure=exp(-5), constant=2)
    assert vc.value == pytest.approx(0.2 + sqrt(0.18))
    margin = generalization_bound("margin", margins=MARGINS, gamma=0.2, dimension=4, failure=exp(-3))
    assert margin.value == pytest.approx(0.1 + sqrt(0.01 * (4 * log(25) ** 2 / 0.04 + 3)))
    hull = generalization_bound(
        "p_convex_hull", margins=MARGINS, gamma=0.25, p=1, dimension=3, failure=0.125, constant=0.01
    )
    assert hull.value == pytest.approx(0.1 + sqrt(0.08 * (0.01 * 3 * 8**2 * 3 + 3)))
    assert [b.up_to_constant for b in (finite, vc, margin, hull)] == [False, True, True, True]
    # The bound is infinite as p approaches 2, and that of the base class as p approaches 0.
    assert (
        generalization_bound("p_convex_hull", margins=MARGINS, gamma=0.2, p=1.999, dimension=2).value
        == np.inf
    )
    base = generalization_bound(
        "p_convex_hull", margins=MARGINS, gamma=0.25, p=1e-9, dimension=2, failure=0.5
    )
    assert base.confidence_interval == pytest.approx(sqrt(0.08 * (2 * 3 + 1)))


@pytest.mark.parametrize("seed", range(4))
def test_the_best_gamma_is_the_infimum_over_all(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0.3, 0.3, size=400), 2).clip(-1, 1)

    def bound(**gamma):
        return generalization_bound("margin", margins=values, dimension=2, constant=0.01, **gamma).value

    gammas = np.append(np.linspace(0.0025, 1, 400) - 1e-9, 1.0)  # just below every hundredth
    tried = [bound(gamma=g) for g in gammas]
    assert bound() == pytest.approx(min(tried), abs=1e-6)
    assert bound() <= min(tried) + 1e-12


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
        (
            "p_convex_hull",
            {"margins": MARGINS, "gamma": 0.5, "p": 1, "dimension": 1},
            ValueError,
            "below 1/2",
        ),
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
