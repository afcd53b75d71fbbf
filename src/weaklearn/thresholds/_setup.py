"""The settings of a session checked together, and the session, sampler or simulated observer made from them."""

from dataclasses import dataclass
from typing import Any

from weaklearn.adaptive import SAMPLERS, Budget, IntervalWidth, OutsideLevels, guess_rate_of
from weaklearn.adaptive.sessions import Session, make_sampler, session_params
from weaklearn.monotone import Crossing, Difference, TradeOff
from weaklearn.thresholds._options import ABOUT, FieldErrors, read_options
from weaklearn.thresholds._wording import answer_keys

# Fields that say what is looked for; one of them may be given.
_CRITERIA = ("target", "difference", "gain")
# Fields that are parameters of samplers, under another name for some.
_PARAMETERS = {
    "scale": "scale",
    "lapse": "lapse_rate",
    "cohort": "cohort",
    "overdose_limit": "overdose_limit",
}


@dataclass(frozen=True)
class Setup:
    """The settings of an experiment that can be started; width, truth and spread serve simulations."""

    levels: list[float]
    question: str
    targets: list[Any]  # functionals
    sampler: str
    increasing: bool
    stop: Any
    params: dict[str, Any]
    task: str | None
    about: dict[str, str]
    width: float | None = None
    truth: float | None = None
    spread: float | None = None

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
        pairs = {
            "levels": (self.levels, session.levels),
            "question": (self.question, session.question),
            **dict.fromkeys(_CRITERIA, (self.targets, session.targets)),
            "direction": (self.increasing, session.increasing),
            "sampler": (self.sampler, type(session.sampler).__name__),
            **dict.fromkeys(("budget", "width"), (self.stop, session.stop)),
            **{
                field: (self.params[name], getattr(session.sampler, name, None))
                for field, name in _PARAMETERS.items()
                if name in self.params
            },
            **{name: (self.about.get(name, ""), session.about.get(name, "")) for name in ABOUT},
        }
        return next(
            (field for field, (mine, other) in pairs.items() if field in given and mine != other), None
        )


def read_setup(typed: dict[str, str]) -> Setup:
    """The settings in ``typed`` (texts by the names in `OPTIONS`); raises `FieldErrors`."""
    found = read_options(typed)
    levels, budget, width = found["levels"], found["budget"], found["width"]
    if width is not None and width >= levels[-1] - levels[0]:
        raise FieldErrors({"width": f"the levels span {levels[-1] - levels[0]:g}: a useful width is smaller"})
    # An interval cannot become narrow where the threshold lies outside the levels.
    stop: Any = None if width is None else IntervalWidth(width) | OutsideLevels()
    if budget is not None or stop is None:
        limit = Budget(3 * len(levels) if budget is None else budget)
        stop = limit if stop is None else limit | stop
    about = {name: found[name] for name in ABOUT if found[name]}
    if "blind" in about and "{level}" in found["question"]:
        raise FieldErrors({"question": "a blind session must not show {level} in its question"})
    keys = answer_keys(about)
    if keys["yes"] == keys["no"]:
        raise FieldErrors({"no_key": "the two answers need different keys"})
    return Setup(
        levels,
        found["question"],
        _criterion(found),
        found["sampler"],
        found["direction"] != "falling",
        stop,
        _params(found),
        found["task"] or None,
        about,
        width,
        found["truth"],
        found["spread"],
    )


def _criterion(found: dict[str, Any]) -> list[Any]:
    """The functionals that are looked for."""
    given = [name for name in _CRITERIA if found[name]]
    if len(given) > 1:
        raise FieldErrors({given[1]: f"give a {given[0]} or a {given[1]}, not both"})
    sampler, levels = found["sampler"], found["levels"]
    if given and given[0] != "target" and sampler == "DoseEscalation":
        raise FieldErrors({given[0]: "DoseEscalation looks for a target probability; use another sampler"})
    if found["difference"]:
        return [Difference(found["difference"])]
    if found["gain"] == "level":
        return [TradeOff((levels, levels))]
    if found["gain"]:
        ends = found["gain"].gain[0][0], found["gain"].gain[0][-1]
        if ends[0] > levels[0] or ends[1] < levels[-1]:
            raise FieldErrors({"gain": f"give gains for all levels from {levels[0]:g} to {levels[-1]:g}"})
        return [found["gain"]]
    return [Crossing(target) for target in _checked_targets(found["target"], sampler, found["task"])]


def _params(found: dict[str, Any]) -> dict[str, Any]:
    sampler, levels = found["sampler"], found["levels"]
    params = {}
    for field, name in _PARAMETERS.items():
        if found[field] in (None, ""):
            continue
        if not SAMPLERS[sampler].takes(name):
            able = [other for other, known in SAMPLERS.items() if known.takes(name)]
            raise FieldErrors({field: f"{sampler} has none; use {' or '.join(able)}"})
        params[name] = found[field]
    if params.get("scale") == "log" and levels[0] <= 0:
        raise FieldErrors({"scale": f"a log scale needs positive levels; the smallest is {levels[0]:g}"})
    return params


def _checked_targets(targets: list[float], sampler: str, task: str) -> list[float]:
    """Without a target: halfway between guessing and certainty; of harm, 30%."""
    guess = guess_rate_of(task) if task else 0.0
    middle = 0.5 + 0.5 * guess
    for target in targets:
        if target <= guess:
            problem = f"in a {task} task guessing alone gives {guess:.3g}"
            raise FieldErrors({"target": f"{problem}: choose a target above it, such as {middle:.3g}"})
    return targets or [0.3 if sampler == "DoseEscalation" else float(f"{middle:.6g}")]
