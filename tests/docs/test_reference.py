"""The API reference and the package itself name every package that can be imported."""

import ast
import inspect
import pkgutil
from pathlib import Path

import pytest

import weaklearn

CONFIGURATION = Path(__file__).parents[2] / "docs" / "conf.py"


def constants():
    """The names that the configuration of the site sets to plain values."""
    for statement in ast.parse(CONFIGURATION.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Tuple, ast.Set)):
            yield statement.targets[0].id, ast.literal_eval(statement.value)


@pytest.fixture
def packages():
    found = {module.name for module in pkgutil.iter_modules(weaklearn.__path__)}
    return {name for name in found if not name.startswith("_")} - dict(constants())["PROGRAMS"]


def test_the_reference_has_every_package(packages):
    assert set(dict(constants())["PACKAGES"]) == packages


def test_every_package_loads_as_an_attribute(packages):
    submodules = {name for name in weaklearn.__all__ if inspect.ismodule(getattr(weaklearn, name))}
    assert submodules == packages
    assert all(hasattr(getattr(weaklearn, name), "__all__") for name in packages)
