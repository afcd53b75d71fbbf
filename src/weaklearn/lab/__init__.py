"""The lab: experiments that reproduce published tables and figures, cell by cell.

``plan -> trials -> run -> store -> compare -> report``, one way. This floor is the machinery: experiments as data
(`Experiment`, `Table`, `Row`...), trials with their keys and seeds, the store, the comparison. The floor above,
`weaklearn.lab.studies`, has one folder per source document; the machinery never imports it. `weaklearn.lab.protocols`
and `weaklearn.lab.rounds` hold protocols that several studies share, `weaklearn.lab.curves` and
`weaklearn.lab.round_drawings` their drawings. From the command line: ``weaklearn reproduce``.
"""

from weaklearn.lab._engines import Outcome
from weaklearn.lab._errors import LabError
from weaklearn.lab._experiment_file import load_experiment
from weaklearn.lab._parts import Algorithm, Column, DataSource, Protocol, Row, Split
from weaklearn.lab._plan import Plan, make_plan
from weaklearn.lab._protocols import protocol
from weaklearn.lab._reproduce import recorded_report, reproduce
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._run import Observer, RunSummary, run_plan
from weaklearn.lab._spec import Experiment, Figure, Profile, Table
from weaklearn.lab._status import StudyStatus, repair, status_report
from weaklearn.lab._trial import Trial
from weaklearn.lab.comparison._compare import Cell, Score, compare
from weaklearn.lab.comparison._register import Recorded, load_register, record
from weaklearn.lab.comparison._register_check import Check, unchanged
from weaklearn.lab.comparison._register_check import check as check_register
from weaklearn.lab.store._repair import Damage, Repair, check_store
from weaklearn.lab.store._stamps import Stamp, current_stamps
from weaklearn.lab.store._store import Failed, Finished, Store
from weaklearn.lab.verdicts._published import PublishedCell, load_published, published_sources

__all__ = [
    # what an experiment is
    "Algorithm",
    "Column",
    "DataSource",
    "Experiment",
    "Figure",
    "Profile",
    "Protocol",
    "Row",
    "Split",
    "Table",
    "PublishedCell",
    "load_experiment",
    "load_published",
    "published_sources",
    "protocol",
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
    "record",
    "recorded_report",
    "Recorded",
    "load_register",
    "check_register",
    "Check",
    "unchanged",
    "LabError",
]
