"""PosteriorMinEnt: the least expected doubt about the threshold, from a posterior over curves."""

from functools import partial

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.adaptive._belief import (
    distribution,
    expected_variance,
    is_inside,
    masses_outside,
    mean_inside,
    normalised,
    quantiles,
    reach,
    zoom_window,
)
from weaklearn.adaptive._counts import CountSampler, random_argmin, thinned
from weaklearn.adaptive._curve_model import PosteriorCurve, curve_model, rates_of
from weaklearn.adaptive._drift import Drift, DriftFilter
from weaklearn.adaptive._misfit import misfit_of
from weaklearn.adaptive._posterior_interval import calibrated, posterior_parts
from weaklearn.adaptive._sampler import Outside
from weaklearn.monotone import Crossing, Interval

_MOST_CANDIDATES = 40  # levels that are compared for one question
_CACHES = ("_sums", "_last_rows", "_last_drift")
_DEEPEST, _MOST_SUMS = 4, 6  # windows within windows, and those whose log-likelihoods are kept


class PosteriorMinEnt(CountSampler):
    """Ask where one more answer leaves the least doubt about the threshold, judged by a posterior over curves.

    Every hypothesis is a curve with a threshold, a shape, a guess rate and a lapse rate. Shapes are logistic, normal,
    Weibull-like (Gumbel, both ways) and Cauchy curves of many widths, straight lines, and 100 random rising curves
    (plateaus, two steps), which have most of the prior: answers decide which shapes count. The threshold may
    also lie outside the levels. The next question is the level after which the expected variance of the threshold is
    least; the estimate is the posterior mean, on the scale of the levels.

    Parameters
    ----------
    levels : array-like
        The levels that may be asked, in any order.
    functional : callable or list of callables, default=Crossing(0.5)
        The threshold or thresholds; with several, their expected variances are added. The curves are laid out around
        the first `Crossing`.
    guess_rate : float, sequence of float or "auto", default=0.0
        The probability of yes (or of a right answer) far below the threshold: 0 in a yes/no task, 1/n in a forced
        choice between n. Several values are equally likely beforehand; "auto" is (0, 0.05, 0.1, 0.2).
    lapse_rate : float, sequence of float or "auto", default="auto"
        One minus the probability of yes far above the threshold; "auto" is (0, 0.04). The lower end of the curve is
        never below it.
    scale : {"linear", "log"}, default="linear"
        Where levels 1, 2, 4, 8 are equally far apart, choose "log".
    between : bool, default=False
        Ask anywhere between the first and the last level, not only at the levels.
    fit : MonotoneRegressor, default=None
        The curve that `fitted` returns, for plots; None is the posterior mean curve.
    increasing : bool, default=True
        Whether yes becomes more likely as the level rises.
    random_state : int, default=None
        Decides between equally good levels.

    Attributes
    ----------
    outside_ : {None, "below", "above"}
        Where the threshold of the first functional lies if it is more likely outside the levels than among them.
    misfit_ : Misfit
        Whether the answers contradict every S-shaped curve: a p-value and a sentence.
    drift_ : float
        The probability that the threshold has moved during the experiment. Above 0.5, `drift` says from where to where.

    Notes
    -----
    The posterior starts on 60 cells of the range. When the answers have singled out a quarter of the range or less,
    it is computed again on 60 cells of that part, and so on. Intervals are interpolated in the cells. Where the curve
    has a plateau near the target or rises like a step between two neighbouring levels, the interval holds all places
    that the answers do not exclude.

    All of it is a function of the history: an answer adds its log-likelihoods, nothing else is kept.

    References
    ----------
    pratap2008, section 3.5, for the principle; the hypotheses are ours.

    Examples
    --------
    >>> import numpy as np
    >>> sampler = PosteriorMinEnt(np.linspace(0, 1, 11), random_state=0)
    >>> sampler.ask()
    0.5
    >>> for _ in range(15):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level > 0.42)
    >>> 0.4 < sampler.estimate() < 0.5
    True
    >>> low, high = sampler.interval()
    >>> low < 0.42 < high
    True
    >>> silent = PosteriorMinEnt([1, 2, 4, 8], scale="log").tell(8, [0] * 12)
    >>> silent.outside_
    'above'
    """

    def __init__(
        self,
        levels,
        functional=Crossing(0.5),  # noqa: B008 (a frozen value)
        *,
        guess_rate=0.0,
        lapse_rate="auto",
        scale="linear",
        between=False,
        fit=None,
        increasing=True,
        random_state=None,
    ):
        super().__init__(levels, functional, fit=fit, increasing=increasing, random_state=random_state)
        self.guess_rate = guess_rate
        self.lapse_rate = lapse_rate
        self.scale = scale
        self.between = between

    _switches = ("increasing", "between")
    _prior = "any shape"  # see `hypotheses`

    def _model(self):
        """The model of the present parameters; models are kept, because every step needs them."""
        return curve_model(
            tuple(self._grid().tolist()),
            tuple(self._functionals()),
            rates_of("guess_rate", self.guess_rate),
            rates_of("lapse_rate", self.lapse_rate),
            str(self.scale),  # what cannot be hashed is refused there, too
            bool(self.increasing),
            self._prior,
        )

    # --- from answers to weights ----------------------------------------------------------------------

    def _rows(self, x, yes, asked):
        """(hypotheses, weights of each row) for many tables of counts; the weights of the last tables are kept."""
        grid = self._model().hypotheses()
        key = x.tobytes(), yes.tobytes(), asked.tobytes()
        if getattr(self, "_last_rows", (None, None))[:2] != (grid, key):
            total = grid.log_posterior(self._model().unit.to_unit(x), yes, asked - yes)
            self._last_rows = grid, key, normalised(total)
        return grid, self._last_rows[2]

    def __getstate__(self):
        # Caches: what is saved is small, and the history says it all.
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in _CACHES}

    def _own(self):
        """(hypotheses, weights) after the history, on the finest grid that is worth while."""
        grid, weights = self._own_whole()
        return self._zoom(grid, weights, self._weights_on)

    def _zoom(self, grid, weights, weights_on):
        """Finer grids around the threshold, with the weights that ``weights_on`` gives them, as long as it helps."""
        for _ in range(_DEEPEST):
            window = zoom_window(weights, grid)
            if window is None:
                break
            grid = self._model().hypotheses(window)
            weights = weights_on(grid)
        return grid, weights

    def _weights_on(self, grid):
        """The weights of the history: answers are added in their order, so replaying gives the same."""
        history = self._answers()
        sums = self.__dict__.setdefault("_sums", {})
        # What is remembered belongs to these hypotheses and to a history that this one continues.
        known, told, total = sums.pop(grid.window, (None, [], None))
        if known is not grid or told != history[: len(told)]:
            told, total = [], grid.log_prior
        new = history[len(told) :]
        for place, answer in zip(self._model().unit.to_unit([one.level for one in new]), new, strict=True):
            total = total + grid.column(place)[1 if answer.outcome else 2]
        sums[grid.window] = grid, list(history), total  # the last in the dict was used last
        if len(sums) > _MOST_SUMS:
            del sums[next(iter(sums))]
        return normalised(total[None])[0]

    def _zoomed(self, grid, weights, x, yes, asked):
        """The same answers on the finest grid that is worth while."""
        u = self._model().unit.to_unit(x)
        yes, no = yes[None], (asked - yes)[None]
        return self._zoom(grid, weights, lambda finer: normalised(finer.log_posterior(u, yes, no))[0])

    def _own_whole(self):
        """(hypotheses, weights) on the whole range, the cells outside the levels included."""
        grid = self._model().hypotheses()
        return grid, self._weights_on(grid)

    # --- the next question --------------------------------------------------------------------------------

    def _next(self):
        grid, weights = self._own()
        return self._best_level(grid, weights, self._rng())

    def _best_level(self, grid, weights, rng):
        """The best candidate: all levels, or some spread over the window and then some around the best of those."""
        levels, candidates = self._grid(), self._spread(grid)
        best = self._compare(grid, weights, candidates, rng)
        if not self.between and len(candidates) < len(levels):
            position = int(np.searchsorted(candidates, best))
            low, high = candidates[max(position - 1, 0)], candidates[min(position + 1, len(candidates) - 1)]
            near = levels[(levels >= low) & (levels <= high)]
            best = self._compare(grid, weights, thinned(near, _MOST_CANDIDATES // 2), rng)
        return best

    def _spread(self, grid):
        levels = self._grid()
        unit, window = self._model().unit, reach(grid.window)
        if self.between:
            first, last = window.clip(0, 1)
            u = np.linspace(first, last, _MOST_CANDIDATES + 1)
            return np.unique([float(f"{x:.6g}") for x in unit.from_unit(u)]).clip(*self._range())
        low, high = sorted(unit.from_unit(window))
        near = levels[(levels >= low) & (levels <= high)]
        levels = near if len(near) > 1 else levels
        return levels if len(levels) <= _MOST_CANDIDATES else thinned(levels, _MOST_CANDIDATES // 2)

    def _compare(self, grid, weights, candidates, rng):
        scores = self._doubt(grid, weights[None], candidates)
        return candidates[random_argmin(scores, rng)[0]]

    def _doubt(self, grid, weights, levels):
        """The expected doubt after one more answer at each level, (rows, levels)."""
        p = grid.table(tuple(self._model().unit.to_unit(levels)))
        weights = weights.astype(np.float32)
        total = np.zeros((len(weights), len(levels)))
        for functional in self._functionals():
            at = self._model().at(functional, grid)
            total += expected_variance(weights, p, at, is_inside(at, grid))
        # Levels whose scores differ by rounding only are equally good.
        return np.round(total / np.maximum(total.min(axis=1, keepdims=True), 1e-12), 6)

    def _choose_adaptively(self, x, yes, asked, places, rng):
        grid, weights = self._rows(x, yes, asked)
        chosen = np.empty(len(yes), dtype=np.int64)
        whole = np.ones(len(yes), dtype=bool)
        for row, (finer, own) in enumerate(self._finest(x, yes, asked)):
            if finer is not grid or len(places) > _MOST_CANDIDATES:
                whole[row] = False
                chosen[row] = np.searchsorted(x, self._best_level(finer, own, rng))
        if whole.any():
            scores = self._doubt(grid, weights[whole], x[places])
            chosen[whole] = places[random_argmin(scores, rng)]
        return chosen

    # --- estimates --------------------------------------------------------------------------------------

    def _estimates(self, x, yes, asked, functional):
        grid, weights = self._rows(x, yes, asked)
        outside = [self._outside_of(functional, grid, row) for row in weights]
        rows = zip(self._finest(x, yes, asked), outside, strict=True)
        return np.array([self._place(functional, finer, own, side) for (finer, own), side in rows])

    def _intervals(self, x, yes, asked, functional, confidence):
        """The ends of the intervals (rows, 2) of many tables of counts on the levels ``x``."""
        rows = zip(self._finest(x, yes, asked), yes, asked, strict=True)
        return np.array(
            [self._parts(functional, finer, own, (x, y, m), confidence).whole for (finer, own), y, m in rows]
        )

    def _finest(self, x, yes, asked):
        """(hypotheses, weights) of every row, on the finest grid that is worth while."""
        grid, weights = self._rows(x, yes, asked)
        for own, y, m in zip(weights, yes, asked, strict=True):
            yield self._zoomed(grid, own, x, y, m)

    def _estimate_one(self, functional):
        grid, weights = self._own()
        return self._place(functional, grid, weights, self.outside(functional))

    def _place(self, functional, grid, weights, outside):
        """The posterior mean among the levels, or the end beyond which the threshold lies."""
        if outside.side is not None:
            return self._range()[outside.side == "above"]
        at = self._model().at(functional, grid)
        mean = mean_inside(weights, at, is_inside(at, grid))
        return float(np.clip(self._model().unit.from_unit(mean), *self._range()))

    def interval(self, functional=None, confidence=0.9):
        """The interval of the threshold: the middle of the posterior, and what any rising curve allows.

        `interval_parts` gives the two separately. docs/thresholds.md says how often such intervals held the threshold
        in simulations.

        Parameters
        ----------
        functional : callable, default=None
            None is the first of the sampler's own.
        confidence : float, default=0.9

        Returns
        -------
        Interval
            An end lies beyond the levels where the threshold may.
        """
        return self.interval_parts(functional, confidence).whole

    @partial(documented, shared=interval.__doc__ or "")
    def interval_parts(self, functional=None, confidence=0.9):
        """What the interval is made of.

        Returns
        -------
        IntervalParts
            ``posterior``, the middle of the distribution that `density` draws; ``rising``, every crossing that fits the
            answers nearly as well as the best one if nothing is assumed but a rising curve (None where that says
            nothing); ``whole``, the interval that holds both.

        Examples
        --------
        >>> sampler = PosteriorMinEnt([1, 2, 3, 4, 5]).tell(2, [0, 0, 1]).tell(4, [1, 1, 0])
        >>> parts = sampler.interval_parts()
        >>> parts.whole == sampler.interval()
        True
        >>> parts.whole.low <= parts.posterior.low < parts.posterior.high <= parts.whole.high
        True
        """
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
        functional = self._functionals()[0] if functional is None else functional
        grid, weights = self._own()
        return self._parts(functional, grid, weights, self.counts(), confidence)

    def _parts(self, functional, grid, weights, counts, confidence):
        return posterior_parts(self._model(), functional, grid, weights, counts, confidence)

    def _calibrated(self, cumulative):
        """A distribution function of the threshold, corrected for the prior."""
        return calibrated(cumulative, len(self._answers()), self._model().guess)

    def entropy(self, functional=None):
        """Entropy in bits of the posterior of the threshold, in as many equal bins as there are levels."""
        functional = self._functionals()[0] if functional is None else functional
        grid, weights = self._own_whole()
        n_bins = len(self._grid())
        at = self._model().at(functional, grid)
        at = np.broadcast_to(at[:, None] if at.ndim == 1 else at, weights.shape)
        bins = np.clip(np.clip(at, 0, 1) * n_bins, 0, n_bins - 1).astype(np.int64)
        mass = np.bincount(bins.ravel(), weights.ravel(), n_bins)
        mass = mass[mass > 0] / mass.sum()
        return float(-(mass * np.log2(mass)).sum())

    def density(self):
        """The posterior density of the first threshold on the scale of the levels, for plots: (edges, heights).

        The prior favours flat curves, which makes the posterior too wide until the answers outweigh it. What is drawn
        is corrected for that in the same way as `interval`: ``interval_parts().posterior`` is its middle.

        Returns
        -------
        edges : ndarray (n + 1,)
            In levels, increasing; cells beyond the levels included where the threshold may lie there.
        heights : ndarray (n,)
            Probability of each cell over its width on the sampler's scale, the highest being 1.
        """
        functional = self._functionals()[0]
        grid, weights = self._own()
        at = self._model().at(functional, grid)
        edges, mass = grid.edges, weights.sum(axis=1, dtype=np.float64)
        if at.ndim == 2:  # not the threshold that the cells are laid out for
            grid, weights = self._own_whole()
            edges = np.linspace(0.0, 1.0, len(grid.inside.nonzero()[0]) + 1)
            mass = np.histogram(self._model().at(functional, grid), edges, weights=weights)[0]
        heights = np.diff(self._calibrated(distribution(mass))) / np.diff(edges)
        levels = self._model().unit.from_unit(edges)
        step = 1 if self.increasing else -1
        return levels[::step], heights[::step] / heights.max()

    # --- what may be wrong ----------------------------------------------------------------------------

    def outside(self, functional=None):
        """The probabilities that a threshold lies below or above all levels, an `Outside`."""
        functional = self._functionals()[0] if functional is None else functional
        return self._outside_of(functional, *self._own_whole())

    def _outside_of(self, functional, grid, weights):
        before, after = masses_outside(weights, self._model().at(functional, grid))
        return Outside(before, after) if self.increasing else Outside(after, before)

    @property
    def misfit_(self):
        """Whether the answers contradict every S-shaped curve, a `Misfit`."""
        counts = self.counts()
        asked = counts.asked > 0
        return misfit_of(
            self._own_whole()[0],
            self._model().unit.to_unit(counts.levels[asked]),
            counts.yes[asked],
            counts.asked[asked],
            self._rng(purpose=3),
        )

    @property
    def drift_(self):
        """The probability that the threshold has moved since the first answer; 1/11 before any answer."""
        return self._moving().probability

    def drift(self):
        """Where the threshold was and is now, a `Drift`, if it has probably moved (``drift_ > 0.5``); else None."""
        moving = self._moving()
        if moving.probability <= 0.5:
            return None
        grid, history = self._model().hypotheses(), self._answers()
        functional, unit = self._functionals()[0], self._model().unit
        now, start = moving.now(), moving.start(self._likelihoods(grid, history))
        at = self._model().at(functional, grid)
        ends = unit.from_unit(quantiles(now, at, [0.05, 0.95], grid.edges if at.ndim == 1 else None))
        ends = np.clip(np.sort(ends), *self._range())
        return Drift(
            self._place(functional, grid, start, self._outside_of(functional, grid, start)),
            self._place(functional, grid, now, self._outside_of(functional, grid, now)),
            Interval(*ends.tolist()),
            moving.probability,
            moving.noticed,
        )

    def _moving(self):
        """The filter that has taken all answers so far."""
        grid, history = self._model().hypotheses(), self._answers()
        known, told, moving = getattr(self, "_last_drift", (None, [], DriftFilter(grid)))
        if known is not grid or told != history[: len(told)]:
            told, moving = [], DriftFilter(grid)
        for likelihood in self._likelihoods(grid, history[len(told) :]):
            moving.add(likelihood)
        self._last_drift = grid, list(history), moving
        return moving

    def _likelihoods(self, grid, answers):
        """The probability of each of the answers under every hypothesis."""
        places = self._model().unit.to_unit([one.level for one in answers])
        columns = [grid.column(place)[0].astype(np.float64) for place in places]
        return [p if one.outcome else 1 - p for p, one in zip(columns, answers, strict=True)]

    def fitted(self):
        """The curve of the answers so far: the posterior mean, or the fit given as ``fit``.

        Returns
        -------
        PosteriorCurve or MonotoneRegressor
            Has ``predict`` and ``predict_interval``.
        """
        if not self._answers():
            raise ValueError("no answers recorded yet")
        if self.fit is not None:
            return super().fitted()
        grid, weights = self._own_whole()
        return PosteriorCurve(grid, weights, self._model().unit)
