"""Stopping rules: when an experiment has learned enough. They combine with ``|`` (either) and ``&`` (both).

A rule is called with a sampler and returns the reason to stop, or None to continue. `describe` and `rule_from` take
rules to plain JSON data and back, for the file of a session: the name of the rule with its first parameter, and its
other parameters.
"""

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

_LEAST_ANSWERS = 10


@dataclass(frozen=True)
class StoppingRule(metaclass=ABCMeta):
    """Base of the rules."""

    _name: ClassVar[str]  # in the file of a session

    @abstractmethod
    def __call__(self, sampler):
        """The reason to stop, or None."""

    def describe(self):
        """The rule as plain data."""
        first, *others = (field.name for field in fields(self))
        return {self._name: getattr(self, first)} | {name: getattr(self, name) for name in others}

    def most_answers(self):
        """The number of answers after which the rule stops in any case; None if there is no such number."""
        return self.describe().get("budget")

    def __or__(self, other):
        return _Any((self, other))

    def __and__(self, other):
        return _All((self, other))


def _check_count(name, n):
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"{name} must be a whole number, at least 1; got {n!r}")


@dataclass(frozen=True)
class Budget(StoppingRule):
    """Stop after a number of answers.

    Examples
    --------
    >>> from weaklearn.adaptive import EqualAllocation
    >>> rule = Budget(2) | Reversals(10)
    >>> sampler = EqualAllocation([0.0, 1.0], random_state=0).tell(0.0, [0, 0])
    >>> rule(sampler)
    '2 answers'
    """

    n: int
    _name = "budget"

    def __post_init__(self):
        _check_count("the number of answers of a Budget", self.n)

    def __call__(self, sampler):
        n = len(sampler.history)
        return f"{n} answers" if n >= self.n else None


@dataclass(frozen=True)
class IntervalWidth(StoppingRule):
    """Stop when the interval of every threshold is at most `width` wide.

    Parameters
    ----------
    width : float
        In units of the levels.
    confidence : float, default=0.9
    min_answers : int, default=10
        Never stop before: a few answers that happen to agree make narrow intervals.

    Notes
    -----
    A threshold that lies outside the levels has no interval among them, so the rule never stops for one; combine it
    with `OutsideLevels`, which gives that reason.

    Examples
    --------
    >>> from weaklearn.adaptive import PosteriorMinEnt
    >>> sampler = PosteriorMinEnt([1, 2, 3, 4], random_state=0).tell(2, [0] * 8).tell(3, [1] * 8)
    >>> IntervalWidth(1.5)(sampler)
    '90% interval 1 wide'
    """

    width: float
    confidence: float = 0.9
    min_answers: int = _LEAST_ANSWERS
    _name = "interval_width"

    def __post_init__(self):
        if not (self.width > 0 and 0 < self.confidence < 1):
            message = "IntervalWidth needs a positive width and a confidence between 0 and 1"
            raise ValueError(f"{message}, got {self.width!r} and {self.confidence!r}")
        _check_count("min_answers", self.min_answers)

    def __call__(self, sampler):
        if len(sampler.history) < self.min_answers:
            return None
        functionals = sampler._functionals()
        if any(max(sampler.outside(one)) > 0.5 for one in functionals):
            return None
        widest = max(sampler.interval(one, self.confidence).width for one in functionals)
        return f"{self.confidence:.0%} interval {widest:.3g} wide" if widest <= self.width else None


@dataclass(frozen=True)
class OutsideLevels(StoppingRule):
    """Stop when a threshold lies below or above all levels with at least this probability.

    Parameters
    ----------
    probability : float, default=0.95
    min_answers : int, default=10

    Examples
    --------
    >>> from weaklearn.adaptive import PosteriorMinEnt
    >>> OutsideLevels()(PosteriorMinEnt([1, 2, 3, 4]).tell(4, [0] * 12))
    'the threshold lies above every level (p = 1.00)'
    """

    probability: float = 0.95
    min_answers: int = _LEAST_ANSWERS
    _name = "outside_levels"

    def __post_init__(self):
        if not 0.5 < self.probability < 1:
            raise ValueError(f"probability must lie between 0.5 and 1, got {self.probability!r}")
        _check_count("min_answers", self.min_answers)

    def __call__(self, sampler):
        if len(sampler.history) < self.min_answers:
            return None
        for functional in sampler._functionals():
            for side, share in zip(("below", "above"), sampler.outside(functional), strict=True):
                if share >= self.probability:
                    return f"the threshold lies {side} every level (p = {share:.2f})"
        return None


@dataclass(frozen=True)
class EntropyBelow(StoppingRule):
    """Stop when the entropy of every threshold is at most `bits`."""

    bits: float
    _name = "entropy_below"

    def __post_init__(self):
        if not self.bits >= 0:
            raise ValueError(f"bits must not be negative, got {self.bits!r}")

    def __call__(self, sampler):
        if not sampler.history:
            return None
        most = max(sampler.entropy(one) for one in sampler._functionals())
        return f"entropy of {most:.2f} bits" if most <= self.bits else None


@dataclass(frozen=True)
class Reversals(StoppingRule):
    """Stop after the direction of the questions has turned a number of times (for `Staircase`)."""

    n: int
    _name = "reversals"

    def __post_init__(self):
        _check_count("the number of Reversals", self.n)

    def __call__(self, sampler):
        turns = sampler.reversals()
        return f"{turns} reversals" if turns >= self.n else None


@dataclass(frozen=True)
class _Combined(StoppingRule):
    rules: tuple

    def describe(self):
        return {self._name: [rule.describe() for rule in self.rules]}


class _Any(_Combined):
    _name = "any"

    def most_answers(self):
        return min((n for rule in self.rules if (n := rule.most_answers()) is not None), default=None)

    def __call__(self, sampler):
        return next((reason for rule in self.rules if (reason := rule(sampler)) is not None), None)


class _All(_Combined):
    _name = "all"

    def __call__(self, sampler):
        reasons = [rule(sampler) for rule in self.rules]
        return None if None in reasons else " and ".join(reasons)


def parts_of(rule):
    """The rules of which any one stops: the parts of ``a | b | c``, or the rule itself."""
    if isinstance(rule, _Any):
        return [part for one in rule.rules for part in parts_of(one)]
    return [rule]


_RULES: dict[str, Any] = {
    rule._name: rule for rule in (Budget, IntervalWidth, OutsideLevels, EntropyBelow, Reversals, _Any, _All)
}


def rule_from(description):
    """The rule that `describe` described; raises ValueError for anything else."""
    try:
        name = next(name for name in _RULES if name in description)
        others = {key: value for key, value in description.items() if key != name}
        rule = _RULES[name]
        if not issubclass(rule, _Combined):
            return rule(description[name], **others)
        parts = tuple(map(rule_from, description[name]))
        if parts and not others:
            return rule(parts)
    except (TypeError, AttributeError, StopIteration):
        pass  # refused below
    raise ValueError(f"unknown stopping rule: {description!r}")
