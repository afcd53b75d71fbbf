"""Model files: the model in the format of skops, and a card that says what it is."""

import datetime
import io
import json
import os
import platform
import zipfile
import zlib
from collections.abc import Iterable
from importlib import metadata
from typing import Any

import numpy as np

import weaklearn
from weaklearn._files import write_file
from weaklearn.persistence._trusted import check_trees, is_trusted

_CARD = "weaklearn.json"
#: Raised when a reader of the old format could misread a new file.
_FORMAT = 1
_VERSIONS_OF = ("numpy", "scipy", "scikit-learn", "numba", "skops")


def save(estimator: Any, path: str | os.PathLike[str], *, description: str = "") -> dict[str, Any]:
    """Save an estimator, fitted or not, to a file.

    Parameters
    ----------
    estimator : object
        Any estimator of weaklearn or scikit-learn, also one that holds others.
    path : path-like
        Where to write; by custom the name ends in ``.skops``. The file is replaced as a whole or not at all.
    description : str, default=""
        What the model is for and what it learned from; kept in the card.

    Returns
    -------
    dict
        The model card: see `model_card`.

    Raises
    ------
    ImportError
        If skops is not installed.
    TypeError
        If the estimator holds something that cannot be saved, such as a lambda.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from weaklearn.persistence import load, save
    >>> from weaklearn.stumps import DecisionStump
    >>> stump = DecisionStump().fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     card = save(stump, Path(folder) / "stump.skops")
    ...     again = load(Path(folder) / "stump.skops")
    >>> again.predict([[0.3], [0.7]])
    array(['no', 'yes'], dtype='<U3')
    >>> card["estimator"], card["n_features"], card["classes"]
    ('weaklearn.stumps.DecisionStump', 1, ['no', 'yes'])
    """
    skops_io = _skops_io()
    if isinstance(estimator, type):
        raise TypeError(
            f"save needs an estimator, not the class {estimator.__name__}; call {estimator.__name__}()."
        )
    try:
        content = skops_io.dumps(estimator, compression=zipfile.ZIP_DEFLATED)
    except Exception as error:
        raise TypeError(f"{type(estimator).__name__} cannot be saved: {error}") from error
    card = _card_of(estimator, description)
    foreign = sorted(name for name in skops_io.get_untrusted_types(data=content) if not is_trusted(name))
    nameless = [name for name in foreign if "<" in name]  # lambdas and functions inside functions
    if nameless:
        raise TypeError(
            f"{type(estimator).__name__} cannot be saved: it holds {nameless[0]}, which has no name to load it by. "
            "Define it at the top level of a module."
        )
    card["foreign_types"] = foreign
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_CARD, json.dumps(card, indent=1, ensure_ascii=False))
    write_file(path, buffer.getvalue())
    return card


def load(path: str | os.PathLike[str], *, trusted: Iterable[str] = (), max_gigabytes: float = 4.0) -> Any:
    """Load an estimator saved by `save`.

    Parameters
    ----------
    path : path-like
    trusted : iterable of str, default=()
        Names of further types that the file may hold, such as a weak learner of your own
        (``"my_package.MyLearner"``). Name only types whose code you trust.
    max_gigabytes : float, default=4.0
        Refuse files that hold more than this when decompressed.

    Returns
    -------
    object
        The estimator.

    Raises
    ------
    ImportError
        If skops is not installed.
    ValueError
        If the file is not a model file, is damaged, was written in a newer format, or holds types that are not
        trusted.
    """
    if isinstance(trusted, str):
        raise TypeError(f"trusted must be a list of names; use trusted=[{trusted!r}].")
    skops_io = _skops_io()
    card = model_card(path)
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > max_gigabytes * 1e9:
        raise ValueError(
            f"{os.fspath(path)} holds {size / 1e9:.1f} GB, more than max_gigabytes={max_gigabytes}. Raise it if you "
            "know the file."
        )
    try:
        named = skops_io.get_untrusted_types(file=path)
    except Exception as error:  # a damaged archive may raise anything
        raise ValueError(_damaged(path, error)) from error
    foreign = {name for name in named if not is_trusted(name)} - set(trusted)
    if foreign:
        raise ValueError(
            f"{os.fspath(path)} holds types that are not trusted: {', '.join(sorted(foreign))}. If you know the code "
            f"behind these names, pass them in `trusted`; otherwise do not use this file."
        )
    try:
        estimator = skops_io.load(path, trusted=named)
    except Exception as error:
        raise ValueError(f"{_damaged(path, error)}{_other_versions(card)}") from error
    check_trees(estimator)
    return estimator


def model_card(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a model file says about itself, without loading the model.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict
        ``estimator`` (type), ``parameters``, ``n_features``, ``feature_names``, ``classes`` (None where the estimator
        has none), ``description``, ``date``, ``versions``, ``foreign_types`` (types that `load` must be told to
        trust) and ``format``. The file says so itself: it is not checked.

    Raises
    ------
    ValueError
        If the file is not a model file or was written in a newer format.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            card = json.loads(archive.read(_CARD))
        version = card["format"]
        if not isinstance(version, int):
            raise TypeError(version)
    except (
        *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),
        *(KeyError, TypeError, ValueError),
    ) as error:
        raise ValueError(f"{os.fspath(path)} is not a model file of weaklearn, or is damaged.") from error
    if version > _FORMAT:
        raise ValueError(
            f"{os.fspath(path)} has format {version}; this version of weaklearn reads up to {_FORMAT}. "
            "Upgrade weaklearn to load it."
        )
    return card


def _skops_io():
    try:
        import skops.io
    except ImportError as error:
        raise ImportError(
            'saving and loading models needs skops; install it with: pip install "weaklearn[persistence]"'
        ) from error
    return skops.io


def _card_of(estimator: Any, description: str) -> dict[str, Any]:
    kind = type(estimator)
    names = getattr(estimator, "feature_names_in_", None)
    classes = getattr(estimator, "classes_", None)
    parameters = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    return {
        "format": _FORMAT,
        "estimator": f"{kind.__module__}.{kind.__qualname__}",
        "parameters": {name: _plain(value) for name, value in parameters.items()},
        "n_features": getattr(estimator, "n_features_in_", None),
        "feature_names": None if names is None else [str(name) for name in names],
        "classes": None if classes is None else [_plain(label) for label in np.asarray(classes).tolist()],
        "description": str(description),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": _versions(),
    }


def _plain(value: Any) -> Any:
    """A value that JSON can hold; anything but text, whole and finite numbers as Python prints it."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and np.isfinite(value) else repr(value)


def _versions() -> dict[str, str]:
    own = {"python": platform.python_version(), "weaklearn": weaklearn.__version__}
    return own | {name: metadata.version(name) for name in _VERSIONS_OF}


def _damaged(path: str | os.PathLike[str], error: Exception) -> str:
    return f"{os.fspath(path)} cannot be loaded; it is damaged, or made by other versions ({error})."


def _other_versions(card: dict[str, Any]) -> str:
    now, then = _versions(), card.get("versions")
    if not isinstance(then, dict):
        return ""
    changed = [f"{name} {then[name]} (here {now.get(name)})" for name in then if then[name] != now.get(name)]
    return f" It was saved with {', '.join(changed)}." if changed else ""
