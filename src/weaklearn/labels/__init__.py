"""Checking labels: how many labels of a table are wrong, which, and what to do about it.

`LabelAuditor` is the estimator (arrays in, probabilities out), `audit` the function for a whole table, `Audit` its
result with report and files, `AnnotatorConsensus` makes one label of those of several people. The command is
``command.py``, the review page ``pages.py``, the background job ``_job.py``. The science is below, in
`weaklearn.robust` (members, noise model) and `weaklearn.complexity`.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "_label_auditor": ("LabelAuditor",),
        "_audit": ("Audit", "audit"),
        "_annotators": ("AnnotatorConsensus",),
    },
)
