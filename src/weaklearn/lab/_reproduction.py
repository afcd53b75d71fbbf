"""What a reproduction found: the plain data that reports are written from."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from weaklearn import __version__
from weaklearn.lab._compare import Cell, Score
from weaklearn.lab._figures import DrawnFigure
from weaklearn.lab._run import RunSummary
from weaklearn.lab._spec import Experiment

__all__ = ["Reproduction"]


@dataclass(frozen=True)
class Reproduction:
    """What `reproduce` found.

    Attributes
    ----------
    experiments : tuple of Experiment
    profile : str
    cells : dict
        By experiment name, then by table ("table 2"): its cells.
    figures : dict
        By experiment name: the drawn figures.
    summary : RunSummary
    missing : dict
        Data sets that were not found, with how to get them.
    work_seconds : float
        CPU time of the trials behind all cells, whenever and wherever they ran.
    versions : list of str
        The weaklearn versions that ran them.
    recorded : bool
        Whether the cells are those of the register, with nothing run and no figures.
    """

    experiments: tuple[Experiment, ...]
    profile: str
    cells: Mapping[str, Mapping[str, list[Cell]]]
    figures: Mapping[str, list[DrawnFigure]]
    summary: RunSummary
    missing: Mapping[str, str]
    work_seconds: float
    versions: list[str]
    recorded: bool = False

    @property
    def command(self) -> str:
        """The command that makes the same report."""
        names = " ".join(experiment.name for experiment in self.experiments)
        how = "--recorded" if self.recorded else f"--profile {self.profile}"
        return f"weaklearn reproduce {names} {how}"

    @property
    def all_cells(self) -> list[Cell]:
        """Every cell of every table."""
        return [cell for tables in self.cells.values() for cells in tables.values() for cell in cells]

    @property
    def score(self) -> Score:
        """The score over all cells."""
        return Score.of(self.all_cells)

    @property
    def done(self) -> bool:
        """Whether every trial that could be run has a result, and some could be run."""
        return self.summary.complete and self.summary.planned > 0

    def to_dict(self) -> dict[str, Any]:
        """Everything but the figures, as plain data."""
        summary = self.summary
        return {
            "version": __version__,
            "profile": self.profile,
            "done": self.done,
            "interrupted": summary.interrupted,
            "trials": {
                "planned": summary.planned,
                "found": summary.found,
                "finished": summary.finished,
                "failed": len(summary.failures),
            },
            "seconds": round(summary.seconds, 3),
            "missing": dict(self.missing),
            "failures": [
                {"description": json.loads(outcome.description), "error": outcome.error}
                for outcome in summary.failures
            ],
            "scores": [
                {"experiment": name, "table": item, **asdict(Score.of(cells))}
                for name, tables in self.cells.items()
                for item, cells in tables.items()
            ],
            "cells": [cell.record() for cell in self.all_cells],
        }
