"""Docstrings written once: parameters and attributes that many estimators share are put in by a class decorator.

A `Blocks` holds entries in numpydoc form. As a decorator it completes the docstring of a class, which states only
what is its own:

- *Parameters* get one entry for each parameter of ``__init__``, in its order: the class's own, else the shared one.
  ``{default}`` in a shared entry stands for the default in the signature. A parameter without any entry, or an entry
  without a parameter, is an error when the module is imported.
- *Attributes* are the class's own, then the shared ones, of which an own entry of the same name replaces one.

Methods can be decorated, too: they get the entries of their parameters, and what methods of their name return.

>>> shared = Blocks('''
... Parameters
... ----------
... n_rounds : int, default={default}
...     The largest number of rounds.
...
... Attributes
... ----------
... errors_ : list
...     After each round.
... ''')
>>> @shared
... class Model:
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
from collections.abc import Callable, Iterator
from typing import TypeVar

__all__ = ["CLASSIFIER", "FEATURES", "METHOD", "Blocks", "entries", "sections"]

Documented = TypeVar("Documented", bound=Callable)

_MERGED = ("Parameters", "Attributes")

# What methods return, unless their docstring says something else.
_RETURNS = {
    "fit": "self",
    "partial_fit": "self",
    "predict": "ndarray of shape (n_samples,)\n    Predicted class labels.",
    "decision_function": "ndarray of shape (n_samples,)",
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


class Blocks:
    """Shared entries of parameters and attributes, and the decorator that puts them in.

    Parameters
    ----------
    text : str
        Sections *Parameters* and *Attributes* in numpydoc form.
    base : Blocks, default=None
        More entries, behind these; those of ``text`` win.
    only_with : dict, default=None
        Attributes that exist only in classes with a certain parameter, by name: ``{attribute: parameter}``.
    """

    def __init__(self, text, *, base=None, only_with=None):
        found = sections(text)
        self._shared = {title: dict(_single(found.get(title, ""))) for title in _MERGED}
        self._only_with = dict(only_with or {})
        if base is not None:
            self._shared = {
                title: {**self._shared[title], **_without(base, self, title)} for title in _MERGED
            }
            self._only_with = {**base._only_with, **self._only_with}

    def __call__(self, documented: Documented) -> Documented:
        """Complete the docstring of a class or of a method."""
        if documented.__doc__ is not None:  # python -OO has removed it
            documented.__doc__ = self._completed(documented)
        return documented

    def _completed(self, documented):
        own = sections(documented.__doc__)
        result = {"": own.pop("")}
        result["Parameters"] = "\n".join(self._parameters(documented, entries(own.pop("Parameters", ""))))
        if isinstance(documented, type):
            result["Attributes"] = "\n".join(self._attributes(documented, entries(own.pop("Attributes", ""))))
        elif not {"Returns", "Yields"} & own.keys():
            result["Returns"] = _RETURNS.get(documented.__name__, "")
        result.update(own)
        return "\n\n".join(_section(title, text) for title, text in result.items() if text)

    def _parameters(self, cls, own):
        signature = _signature(cls)
        documented = {name for names in own for name in names}
        if not documented <= signature.keys():
            raise TypeError(
                f"{cls.__name__} documents no parameters of its own: {documented - signature.keys()}."
            )
        done = set()
        for name, default in signature.items():
            names = next((names for names in own if name in names), None)
            if names is not None:
                if names not in done:
                    yield own[names]
                done.add(names)
            elif name in self._shared["Parameters"]:
                yield self._shared["Parameters"][name].replace("{default}", default)
            else:
                raise TypeError(f"the parameter {name} of {cls.__name__} is not documented.")

    def _attributes(self, cls, own):
        shared = {
            name: text
            for name, text in self._shared["Attributes"].items()
            if self._only_with.get(name) in (None, *_signature(cls))
        }
        replaced = {name: names for names in own for name in names if name in shared}
        result = [text for names, text in own.items() if not any(name in shared for name in names)]
        done = set()
        for name, text in shared.items():
            names = replaced.get(name)
            if names is None:
                result.append(text)
            elif names not in done:
                result.append(own[names])
                done.add(names)
        return result


def _signature(documented):
    """The parameters of a constructor or method and their defaults as text."""
    found = inspect.signature(documented).parameters
    named = {
        name: p
        for name, p in found.items()
        if name not in ("self", "cls") and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    }
    return {
        name: f'"{p.default}"' if isinstance(p.default, str) else repr(p.default) for name, p in named.items()
    }


def _single(text) -> Iterator[tuple[str, str]]:
    for names, entry in entries(text).items():
        for name in names:
            yield name, entry


def _without(base, own, title):
    return {name: text for name, text in base._shared[title].items() if name not in own._shared[title]}


def _section(title, text):
    return f"{title}\n{'-' * len(title)}\n{text}" if title else text


FEATURES = Blocks("""
Parameters
----------
random_state : int, RandomState instance or None, default={default}
    An int makes fits repeatable.

Attributes
----------
n_features_in_ : int
    The number of features of the training set.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names; only if the training set had column names, all of them strings.
""")

CLASSIFIER = Blocks(
    """
    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    """,
    base=FEATURES,
)

METHOD = Blocks("""
Parameters
----------
X : array-like of shape (n_samples, n_features)
    One row for each example.
y : array-like of shape (n_samples,)
    Class labels of any kind.
sample_weight : array-like of shape (n_samples,), default={default}
    Non-negative weights of the examples; None means 1 each.
""")
