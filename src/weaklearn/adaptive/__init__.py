"""Adaptive experiments: find a threshold with few yes/no answers.

A sampler is asked for the next level (``ask``), told the answer (``tell``), and keeps nothing but the history of
answers: saving, resuming, undoing and replaying are the same thing. `Session` keeps a sampler in a file for an
experiment with people; `simulate` plans one on a computer.

Source: pratap2008, chapter 3, sections 3.4 to 3.6.
"""

from weaklearn.adaptive._equal import EqualAllocation
from weaklearn.adaptive._minent import MinEnt
from weaklearn.adaptive._pest import BestPEST
from weaklearn.adaptive._posterior import PosteriorMinEnt
from weaklearn.adaptive._questplus import QuestPlus
from weaklearn.adaptive._sampler import Answer, Sampler
from weaklearn.adaptive._session import Session, SessionChangedError, SessionFileError
from weaklearn.adaptive._simulate import Simulation, simulate
from weaklearn.adaptive._staircase import Staircase
from weaklearn.adaptive._stopping import Budget, EntropyBelow, IntervalWidth, Reversals, StoppingRule

__all__ = [
    # samplers
    "MinEnt",
    "PosteriorMinEnt",
    "BestPEST",
    "Staircase",
    "EqualAllocation",
    "QuestPlus",
    "Sampler",
    "Answer",
    # when to stop
    "Budget",
    "IntervalWidth",
    "EntropyBelow",
    "Reversals",
    "StoppingRule",
    # running and planning an experiment
    "Session",
    "SessionFileError",
    "SessionChangedError",
    "simulate",
    "Simulation",
]
