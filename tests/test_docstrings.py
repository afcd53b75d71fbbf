"""Every public estimator documents exactly its parameters and exactly the attributes that a fit leaves.

A new estimator is tested without a line here: see `benchmarks.every_estimator`.
"""

import inspect

import numpy as np
import pandas as pd
import pytest
from benchmarks.every_estimator import ROOMS, fit, public, variants
from sklearn.base import BaseEstimator

from weaklearn._docstrings import documented as completed
from weaklearn._docstrings import entries, sections
from weaklearn.datasets import make_yinyang

ESTIMATORS = {
    f"{room}.{name}": kind for room in ROOMS if room != "adaptive" for name, kind in public(room).items()
}


def small_table():
    X, y = make_yinyang(40, random_state=0)
    return pd.DataFrame(X, columns=["length", "width"]), np.where(y > 0, "yes", "no")


def documented(kind, title):
    return [name for names in entries(sections(kind.__doc__).get(title, "")) for name in names]


def fitted(model):
    """Names that end in an underscore: in the instance, and properties of the class that can be read."""
    names = set(vars(model))
    for base in type(model).__mro__:
        names |= {
            name for name, value in vars(base).items() if isinstance(value, property) and hasattr(model, name)
        }
    return {name for name in names if name.endswith("_") and not name.startswith("_")}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_parameters(name):
    kind = ESTIMATORS[name]
    signature = (
        list(kind().get_params(deep=False))
        if kind.__init__ is object.__init__
        else list(inspect.signature(kind).parameters)
    )
    assert documented(kind, "Parameters") == signature  # in this order, too
    for names, entry in entries(sections(kind.__doc__).get("Parameters", "")).items():
        assert "default" in entry.partition("\n\n")[0] or all(
            inspect.signature(kind).parameters[one].default is inspect.Parameter.empty for one in names
        ), f"{name} does not state the default of {names}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name, kind in ESTIMATORS.items() if hasattr(kind, "fit")])
def test_attributes(name):
    kind = ESTIMATORS[name]
    found = set().union(*(fitted(fit(model, *small_table())) for model in variants(kind)))
    assert set(documented(kind, "Attributes")) == found


@pytest.mark.parametrize("name", ESTIMATORS)
def test_help_shows_the_whole_text(name):
    kind = ESTIMATORS[name]
    text = sections(kind.__doc__)
    assert len(text[""].splitlines()[0].split()) > 2
    assert "default=<" not in kind.__doc__
    assert ">>>" in text.get("Examples", "")


def test_a_parameter_without_an_entry_is_an_error():
    with pytest.raises(TypeError, match="parameter depth of Tree is not documented"):

        @completed
        class Tree:
            """A tree."""

            def __init__(self, depth=1): ...


def test_an_entry_without_a_parameter_is_an_error():
    with pytest.raises(TypeError, match="depth"):

        @completed
        class Tree:
            """A tree.

            Parameters
            ----------
            depth : int
            """

            def __init__(self): ...


def test_own_entries_replace_those_of_the_base_in_place_and_conditions_hold():
    class Base(BaseEstimator):
        """Base.

        Parameters
        ----------
        a : int, default=0
            Shared.

        Attributes
        ----------
        first_ : int
            Shared.
        second_ : int
            With ``b`` or ``c``: shared.
        """

    @completed
    class One(Base):
        """One.

        Attributes
        ----------
        own_ : int
        first_ : float
            Own.
        """

        def __init__(self, a="x"): ...

    assert documented(One, "Parameters") == ["a"]
    assert 'default="x"' in One.__doc__
    common = ["classes_", "n_features_in_", "feature_names_in_"]
    assert documented(One, "Attributes") == ["own_", "first_", *common]
    assert One.__doc__.count("Own.") == 1

    @completed
    class Two(Base):
        """Two.

        Parameters
        ----------
        b : int
        """

        def __init__(self, b, a=1): ...

    assert documented(Two, "Parameters") == ["b", "a"]
    assert documented(Two, "Attributes") == ["first_", "second_", *common]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_methods(name):
    kind = ESTIMATORS[name]
    seen = 0
    for method_name in (
        "fit",
        "partial_fit",
        "predict",
        "decision_function",
        "predict_proba",
        "staged_predict",
    ):
        method = inspect.getattr_static(kind, method_name, None)
        if not inspect.isfunction(method) or not method.__module__.startswith("weaklearn"):
            continue
        text = sections(inspect.getdoc(getattr(kind, method_name)) or "")
        if "Parameters" in text:
            signature = [one for one in inspect.signature(method).parameters if one != "self"]
            assert documented_names(text["Parameters"]) == signature, method_name
            seen += 1
    assert seen or not hasattr(kind, "fit") or kind.__name__ == "CloneSearchCV"


def documented_names(text):
    return [name for names in entries(text) for name in names]
