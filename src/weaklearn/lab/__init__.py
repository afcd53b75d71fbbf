"""The lab: experiments that reproduce published tables and figures, cell by cell.

``plan -> trials -> run -> store -> compare -> report``, one way. This floor is the machinery: experiments as data
(`Experiment`, `Table`, `Row`...), trials with their keys and seeds, the store, the comparison. The floor above,
`weaklearn.lab.studies`, has one folder per source document; the machinery never imports it. `weaklearn.lab.protocols`
and `weaklearn.lab.rounds` hold protocols that several studies share, `weaklearn.lab.curves` and
`weaklearn.lab.round_drawings` their drawings. From the command line: ``weaklearn reproduce``.
"""

from weaklearn.lab._compare import Cell, Score, compare
from weaklearn.lab._engines import Outcome
from weaklearn.lab._errors import LabError
from weaklearn.lab._experiment_file import load_experiment
from weaklearn.lab._parts import Algorithm, Column, DataSource, Protocol, Row, Split
from weaklearn.lab._plan import Plan, make_plan
from weaklearn.lab._protocols import protocol
from weaklearn.lab._published import PublishedCell, load_published, published_sources
from weaklearn.lab._reproduce import reproduce
from weaklearn.lab._reproduction import Reproduction
from weaklearn.lab._run import Observer, RunSummary, run_plan
from weaklearn.lab._spec import Experiment, Figure, Profile, Table
from weaklearn.lab._store import Finished, Store
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
    "compare",
    "Cell",
    "Score",
    "LabError",
]
