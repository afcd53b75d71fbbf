"""Every public estimator documents exactly its parameters and exactly the attributes that a fit leaves.

A new estimator is tested without a line here if it can be fitted to a small table of two classes with its defaults.
Attributes that exist only with certain settings need a row in ``SETTINGS``; other data, one in ``FITS``.
"""

import importlib
import inspect
import pkgutil

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

import weaklearn
from weaklearn._docstrings import documented as completed
from weaklearn._docstrings import entries, sections
from weaklearn.datasets import make_yinyang

PACKAGES = (
    "boosting", "cloning", "complexity", "kernel", "labels", "linear", "monotone", "multiclass", "robust", "stumps",
    "trees",
)  # fmt: skip


def estimators():
    """The public classes with parameters, by name."""
    present = {module.name for module in pkgutil.iter_modules(weaklearn.__path__)}
    found = {}
    for package in sorted(present.intersection(PACKAGES)):
        module = importlib.import_module(f"weaklearn.{package}")
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if inspect.isclass(kind) and issubclass(kind, BaseEstimator) and not inspect.isabstract(kind):
                found[f"{package}.{name}"] = kind
    return found


ESTIMATORS = estimators()


def _all(names, settings):
    return {name: [settings] for name in names}


# The settings of fits whose attributes together are all that there are; one fit with the defaults otherwise.
SETTINGS = {
    **_all(
        (
            "AdaBoostClassifier", "AnyBoostClassifier", "LogitBoostClassifier", "ArcX4Classifier", "ArcGVClassifier",
            "CGBoostClassifier", "LPBoostClassifier", "PBoostClassifier", "AdaBoostRegClassifier", "Doom2Classifier",
        ),
        {"n_estimators": 5, "validation_fraction": 0.3, "random_state": 0},
    ),
    **_all(
        (
            "RCDPerceptron", "PocketPerceptron", "AveragedPerceptron", "VotedPerceptron", "ROMMA", "SGDPerceptron",
            "Perceptron", "Winnow",
        ),
        {"max_iter": 5, "keep_path": True, "random_state": 0},
    ),
    "ZeroOneClassifier": [{"certify": True, "max_iter": 2}, {"noise": 0.1, "max_iter": 2}],
    "CalibratedClassifier": [{"estimator": LogisticRegression(), "cv": 2}],
    "CloneSearchCV": [
        {"estimator": LogisticRegression(), "param_grid": {"C": [0.1, 1.0]}, "n_clones": 2, "outer_cv": 2,
         "test_size": 50, "random_state": 0},
    ],
    "KernelRCDClassifier": [{"max_iter": 20}],
    "ComplexityPruner": [{"n_permutations": 8, "random_state": 0}],
    "AdaBoostCloner": [{"n_estimators": 10}, {"random_state": 0}],
    "RhoCloner": [{"n_hypotheses": 50, "random_state": 0}],
}  # fmt: skip


def small_table():
    X, y = make_yinyang(40, random_state=0)
    return pd.DataFrame(X, columns=["length", "width"]), np.where(y > 0, "yes", "no")


def fit_levels(model):
    levels = np.repeat([1.0, 2.0, 3.0, 4.0], 5)
    return model.fit(levels, (np.arange(20) % 5 < levels).astype(float))


def fit_inputs(model):
    return model.fit(small_table()[0])


FITS = {
    **dict.fromkeys(("MonotoneFit", "LogisticFit", "BoundedJumpRegression", "HybridFit"), fit_levels),
    "SmoothedBootstrap": fit_inputs,
}

# Measures of complexity have parameters but are called, not fitted.
CALLED = {"SVMComplexity", "LookupComplexity"}


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
@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name.partition(".")[2] not in CALLED])
def test_attributes(name):
    kind, short = ESTIMATORS[name], name.partition(".")[2]
    found = set()
    for settings in SETTINGS.get(short, [{}]):
        model = kind(**settings)
        fit = FITS.get(short, lambda model: model.fit(*small_table()))
        found |= fitted(fit(model))
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
    assert seen or not hasattr(kind, "fit") or kind.__name__ in CALLED | {"CloneSearchCV"}


def documented_names(text):
    return [name for names in entries(text) for name in names]
