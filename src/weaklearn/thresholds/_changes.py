"""What can be done to a session, declared once: its pages, the JSON interface and the OpenAPI document use `CHANGES`.

Every change carries the revision that its sender has seen, so a request without a reply may be sent again unchanged:
it counts once.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from weaklearn.adaptive import Session
from weaklearn.thresholds._wording import level_text

LONGEST_NOTE = 2000  # characters
LARGEST_SEED = 10**15
_MOST_MORE = 9999  # answers by which a session is extended at once


class Entry(NamedTuple):
    """A value that is sent: its JSON type, the rule, and the range of the number or of the length of the text."""

    type: str
    must: str
    least: float = -math.inf
    most: float = math.inf

    def is_right(self, value: Any) -> bool:
        """Whether ``value``, from a JSON document, follows the rule."""
        if isinstance(value, bool):
            return self.type == "boolean"
        kinds = {"integer": int, "number": int | float, "string": str}
        if self.type == "boolean" or not isinstance(value, kinds[self.type]):
            return False
        return self.least <= (len(value.strip()) if isinstance(value, str) else value) <= self.most


ENTRIES = {
    "revision": Entry("integer", "must be the one that came with the question", 0),
    "level": Entry("number", "must be a number"),
    "outcome": Entry("boolean", "must be true or false"),
    "n_answers": Entry("integer", "must be the number of answers before the undo", 0),
    "text": Entry("string", f"must have 1 to {LONGEST_NOTE} characters", 1, LONGEST_NOTE),
    "csv": Entry("string", "must be a text: a header with level and outcome, and the trials"),
    "answers": Entry("integer", f"must be a whole number from 1 to {_MOST_MORE}", 1, _MOST_MORE),
    "seed": Entry("integer", f"must be a whole number from 0 to {LARGEST_SEED}", 0, LARGEST_SEED),
}


def check(sent: Mapping[str, Any], *names: str) -> list[Any]:
    """The values of these entries; ValueError names the first that is missing or wrong."""
    for name in names:
        if not ENTRIES[name].is_right(sent.get(name)):
            raise ValueError(f"{name} {ENTRIES[name].must}, got {str(sent.get(name))[:40]!r}")
    return [sent[name] for name in names]


class Change(NamedTuple):
    """One kind of change: ``make(session, *values, revision=...)`` with the values that it ``takes``.

    ``place`` is its address in the JSON interface, below that of the session, ``about`` its description there;
    ``refused`` is what the page says if nothing was changed.
    """

    make: Callable[..., Any]
    takes: tuple[str, ...]
    place: str
    refused: str
    about: str

    def apply(self, session: Session, sent: Mapping[str, Any]) -> None:
        """Make the change; ValueError if a value is wrong, `SessionChangedError` if the session has moved on."""
        *values, revision = check(sent, *self.takes, "revision")
        self.make(session, *values, revision=revision)


def _answer(session: Session, level: float, outcome: bool, *, revision: int) -> None:
    low, high = session.levels[0], session.levels[-1]
    if not low <= level <= high:
        raise ValueError(f"the level must be a number from {level_text(low)} to {level_text(high)}")
    session.answer(level, outcome, revision=revision)


CHANGES = {
    "answer": Change(
        _answer,
        ("level", "outcome"),
        "answers",
        "Your answer was not recorded.",
        "Record an answer, on disk before the reply; sent twice, it counts once.",
    ),
    "undo": Change(
        lambda session, n_answers, revision: session.undo(n_answers=n_answers, revision=revision),
        ("n_answers",),
        "undo",
        "Nothing was undone.",
        "Undo the last answer; n_answers is the number before.",
    ),
    "note": Change(
        lambda session, text, revision: session.note(text.strip(), revision=revision),
        ("text",),
        "notes",
        "Your note was not saved.",
        "Write a note beside the answers.",
    ),
    "import": Change(
        Session.import_csv,
        ("csv",),
        "import",
        "Nothing was imported.",
        "Add trials made elsewhere, all or none: CSV with a header, columns level and outcome.",
    ),
    "extend": Change(
        Session.extend,
        ("answers",),
        "extend",
        "The session was not extended.",
        "Allow this many more answers than there are.",
    ),
}

# --- from a form ----------------------------------------------------------------------------------------------------

_FIELDS = {"text": "note", "n_answers": "answers"}  # entries whose fields have other names


def count_of(text: str, most_digits: int = 9) -> int | None:
    """The number that a form or an address says in decimal digits; None for any other text."""
    return int(text) if re.fullmatch(f"[0-9]{{1,{most_digits}}}", text) else None


def from_form(change: Change, form: Mapping[str, str]) -> dict[str, Any]:
    """The entries of a change from the texts of a form; None stands for texts that mean nothing."""
    return {
        name: _value(ENTRIES[name].type, form.get(_FIELDS.get(name, name), ""))
        for name in (*change.takes, "revision")
    }


def _value(kind: str, text: str) -> Any:
    if kind == "integer":
        return count_of(text)
    if kind == "boolean":
        return {"yes": True, "no": False}.get(text)
    if kind == "string":
        return text.replace("\r\n", "\n")
    try:
        level = float(text)
    except ValueError:
        return math.inf  # outside all levels, as no number is
    return level if math.isfinite(level) else math.inf
