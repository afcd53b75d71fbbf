"""The settings of a session for a lab book, as rows of (name, value)."""

from weaklearn import __version__
from weaklearn.adaptive import Session
from weaklearn.thresholds._wording import level_text, stop_words, target_name

__all__ = ["report_settings"]

_NAMES = {
    "subject": "Subject",
    "condition": "Condition",
    "block": "Block",
    "task": "Task",
    "yes_label": "Label of yes",
    "no_label": "Label of no",
}


def report_settings(session: Session) -> list[tuple[str, str]]:
    """Everything that is needed to run the same experiment again."""
    record = session.record
    about = session.about
    params = ", ".join(f"{name} {value}" for name, value in record["sampler"]["params"].items())
    looked_for = "; ".join(target_name(one, about) for one in record["targets"])
    rows = [(label, about[name]) for name, label in _NAMES.items() if name in about]
    if "blind" in about:
        rows.append(("Blind", "yes: neither levels nor estimates were shown"))
    return [
        *rows,
        ("Levels", ", ".join(map(level_text, session.levels))),
        (
            "As the level rises",
            "yes becomes more likely" if session.increasing else "yes becomes less likely",
        ),
        ("Looked for", looked_for),
        ("Sampler", f"{record['sampler']['name']}{f' ({params})' if params else ''}, seed {session.seed}"),
        ("Ends", stop_words(record["stop"])),
        ("Started", time_text(record["created"])),
        ("Answers undone", str(len(record["undone"]))),
        ("File", f"{session.path.name}, session {session.id}, revision {session.revision}"),
        ("Software", f"weaklearn {__version__}"),
    ]


def time_text(stamp: str) -> str:
    """The time of a record as people write it."""
    return stamp.replace("T", " ").replace("+00:00", " UTC")
