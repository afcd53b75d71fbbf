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

    @property
    def truth(self):
        """The level at which the curve reaches the target."""
        # Here, because the list of studies imports this module and must not wait for scikit-learn.
        from weaklearn.monotone import Crossing

        return Crossing(self.target)(self.curve, 0.0, 1.0)


def _forced_choice(guess, lapse, middle, width):
    return lambda x: guess + (1 - guess - lapse) * ndtr((x - middle) / width)


def _cases():
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


#: 21 cases of yes/no curves, three steps between two levels, six with guessing or lapses, by name.
CASES = {case.name: case for case in _cases()}
GROUPS = tuple(dict.fromkeys(case.group for case in CASES.values()))


def lapse_rates(case):
    """What QUEST+ is told about lapses: nothing on plain curves, 0 or 4% where there is guessing."""
    return (0.0, 0.04) if case.group == "AFC" else (0.0,)
