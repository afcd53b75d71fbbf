"""A picture of a terminal: runs a command and draws what it prints, in colour, as SVG.

    python examples/terminal_picture.py docs/figures/audit_terminal.svg \\
        weaklearn audit samples.csv --label diagnosis --sample 20

The pictures of the guide are made so, on the file of ``docs/door_table.md``.
"""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS = 100  # what commands print into a pipe is this wide
# rich's own format loads fonts from the network.
FORMAT = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture(path, command):
    """Run the command in this folder and write what it prints to ``path``."""
    settings = os.environ | {"COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    run = subprocess.run(
        command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ " + shlex.join(command), style="bold"))
    console.print(Text.from_ansi(run.stdout))
    Path(path).write_text(console.export_svg(title="", code_format=FORMAT, unique_id="terminal"), "utf-8")


if __name__ == "__main__":
    picture(sys.argv[1], sys.argv[2:])
