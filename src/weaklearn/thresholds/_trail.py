"""How the estimate and its interval developed, answer by answer."""

from dataclasses import dataclass, field
from typing import Any

from sklearn.base import clone

from weaklearn.adaptive import Session
from weaklearn.thresholds._wording import CONFIDENCE

__all__ = ["Trails"]

_MOST_SESSIONS = 50


@dataclass
class _Trail:
    sampler: Any
    answers: list[tuple[float, bool]] = field(default_factory=list)
    estimates: list[list[tuple[float, float, float]]] = field(default_factory=list)


class Trails:
    """The past estimates of the sessions shown last: each answer is computed once, not once per page."""

    def __init__(self) -> None:
        self._trails: dict[str, _Trail] = {}

    def of(self, session: Session) -> list[list[tuple[float, float, float]]]:
        """Per answer and target: value, low, high."""
        answers = [(answer.level, answer.outcome) for answer in session.sampler.history]
        trail = self._trails.pop(session.id, None) or _Trail(clone(session.sampler))
        while trail.answers != answers[: len(trail.answers)]:
            trail.answers.pop()
            trail.estimates.pop()
            trail.sampler.undo()
        for level, outcome in answers[len(trail.answers) :]:
            trail.sampler.tell(level, outcome)
            trail.answers.append((level, outcome))
            trail.estimates.append([_estimate(trail.sampler, target) for target in session.targets])
        self._trails[session.id] = trail  # last in the dict is used last
        while len(self._trails) > _MOST_SESSIONS:
            del self._trails[next(iter(self._trails))]
        return list(trail.estimates)


def _estimate(sampler: Any, target: Any) -> tuple[float, float, float]:
    value = sampler.estimate(target)
    low, high = sampler.interval(target, CONFIDENCE)
    # As in Session.estimate: the interval need not come from the same fit as the value.
    return float(value), float(min(low, value)), float(max(high, value))
