"""What a reproduction found: the plain data that reports are written from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weaklearn import __version__
from weaklearn.lab._agreement import Agreement
from weaklearn.lab._claim import ClaimResult
from weaklearn.lab._compare import Cell, Score, agreements
from weaklearn.lab._figures import DrawnFigure
from weaklearn.lab._run import RunSummary
from weaklearn.lab._spec import Experiment


@dataclass(frozen=True)
class Reproduction:
    """What `reproduce` found.

    Attributes
    ----------
    experiments : tuple of Experiment
    profile : str
        "recorded" if the cells are those of the record.
    claims : tuple of ClaimResult
        The claims of the documents, on the recorded trials.
    live : dict
        By document and id: claims that were tested on trials of this run alone.
    cells : dict
        By experiment name, then by table ("table 2"): its cells.
    figures : dict
        By experiment name: the drawn figures.
    summary : RunSummary
    missing : dict
        Data sets that were not found, with how to get them.
    checked, identical : int
        Recorded trials that were run again, and those whose results are equal to the last bit.
    work_seconds : float
        CPU time of the trials behind all cells, whenever and wherever they ran.
    versions : list of str
        The weaklearn versions that ran them.
    command : str
        The command that makes the same report.
    """

    experiments: tuple[Experiment, ...]
    profile: str
    claims: tuple[ClaimResult, ...]
    cells: Mapping[str, Mapping[str, list[Cell]]]
    figures: Mapping[str, list[DrawnFigure]]
    summary: RunSummary
    missing: Mapping[str, str]
    live: Mapping[tuple[str, str], ClaimResult] = field(default_factory=dict)
    checked: int = 0
    identical: int = 0
    work_seconds: float = 0.0
    versions: Sequence[str] = ()
    command: str = ""

    @property
    def all_cells(self) -> list[Cell]:
        """Every cell of every table."""
        return [cell for tables in self.cells.values() for cells in tables.values() for cell in cells]

    @property
    def tables(self) -> list[tuple[Agreement, Agreement | None]]:
        """How well each published table agrees: of all cells, and without the explained ones if there are any."""
        return [
            pair
            for experiment in self.experiments
            for table in experiment.tables
            for pair in agreements(table.source, table, self.cells[experiment.name][table.item])
        ]

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
            "claims": [
                {
                    **result.to_dict(),
                    "live": None if (one := self.live_result(result)) is None else one.to_dict(),
                }
                for result in self.claims
            ],
            "tables": [
                {
                    **{name: value for name, value in whole.to_dict().items() if name != "explained"},
                    "without_explained": None if rest is None else rest.to_dict(),
                }
                for whole, rest in self.tables
            ],
            "trials": {
                "planned": summary.planned,
                "found": summary.found,
                "finished": summary.finished,
                "failed": len(summary.failures),
            },
            "checked": self.checked,
            "identical": self.identical,
            "seconds": round(summary.seconds, 3),
            "missing": dict(self.missing),
            "failures": [
                {"description": json.loads(outcome.description), "error": outcome.error}
                for outcome in summary.failures
            ],
            "cells": [cell.record() for cell in self.all_cells],
        }

    def live_result(self, result: ClaimResult) -> ClaimResult | None:
        """The same claim on the trials of this run alone."""
        return self.live.get((result.document, result.claim.id))
