"""An import inside a function has one of a few reasons; every other import is at the top of its file.

- A file with the options of a command imports what the command does when it is called, so that ``--help`` is quick.
- Optional packages are imported where they are used, so that weaklearn works without them.
- matplotlib takes a second to import: only drawing loads it.
- A threshold session must ask its first question at once: `monotone` and `adaptive` load kernels when they use them.
- Anything else says why in a comment, at the end of the line or above it.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn

SOURCE = Path(weaklearn.__file__).parent
OPTIONAL = {
    "catboost",
    "clarabel",
    "cleanlab",
    "distributed",
    "lightgbm",
    "openpyxl",
    "polars",
    "pyarrow",
    "questplus",
    "skops",
    "starlette",
    "uvicorn",
    "xgboost",
}
FILES = sorted(SOURCE.rglob("*.py"))


def inner_imports(tree):
    """Import statements inside functions, with the line before the first of their group."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for block in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                statements = getattr(block, name, None)
                if not isinstance(statements, list):
                    continue
                above = None
                for statement in statements:
                    if isinstance(statement, (ast.Import, ast.ImportFrom)):
                        above = statement.lineno - 1 if above is None else above
                        yield statement, above
                    else:
                        above = None


def has_a_rule(statement, path):
    module = statement.module if isinstance(statement, ast.ImportFrom) else statement.names[0].name
    package = module.partition(".")[0]
    room = path.relative_to(SOURCE).parts[0]
    return (
        path.name == "command.py"
        or path.parent.name == "console"
        or package in OPTIONAL | {"matplotlib"}
        or (room in ("monotone", "adaptive") and module.startswith("weaklearn._fast"))
    )


def test_imports_inside_functions_have_a_reason():
    unexplained = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for statement, above in inner_imports(ast.parse(text)):
            own = "".join(lines[statement.lineno - 1 : statement.end_lineno])
            said = "#" in own or lines[above - 1].lstrip().startswith("#")
            if not (said or has_a_rule(statement, path)):
                unexplained.append(f"{path.relative_to(SOURCE)}:{statement.lineno}")
    assert not unexplained


@pytest.mark.parametrize(
    ("package", "heavy"),
    [
        ("adaptive", "numba"),
        ("display", "matplotlib"),
        ("cli", "numpy"),
        ("web", "pandas"),
        ("engines", "numba"),
    ],
)
def test_heavy_packages_are_not_loaded_early(package, heavy):
    code = f"import sys, weaklearn.{package}; print({heavy!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_numba_tries_its_rules_for_arrays_before_those_for_lists_and_strings(tmp_path):
    code = """
import operator
import numpy as np
from weaklearn._fast.points import project
project(np.ones((2, 2)), np.ones(2))
from numba.core.registry import cpu_target
rules = cpu_target.typing_context._lookup_global(operator.getitem).templates
print("".join("o" if rule.__name__.startswith("Overload") else "a" for rule in rules))
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    order = run.stdout.strip()
    assert "a" in order
    assert "oa" not in order
