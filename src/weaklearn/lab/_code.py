"""Which code and libraries a result belongs to: the stamp of a trial.

The stamp is a hash over the modules that the trial's protocol, its builders and its data source can reach by imports,
those inside functions included, and the versions of the libraries below. A module counts as its syntax tree without
docstrings, so comments, layout and documentation change nothing; imports for type checkers alone do not count. A name
that a package re-exports leads to the module that defines it, so that using one classifier does not reach all its
neighbours. What is reached is read from the files, nothing is imported. Modules of weaklearn and the user's own count;
installed libraries do not. A stored result whose stamp is not the one that the trial would get now is stale.
"""

import ast
import hashlib
import importlib.machinery
import json
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from weaklearn._cache_folder import cache_folder
from weaklearn._files import write_file
from weaklearn.lab._build import home_of
from weaklearn.lab._errors import LabError

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
_INDEX = re.compile(r',"index":\d+,"protocol":')
_PATH = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
# What turns a description into numbers whatever the protocol.
_MACHINERY = (
    "weaklearn.lab._build:build",
    "weaklearn.lab._sources:load_source",
    "weaklearn.lab._trial:Trial",
)


class Stamp(NamedTuple):
    """The hash of the code and the versions of the libraries."""

    code: str
    libraries: str


@cache
def library_versions() -> str:
    """The versions of the libraries that results depend on: "numpy 2.3.1, scipy ..."."""
    return ", ".join(f"{name} {metadata.version(name)}" for name in _LIBRARIES)


def cell_of(description: str) -> str:
    """What trials have in common that differ only in their index."""
    return _INDEX.sub(',"protocol":', description)


@dataclass(frozen=True)
class _Module:
    """What matters of a source file.

    Attributes
    ----------
    digest : str
        Of its syntax tree.
    imports : list of (str, str)
        Pairs of a module and a name in it, "" for the module as a whole.
    names : dict
        The names bound at its top level; one that stands for something imported leads to its module and name.
    """

    digest: str
    imports: list[tuple[str, str]]
    names: dict[str, tuple[str, str] | None]


class CodeMap:
    """The modules under some folders and what they import.

    Parameters
    ----------
    path : list of str
        Where top-level modules are looked for, as `sys.path`.
    cache_file : Path, optional
        Remembers modules between processes, by time and size of the files.
    """

    def __init__(self, path: list[str], cache_file: Path | None = None) -> None:
        self.path, self.cache_file = path, cache_file
        self._modules: dict[str, _Module | None] = {}
        self._known = {} if cache_file is None else _read_cache(cache_file)
        self._changed = False

    def fingerprint(self, paths: Iterable[str]) -> str:
        """The hash of everything that the ``"module:name"`` paths reach."""
        roots = sorted(set(paths))
        parts = [f"{name} {module.digest}" for name, module in sorted(self._reached(roots).items())]
        # A library's own code is known by its version alone.
        outside = [path for path in roots if self._module(path.partition(":")[0]) is None]
        self._save()
        return hashlib.sha256("\n".join([*parts, *outside]).encode()).hexdigest()

    def modules(self, paths: Iterable[str]) -> set[str]:
        """The names of the modules that the paths reach."""
        return set(self._reached(paths))

    def resolves(self, path: str) -> bool:
        """Whether ``"module:name"`` names something at the top level of a module of ours."""
        module, _, name = path.partition(":")
        found = self._module(module)
        return found is not None and name.partition(".")[0] in found.names

    def _reached(self, paths: Iterable[str]) -> dict[str, _Module]:
        reached: dict[str, _Module] = {}
        waiting = [tuple(path.partition(":")[::2]) for path in paths]
        seen = set()
        while waiting:
            pair = waiting.pop()
            if pair in seen:
                continue
            seen.add(pair)
            module, name = pair
            name = name.partition(".")[0]
            found = self._module(module)
            if found is None:
                continue
            if (target := found.names.get(name)) is not None:
                waiting.append(target)
            elif name and name not in found.names and self._module(f"{module}.{name}") is not None:
                waiting.append((f"{module}.{name}", ""))
            else:
                reached[module] = found
                waiting.extend(found.imports)
            if not name:
                waiting.extend(target for target in found.names.values() if target is not None)
        return reached

    def _module(self, name: str) -> _Module | None:
        if name not in self._modules:
            self._modules[name] = self._read(name)
        return self._modules[name]

    def _read(self, name: str) -> _Module | None:
        file = self._find(name)
        if file is None:
            return None
        stat = file.stat()
        stamp = [stat.st_mtime_ns, stat.st_size]
        known = self._known.get(f"{name} {file}")
        if known is not None and known[0] == stamp:
            digest, imports, names = known[1]
            return _Module(
                digest,
                [(module, used) for module, used in imports],
                {bound: target and (target[0], target[1]) for bound, target in names.items()},
            )
        module = _parse(file.read_bytes(), name, file.name == "__init__.py")
        self._known[f"{name} {file}"] = [stamp, [module.digest, module.imports, module.names]]
        self._changed = True
        return module

    def _find(self, name: str) -> Path | None:
        parts = name.split(".")
        folder = _folder_of(parts[0], tuple(self.path))
        if folder is None:
            return None
        place = folder.joinpath(*parts)
        files = (place / "__init__.py", place.with_name(place.name + ".py"))
        return next((file for file in files if file.is_file()), None)

    def _save(self) -> None:
        if self.cache_file is None or not self._changed:
            return
        self._changed = False
        # Copies of weaklearn that are gone would make the file grow for ever.
        self._known = {
            key: value for key, value in self._known.items() if Path(key.partition(" ")[2]).exists()
        }
        try:
            self.cache_file.parent.mkdir(parents=True, exist_ok=True)
            write_file(self.cache_file, json.dumps(self._known))
        except OSError:
            self.cache_file = None  # a place that cannot be written costs a moment each time, nothing else


def _read_cache(file: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


@cache
def _folder_of(top: str, path: tuple[str, ...]) -> Path | None:
    """The folder of the user's own package `top`; None for installed and standard libraries."""
    if top in sys.stdlib_module_names:
        return None
    spec = importlib.machinery.PathFinder.find_spec(top, list(path))
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).resolve()
    folder = file.parent.parent if file.name == "__init__.py" else file.parent
    installed = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    return None if top != "weaklearn" and folder in installed else folder


class _Cleaner(ast.NodeTransformer):
    """Takes out docstrings, and what only type checkers import."""

    def _visit_body(self, node: Any) -> Any:
        self.generic_visit(node)
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    visit_Module = visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = _visit_body

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        return node.orelse if ast.unparse(node.test).endswith("TYPE_CHECKING") else node


def _parse(source: bytes, name: str, is_package: bool) -> _Module:
    tree = _Cleaner().visit(ast.parse(source))
    package = name if is_package else name.rpartition(".")[0]
    names: dict[str, tuple[str, str] | None] = {}
    for node in tree.body:
        for bound in ast.walk(node):
            if isinstance(bound, ast.Name) and isinstance(bound.ctx, ast.Store):
                names.setdefault(bound.id, None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] = None
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(_bound(node, package))
        elif isinstance(node, ast.Assign):
            names.update(_lazy(node, package))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imports = {pair for node in nodes for pair in _bound(node, package).values()}
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return _Module(digest, sorted(imports), names)


def _bound(node: ast.Import | ast.ImportFrom, package: str) -> dict[str, tuple[str, str]]:
    """What the names that an import binds stand for."""
    if isinstance(node, ast.Import):
        return {alias.asname or alias.name: (alias.name, "") for alias in node.names}
    module = node.module or ""
    if node.level:
        parts = package.split(".")
        module = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
    return {
        alias.asname or alias.name: (module, "" if alias.name == "*" else alias.name) for alias in node.names
    }


def _lazy(node: ast.Assign, package: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that a package exports by `weaklearn._lazy.lazy_names`."""
    match node.value:
        case ast.Call(func=ast.Name(id="lazy_names"), args=[_, ast.Dict() as modules]):
            for module, names in ast.literal_eval(modules).items():
                for name in names:
                    yield name, (f"{package}.{module}", name)


@dataclass
class Stamper:
    """Gives every trial the stamp it would get now.

    Parameters
    ----------
    code : CodeMap
    libraries : str
    """

    code: CodeMap
    libraries: str
    _by_roots: dict[frozenset[str], Stamp] = field(default_factory=dict)
    _by_cell: dict[str, Stamp] = field(default_factory=dict)

    def __call__(self, description: str) -> Stamp:
        """The stamp of the trial with this description."""
        cell = cell_of(description)
        if cell not in self._by_cell:
            paths = frozenset(roots(json.loads(cell)))
            if paths not in self._by_roots:
                self._refuse_unresolved(paths)
                self._by_roots[paths] = Stamp(self.code.fingerprint(paths), self.libraries)
            self._by_cell[cell] = self._by_roots[paths]
        return self._by_cell[cell]

    def _refuse_unresolved(self, paths: Iterable[str]) -> None:
        """A root that leads nowhere would leave its code out of the hash: no edit of it would be noticed."""
        lost = sorted(
            path for path in paths if path.startswith("weaklearn.") and not self.code.resolves(path)
        )
        if lost and not self.code.resolves("weaklearn:__version__"):
            raise LabError(
                "this weaklearn is not installed as files (perhaps in a zip archive), so results cannot be stamped "
                "with the code that made them: install it unpacked, with pip"
            )
        if lost:
            raise LabError(
                f"{lost[0]} names no code of this weaklearn, so its results cannot be stamped: correct the name in "
                "the experiment"
            )


def roots(parts: dict[str, Any]) -> set[str]:
    """The ``"module:name"`` paths of the code that a trial's description names or implies."""
    found = {*_MACHINERY, *map(home_of, _paths(parts)), home_of(parts["protocol"]["name"])}
    data = parts["data"] or {}
    if data.get("kind") == "real":
        found.add("weaklearn.datasets:load")
    elif "name" in data and ":" not in data["name"]:
        found.add(f"weaklearn.datasets:make_{data['name']}")
    return found


def _paths(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if _PATH.fullmatch(value):
            yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _paths(item)


def current_stamps() -> Stamper:
    """The stamps of the code on disk and the libraries installed now."""
    path = [place or os.getcwd() for place in sys.path]
    return Stamper(CodeMap(path, cache_folder() / "modules.json"), library_versions())
