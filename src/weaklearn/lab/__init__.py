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
        "_engines": ("Outcome",),
        "_errors": ("LabError",),
        "_experiment_file": ("load_experiment",),
        "_parts": (
            "Algorithm",
            "Column",
            "DataSource",
            "Protocol",
            "Row",
            "Split",
        ),
        "_plan": (
            "Plan",
            "make_plan",
        ),
        "_protocols": ("protocol",),
        "_reproduce": (
            "recorded_report",
            "reproduce",
        ),
        "_reproduction": ("Reproduction",),
        "_run": (
            "Observer",
            "RunSummary",
            "run_plan",
        ),
        "_spec": (
            "Experiment",
            "Figure",
            "Profile",
            "Table",
        ),
        "_status": (
            "StudyStatus",
            "repair",
            "status_report",
        ),
        "_trial": ("Trial",),
        "comparison._compare": (
            "Cell",
            "Score",
            "compare",
        ),
        "comparison._register": (
            "Recorded",
            "load_register",
            "record",
        ),
        "comparison._register_check": (
            "Check",
            "unchanged",
            "check_register",
        ),
        "store._repair": (
            "Damage",
            "Repair",
            "check_store",
        ),
        "store._stamps": (
            "Stamp",
            "current_stamps",
        ),
        "store._store": (
            "Failed",
            "Finished",
            "Store",
        ),
        "verdicts._published": (
            "PublishedCell",
            "load_published",
            "published_sources",
        ),
        "_discover": ("discover",),
        "_canonical": ("seed_from",),
        "_sources": ("load_source", "split_source"),
        "_build": ("build",),
    },
)
