"""Tables that somebody has brought: received, looked at, kept as they came.

A table is a folder with the file as it was sent, ``about.json`` (its name, which is only text, and its size) and
``preview.json`` (what `weaklearn.tables` found in it). A file is read only by a process with a limit on time and
memory (`limited`): whatever is in it, the server stays alive. `TableFolder` makes and finds tables; the pages of this
room receive files and show previews. Checking and comparing are jobs of the rooms beside it.
"""

from weaklearn.app.tables._limits import MOST_COLUMNS, UPLOAD_LIMIT
from weaklearn.app.tables._stored import StoredTable, TableFolder

__all__ = ["MOST_COLUMNS", "UPLOAD_LIMIT", "StoredTable", "TableFolder"]
