"""Mutation testing: ``python -m benchmarks.mutants [PART ...] [--most 60] [--seed 0] [--out FILE.csv]``.

Each mutant is one source file with one small fault: another comparison, another sign, a constant one larger, or a
condition turned round. The tests of its part are run until one of them fails. A mutant that no test notices
*survives*: either a test is missing, or the fault changes nothing (an equivalent mutant). Mutants are drawn at random,
with a seed; results are appended to a file, and a rerun leaves out what the file holds.

The libraries are imported once and every mutant runs in a fork, so a mutant costs little more than its tests. Kernels
are not mutated: numba's cache would serve the sound ones.
"""

import argparse
import ast
import copy
import csv
import importlib
import os
import random
import signal
import sys
import time
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 60  # of CPU time; a mutant that runs longer hangs, which is noticed

# Modules, and the tests that are theirs.
PARTS = {
    "costs": (
        ["costs"],
        ["tests/test_costs.py", "src/weaklearn/costs.py", "tests/boosting/test_adaboost.py"],
    ),
    "steps": (
        ["boosting._steps"],
        ["tests/boosting/test_loop.py", "tests/boosting/test_anyboost.py", "tests/boosting/test_cgboost.py"],
    ),
    "loop": (
        ["boosting._loop"],
        ["tests/boosting/test_loop.py", "tests/boosting/test_staging.py", "tests/boosting/test_adaboost.py"],
    ),
    "stumps": (["stumps"], ["tests/test_stumps.py", "src/weaklearn/stumps.py"]),
    "verdicts": (
        ["lab._verdicts", "lab._published"],
        ["tests/lab/test_verdicts.py", "tests/lab/test_compare.py"],
    ),
    "tables": (
        [
            "tables._numbers",
            "tables._dates",
            "tables._encoder",
            "tables._inspect",
            "tables._cells",
            "tables._layout",
        ],
        ["tests/tables"],
    ),
}

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATIONS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.MatMult: ast.Mult,
}
# Neither pytest nor its plug-ins: they rewrite what they import.
PRELOADED = ("numpy", "scipy.optimize", "sklearn.utils.estimator_checks", "numba", "pandas", "polars")


@dataclass(frozen=True)
class Mutant:
    module: str
    line: int
    column: int
    fault: str
    source: str

    @property
    def name(self):
        return f"{self.module}:{self.line}:{self.column} {self.fault}"


def faults(node):
    """Pairs of a description and a function that puts the fault into a copy of the node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        new = COMPARISONS[type(node.ops[0])]
        yield f"{type(node.ops[0]).__name__} -> {new.__name__}", lambda n: n.ops.__setitem__(0, new())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATIONS:
        new = OPERATIONS[type(node.op)]
        yield f"{type(node.op).__name__} -> {new.__name__}", lambda n: setattr(n, "op", new())
    elif isinstance(node, ast.BoolOp):
        new = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} -> {new.__name__}", lambda n: setattr(n, "op", new())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "minus left out", lambda n: setattr(n, "op", ast.UAdd())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value} -> {not node.value}", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield f"{node.value} -> {node.value + 1}", lambda n: setattr(n, "value", n.value + 1)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "condition turned round", lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))


def mutants(module):
    # Not by the import system: what is imported here, no fork imports again.
    path = (ROOT / "src" / "weaklearn" / module.replace(".", "/")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(part) for node in ast.walk(tree) for part in _declarations(node) for part in ast.walk(part)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for fault, put in faults(node):
            changed = copy.deepcopy(tree)
            target = next(n for k, n in enumerate(ast.walk(changed)) if k == place)
            put(target)
            source = ast.unparse(ast.fix_missing_locations(changed))
            yield Mutant(module, node.lineno, node.col_offset, fault, source)


def _declarations(node):
    """What changes no result: annotations, decorators (as "frozen"), and that sequences have the same length."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield from node.decorator_list
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node.value
    if isinstance(node, ast.AnnAssign) or (isinstance(node, ast.arg) and node.annotation is not None):
        yield node.annotation
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
        yield node.returns


class Changed:
    """Finds one module with another source."""

    def __init__(self, mutant):
        self.name, self.source = f"weaklearn.{mutant.module}", mutant.source

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        source = self.source

        class Loader(type(spec.loader)):
            def get_code(self, fullname):
                return compile(source, spec.origin, "exec")

        spec.loader = Loader(name, spec.origin)
        return spec


def survives(mutant, tests):
    """Whether no test fails; in a child process."""
    assert "weaklearn" not in sys.modules
    child = os.fork()
    if child == 0:
        _run(mutant, tests)
    end = time.monotonic() + 10 * SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _run(mutant, tests):
    import resource

    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    if mutant is not None:
        sys.meta_path.insert(0, Changed(mutant))
    options = [
        "-q",
        "-x",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        # Otherwise pytest reads modules whose doctests it runs by itself, without the fault.
        "--assert=plain",
        "--rootdir",
        str(ROOT),
    ]
    code = 1
    try:
        code = int(pytest.main([*options, *tests]))
    finally:
        os._exit(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--most", type=int, default=60, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=420, help="start no mutant after this time")
    parser.add_argument("--out", type=Path, default=Path("mutants.csv"))
    asked = parser.parse_args()
    for name in PRELOADED:
        importlib.import_module(name)
    before = set()
    if asked.out.exists():
        with asked.out.open(encoding="utf-8", newline="") as file:
            before = {(row["part"], row["mutant"]) for row in csv.DictReader(file)}
    else:
        asked.out.write_text("part,mutant,outcome\n", encoding="utf-8")
    began = time.monotonic()
    for part in asked.parts or PARTS:
        modules, tests = PARTS[part]
        if not survives(None, tests):
            sys.exit(f"the tests of {part} fail without a mutant")
        every = [mutant for module in modules for mutant in mutants(module)]
        drawn = random.Random(asked.seed).sample(every, min(asked.most, len(every)))
        for mutant in drawn:
            if (part, mutant.name) in before:
                continue
            if time.monotonic() - began > asked.seconds:
                print("time is up: rerun the same command to resume")
                return
            outcome = "survived" if survives(mutant, tests) else "caught"
            with asked.out.open("a", encoding="utf-8", newline="") as file:
                csv.writer(file).writerow([part, mutant.name, outcome])
            if outcome == "survived":
                print(f"{part}: {mutant.name}", flush=True)
        print(f"{part}: {len(drawn)} of {len(every)} mutants tried", flush=True)


if __name__ == "__main__":
    main()
