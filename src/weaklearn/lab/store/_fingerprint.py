"""Fingerprints: which code made a result.

The fingerprint of a trial is a hash over the modules that its protocol, its builders and its data
source can reach by imports, those inside functions included. A module counts as its syntax tree without
docstrings, so comments, layout and documentation change nothing; imports for type checkers alone do
not count. A name that a package re-exports leads to the module that defines it, and ``package.name``
to that name, so that using one classifier does not reach all its neighbours.

What is reached is read from the files, nothing is imported. Modules of weaklearn and the user's own
count; installed libraries do not, their versions are kept beside the fingerprint (`library_versions`).
"""

import ast
import hashlib
import importlib.machinery
import json
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

from weaklearn import _cache_folder

__all__ = ["CodeMap", "code_map", "library_versions"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
# Raise it when the way modules are read changes: old cache entries are then read again.
_CACHE_FORMAT = 1


@cache
def library_versions() -> str:
    """The versions of the libraries that results depend on: "numpy 2.3.1, scipy ..."."""
    return ", ".join(f"{name} {metadata.version(name)}" for name in _LIBRARIES)


@dataclass(frozen=True)
class _Module:
    """What matters of a source file.

    Attributes
    ----------
    digest : str
        Of its syntax tree.
    exports : dict
        Names that stand for something imported: module and name there ("" for the module itself).
    uses : tuple of (str, str)
        What it imports: module and name, "" for the module as a whole. A name with "?" in front was bound
        by ``from module import name``: should it be a module, other pairs say what of it is used.
    defines : frozenset
        Names bound at the top by anything but an import.
    """

    digest: str
    exports: dict[str, tuple[str, str]]
    uses: tuple[tuple[str, str], ...]
    defines: frozenset[str]


@dataclass
class CodeMap:
    """The modules under some folders and what they import.

    Parameters
    ----------
    path : list of str
        Where top-level modules are looked for, as `sys.path`.
    cache_file : Path, optional
        Remembers digests between processes, by time and size of the files.
    """

    path: list[str]
    cache_file: Path | None = None
    _modules: dict[str, _Module | None] = field(default_factory=dict)
    _reached: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _fingerprints: dict[frozenset[str], str] = field(default_factory=dict)
    _by_file: dict[str, list] = field(default_factory=dict)
    _folders: dict[str, Path | None] = field(default_factory=dict)
    _dirty: bool = False

    def __post_init__(self) -> None:
        if self.cache_file is not None:
            self._by_file = _read_cache(self.cache_file)

    def fingerprint(self, paths: Iterable[str]) -> str:
        """The fingerprint of everything that the ``"module:name"`` paths reach."""
        roots = frozenset(paths)
        if roots not in self._fingerprints:
            parts = [f"{name} {self._digest(name)}" for name in sorted(self.modules(roots))]
            # A library's own code is known by its version alone.
            outside = [path for path in roots if self._module(path.partition(":")[0]) is None]
            text = "\n".join([*parts, *sorted(outside)])
            self._fingerprints[roots] = hashlib.sha256(text.encode()).hexdigest()
            self._save()
        return self._fingerprints[roots]

    def modules(self, paths: Iterable[str]) -> set[str]:
        """The names of the modules that the paths reach."""
        reached: set[str] = set()
        for path in paths:
            module, _, name = path.partition(":")
            reached |= self._reach(module, name.partition(".")[0])
        return reached

    def resolves(self, path: str) -> bool:
        """Whether ``"module:name"`` names something that a module of ours defines or re-exports."""
        module, _, name = path.partition(":")
        name = name.partition(".")[0]
        found = self._module(module)
        if found is None:
            return False
        return name in found.defines or name in found.exports or self._module(f"{module}.{name}") is not None

    def _digest(self, name: str) -> str:
        module = self._module(name)
        assert module is not None
        return module.digest

    def _reach(self, module: str, name: str) -> frozenset[str]:
        if (module, name) not in self._reached:
            reached: set[str] = set()
            seen: set[tuple[str, str]] = set()
            waiting = [(module, name)]
            while waiting:
                pair = waiting.pop()
                if pair in seen:
                    continue
                seen.add(pair)
                for home in self._homes(*pair):
                    if home not in reached:
                        reached.add(home)
                        found = self._module(home)
                        assert found is not None
                        waiting.extend(found.uses)
            self._reached[module, name] = frozenset(reached)
        return self._reached[module, name]

    def _homes(self, module: str, name: str) -> Iterator[str]:
        """The modules in which ``from module import name`` ends."""
        found = self._module(module)
        if found is None:
            return
        if name.startswith("?"):
            name = name[1:]
            if name not in found.defines and self._module(f"{module}.{name}") is not None:
                return
        if name and name not in found.defines:
            if self._module(f"{module}.{name}") is not None:
                yield f"{module}.{name}"
                return
            if name in found.exports:
                yield from self._homes(*found.exports[name])
                return
        yield module

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
        known = self._by_file.get(f"{name} {file}")
        if known is not None and known[0] == stamp:
            digest, exports, uses, defines = known[1]
            pairs = tuple((module, used) for module, used in uses)
            exported = {key: (module, used) for key, (module, used) in exports.items()}
            return _Module(digest, exported, pairs, frozenset(defines))
        module = _parse(file.read_bytes(), name, file.name == "__init__.py")
        content = [module.digest, module.exports, module.uses, sorted(module.defines)]
        self._by_file[f"{name} {file}"] = [stamp, content]
        self._dirty = True
        return module

    def _find(self, name: str) -> Path | None:
        parts = name.split(".")
        if parts[0] not in self._folders:
            self._folders[parts[0]] = _home(parts[0], self.path)
        folder = self._folders[parts[0]]
        if folder is None:
            return None
        place = folder.joinpath(*parts)
        files = (place / "__init__.py", place.with_name(place.name + ".py"))
        return next((file for file in files if file.is_file()), None)

    def _save(self) -> None:
        if self.cache_file is None or not self._dirty:
            return
        self._dirty = False
        # Copies of weaklearn that are gone would make the file grow for ever.
        self._by_file = {key: value for key, value in self._by_file.items() if _exists(key)}
        text = json.dumps({"format": _CACHE_FORMAT, "files": self._by_file})
        try:
            self.cache_file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=self.cache_file.parent, delete=False, encoding="utf-8"
            ) as file:
                file.write(text)
            os.replace(file.name, self.cache_file)
        except OSError:
            self.cache_file = None  # a place that cannot be written costs a moment each time, nothing else


def _exists(key: str) -> bool:
    return os.path.exists(key.partition(" ")[2])


def _read_cache(file: Path) -> dict[str, list]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return content["files"] if content["format"] == _CACHE_FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _home(top: str, path: list[str]) -> Path | None:
    """The folder of the user's own package `top`; None for installed and standard libraries."""
    if top in sys.stdlib_module_names:
        return None
    spec = importlib.machinery.PathFinder.find_spec(top, path)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).resolve()
    folder = file.parent.parent if file.name == "__init__.py" else file.parent
    installed = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    return None if top != "weaklearn" and folder in installed else folder


class _WithoutDocstrings(ast.NodeTransformer):
    def _visit_body(self, node):
        self.generic_visit(node)
        first = node.body[0] if node.body else None
        value = first.value if isinstance(first, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            node.body = node.body[1:] or [ast.Pass()]
        return node

    visit_Module = visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = _visit_body


def _parse(source: bytes, name: str, is_package: bool) -> _Module:
    tree = ast.parse(source)
    digest = hashlib.sha256(ast.dump(_WithoutDocstrings().visit(tree)).encode()).hexdigest()
    reader = _ImportReader(name if is_package else name.rpartition(".")[0])
    reader.visit(tree)
    defines: set[str] = set()
    exports: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            exports.update(reader.bound(node))
        else:
            defines |= _bound_names(node)
    return _Module(digest, exports, tuple(sorted(reader.uses())), frozenset(defines - exports.keys()))


def _bound_names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


class _ImportReader(ast.NodeVisitor):
    """Collects what a module imports, and of modules that it imports whole, which names it uses."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._names: list[tuple[str, str]] = []
        self._aliases: dict[str, set[tuple[str, str]]] = {}
        self._attributes: dict[str, set[str]] = {}
        self._bare: set[str] = set()

    def bound(self, node: ast.Import | ast.ImportFrom) -> dict[str, tuple[str, str]]:
        """What the names that an import binds stand for."""
        if isinstance(node, ast.Import):
            return {
                alias.asname or alias.name.partition(".")[0]: (
                    alias.name if alias.asname else alias.name.partition(".")[0],
                    "",
                )
                for alias in node.names
            }
        module = self._absolute(node)
        return {alias.asname or alias.name: (module, alias.name) for alias in node.names}

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._package.split(".")
        base = ".".join(parts[: len(parts) - node.level + 1])
        return f"{base}.{node.module}" if node.module else base

    def visit_If(self, node: ast.If) -> None:
        """Skip what only type checkers import."""
        test = node.test
        if (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
            isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
        ):
            for statement in node.orelse:
                self.visit(statement)
            return
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """``import a.b``."""
        for alias in node.names:
            if alias.asname is None and "." in alias.name:
                self._names.append((alias.name, ""))
            else:
                self._aliases.setdefault(alias.asname or alias.name, set()).add((alias.name, ""))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """``from a import b``; b may be a module."""
        for name, (module, original) in self.bound(node).items():
            if original == "*":
                self._names.append((module, ""))
            else:
                self._aliases.setdefault(name, set()).add((module, original))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """``alias.name``."""
        if isinstance(node.value, ast.Name):
            self._attributes.setdefault(node.value.id, set()).add(node.attr)
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """A name on its own."""
        self._bare.add(node.id)

    def uses(self) -> set[tuple[str, str]]:
        """Everything imported: pairs of a module and a name in it."""
        found = set(self._names)
        for alias, targets in self._aliases.items():
            for module, name in targets:
                whole = f"{module}.{name}" if name else module
                if name:
                    found.add((module, f"?{name}"))
                # If the alias is a module, its attributes are imports of that module's names.
                found |= {(whole, attribute) for attribute in self._attributes.get(alias, ())}
                if alias in self._bare or alias not in self._attributes:
                    found.add((whole, ""))
        return found


def code_map(cache_folder: str | os.PathLike[str] | None = None) -> CodeMap:
    """The code that this process would run now.

    Parameters
    ----------
    cache_folder : path-like, optional
        Where digests are remembered; the user's cache folder by default.
    """
    folder = Path(cache_folder) if cache_folder is not None else _cache_folder.cache_folder()
    return CodeMap([place or os.getcwd() for place in sys.path], folder / "code.json")
