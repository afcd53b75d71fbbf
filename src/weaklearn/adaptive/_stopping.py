"""Stopping rules: when an experiment has learned enough. They combine with ``|`` (either) and ``&`` (both).

A rule is called with a sampler and returns the reason to stop, or None to go on. `describe` and `rule_from` take
rules to plain JSON data and back, for the file of a session.
"""

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass

__all__ = ["Budget", "EntropyBelow", "IntervalWidth", "Reversals", "StoppingRule", "rule_from"]


class StoppingRule(metaclass=ABCMeta):
    """Base of the rules."""

    @abstractmethod
    def __call__(self, sampler):
        """The reason to stop, or None."""

    @abstractmethod
    def describe(self):
        """The rule as plain data."""

    def __or__(self, other):
        return _Any((self, other))

    def __and__(self, other):
        return _All((self, other))


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

    def __post_init__(self):
        if isinstance(self.n, bool) or not isinstance(self.n, int) or self.n < 1:
            raise ValueError(f"a Budget is a whole number of answers, at least 1; got {self.n!r}")

    def __call__(self, sampler):
        """The reason to stop, or None."""
        n = len(sampler.history)
        return f"{n} answers" if n >= self.n else None

    def describe(self):
        """The rule as plain data."""
        return {"budget": self.n}


@dataclass(frozen=True)
class IntervalWidth(StoppingRule):
    """Stop when the interval of every threshold is at most `width` wide."""

    width: float
    confidence: float = 0.9

    def __post_init__(self):
        if not (self.width > 0 and 0 < self.confidence < 1):
            message = "IntervalWidth needs a positive width and a confidence between 0 and 1"
            raise ValueError(f"{message}, got {self.width!r} and {self.confidence!r}")

    def __call__(self, sampler):
        """The reason to stop, or None."""
        if not sampler.history:
            return None
        widest = max(sampler.interval(one, self.confidence).width for one in sampler._functionals())
        return f"{self.confidence:.0%} interval {widest:.3g} wide" if widest <= self.width else None

    def describe(self):
        """The rule as plain data."""
        return {"interval_width": self.width, "confidence": self.confidence}


@dataclass(frozen=True)
class EntropyBelow(StoppingRule):
    """Stop when the entropy of every threshold is at most `bits`."""

    bits: float

    def __post_init__(self):
        if not self.bits >= 0:
            raise ValueError(f"bits must not be negative, got {self.bits!r}")

    def __call__(self, sampler):
        """The reason to stop, or None."""
        if not sampler.history:
            return None
        most = max(sampler.entropy(one) for one in sampler._functionals())
        return f"entropy of {most:.2f} bits" if most <= self.bits else None

    def describe(self):
        """The rule as plain data."""
        return {"entropy_below": self.bits}


@dataclass(frozen=True)
class Reversals(StoppingRule):
    """Stop after the direction of the questions has turned a number of times (for `Staircase`)."""

    n: int

    def __post_init__(self):
        if isinstance(self.n, bool) or not isinstance(self.n, int) or self.n < 1:
            raise ValueError(f"Reversals takes a whole number, at least 1; got {self.n!r}")

    def __call__(self, sampler):
        """The reason to stop, or None."""
        turns = sampler.reversals()
        return f"{turns} reversals" if turns >= self.n else None

    def describe(self):
        """The rule as plain data."""
        return {"reversals": self.n}


@dataclass(frozen=True)
class _Any(StoppingRule):
    rules: tuple

    def __call__(self, sampler):
        return next((reason for rule in self.rules if (reason := rule(sampler)) is not None), None)

    def describe(self):
        return {"any": [rule.describe() for rule in self.rules]}


@dataclass(frozen=True)
class _All(StoppingRule):
    rules: tuple

    def __call__(self, sampler):
        reasons = [rule(sampler) for rule in self.rules]
        return None if None in reasons else " and ".join(reasons)

    def describe(self):
        return {"all": [rule.describe() for rule in self.rules]}


def rule_from(description):
    """The rule that `describe` described; raises ValueError for anything else."""
    match description:
        case {"budget": int(n), **rest} if not rest:
            return Budget(n)
        case {"interval_width": int(width) | float(width), "confidence": float(confidence), **rest} if (
            not rest
        ):
            return IntervalWidth(width, confidence)
        case {"entropy_below": int(bits) | float(bits), **rest} if not rest:
            return EntropyBelow(bits)
        case {"reversals": int(n), **rest} if not rest:
            return Reversals(n)
        case {"any": [_, *_] as parts, **rest} if not rest:
            return _Any(tuple(rule_from(part) for part in parts))
        case {"all": [_, *_] as parts, **rest} if not rest:
            return _All(tuple(rule_from(part) for part in parts))
    raise ValueError(f"no stopping rule reads {description!r}")
