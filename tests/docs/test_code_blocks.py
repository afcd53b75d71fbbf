"""Every code block of README.md and docs/: Python is run, what it prints is checked, commands are looked up.

The rules for a page:

- The ``python`` blocks of a page run from top to bottom in one namespace, in an empty folder.
  A page defines what it uses.
- A ``text`` block right after a ``python`` block is what that block prints. ``...`` stands for anything. After
  ``text numbers-vary`` only the words are compared: every number matches every other.
- A block that starts with the comment ``# name.py`` is a file, or a part of one: it must compile. Its recipe has a
  test of its own.
- In ``sh``, ``console`` and unnamed blocks, commands and options of ``weaklearn`` exist, and so do
  the targets of ``make``.
- ``input()`` gets "y".
"""

import contextlib
import doctest
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import pytest
from typer.main import get_command

from weaklearn import cli

ROOT = Path(__file__).parents[2]
# Run by tests/display/test_gallery.py, which also checks its figures.
OWN_TEST = {"displays.md"}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@dataclass(frozen=True)
class Block:
    line: int
    info: str
    code: str
    follows: "Block | None"  # the block before it, if nothing but blank lines lies between them

    @property
    def language(self):
        return self.info.partition(" ")[0]


def blocks(page):
    found, before, opened = [], None, None
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        fence = re.match(r"(`{3,}|:{3,})(.*)", line)
        if opened is None and fence:
            opened, info, start = fence[1], fence[2].strip(), number
        elif opened is not None and line.strip() == opened:
            block = Block(start, info, "\n".join(lines[start : number - 1]) + "\n", before)
            found.append(block)
            before, opened = block, None
        elif opened is None and line.strip():
            before = None
    assert opened is None, f"{page.name}: the block of line {start} never ends"
    return found


def is_file(block):
    return re.match(r"# \S+\.py\b", block.code) is not None


def without_numbers(text):
    return re.sub(r"[-+\u2212]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?", "#", text)


def check_output(block, printed, page):
    expected = block.code
    if "numbers-vary" in block.info:
        expected, printed = without_numbers(expected), without_numbers(printed)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(expected, printed, flags), (
        f"{page.name}, line {block.line}: the page says\n{block.code}\nbut the code prints\n{printed}"
    )


@pytest.fixture
def headless(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda question="": "y")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def run_page(page):
    """Run the Python blocks of a page; how many were run."""
    names = {"__name__": page.stem}
    printed, count = "", 0
    for block in blocks(page):
        if block.language == "text" and block.follows is not None and block.follows.language == "python":
            check_output(block, printed, page)
        if block.language != "python":
            continue
        # Blank lines in front, so that a traceback names the line of the page.
        code = compile("\n" * block.line + block.code, str(page), "exec")
        count += 1
        if not is_file(block):
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                exec(code, names)
            printed = stream.getvalue()
    return count


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in OWN_TEST], ids=lambda page: page.name
)
@pytest.mark.usefixtures("headless")
def test_python(page):
    run_page(page)


def commands(page):
    for block in blocks(page):
        if block.language not in ("", "sh", "console"):
            continue
        for offset, line in enumerate(block.code.splitlines(), 1):
            # Where commands are marked by a prompt, the other lines are what they print.
            if "\n$ " in "\n" + block.code and not line.startswith("$ "):
                continue
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words:
                yield block.line + offset, words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page):
    program = get_command(cli.app)
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    for line, words in commands(page):
        place = f"{page.name}, line {line}: {shlex.join(words)}"
        if words[0] == "make":
            assert set(words[1:]) <= targets, place
        if words[0] != "weaklearn" or words[1].startswith("-"):
            continue
        assert words[1] in program.commands, place
        command, words = program.commands[words[1]], words[2:]
        while words and words[0] in getattr(command, "commands", ()):
            command, words = command.commands[words[0]], words[1:]
        parameters = command.params
        known = {option for p in parameters for option in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= known, f"{place}: no option {', '.join(sorted(used - known))}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```python\nprint(undefined)\n```\n", "undefined"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", r"the code prints\s+1"),
        ("```python\nprint('a 1')\n```\n```text numbers-vary\nb 1\n```\n", r"the code prints\s+a #"),
    ],
)
@pytest.mark.usefixtures("headless")
def test_a_false_page_is_found(text, complaint, tmp_path):
    page = tmp_path / "false.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises((NameError, AssertionError), match=complaint):
        run_page(page)


@pytest.mark.usefixtures("headless")
def test_numbers_may_vary_where_the_page_says_so(tmp_path):
    page = tmp_path / "true.md"
    page.write_text("```python\nprint('a 1.5e-3')\n```\n```text numbers-vary\na -2\n```\n", encoding="utf-8")
    assert run_page(page) == 1
