"""A threshold that moves is noticed, one that stays is left alone."""

import itertools
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit

from weaklearn.adaptive import DoseEscalation, PosteriorMinEnt, Session
from weaklearn.adaptive._drift import DriftFilter

LEVELS = np.linspace(0, 10, 21)


def tiny(seed=0, n_answers=5):
    """A grid of three uneven cells and two shapes, and likelihoods of some answers."""
    rng = np.random.default_rng(seed)
    edges = np.array([0.0, 0.2, 0.6, 1.0])
    prior = rng.random((3, 2))
    grid = SimpleNamespace(
        edges=edges, tau=0.5 * (edges[1:] + edges[:-1]), log_prior=np.log(prior / prior.sum())
    )
    return grid, [rng.uniform(0.05, 0.95, (3, 2)) for _ in range(n_answers)]


def enumerated(grid, likelihoods, step):
    """(evidence, weights of the first curve, weights of the last) by adding up all paths of the threshold."""
    size = np.diff(grid.edges)
    first, last = np.zeros((3, 2)), np.zeros((3, 2))
    for shape in range(2):
        for path in itertools.product(range(3), repeat=len(likelihoods)):
            p = np.exp(grid.log_prior[path[0], shape])
            for a, b in itertools.pairwise(path):
                go = [size[c] * np.exp(-0.5 * ((grid.tau[c] - grid.tau[a]) / step) ** 2) for c in range(3)]
                p *= go[b] / sum(go)
            p *= np.prod([like[cell, shape] for like, cell in zip(likelihoods, path, strict=True)])
            first[path[0], shape] += p
            last[path[-1], shape] += p
    return first.sum(), first, last


def factor(moving):
    """The Bayes factor behind the probability, whose prior odds are 1 to 10."""
    return 10 * moving.probability / (1 - moving.probability)


def test_the_filter_adds_up_all_paths():
    grid, likelihoods = tiny()
    steps = (0.1, 0.4)
    moving = DriftFilter(grid, steps)
    for likelihood in likelihoods:
        moving.add(likelihood)
    parts = [enumerated(grid, likelihoods, step) for step in steps]
    still = np.sum(np.exp(grid.log_prior) * np.prod(likelihoods, axis=0))
    assert factor(moving) == pytest.approx(np.mean([part[0] for part in parts]) / still, rel=1e-10)
    total = sum(part[0] for part in parts)
    np.testing.assert_allclose(moving.start(likelihoods), sum(part[1] for part in parts) / total, rtol=1e-10)
    np.testing.assert_allclose(moving.now(), sum(part[2] for part in parts) / total, rtol=1e-10)


def test_the_bayes_factor_is_a_martingale_if_nothing_moves():
    """Over all answers, weighted by their probability under the still prior, it is 1 on average."""
    grid, questions = tiny(n_answers=6)
    total = 0.0
    for answers in itertools.product([0, 1], repeat=len(questions)):
        likelihoods = [p if yes else 1 - p for p, yes in zip(questions, answers, strict=True)]
        moving = DriftFilter(grid, (0.3,))
        for likelihood in likelihoods:
            moving.add(likelihood)
        total += factor(moving) * np.sum(np.exp(grid.log_prior) * np.prod(likelihoods, axis=0))
    assert total == pytest.approx(1, rel=1e-10)


def test_steps_of_no_size_are_no_drift():
    grid, likelihoods = tiny()
    moving = DriftFilter(grid, (1e-4,))
    for likelihood in likelihoods:
        moving.add(likelihood)
    np.testing.assert_allclose(moving.probabilities, 1 / 11, rtol=1e-9)


def run(seed, start, end, n=60, scale=0.3, **params):
    rng = np.random.default_rng(seed)
    sampler = PosteriorMinEnt(LEVELS, random_state=seed, **params)
    for place in np.linspace(start, end, n):
        level = sampler.ask()
        likely = expit((level - place) / scale)
        sampler.tell(level, bool(rng.random() < (likely if sampler.increasing else 1 - likely)))
    return sampler


def test_alarm_rates():
    still = [run(seed, 5.0, 5.0) for seed in range(20)]
    assert sum(sampler.drift_ > 0.5 for sampler in still) <= 1
    moved = [run(seed, 3.5, 6.5).drift() for seed in range(20)]
    found = [drift for drift in moved if drift is not None]
    assert len(found) >= 17
    assert np.mean([drift.start for drift in found]) == pytest.approx(3.5, abs=0.6)
    assert np.mean([drift.now for drift in found]) == pytest.approx(6.5, abs=0.6)
    assert np.mean([drift.interval.low <= 6.5 <= drift.interval.high for drift in found]) >= 0.75
    assert all(drift.interval.low <= drift.now <= drift.interval.high for drift in found)


@pytest.mark.parametrize("params", [{"increasing": False}, {"between": True}])
def test_downwards_falling_and_between(params):
    drift = run(3, 7.0, 3.0, **params).drift()
    assert drift is not None
    assert drift.start == pytest.approx(7, abs=1.2)
    assert drift.now == pytest.approx(3, abs=1.2)


def test_it_is_a_function_of_the_history():
    sampler = run(0, 3.5, 6.5)
    drift = sampler.drift()
    assert drift.probability == sampler.drift_ > 0.5
    again = PosteriorMinEnt(LEVELS, random_state=0)
    assert again.drift_ == pytest.approx(1 / 11)
    assert again.drift() is None
    for answer in sampler.history:
        again.tell(*answer)
    assert again.drift() == drift
    assert pickle.loads(pickle.dumps(sampler)).drift() == drift
    last = sampler.history[-1]
    assert sampler.undo().tell(*last).drift() == drift
    assert sampler.undo(len(sampler.history) - drift.n_answers + 1).drift() is None
    assert DoseEscalation([1, 2, 4]).tell(1, [0, 0, 1]).drift_ < 0.5


def test_a_session_says_it(tmp_path):
    sampler = run(0, 3.5, 6.5)
    session = Session.create(tmp_path / "s.json", LEVELS.tolist(), target=0.5, seed=0)
    rows = "".join(f"{level},{int(yes)}\n" for level, yes in sampler.history)
    session.import_csv("level,outcome\n" + rows)
    (sentence,) = [text for text in session.warnings() if "moved" in text]
    drift = sampler.drift()
    # Two digits of the width of the interval, which is between 1 and 10.
    assert f"from about {drift.start:.1f} to about {drift.now:.1f}" in sentence
    assert f"(90% interval {drift.interval.low:.1f} to {drift.interval.high:.1f})" in sentence
    shown = session.to_dict()
    assert sentence in shown["warnings"]
    assert shown["drift"] == drift.to_dict()
    still = Session.create(tmp_path / "still.json", LEVELS.tolist(), sampler="Staircase")
    assert still.to_dict()["drift"] is None
