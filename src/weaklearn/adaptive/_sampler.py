"""What all samplers share: a history of answers, and everything that follows from it.

Conventions:

- The history is the whole state. With a seed, the next question is a function of the parameters and the history,
  so it does not matter how often it is asked, in which process, or after how many undone answers.
- The random numbers of the question after n answers come from (seed, n) alone.
- The range of thresholds is that of the levels, whatever levels were told.
"""

from abc import ABCMeta, abstractmethod
from numbers import Integral, Real
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import betainc, betaincc
from sklearn.base import BaseEstimator, clone

from weaklearn.monotone import Crossing, Interval, MonotoneFit, MonotoneRegressor, resampling_probabilities

# Half of the range of the levels: squares of it need not be finite, sums and quotients must.
_SMALLEST_RANGE, _LARGEST_RANGE = 1e-300, 1e304
_N_DRAWN = 400  # data sets for an entropy


class Answer(NamedTuple):
    """One answer: the level that was tried and whether the outcome was yes."""

    level: float
    outcome: bool


class Counts(NamedTuple):
    """The history without its order: levels (increasing), yes answers and answers at each."""

    levels: np.ndarray
    yes: np.ndarray
    asked: np.ndarray


class Outside(NamedTuple):
    """Probabilities that a threshold lies below the first and above the last level."""

    below: float
    above: float

    @property
    def side(self):
        """The side on which the threshold more likely lies than not: "below", "above" or None."""
        if max(self) <= 0.5:
            return None
        return "below" if self.below > self.above else "above"


class Sampler(BaseEstimator, metaclass=ABCMeta):
    """Base of the samplers; a subclass says which level to try next.

    ``outside_`` is None, or "below" or "above" if the first threshold lies outside the levels more likely than not; the
    estimate is then the end of the range on that side. The constructors store their parameters only (as
    scikit-learn's do, so ``sklearn.base.clone`` gives the same sampler without its history). All take

    levels : array-like
        The levels that may be asked, in any order.
    functional : callable or list of callables, default=None
        The threshold that is looked for, or several of them; None is ``Crossing(0.5)``.
    fit : MonotoneRegressor, default=None
        How the curve is estimated; None is the sampler's own choice.
    increasing : bool, default=True
        Whether yes becomes more likely as the level rises.
    random_state : int, default=None
        The seed; None draws one when it is first needed.
    """

    #: What everyone who uses it should know, a sentence or nothing; commands and pages show it.
    notice: ClassVar[str] = ""

    def __init__(self, levels, functional=None, *, fit=None, increasing=True, random_state=None):
        self.levels = levels
        self.functional = functional
        self.fit = fit
        self.increasing = increasing
        self.random_state = random_state

    def _default_fit(self):
        return MonotoneFit()

    # --- the history -----------------------------------------------------------------------------

    @property
    def history(self):
        """All answers so far, a tuple of `Answer`."""
        return tuple(self._answers())

    def _answers(self):
        if not hasattr(self, "_history"):
            self._history: list[Answer] = []
        return self._history

    def tell(self, level, outcome, *, off_grid=False):
        """Record what happened.

        Parameters
        ----------
        level : float
            One of the levels, asked for or not.
        outcome : bool or sequence of bool
            The answer, or several answers at this level.
        off_grid : bool, default=False
            Take any level between the lowest and the highest one: what was tried may differ from the question.

        Returns
        -------
        self
        """
        self._check_parameters()
        place = self._checked_level(level, off_grid or getattr(self, "between", False))
        if isinstance(outcome, np.ndarray):
            outcome = outcome.tolist()
        outcomes = [outcome] if np.ndim(outcome) == 0 else list(outcome)
        if not all(_is_outcome(one) for one in outcomes):
            raise ValueError(f"outcome must be 0, 1 or a list of them, got {outcome!r}")
        self._answers().extend(Answer(place, bool(one)) for one in outcomes)
        return self

    def _checked_level(self, level, off_grid=True):
        try:
            place = float(level)
        except (TypeError, ValueError, OverflowError):
            place = np.nan
        if not np.isfinite(place):
            raise ValueError(f"level must be a finite number, got {level!r}")
        low, high = self._range()
        rounding = 1e-9 * (high - low)
        if not low - rounding <= place <= high + rounding:
            raise ValueError(
                f"level {place:g} lies outside the levels, which go from {low:g} to {high:g}. If it was tried, make a "
                "sampler whose levels include it."
            )
        levels = self._grid()
        nearest = levels[np.abs(levels - place).argmin()]
        if abs(nearest - place) > rounding and not off_grid:
            raise ValueError(
                f"level {place:g} is none of the levels; the nearest is {nearest:g}. If {place:g} was really tried, "
                "write tell(level, outcome, off_grid=True)."
            )
        return float(nearest) if abs(nearest - place) <= rounding else place

    def undo(self, n=1):
        """Undo the last ``n`` answers; the question that they answered is then asked again."""
        if not 0 <= n <= len(self._answers()):
            raise ValueError(f"there are {len(self._answers())} answers, cannot undo {n}")
        del self._answers()[len(self._answers()) - n :]
        return self

    def counts(self):
        """The answers level by level, the sampler's own levels included."""
        history = self._answers()
        told = np.array([answer.level for answer in history])
        levels = np.union1d(self._grid(), told)
        place = np.searchsorted(levels, told)
        outcomes = np.array([answer.outcome for answer in history], dtype=np.float64)
        n = len(levels)
        return Counts(levels, np.bincount(place, outcomes, n), np.bincount(place, minlength=n) * 1.0)

    # --- the next question -------------------------------------------------------------------------

    def ask(self):
        """The level to try next; the same until something is told or undone."""
        self._check_parameters()
        return float(self._next())

    @abstractmethod
    def _next(self):
        """The next level, from the history and `_rng`."""

    def _counts_decide(self):
        """Whether `_choose` answers for tables of counts on the grid, so that many runs can go in step."""
        return False

    def _rng(self, purpose=0):
        seed = self.random_state
        if seed is None:
            if not hasattr(self, "_seed"):
                self._seed = int(np.random.SeedSequence().generate_state(1)[0])
            seed = self._seed
        return np.random.default_rng([int(seed), len(self._answers()), purpose])

    # --- what follows from the answers --------------------------------------------------------------

    def fitted(self):
        """The fit of all answers so far."""
        counts = self.counts()
        if not counts.asked.any():
            raise ValueError("no answers recorded yet")
        asked = counts.asked > 0
        shares = counts.yes[asked] / counts.asked[asked]
        return self._fit().fit(counts.levels[asked], shares, sample_weight=counts.asked[asked])

    def estimate(self, functional=None):
        """The threshold, from all answers so far.

        Parameters
        ----------
        functional : callable, default=None
            None stands for the sampler's own; if it has several, a list is returned.

        Returns
        -------
        float or list of float
            Without any answer the middle of the range.
        """
        self._check_parameters()
        if functional is not None:
            return self._estimate_one(functional)
        found = [self._estimate_one(one) for one in self._functionals()]
        return found if isinstance(self.functional, list | tuple) else found[0]

    def _estimate_one(self, functional):
        low, high = self._range()
        counts = self.counts()
        if not counts.asked.any():
            return 0.5 * (low + high)
        return float(self._estimates(counts.levels, counts.yes[None], counts.asked[None], functional)[0])

    def _estimates(self, x, yes, asked, functional):
        """Thresholds of many tables of counts (rows) on the levels ``x``."""
        shares = np.divide(yes, asked, out=np.zeros(yes.shape), where=asked > 0)
        return self._fit().threshold_many(x, shares, asked, functional, self._range())

    def interval(self, functional=None, confidence=0.9):
        """A bootstrap interval for the threshold (see `MonotoneRegressor.threshold_interval`).

        Without answers it is the whole range. If all redrawn data agree on one place, it is what lies between
        the neighbouring levels: answers at the levels cannot say more.
        """
        functional = self._functionals()[0] if functional is None else functional
        if not self._answers():
            return Interval(*self._range())
        low, high = self._range()
        found = self.fitted().threshold_interval(
            functional, confidence, bounds=(low, high), random_state=self._rng(purpose=1)
        )
        agreed = found.width <= 1e-9 * (high - low)
        return Interval(*self._neighbours(0.5 * (found.low + found.high))) if agreed else found

    def _neighbours(self, place):
        """The nearest levels on both sides of a place, those beyond the ends as far as the outermost gaps."""
        levels = self._grid()
        levels = np.concatenate([[2 * levels[0] - levels[1]], levels, [2 * levels[-1] - levels[-2]]])
        near = 1e-9 * (levels[-1] - levels[0])
        return float(levels[levels < place - near].max()), float(levels[levels > place + near].min())

    def outside(self, functional=None):
        """The probabilities that a threshold lies below or above all levels, an `Outside`.

        For a `Crossing`: each side has a prior probability of 0.05, which the answers at the first and at the last
        level change by their Bayes factor (for and against a curve that has passed the level there, under a
        Beta(1/2, 1/2) prior). Other functionals have their thresholds among the levels by definition.
        """
        functional = self._functionals()[0] if functional is None else functional
        if not isinstance(functional, Crossing):
            return Outside(0.0, 0.0)
        counts = self.counts()
        ends = np.searchsorted(counts.levels, self._range())
        yes, no = counts.yes[ends] + 0.5, (counts.asked - counts.yes)[ends] + 0.5
        level = functional.level
        odds = betainc(yes, no, level) / betaincc(yes, no, level)
        odds /= betainc(0.5, 0.5, level) / betaincc(0.5, 0.5, level)
        # The curve lies on the wrong side of the level: above it at the low end, below it at the high end.
        wrong = np.array([1 / odds[0], odds[1]] if self.increasing else [odds[0], 1 / odds[1]])
        return Outside(*(0.05 * wrong / (0.05 * wrong + 0.95)).tolist())

    @property
    def outside_(self):
        """None, "below" or "above": see the class."""
        return self.outside().side

    def entropy(self, functional=None):
        """Entropy in bits of the threshold's distribution over as many equal bins as there are levels.

        The distribution is that of thresholds of data drawn from the fitted curve; without answers it is uniform.
        """
        functional = self._functionals()[0] if functional is None else functional
        n_bins = len(self._grid())
        if not self._answers():
            return float(np.log2(n_bins))
        x, yes, asked = self.counts()
        curve = self._resampling_curve(self._fit(), x, yes[None], asked[None])[0]
        drawn = self._rng(purpose=2).binomial(asked.astype(np.int64), curve, (_N_DRAWN, len(curve)))
        found = self._estimates(x, drawn, np.broadcast_to(asked, drawn.shape), functional)
        low, high = self._range()
        return float(entropies(found[None], low, high, n_bins)[0])

    def _resampling_curve(self, fit, x, yes, asked, smooth=True):
        shares = np.divide(yes, asked, out=np.zeros(yes.shape), where=asked > 0)
        values = np.clip(fit.fit_many(x, shares, asked), 0.0, 1.0)
        if not smooth:
            return values
        # A level that was never asked is as doubtful as one that was asked once.
        return resampling_probabilities(x, values, shares, asked, self.increasing, least=1.0)

    def reversals(self):
        """How often the direction of the questions has turned so far."""
        told = np.array([answer.level for answer in self._answers()])
        steps = np.diff(told)
        moves = np.sign(steps[steps != 0])
        return int(np.sum(moves[1:] != moves[:-1]))

    # --- parameters -----------------------------------------------------------------------------------

    #: Parameters that are whole numbers, with the least of each; None is allowed where it is the default.
    _least: ClassVar[dict[str, int]] = {}
    _switches: ClassVar[tuple[str, ...]] = ("increasing",)

    def _check_parameters(self):
        """Refuse parameters that are not what their names say, before the first question."""
        for name, least in self._least.items():
            value = getattr(self, name)
            if value is None and name == "budget":
                continue
            if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
                raise ValueError(f"{name} must be a whole number, at least {least}; got {value!r}")
        for name in self._switches:
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ValueError(f"{name} must be True or False, got {getattr(self, name)!r}")
        if self.fit is not None and not isinstance(self.fit, MonotoneRegressor):
            raise ValueError(
                f"fit must be None or a fit of weaklearn.monotone, such as MonotoneFit(); got {self.fit!r}"
            )
        for functional in self._functionals():
            if not callable(functional):
                raise ValueError(
                    f"functional must be a functional such as Crossing(0.5), or a list of them; got {functional!r}"
                )
        seed = self.random_state
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0):
            raise ValueError(f"random_state must be None or a whole number, at least 0; got {seed!r}")

    def _fit(self):
        fit = self._default_fit() if self.fit is None else self.fit
        return clone(fit).set_params(increasing=self.increasing)

    def _functionals(self):
        if self.functional is None:
            return [Crossing()]
        several = list(self.functional) if isinstance(self.functional, list | tuple) else [self.functional]
        if not several:
            raise ValueError("functional must be a functional or a list of at least one")
        return several

    def _grid(self):
        levels = np.unique(_numbers(self.levels))
        if len(levels) < 2 or not np.isfinite(levels).all():
            raise ValueError(f"levels must be at least two different finite numbers, got {self.levels!r}")
        # Halving first: the range itself may overflow.
        half_range = levels[-1] / 2 - levels[0] / 2
        if not _SMALLEST_RANGE <= half_range <= _LARGEST_RANGE:
            raise ValueError(
                f"levels from {levels[0]:g} to {levels[-1]:g} come too close to the limits of floats: "
                "use another unit"
            )
        return levels

    def _range(self):
        grid = self._grid()
        return float(grid[0]), float(grid[-1])


def _is_outcome(one):
    # pandas.NA answers every question with itself, and has no truth value.
    return isinstance(one, bool | np.bool_ | Real) and one in (0, 1)


def _numbers(levels):
    """Levels as an array; raises ValueError if they are not a list of numbers."""
    try:
        found = np.asarray(levels)
        # Dates, truth values, text and complex numbers could be converted, and mean something else.
        numbers = found.dtype.kind in "iufO" and found.ndim == 1 and not np.ma.is_masked(levels)
        if numbers:
            return found.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass  # refused below
    raise ValueError(f"levels must be a list of numbers, got {levels!r}")


def entropies(drawn, low, high, n_bins):
    """Entropy in bits along the last axis of ``drawn``, in ``n_bins`` equal bins of [low, high]."""
    bins = np.clip(((drawn - low) * (n_bins / (high - low))).astype(np.int64), 0, n_bins - 1)
    rows = bins.reshape(-1, bins.shape[-1])
    flat = (rows + n_bins * np.arange(len(rows))[:, None]).ravel()
    shares = np.bincount(flat, minlength=len(rows) * n_bins).reshape(len(rows), n_bins) / bins.shape[-1]
    logs = np.log2(shares, out=np.zeros(shares.shape), where=shares > 0)
    return -(shares * logs).sum(axis=1).reshape(bins.shape[:-1])
