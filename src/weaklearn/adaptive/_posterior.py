"""PosteriorMinEnt: the least expected doubt, computed from a posterior instead of redrawn data."""

import numpy as np

from weaklearn.adaptive._sampler import CountSampler, _random_argmin
from weaklearn.monotone import Crossing, Interval, LogisticFit
from weaklearn.monotone._functionals import thresholds_of_lines

__all__ = ["PosteriorMinEnt"]

_N_PLACES = 41  # thresholds
_SCALES = np.geomspace(0.02, 0.6, 12)  # widths of the logistic curve, in units of the range
_CERTAIN = 1e-6  # no hypothesis is surer of an answer than this


class PosteriorMinEnt(CountSampler):
    """MinEnt with a distribution over curves in place of one curve that is taken for the truth.

    The hypotheses are logistic curves that cross the first functional's level (1/2 if it is no `Crossing`) at one of 41
    places in the range, with one of 12 widths between 0.02 and 0.6 of the range (equally spaced in the logarithm), all
    equally likely beforehand. The answers weigh them by Bayes' rule; the estimate is the posterior mean of the
    threshold. The next question is the one after which the expected variance (or entropy) of the threshold is least,
    over both answers. Nothing is drawn.

    Parameters
    ----------
    levels, functional, increasing, random_state
        See `Sampler`. With several functionals their scores are added.
    fit : MonotoneRegressor, default=None
        Used by `fitted` (for plots), not for the estimate; None is `LogisticFit`.
    criterion : {"variance", "entropy"}, default="variance"
    n_first : int, default=0
        Each level is asked this often before the posterior is looked at.

    Notes
    -----
    This goes past the source, which redraws data from a single estimate: with few answers that estimate is wrong, and
    its certainty steers the questions. The price is a parametric family; where the true curve is far from
    logistic, the estimate keeps a bias that `MinEnt` with `MonotoneFit` or `HybridFit` loses as answers accumulate.

    References
    ----------
    pratap2008, section 3.5, for the principle.

    Examples
    --------
    >>> import numpy as np
    >>> sampler = PosteriorMinEnt(np.linspace(0, 1, 11), random_state=0)
    >>> sampler.ask()
    0.5
    >>> for _ in range(15):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level > 0.42)
    >>> 0.38 < sampler.estimate() < 0.52
    True
    """

    def __init__(
        self,
        levels,
        functional=None,
        *,
        fit=None,
        criterion="variance",
        n_first=0,
        increasing=True,
        random_state=None,
    ):
        self.levels = levels
        self.functional = functional
        self.fit = fit
        self.criterion = criterion
        self.n_first = n_first
        self.increasing = increasing
        self.random_state = random_state

    def _default_fit(self):
        return LogisticFit()

    def _log_odds(self, x):
        """Log-odds of yes for every hypothesis (rows) at the inputs ``x``."""
        low, high = self._range()
        first = self._functionals()[0]
        level = first.level if isinstance(first, Crossing) else 0.5
        place, scale = np.meshgrid(np.linspace(low, high, _N_PLACES), _SCALES * (high - low), indexing="ij")
        sign = 1.0 if self.increasing else -1.0
        return np.log(level / (1 - level)) + sign * (x - place.reshape(-1, 1)) / scale.reshape(-1, 1)

    def _probabilities(self, x):
        return np.clip(0.5 * (1 + np.tanh(0.5 * self._log_odds(x))), _CERTAIN, 1 - _CERTAIN)

    def _thresholds(self, functional):
        """The threshold of every hypothesis."""
        low, high = self._range()
        key = (functional, self._functionals()[0], low, high, self.increasing)
        if getattr(self, "_known", (None,))[0] != key:
            fine = np.linspace(low, high, 513)
            lines = 0.5 * (1 + np.tanh(0.5 * self._log_odds(fine)))
            self._known = key, thresholds_of_lines(functional, fine, lines, low, high, self.increasing)
        return self._known[1]

    def _weights(self, x, yes, asked):
        p = self._probabilities(x)
        fit = yes @ np.log(p).T + (asked - yes) @ np.log1p(-p).T
        weights = np.exp(fit - fit.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def _choose_adaptively(self, x, yes, asked, places, rng):
        if self.criterion not in ("entropy", "variance"):
            raise ValueError(f"criterion must be 'entropy' or 'variance', got {self.criterion!r}")
        weights = self._weights(x, yes, asked)
        p = self._probabilities(x[places])
        yes_rate = weights @ p
        total = np.zeros(yes_rate.shape)
        for functional in self._functionals():
            at = self._thresholds(functional)
            if self.criterion == "variance":
                total += _expected_variance(weights, p, yes_rate, at)
            else:
                total += _expected_entropy(weights, p, yes_rate, self._bins(at))
        return places[_random_argmin(total, rng)]

    def _bins(self, at):
        low, high = self._range()
        n_bins = len(self._grid())
        bins = np.clip(((at - low) * (n_bins / (high - low))).astype(np.int64), 0, n_bins - 1)
        return np.eye(n_bins)[bins]

    def _estimates(self, x, yes, asked, functional):
        return self._weights(x, yes, asked) @ self._thresholds(functional)

    def _posterior(self, functional):
        counts = self.counts()
        weights = self._weights(counts.levels, counts.yes[None, :], counts.asked[None, :])[0]
        return self._thresholds(functional), weights

    def interval(self, functional=None, confidence=0.9):
        """The central credible interval of the threshold."""
        at, weights = self._posterior(self._functionals()[0] if functional is None else functional)
        order = np.argsort(at, kind="stable")
        mass = np.cumsum(weights[order])
        tail = (1 - confidence) / 2
        ends = np.searchsorted(mass, [tail, 1 - tail - 1e-12])
        low, high = at[order[np.clip(ends, 0, len(at) - 1)]]
        return Interval(float(low), float(high))

    def entropy(self, functional=None, n_resamples=400):
        """Entropy in bits of the posterior of the threshold, in as many equal bins as there are levels."""
        at, weights = self._posterior(self._functionals()[0] if functional is None else functional)
        return float(_entropy(weights @ self._bins(at)))


def _expected_variance(weights, p, yes_rate, at):
    first, second = weights @ at, weights @ at**2
    yes_first, yes_second = (weights * at) @ p, (weights * at**2) @ p
    no_first, no_second = first[:, None] - yes_first, second[:, None] - yes_second
    # E[var] = E[at^2] - E[E[at | answer]^2]
    return yes_second - yes_first**2 / yes_rate + no_second - no_first**2 / (1 - yes_rate)


def _expected_entropy(weights, p, yes_rate, bins):
    yes = np.einsum("rh,hc,hb->rcb", weights, p, bins, optimize=True)
    no = (weights @ bins)[:, None, :] - yes
    rate = yes_rate[:, :, None]
    return yes_rate * _entropy(yes / rate) + (1 - yes_rate) * _entropy(np.maximum(no, 0.0) / (1 - rate))


def _entropy(shares):
    return -(shares * np.log2(shares, out=np.zeros(shares.shape), where=shares > 0)).sum(axis=-1)
