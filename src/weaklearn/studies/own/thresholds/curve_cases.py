"""Curves, targets and dose scenarios of the study.

Curves are functions on [0, 1]; levels are the middles of 20 equal bins.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, ndtr

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
    """A curve, the target probability of "yes", and what is known about guessing."""

    group: str
    name: str
    curve: Any
    target: float
    guess_rate: float = 0.0
    decades: float = 0.0  # levels are 10 to the power of this times those on [0, 1]; 0: those on [0, 1]
    moves: float = 0.0  # how far the curve moves to the right in 60 answers

    @property
    def truth(self):
        """The level at which the curve reaches the target, before it moves."""
        return self._crossing(0.0, 1.0)

    def thresholds(self, n_answers):
        """Where the threshold is at the answers 1, 2, ..., maybe beyond the levels."""
        return self._crossing(-1.0, 2.0) + self.moves * np.arange(n_answers) / 59

    def _crossing(self, low, high):
        # Here, because the list of studies imports this module and must not wait for scikit-learn.
        from weaklearn.monotone import Crossing

        return Crossing(self.target)(self.curve, low, high)

    def rates(self, x, n):
        """The probabilities of yes at the levels ``x``, at answer n (from 1)."""
        return self.curve(x - self.moves * (n - 1) / 59)


def _forced_choice(guess, lapse, middle, width):
    return lambda x: guess + (1 - guess - lapse) * ndtr((x - middle) / width)


def _step(place):
    return lambda x: expit((x - place) / 0.002)


def _cases():
    return [
        *(
            Case(group, f"{name} {target:.0%}", curve, target)
            for group, curves in (("S-shaped", _S_SHAPED), ("badly fitted", _OTHERS))
            for name, curve in curves.items()
            for target in TARGETS
        ),
        # Between the levels 0.425 and 0.475.
        *(Case("step", f"step at {place:g}", _step(place), 0.5) for place in (0.435, 0.45, 0.465)),
        Case("AFC", "2AFC 60%", _forced_choice(0.5, 0.02, 0.5, 0.15), 0.6, 0.5),
        Case("AFC", "2AFC 75%", _forced_choice(0.5, 0.02, 0.5, 0.15), 0.75, 0.5),
        Case("AFC", "2AFC 90%", _forced_choice(0.5, 0.02, 0.45, 0.15), 0.9, 0.5),
        Case("AFC", "3AFC 60%", _forced_choice(1 / 3, 0.02, 0.5, 0.12), 0.6, 1 / 3),
        Case("AFC", "4AFC 62.5%", _forced_choice(0.25, 0.0, 0.4, 0.1), 0.625, 0.25),
        Case("AFC", "yes/no with lapses 50%", _forced_choice(0.03, 0.03, 0.5, 0.12), 0.5),
    ]


def _unusual_cases():
    """Curves that no prior expects, or that are not even curves."""

    def bump(x):
        return expit((x - 0.35) / 0.06) - 0.4 * np.exp(-0.5 * ((x - 0.6) / 0.07) ** 2)

    def three_choices(x):  # Weibull with the slope 3.5 of vision research, over three decades
        return 1 / 3 + (2 / 3 - 0.02) * -np.expm1(-(10 ** (3.5 * 3 * (x - 0.45))))

    return [
        Case("unusual", "drift", lambda x: expit((x - 0.35) / 0.05), 0.5, moves=0.3),
        Case("unusual", "bump", bump, 0.5),
        Case("unusual", "steep", lambda x: expit((x - 0.47) / 0.008), 0.5),
        Case("unusual", "flat", lambda x: expit((x - 0.6) / 0.3), 0.5),
        Case("unusual", "above all levels", lambda x: expit((x - 1.1) / 0.05), 0.5),
        Case("unusual", "3AFC log", three_choices, 2 / 3, 1 / 3, decades=3.0),
    ]


#: 21 cases of yes/no curves, three steps between two levels, six with guessing or lapses, by name.
CASES = {case.name: case for case in _cases()}
#: Six cases beyond these: a threshold that moves, a curve that comes down again, a very steep and a very flat one, ...
UNUSUAL = {case.name: case for case in _unusual_cases()}


def lapse_rates(case):
    """What QUEST+ is told about lapses: nothing on plain curves, 0 or 4% where there is guessing."""
    return (0.0, 0.04) if case.group == "AFC" or case.guess_rate else (0.0,)
