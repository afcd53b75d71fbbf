"""Tables that were uploaded: received, inspected, kept as they came.

A table is a folder with the file as it was sent, ``about.json`` (its name, which is only text, and its size) and
``preview.json`` (what `weaklearn.tables` found in it). A file is read only by a process with a limit on time and
memory (`limited`): whatever is in it, the server stays alive. `TableFolder` makes and finds tables; the pages of this
room receive files and show previews. Checking and comparing are jobs of the rooms beside it.
"""

from weaklearn.web.uploads._choice import chosen
from weaklearn.web.uploads._job_table import table_of
from weaklearn.web.uploads._limits import MOST_COLUMNS, UPLOAD_LIMIT, limited
from weaklearn.web.uploads._stored import StoredTable, TableFolder

__all__ = ["MOST_COLUMNS", "UPLOAD_LIMIT", "StoredTable", "TableFolder", "chosen", "limited", "table_of"]
