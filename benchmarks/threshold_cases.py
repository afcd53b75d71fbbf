"""Curves, targets and baselines for the comparison of threshold samplers.

Curves are functions on [0, 1]; levels are the middles of 20 equal bins. Baselines take (curve, target, luck) and return
their estimates after every answer, (runs, answers); answer n of run r is yes if ``luck[r, n]`` lies below the
probability, for every method, so that runs are paired. Staircase and Robbins-Monro may ask anywhere in [0, 1];
their step sizes are sensible values that were not tuned.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, ndtr, ndtri

from weaklearn.monotone import Crossing

LEVELS = (np.arange(20) + 0.5) / 20
TARGETS = (0.25, 0.5, 0.75)
_S_SHAPED = {
    "logistic": lambda x: expit((x - 0.45) / 0.08),
    "normal": lambda x: ndtr((x - 0.55) / 0.2),
    "weibull": lambda x: 1 - np.exp(-((np.maximum(x, 0) / 0.5) ** 3)),
}
_OTHERS = {
    "cauchy": lambda x: 0.5 + np.arctan((x - 0.5) / 0.08) / np.pi,
    "linear": lambda x: np.clip(x, 0, 1),
    "plateau": lambda x: 0.02 + 0.55 * expit((x - 0.25) / 0.04) + 0.42 * expit((x - 0.8) / 0.04),
    "two steps": lambda x: 0.04 + 0.36 * expit((x - 0.3) / 0.01) + 0.56 * expit((x - 0.7) / 0.01),
}


class Case(NamedTuple):
    """A curve, the probability of yes that is looked for, and what is known about guessing."""

    group: str
    name: str
    curve: Any
    target: float
    guess_rate: float = 0.0

    @property
    def truth(self):
        return Crossing(self.target)(self.curve, 0.0, 1.0)


def _forced_choice(guess, lapse, middle, width):
    return lambda x: guess + (1 - guess - lapse) * ndtr((x - middle) / width)


def cases():
    """21 cases of yes/no curves, three steps between two levels, six with guessing or lapses."""
    found = [
        Case(group, f"{name} {target:.0%}", curve, target)
        for group, curves in (("S-shaped", _S_SHAPED), ("badly fitted", _OTHERS))
        for name, curve in curves.items()
        for target in TARGETS
    ]
    for place in (0.435, 0.45, 0.465):  # between the levels 0.425 and 0.475
        found.append(
            Case("step", f"step at {place:g}", lambda x, place=place: expit((x - place) / 0.002), 0.5)
        )
    found += [
        Case("AFC", "2AFC 60%", _forced_choice(0.5, 0.02, 0.5, 0.15), 0.6, 0.5),
        Case("AFC", "2AFC 75%", _forced_choice(0.5, 0.02, 0.5, 0.15), 0.75, 0.5),
        Case("AFC", "2AFC 90%", _forced_choice(0.5, 0.02, 0.45, 0.15), 0.9, 0.5),
        Case("AFC", "3AFC 60%", _forced_choice(1 / 3, 0.02, 0.5, 0.12), 0.6, 1 / 3),
        Case("AFC", "4AFC 62.5%", _forced_choice(0.25, 0.0, 0.4, 0.1), 0.625, 0.25),
        Case("AFC", "yes/no with lapses 50%", _forced_choice(0.03, 0.03, 0.5, 0.12), 0.5),
    ]
    return found


def seed_of(case):
    """The seed of a case's luck."""
    return [ord(letter) for letter in case.name]


def luck_of(case, n_runs, n_answers):
    """The random numbers of a case, the first that `weaklearn.adaptive.simulate` draws from the same seed."""
    return np.random.default_rng(seed_of(case)).random((n_runs, n_answers))


def weighted_staircase(case, luck, first=0.12, last=0.04):
    """Kaernbach's (1991) staircase: steps up and down balance at the target; the mean level after three reversals."""
    n_runs, n_answers = luck.shape
    x, previous = np.full(n_runs, 0.5), np.zeros(n_runs)
    turns, total, count = np.zeros((3, n_runs))
    found = np.empty(luck.shape)
    for n in range(n_answers):
        yes = luck[:, n] < case.curve(x)
        size = np.where(turns < 2, first, np.where(turns < 4, 0.5 * (first + last), last))
        move = np.where(yes, -1.0, 1.0)
        turns += (previous != 0) & (move != previous)
        previous = move
        counted = turns >= 3
        total, count = total + counted * x, count + counted
        x = np.clip(x + 2 * size * np.where(yes, case.target - 1, case.target), 0, 1)
        found[:, n] = np.where(count > 0, total / np.maximum(count, 1), x)
    return found


def robbins_monro(case, luck, gain=0.6):
    """Stochastic approximation with Kesten's (1958) rule: steps shrink at reversals only."""
    n_runs, n_answers = luck.shape
    x, previous, turns = np.full(n_runs, 0.5), np.zeros(n_runs), np.zeros(n_runs)
    found = np.empty(luck.shape)
    for n in range(n_answers):
        yes = luck[:, n] < case.curve(x)
        move = np.where(yes, -1.0, 1.0)
        turns += (previous != 0) & (move != previous)
        previous = move
        x = np.clip(x - gain / np.where(n < 2, n + 1, 2 + turns) * (yes - case.target), 0, 1)
        found[:, n] = x
    return found


def quest_plus(case, luck):
    """QUEST+ with the grids of `weaklearn.adaptive.QuestPlus`, all runs in step.

    The package takes 5 ms per question and one run at a time; tests/adaptive/test_threshold_study.py compares
    questions and estimates with it.
    """
    n_runs, n_answers = luck.shape
    low, high = LEVELS[0], LEVELS[-1]
    lapses = lapse_rates(case)
    means, widths, lapse = (
        part.ravel()
        for part in np.meshgrid(
            np.linspace(low, high, 41),
            np.geomspace(0.035, 1.0, 12) * (high - low),
            np.array(lapses),
            indexing="ij",
        )
    )
    p = case.guess_rate + (1 - case.guess_rate - lapse) * ndtr((LEVELS[:, None] - means) / widths)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    certainty = p * np.log(p) + (1 - p) * np.log1p(-p)
    weights = np.full((n_runs, len(means)), 1 / len(means))
    rates, found = case.curve(LEVELS), np.empty(luck.shape)
    for n in range(n_answers):
        rate = weights @ p.T
        # The least expected entropy of the parameters is the largest mutual information with the answer.
        information = -(rate * np.log(rate) + (1 - rate) * np.log1p(-rate)) + weights @ certainty.T
        asked = information.argmax(axis=1)
        yes = luck[:, n] < rates[asked]
        weights *= np.where(yes[:, None], p[asked], 1 - p[asked])
        weights /= weights.sum(axis=1, keepdims=True)
        share = (case.target - case.guess_rate) / (1 - case.guess_rate - weights @ lapse)
        place = weights @ means + (weights @ widths) * ndtri(np.clip(share, 1e-9, 1 - 1e-9))
        found[:, n] = np.clip(place, low, high)
    return found


def lapse_rates(case):
    """What QUEST+ is told about lapses: nothing on plain curves, 0 or 4% where there is guessing."""
    return (0.0, 0.04) if case.group == "AFC" else (0.0,)


BASELINES = {
    "QUEST+": quest_plus,
    "weighted staircase": weighted_staircase,
    "Robbins-Monro": robbins_monro,
}
