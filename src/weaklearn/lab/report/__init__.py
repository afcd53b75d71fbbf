"""The report of a reproduction: a page for people, Markdown for the documentation, CSV and JSON for programs.

Everything here is made from a finished `Reproduction`; nothing is run. The page shell is `weaklearn.reports`, the words
for numbers and verdicts are in `weaklearn.lab._wording`, the drawings in the studies.
"""

from weaklearn.lab._wording import duration, score_line
from weaklearn.lab.report._files import machine_readable, write_report, write_text
from weaklearn.lab.report._html import to_html
from weaklearn.lab.report._markdown import to_markdown

__all__ = [
    "duration",
    "machine_readable",
    "score_line",
    "to_html",
    "to_markdown",
    "write_report",
    "write_text",
]
