"""Canonical descriptions, and the keys and seeds that are made from them.

A description is JSON with sorted keys and no spaces. Floats are written by ``repr``, the
shortest form that reads back exactly, so 1 and 1.0 differ and nothing else is ambiguous.
Seeds are the first 32 bits of a SHA-256 over named parts; Python's own ``hash`` changes from
process to process and is never used.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any, where: str = "value") -> Any:
    """Copy `value` into plain JSON types, or say which part of it is none.

    Parameters
    ----------
    value : object
        None, bool, int, float, str, or sequences and mappings of them; an object with a
        ``describe()`` method stands for what that returns.
    where : str
        The name of the value in the error message.

    Returns
    -------
    object
        The same with tuples as lists and mappings as dicts.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError(f"{where} is nan, which cannot identify a trial")
        return float(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{where} has the key {key!r}; keys must be strings")
        return {key: plain(item, f"{where}[{key!r}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if hasattr(value, "describe"):
        return value.describe()
    raise TypeError(
        f"{where} is a {type(value).__name__}; experiments are data: use None, bool, int, float, str, "
        f"lists and mappings of them, or an Algorithm"
    )


def canonical(value: Any) -> str:
    """The one text that stands for `value`."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: Any) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def seed_from(**parts: Any) -> int:
    """A 32-bit seed that depends on the names and values of `parts` alone.

    >>> seed_from(purpose="example", index=0)
    2885513799
    >>> seed_from(index=0, purpose="example")
    2885513799
    """
    return int(digest(parts)[:8], 16)
