"""The table that a job works on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weaklearn.web.jobs import JobError, Work
from weaklearn.web.uploads._choice import chosen_table
from weaklearn.web.uploads._stored import TableFolder

if TYPE_CHECKING:
    from weaklearn.tables import Table

__all__ = ["table_of"]


@contextmanager
def table_of(work: Work) -> "Iterator[Table]":
    """The table of a job, read as it was chosen; errors use the name of the uploaded file."""
    work.report(text="Reading the table")
    stored = TableFolder(work.folder.parent.parent / "tables").find(work.settings["table"])
    if stored is None:
        raise JobError("The table of this job has been deleted.")
    try:
        yield chosen_table(stored, work.settings)
    except ValueError as error:  # TableError is one
        said = str(error).replace(str(stored.path), stored.name)
        raise JobError(said[:1].upper() + said[1:]) from error
