"""Comparing classifiers on a table of one's own: `compare`, its result, command, pages and report.

Cross-validation and clones (`weaklearn.cloning`) judge the same classifiers; differences are paired. The command is
``command.py``, the pages are ``pages.py``, the background job ``_job.py``.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, {"_compare": ("Comparison", "compare")})
