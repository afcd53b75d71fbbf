"""QuestPlus: the questplus package behind our interface, for comparison."""

import numpy as np
from scipy.special import ndtri

from weaklearn.adaptive._sampler import Sampler
from weaklearn.monotone import Crossing, LogisticFit

__all__ = ["QuestPlus"]


class QuestPlus(Sampler):
    """QUEST+ (Watson, 2017) with a cumulative normal curve, as implemented by the package ``questplus``.

    Parameters
    ----------
    levels, functional, fit, increasing, random_state
        See `Sampler`. The functional must be one `Crossing` and the curve must rise. The fit serves `interval` only.
    n_means, n_widths : int, default=41 and 12
        The size of the grid of hypotheses: means spread over the range, standard deviations from 0.035 to 1.0 of it
        (about the widths of the logistic curves of `PosteriorMinEnt`).
    guess_rate, lapse_rate : float or sequence of float, default=0.0
        The values of the grid for the lower end of the curve and for one minus its upper end.

    Notes
    -----
    The package is an optional extra: ``pip install 'weaklearn[questplus]'``. The history is told to it anew whenever it
    has changed other than by one more answer.
    """

    def __init__(
        self,
        levels,
        functional=None,
        *,
        n_means=41,
        n_widths=12,
        guess_rate=0.0,
        lapse_rate=0.0,
        fit=None,
        increasing=True,
        random_state=None,
    ):
        self.levels = levels
        self.functional = functional
        self.n_means = n_means
        self.n_widths = n_widths
        self.guess_rate = guess_rate
        self.lapse_rate = lapse_rate
        self.fit = fit
        self.increasing = increasing
        self.random_state = random_state

    def _default_fit(self):
        return LogisticFit()

    def _new(self):
        try:
            import questplus
        except ImportError:
            message = "QuestPlus needs the package questplus: pip install 'weaklearn[questplus]'"
            raise ImportError(message) from None
        functionals = self._functionals()
        if len(functionals) != 1 or not isinstance(functionals[0], Crossing) or not self.increasing:
            raise ValueError("QuestPlus finds one Crossing of a rising curve")
        low, high = self._range()
        return questplus.QuestPlus(
            stim_domain={"intensity": self._grid()},
            func="norm_cdf",
            stim_scale="linear",
            param_domain={
                "mean": np.linspace(low, high, self.n_means),
                "sd": np.geomspace(0.035, 1.0, self.n_widths) * (high - low),
                "lower_asymptote": np.atleast_1d(self.guess_rate).astype(float),
                "lapse_rate": np.atleast_1d(self.lapse_rate).astype(float),
            },
            outcome_domain={"response": ["yes", "no"]},
            stim_selection_method="min_entropy",
            param_estimation_method="mean",
        )

    def _engine(self):
        told, engine = getattr(self, "_told", ((), None))
        history = self.history
        if engine is None or history[: len(told)] != told:
            told, engine = (), self._new()
        grid = self._grid()
        for level, outcome in history[len(told) :]:
            nearest = float(grid[np.abs(grid - level).argmin()])
            engine.update(stim={"intensity": nearest}, outcome={"response": "yes" if outcome else "no"})
        self._told = history, engine
        return engine

    def _next(self):
        return self._engine().next_stim["intensity"]

    def _estimate_one(self, functional):
        if not isinstance(functional, Crossing):
            raise ValueError("QuestPlus estimates Crossing functionals only")
        found = self._engine().param_estimate
        low, high = self._range()
        guess, lapse = found["lower_asymptote"], found["lapse_rate"]
        share = np.clip((functional.level - guess) / (1 - guess - lapse), 1e-9, 1 - 1e-9)
        return float(np.clip(found["mean"] + found["sd"] * ndtri(share), low, high))
