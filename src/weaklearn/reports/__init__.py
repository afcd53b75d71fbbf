"""The one way to make a page: shell, style sheet, tables, inline figures, and files that are never half written.

A page is a Jinja2 template over plain data; everything is escaped unless it is `Markup`. The templates of a room lie in
its ``templates`` folder and are named by the room: ``labels/report.html``. They extend ``reports/page.html`` and use
the macros of ``reports/parts.html``. Colours come from `weaklearn.display.palette`. Pages need nothing from elsewhere
and keep to a content policy without inline styles or foreign script. This room knows nothing of the science above it.
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from weaklearn._files import write_file
from weaklearn.reports._csv import csv_text
from weaklearn.reports._inline import inline_figure
from weaklearn.reports._pages import content_policy as content_policy
from weaklearn.reports._pages import render
from weaklearn.reports._pages import script as script
from weaklearn.reports._pages import style_sheet as style_sheet

__all__ = ["csv_text", "inline_figure", "render", "write_file"]
