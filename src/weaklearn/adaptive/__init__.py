"""Adaptive experiments: find a threshold with few yes/no answers.

A sampler is asked for the next level (``ask``), told the answer (``tell``), and keeps nothing but the history of
answers: saving, resuming, undoing and replaying are the same thing. `PosteriorMinEnt` is the default. `Session` keeps a
sampler in a file for an experiment with people; `simulate` and `plan_trials` run one on a computer. `SAMPLERS` names
all samplers for pages and commands.

Source: pratap2008, chapter 3, sections 3.4 to 3.6.
"""

from weaklearn.adaptive._curve_model import suggested_scale
from weaklearn.adaptive._dose import DoseEscalation
from weaklearn.adaptive._equal import EqualAllocation
from weaklearn.adaptive._minent import MinEnt
from weaklearn.adaptive._pest import BestPEST
from weaklearn.adaptive._population import Population, population
from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.adaptive._registry import DEFAULT_SAMPLER, SAMPLERS, guess_rate_of
from weaklearn.adaptive._sampler import Sampler
from weaklearn.adaptive._simulate import TrialPlan, plan_trials, simulate
from weaklearn.adaptive._staircase import Staircase
from weaklearn.adaptive._stopping import (
    Budget,
    EntropyBelow,
    IntervalWidth,
    OutsideLevels,
    Reversals,
)
from weaklearn.adaptive.sessions import Session, SessionChangedError, SessionFileError

__all__ = [
    # samplers
    "PosteriorMinEnt",
    "DoseEscalation",
    "MinEnt",
    "BestPEST",
    "Staircase",
    "EqualAllocation",
    "Sampler",
    "SAMPLERS",
    "DEFAULT_SAMPLER",
    "guess_rate_of",
    "suggested_scale",
    # when to stop
    "Budget",
    "IntervalWidth",
    "OutsideLevels",
    "EntropyBelow",
    "Reversals",
    # running and planning an experiment
    "Session",
    "SessionFileError",
    "SessionChangedError",
    "simulate",
    "plan_trials",
    "TrialPlan",
    # several observers
    "population",
    "Population",
]
