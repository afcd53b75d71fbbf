"""The lab: whether what a document says is true, claim by claim and table by table.

``plan -> trials -> run -> store -> compare -> report``, one way. Experiments are data (`Experiment`, `Table`, `Row`,
...), and so are claims (`Claim`, with the tests of `weaklearn.lab.claims`). Trials have keys and seeds; recorded ones
are kept in the package (`load_record`). `weaklearn.studies`, a floor above, has one folder per source document; the
machinery finds it by name (`discover`) and never imports it. `weaklearn.lab.protocols` and `weaklearn.lab.rounds` hold
protocols that several studies share, `weaklearn.lab.drawings` their drawings. The commands are ``command.py``, the
pages ``pages.py``.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "_build": ("build",),
        "_canonical": ("seed_from",),
        "_check": ("check_record", "unchanged"),
        "_claim": ("Claim",),
        "_code": ("current_stamps",),
        "_compare": ("compare",),
        "_discover": ("discover", "discover_claims"),
        "_errors": ("LabError",),
        "_markdown": ("quoted", "to_markdown"),
        "_parts": ("Algorithm", "Column", "DataSource", "Protocol", "Row", "Split"),
        "_plan": ("make_plan",),
        "_protocols": ("protocol",),
        "_published": ("PublishedCell", "load_published", "published_sources"),
        "_record": ("load_record",),
        "_reproduce": ("judge_claims", "recorded_report", "reproduce"),
        "_run": ("run_plan",),
        "_sources": ("load_source",),
        "_spec": ("Experiment", "Figure", "Profile", "Table"),
        "_store": ("Outcome", "Store"),
        "_trial": ("Trial", "run_protocol"),
    },
)
