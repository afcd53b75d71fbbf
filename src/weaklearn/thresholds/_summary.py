"""Several sessions together: each threshold, and the mean and spread of the population, for command and page."""

from collections.abc import Sequence
from typing import Any

from weaklearn.adaptive import Session, population
from weaklearn.thresholds._wording import CONFIDENCE, estimate_line, number, title_text


def summary_of(sessions: Sequence[Session]) -> dict[str, Any]:
    """Plain data: a row for each session, and the population or the reason why there is none."""
    rows, told = [], [session for session in sessions if session.history]
    for session in sessions:
        found = session.estimate(CONFIDENCE)[0] if session.history else None
        rows.append(
            {
                "session": session.path.name,
                "title": title_text(session.question, session.path.name),
                "subject": session.about.get("subject", ""),
                "condition": session.about.get("condition", ""),
                "answers": len(session.history),
                "estimate": found,
                "words": "no answers yet" if found is None else estimate_line(found, session.about),
                "shrunk": None,
            }
        )
    try:
        found = population(told, confidence=CONFIDENCE).to_dict()
    except ValueError as error:
        return {"sessions": rows, "population": None, "sentences": [f"No population: {error}."]}
    for row, one in zip((row for row in rows if row["answers"]), found["observers"], strict=True):
        row["shrunk"] = number(one["shrunk"], one["interval"][1] - one["interval"][0])
    return {"sessions": rows, "population": found, "sentences": _sentences(found)}


def _sentences(found: dict[str, Any]) -> list[str]:
    def estimated(name: str) -> str:
        low, high = found[f"{name}_interval"]
        ends = number(low, high - low), number(high, high - low)
        return f"{number(found[name], high - low)} ({CONFIDENCE:.0%} interval {ends[0]} to {ends[1]})"

    log = found["scale"] == "log"
    kind = "A factor of" if log else "A standard deviation of"
    mean, spread = (
        number(x, abs(found["mean_interval"][1] - found["mean_interval"][0])) for x in found["averaged"]
    )
    return [
        f"{'Geometric mean' if log else 'Mean'} threshold of the population: {estimated('mean')}.",
        f"{kind} {estimated('spread')} between observers, error of measurement taken out.",
        f"Plain averages of the single estimates: {mean}, and {spread} between observers, with measurement error.",
    ]
