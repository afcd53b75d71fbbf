"""What a person types to start an experiment, checked field by field and said in words a person uses.

The command line and the page share this file, so that both accept the same and complain alike.
"""

from dataclasses import dataclass
from dataclasses import field as of
from typing import Any

from weaklearn.adaptive import (
    SAMPLERS,
    Budget,
    IntervalWidth,
    OutsideLevels,
    Session,
    guess_rate_of,
)
from weaklearn.adaptive._registry import describe_target, make_sampler, session_params
from weaklearn.monotone import Crossing, TradeOff
from weaklearn.thresholds._fields import MOST_LEVELS, READERS
from weaklearn.thresholds._wording import answer_keys

__all__ = ["ABOUT", "FIELDS", "MOST_LEVELS", "FieldErrors", "Setup", "read_setup", "samplers_here"]

# What is stored with a session and not for the sampler.
ABOUT = ("subject", "condition", "block", "yes_label", "no_label", "yes_key", "no_key", "blind", "task")
FIELDS = (
    *("question", "levels", "target", "difference", "gain", "direction", "sampler", "budget", "width"),
    *("scale", "lapse", "cohort", "overdose_limit"),
    *ABOUT,
)


class FieldErrors(ValueError):
    """What is wrong with which field."""

    def __init__(self, errors: dict[str, str]):
        super().__init__("; ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True)
class Setup:
    """The settings of an experiment that can be started."""

    levels: list[float]
    question: str
    targets: list[Any]  # functionals
    sampler: str
    increasing: bool
    stop: Any
    params: dict[str, Any] = of(default_factory=dict)
    task: str | None = None
    about: dict[str, str] = of(default_factory=dict)

    def make_sampler(self, seed=None):
        """The sampler alone, without a session; ValueError if it cannot work with these settings."""
        params = session_params(self.sampler, self.params, self.levels, self.stop, self.task)
        return make_sampler(self.sampler, params, self.levels, self.targets, self.increasing, seed)

    def start(self, path, seed=None) -> Session:
        """Make the session's file; ValueError if the sampler cannot work with these settings."""
        return Session.create(
            path,
            self.levels,
            self.question,
            list(self.targets),
            sampler=self.sampler,
            sampler_params=self.params,
            task=self.task,
            stop=self.stop,
            seed=seed,
            increasing=self.increasing,
            about=self.about,
        )

    def difference(self, session: Session, given) -> str | None:
        """The first of the fields ``given`` that ``session`` was not started with, or None."""
        for field, mine, other in (
            ("levels", self.levels, session.levels),
            ("question", self.question, session.question),
            *((name, self._described(), list(map(describe_target, session.targets))) for name in _CRITERIA),
            ("direction", self.increasing, session.increasing),
            ("sampler", self.sampler, type(session.sampler).__name__),
            ("budget", self.stop, session.stop),
            ("width", self.stop, session.stop),
            *((name, value, getattr(session.sampler, name, None)) for name, value in self.params.items()),
            *((name, self.about.get(name, ""), session.about.get(name, "")) for name in ABOUT),
        ):
            if _FIELD_OF.get(field, field) in given and mine != other:
                return _FIELD_OF.get(field, field)
        return None

    def _described(self) -> list[dict]:
        return [describe_target(one) for one in self.targets]


def samplers_here() -> dict[str, str]:
    """The samplers that can be used with the packages installed."""
    return {name: f"{name}: {known.words}" for name, known in SAMPLERS.items()}


def read_setup(typed: dict[str, str]) -> Setup:
    """The settings in ``typed`` (texts by the names in `FIELDS`); raises `FieldErrors` for all wrong ones at once."""
    errors: dict[str, str] = {}
    found: dict[str, Any] = {}
    for field, reader in READERS.items():
        try:
            found[field] = reader(typed.get(field, "").strip())
        except ValueError as error:
            errors[field] = str(error)
    if errors:
        raise FieldErrors(errors)
    levels, budget, width = found["levels"], found["budget"], found["width"]
    if width is not None and width >= levels[-1] - levels[0]:
        raise FieldErrors({"width": f"the levels span {levels[-1] - levels[0]:g}: a useful width is smaller"})
    # An interval cannot become narrow where the threshold lies outside the levels.
    stop: Any = None if width is None else IntervalWidth(width) | OutsideLevels()
    if budget is not None or stop is None:
        limit = Budget(3 * len(levels) if budget is None else budget)
        stop = limit if stop is None else limit | stop
    sampler, task = found["sampler"], found["task"]
    params = _params(sampler, found, levels)
    about = {name: text for name in ABOUT if (text := found[name])}
    if "blind" in about and "{level}" in found["question"]:
        raise FieldErrors({"question": "a blind session must not show {level} in its question"})
    keys = answer_keys(about)
    if keys["yes"] == keys["no"]:
        raise FieldErrors({"no_key": "the two answers need different keys"})
    return Setup(
        levels,
        found["question"],
        _criterion(found, levels),
        sampler,
        found["direction"],
        stop,
        params,
        task or None,
        about,
    )


# Fields that say what is looked for; one of them may be given.
_CRITERIA = ("target", "difference", "gain")


def _criterion(found: dict[str, Any], levels: list[float]) -> list[Any]:
    """The functionals that are looked for."""
    given = [name for name in _CRITERIA if found[name]]
    if len(given) > 1:
        raise FieldErrors({given[1]: f"give a {given[0]} or a {given[1]}, not both"})
    sampler = found["sampler"]
    if given and given[0] != "target" and sampler == "DoseEscalation":
        raise FieldErrors({given[0]: "DoseEscalation looks for a target probability; use another sampler"})
    if found["difference"]:
        return [found["difference"]]
    if found["gain"] == "level":
        return [TradeOff((levels, levels))]
    if found["gain"]:
        ends = found["gain"].gain[0][0], found["gain"].gain[0][-1]
        if ends[0] > levels[0] or ends[1] < levels[-1]:
            raise FieldErrors({"gain": f"give gains for all levels from {levels[0]:g} to {levels[-1]:g}"})
        return [found["gain"]]
    return [Crossing(target) for target in _checked_targets(found["target"], sampler, found["task"])]


# Parameters of samplers that a person knows by another name.
_FIELD_OF = {"lapse_rate": "lapse"}


def _params(sampler: str, found: dict[str, Any], levels: list[float]) -> dict[str, Any]:
    typed = {
        "scale": found["scale"],
        "lapse_rate": found["lapse"],
        "cohort": found["cohort"],
        "overdose_limit": found["overdose_limit"],
    }
    params = {name: value for name, value in typed.items() if value is not None}
    for name in params:
        if not SAMPLERS[sampler].takes(name):
            able = [other for other, known in SAMPLERS.items() if known.takes(name)]
            raise FieldErrors({_FIELD_OF.get(name, name): f"{sampler} has none; use {' or '.join(able)}"})
    if found["scale"] == "log" and levels[0] <= 0:
        raise FieldErrors({"scale": f"a log scale needs positive levels; the smallest is {levels[0]:g}"})
    return params


def _checked_targets(targets: list[float], sampler: str, task: str) -> list[float]:
    """Without a target: halfway between guessing and certainty; of harm, 30%."""
    guess = guess_rate_of(task) if task else 0.0
    middle = 0.5 + 0.5 * guess
    for target in targets:
        if target <= guess:
            raise FieldErrors(
                {
                    "target": f"in a {task} task guessing alone gives {guess:.3g}: choose a target above it, "
                    f"such as {middle:.3g}"
                }
            )
    return targets or [0.3 if sampler == "DoseEscalation" else float(f"{middle:.6g}")]
