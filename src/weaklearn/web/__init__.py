"""What the pages of all jobs share: ``weaklearn serve``, the guard in front, the shell of a page, uploads, long work.

No word of any job is here. A job hands over a `Door` (its address, its sentence on the first page, its routes, the work
that it queues); `weaklearn.cli` gives the doors to `serve`. Pages are made with `page` and `handled`; uploaded tables
are in ``_uploads.py``; work that outlives page, browser and server is in ``_jobs.py``. Guide: ``docs/application.md``.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "_deferred": ("Deferred",),
        "_door": ("Building", "Door", "JobPages", "Opened", "Recent"),
        "_jobs": ("Job", "JobError", "JobFolder", "State"),
        "_shell": ("API_ROOT", "FormError", "download", "handled", "json_refusal", "page", "refusal"),
        "_uploads": ("StoredTable", "TableFolder", "limited", "table_of"),
        "_work": ("Work",),
    },
)
