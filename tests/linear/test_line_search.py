"""The exact 0/1 line search against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.linear import zero_one_step


def brute_force(s, d, y, weight, negation):
    """Smallest error over a point in every gap of the breakpoints, and the (step, negate) convention's choice."""
    x = np.unique(s[d != 0] / d[d != 0])
    thresholds = [0.0]
    if x.size:
        distinct = [x[0]]
        for value in x[1:]:
            if value - distinct[-1] > 1e-12 * abs(value):
                distinct.append(value)
        x = np.array(distinct)
        thresholds = np.concatenate([[x[0] - 1], (x[1:] + x[:-1]) / 2, [x[-1] + 1]])
    best = (np.inf, 0.0, False)
    for negate in (False, True) if negation else (False,):
        for threshold in thresholds:
            scores = (s - threshold * d) * (-1 if negate else 1)
            error = weight[y * scores <= 0].sum()
            if error < best[0] - 1e-10:
                best = (error, -threshold, negate)
    return best


def assert_exact(s, d, y, weight, negation):
    found = zero_one_step(s, d, y, weight, negation=negation)
    error, step, negate = brute_force(s, d, y, weight, negation)
    assert found.error == pytest.approx(error, abs=1e-9)
    assert found.step == pytest.approx(step, abs=1e-9)
    assert found.negate == negate
    scores = (s + found.step * d) * (-1 if found.negate else 1)
    assert weight[y * scores <= 0].sum() == pytest.approx(found.error, abs=1e-9)


# Few distinct values make ties, zeros in the direction, zero scores and duplicate points the rule. One
# string of bytes holds a whole problem: it is drawn and shrunk far faster than lists of numbers.
@st.composite
def problems(draw):
    n = draw(st.integers(1, 30))
    bytes_ = (
        np.frombuffer(draw(st.binary(min_size=4 * n, max_size=4 * n)), dtype=np.uint8)
        .reshape(4, n)
        .astype(float)
    )
    s = (bytes_[0] % 7 - 3) * draw(st.sampled_from([1.0, 0.1, 1 / 3]))
    d = (bytes_[1] % 7 - 3) * draw(st.sampled_from([1.0, 0.3]))
    y = np.where(bytes_[2] % 2 == 0, 1.0, -1.0)
    kind = draw(st.sampled_from(["ones", "integers", "floats"]))
    if kind == "ones":
        weight = np.ones(n)
    elif kind == "integers":
        weight = bytes_[3] % 5
        weight[0] = 1.0
    else:
        weight = (1 + bytes_[3]) / 256 * np.pi
    return s, d, y, weight


@pytest.mark.parametrize("negation", [False, True], ids=["Algorithm 4", "Algorithm 3"])
@settings(max_examples=1000, deadline=None)
@given(problem=problems())
def test_equals_brute_force_with_ties(negation, problem):
    s, d, y, weight = problem
    moving = weight > 0
    assert_exact(s[moving], d[moving], y[moving], weight[moving], negation)
    with_zeros = zero_one_step(s, d, y, weight, negation=negation)
    assert with_zeros == zero_one_step(s[moving], d[moving], y[moving], weight[moving], negation=negation)


@pytest.mark.parametrize("negation", [False, True])
@pytest.mark.parametrize("n", [3, 60, 700, 6000])
def test_equals_brute_force_on_continuous_scores(n, negation):
    rng = np.random.default_rng(n)
    for _ in range(200 if n < 100 else 3):
        s, d = rng.normal(size=(2, n))
        y = np.where(s + 0.5 * d + rng.normal(size=n) > 0, 1.0, -1.0) * rng.choice([-1, 1])
        assert_exact(s, d, y, rng.exponential(size=n), negation)


def test_heavy_tails_and_bad_scales():
    rng = np.random.default_rng(0)
    for scale in (1e-200, 1e-9, 1.0, 1e9, 1e200):
        s = rng.standard_cauchy(300) * scale
        d = rng.standard_cauchy(300)
        y = rng.choice([-1.0, 1.0], 300)
        found = zero_one_step(s, d, y)
        recount = np.sum(y * (s + found.step * d) <= 0)
        assert found.error == recount
        assert found.error <= brute_force(s / scale, d, y, np.ones(300), False)[0]


def test_rounded_breakpoints_are_one_breakpoint():
    # 0.1 / 0.3 and 0.2 / 0.6 and 0.3 / 0.9 are one third each, but not the same float.
    s, d = np.array([0.1, 0.2, 0.3, 0.7]), np.array([0.3, 0.6, 0.9, 2.1])
    assert len(np.unique(s / d)) > 1
    for y in ([1, -1, 1, -1], [-1, 1, -1, 1], [1, 1, -1, -1]):
        assert zero_one_step(s, d, y).error == 2


def test_nothing_moves():
    assert zero_one_step([1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [1, 1, -1]) == (0.0, 2.0, False)
    # A score of 0 stays an error under negation too.
    assert zero_one_step([0.0, -1.0], [0.0, 0.0], [-1, 1], negation=True) == (0.0, 1.0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, np.nan], [1.0, 1.0], [1, -1]), "score_w contains NaN"),
        (([1.0, 1.0], [1.0, np.inf], [1, -1]), "score_d contains infinity"),
        (([1.0, 1.0], [1.0, 1.0], [0, 1]), r"y must hold -1 and \+1 only"),
        (([1.0, 1.0], [1.0], [1, -1]), "inconsistent numbers of samples"),
        (([], [], []), "minimum of 1 is required"),
        (([1.0, 1.0], [1.0, 1.0], [1, -1], [-1.0, 1.0]), "[Nn]egative"),
        (([1.0, 1.0], [1.0, 1.0], [1, -1], [0.0, 0.0]), "non-zero"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        zero_one_step(*arguments)
