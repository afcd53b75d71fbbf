"""Blocks: sessions that are asked in turn, in random order.

Sessions with the same text under "block" belong together. They are asked in rounds: each session that is not finished
gets one question, in random order, before any gets the next. The draw depends on what was recorded so far alone:
reloading a page does not change it.
"""

import random
from typing import NamedTuple

from weaklearn.adaptive import Session
from weaklearn.thresholds._folder import Entry, SessionFolder

__all__ = ["Block", "block_of", "last_answered"]

_SECONDS = 20.0  # to find out which sessions are finished; known ones take no time


class Block(NamedTuple):
    """The sessions of a block; ``next_key`` is the one to ask, None when all are finished."""

    name: str
    n_sessions: int
    n_finished: int
    next_key: str | None


def block_of(folder: SessionFolder, name: str) -> Block | None:
    """The block with this name, or None if no session belongs to it."""
    members = _members(folder, name)
    if not members:
        return None
    known = folder.outcomes(members, _SECONDS)
    unfinished = [entry for entry in known if entry.key and entry.stop_reason is None]
    fewest = min((entry.n_answers for entry in unfinished), default=0)
    behind = sorted(entry.key for entry in unfinished if entry.n_answers == fewest)
    recorded = ",".join(f"{entry.key}:{entry.revision}" for entry in sorted(members, key=lambda e: e.key))
    drawn = random.Random(recorded).choice(behind) if behind else None
    return Block(name, len(members), len(members) - len(unfinished), drawn)


def last_answered(folder: SessionFolder, session: Session) -> tuple[str, Session] | None:
    """(key, session) of the last answer in the session's block: what "undo" means there. None outside blocks."""
    name = session.about.get("block")
    if name is None:
        return None
    answered = [entry for entry in _members(folder, name) if entry.n_answers]
    if not answered:
        return None
    last = max(answered, key=lambda entry: entry.changed_ns)
    found = folder.open(last.key)
    return None if found is None else (last.key, found)


def _members(folder: SessionFolder, name: str) -> list[Entry]:
    return [entry for entry in folder.entries() if entry.key and dict(entry.about).get("block") == name]
