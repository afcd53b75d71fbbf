"""What the pages of all jobs share: ``weaklearn serve``, the guard in front, the shell of a page, uploads, long work.

No word of any job is here. A job hands over a `Door` (its address, its sentence on the first page, its routes, the work
that it queues); `weaklearn.cli` gives the doors to `serve`. Pages are made with `page` and `handled`; uploaded tables
are in ``uploads``; work that outlives page, browser and server is in ``jobs``. Guide:
``docs/application.md``.
"""

from weaklearn._lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "_door": ("Building", "Door", "Opened", "Recent", "moment"),
        "_deferred": ("Deferred",),
        "_job_pages": ("JobPages",),
        "_shell": (
            *("API_ROOT", "FormError", "download", "handled", "json_refusal", "page", "read_form", "refusal"),
            "report_page",
        ),
        "_serve": ("ServeError", "exposure", "serve"),
        "jobs": ("Job", "JobError", "JobFolder", "JobQueue", "State", "Work"),
        "uploads": (
            *("MOST_COLUMNS", "StoredTable", "TableFolder", "UPLOAD_LIMIT", "chosen", "limited"),
            "table_of",
        ),
    },
)
