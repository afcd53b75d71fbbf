"""Docstrings written once: what estimators share is documented in their base class and put in by `documented`.

As a decorator it completes the docstring of a class, which states only what is its own:

- *Parameters* get one entry for each parameter of ``__init__``, in its order: the class's own, else that of a base
  class with the default of this signature. A parameter without any entry, or an own entry without a parameter, is an
  error when the module is imported.
- *Attributes* are the class's own, then those of the base classes, of which an own entry of the same name replaces one.
  An entry that begins with "With ``x``" is left out of classes without the parameter x.

All estimators but regressors share ``random_state``, ``classes_``, ``n_features_in_`` and ``feature_names_in_``.
Methods can be decorated, too: they get the entries of X, y and the like, and what methods of their name return.
Functions that share other entries are decorated by ``functools.partial(documented, shared=text)``.

>>> class Base:
...     '''Base of the models.
...
...     Parameters
...     ----------
...     n_rounds : int, default=100
...         The largest number of rounds.
...
...     Attributes
...     ----------
...     errors_ : list
...         After each round.
...     '''
>>> @documented
... class Model(Base):
...     '''A model.
...
...     Notes
...     -----
...     Nothing else.
...     '''
...
...     def __init__(self, n_rounds=10): ...
>>> print(Model.__doc__)
A model.
<BLANKLINE>
Parameters
----------
n_rounds : int, default=10
    The largest number of rounds.
<BLANKLINE>
Attributes
----------
errors_ : list
    After each round.
<BLANKLINE>
Notes
-----
Nothing else.
"""

import inspect
import re
from collections.abc import Callable
from typing import TypeVar

Documented = TypeVar("Documented", bound=Callable)

_ESTIMATOR = """
Parameters
----------
random_state : int, RandomState instance or None, default=None
    An int makes fits repeatable.

Attributes
----------
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
n_features_in_ : int
    The number of features of the training set.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names; only if the training set had column names, all of them strings.
"""
_METHOD = """
Parameters
----------
X : array-like of shape (n_samples, n_features)
    One row for each example.
y : array-like of shape (n_samples,)
    Class labels of any kind.
sample_weight : array-like of shape (n_samples,), default=None
    Non-negative weights of the examples; None means 1 each.
y_true : array-like of shape (n_samples,)
    The true labels.
name : str, default=None
    For the legend.
ax : matplotlib axes, default=None
    None opens a new figure.
"""
# What methods return, unless their docstring says something else.
_RETURNS = {
    "fit": "self",
    "partial_fit": "self",
    "predict": "ndarray of shape (n_samples,)\n    Predicted class labels.",
    "decision_function": "ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)",
    "predict_proba": "ndarray of shape (n_samples, n_classes)",
    **{
        f"from_{source}": "display\n    Drawn."
        for source in ("estimator", "predictions", "runs", "subsets", "path")
    },
}


def sections(docstring):
    """A docstring cut at its underlined headings: a dict from headings to text; "" is what comes before the first."""
    parts = re.split(r"^(\S[^\n]*)\n-{3,}[ ]*$\n?", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return {"": parts[0].rstrip(), **{parts[i]: parts[i + 1].rstrip() for i in range(1, len(parts), 2)}}


def entries(text):
    """The entries of a section of parameters or attributes: a dict from tuples of names to text."""
    found = {}
    for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        if entry.strip():
            names = entry.partition("\n")[0].partition(" : ")[0]
            found[tuple(name.strip().lstrip("*") for name in names.split(","))] = entry.rstrip()
    return found


def documented(target: Documented, shared: str = _METHOD) -> Documented:
    """Complete the docstring of a class, or that of a function from sections *Parameters* and *Returns* of a text."""
    if target.__doc__ is None:  # python -OO has removed it
        return target
    own = sections(target.__doc__)
    parameters = {
        name: p for name, p in inspect.signature(target).parameters.items() if name not in ("self", "cls")
    }
    result = {"": own.pop("")}
    own_entries = entries(own.pop("Parameters", ""))
    result["Parameters"] = "\n".join(_parameters(target, parameters, own_entries, shared))
    if isinstance(target, type):
        result["Attributes"] = "\n".join(_attributes(target, parameters, entries(own.pop("Attributes", ""))))
    elif not {"Returns", "Yields"} & own.keys():
        result["Returns"] = sections(shared).get("Returns", _RETURNS.get(target.__name__, ""))
    parts = [
        f"{title}\n{'-' * len(title)}\n{text}" if title else text
        for title, text in (result | own).items()
        if text
    ]
    target.__doc__ = "\n\n".join(parts)
    return target


def _shared(target, title, shared=""):
    """The entries that a class takes over from its bases, or a function from a text, by name."""
    if isinstance(target, type):
        texts = [
            base.__doc__ or "" for base in target.__mro__[1:] if base.__module__.split(".")[0] != "sklearn"
        ]
        bases = {
            base.__name__ for base in target.__mro__
        }  # by name, so that displays do not import scikit-learn
        texts += [_ESTIMATOR] if "BaseEstimator" in bases and "RegressorMixin" not in bases else []
    else:
        texts = [shared]
    found: dict[str, str] = {}
    for text in texts:
        for names, entry in entries(sections(text).get(title, "")).items():
            found |= {name: entry for name in names if name not in found}
    return found


def _parameters(target, parameters, own, shared_text):
    named = {name: names for names in own for name in names}
    if not named.keys() <= parameters.keys():
        raise TypeError(
            f"{target.__name__} documents parameters that it does not have: {named.keys() - parameters}."
        )
    shared = _shared(target, "Parameters", shared_text)
    result = []
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in named:
            entry = own[named[name]]
        elif name in shared:
            before, equals, after = shared[name].partition("default=")
            rest = after[after.index("\n") :] if "\n" in after else ""
            entry = before + equals + _default(parameter.default) + rest if equals else shared[name]
        else:
            raise TypeError(f"the parameter {name} of {target.__name__} is not documented.")
        if entry not in result:  # one entry may have several names
            result.append(entry)
    return result


def _default(value):
    if isinstance(value, type):
        return f"{value.__module__}.{value.__name__}"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _attributes(target, parameters, own):
    shared = {
        name: entry
        for name, entry in _shared(target, "Attributes").items()
        if _exists(entry.partition("\n")[2], parameters)
    }
    named = {name: entry for names, entry in own.items() for name in names}
    alone = [entry for names, entry in own.items() if not shared.keys() & set(names)]
    return list(dict.fromkeys([*alone, *(named.get(name, entry) for name, entry in shared.items())]))


def _exists(text, parameters):
    """Whether a class with these parameters has an attribute with this text, which may begin with "With ``x``"."""
    condition = re.match(r"\s*With (``\w+``[^:]*):", text)
    return condition is None or bool(set(re.findall(r"``(\w+)``", condition[1])) & parameters.keys())
