"""The lab: experiments that reproduce published tables and figures, cell by cell.

``plan -> trials -> run -> store -> compare -> report``, one way. Experiments are data (`Experiment`, `Table`, `Row`,
...); trials have keys and seeds. `weaklearn.studies`, a floor above, has one folder per source document; the machinery
finds it by name (`discover`) and never imports it. `weaklearn.lab.protocols` and `weaklearn.lab.rounds` hold protocols
that several studies share, `weaklearn.lab.drawings` their drawings. The commands are
``command.py``, the pages ``pages.py``.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "_build": ("build",),
        "_canonical": ("seed_from",),
        "_code": ("current_stamps",),
        "_compare": ("Cell", "Score", "compare"),
        "_discover": ("discover", "load_experiment"),
        "_errors": ("LabError",),
        "_markdown": ("to_markdown",),
        "_parts": ("Algorithm", "Column", "DataSource", "Protocol", "Row", "Split"),
        "_plan": ("Plan", "make_plan"),
        "_protocols": ("protocol",),
        "_published": ("PublishedCell", "load_published", "published_sources"),
        "_register": ("Recorded", "load_register", "record"),
        "_register_check": ("Check", "check_register", "unchanged"),
        "_reproduce": ("recorded_report", "reproduce"),
        "_reproduction": ("Reproduction",),
        "_run": ("Observer", "RunSummary", "run_plan"),
        "_sources": ("load_source", "split_source"),
        "_spec": ("Experiment", "Figure", "Profile", "Table"),
        "_status": ("StudyStatus", "status_report"),
        "_store": ("Outcome", "Store"),
        "_trial": ("Trial", "run_protocol"),
    },
)
