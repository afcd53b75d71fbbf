"""The lab: experiments that reproduce published tables and figures, cell by cell.

``plan -> trials -> run -> store -> compare -> report``, one way. Experiments are data
(`Experiment` and its parts); `reproduce` runs them; the catalogue (`weaklearn.lab.catalog`) holds
those of the source documents. From the command line: ``weaklearn reproduce``.
"""

from weaklearn.lab._compare import Cell, Score, compare
from weaklearn.lab._engines import Outcome
from weaklearn.lab._errors import LabError
from weaklearn.lab._plan import Plan, make_plan
from weaklearn.lab._protocols import protocol, protocol_names
from weaklearn.lab._published import PublishedCell, load_published, published_sources
from weaklearn.lab._reproduce import Reproduction, reproduce
from weaklearn.lab._run import Observer, RunSummary, run_plan
from weaklearn.lab._spec import (
    Algorithm,
    Column,
    DataSource,
    Experiment,
    Figure,
    Profile,
    Protocol,
    Split,
    Table,
)
from weaklearn.lab._stamps import Stamp, current_stamps
from weaklearn.lab._status import StudyStatus, repair, status_report
from weaklearn.lab._store import Failed, Finished, Store
from weaklearn.lab._store_repair import Damage, Repair, check_store
from weaklearn.lab._trial import Trial

__all__ = [
    # what an experiment is
    "Algorithm",
    "Column",
    "DataSource",
    "Experiment",
    "Figure",
    "Profile",
    "Protocol",
    "Split",
    "Table",
    "PublishedCell",
    "load_published",
    "published_sources",
    "protocol",
    "protocol_names",
    # running it
    "reproduce",
    "Reproduction",
    "make_plan",
    "Plan",
    "Trial",
    "run_plan",
    "RunSummary",
    "Outcome",
    "Observer",
    "Store",
    "Finished",
    "Failed",
    # what a store has, and whether it can be believed
    "status_report",
    "StudyStatus",
    "current_stamps",
    "Stamp",
    "check_store",
    "Damage",
    "repair",
    "Repair",
    # what it means
    "compare",
    "Cell",
    "Score",
    "LabError",
]
