"""What laboratories use today, all runs in step.

``estimates(case, luck)`` returns the estimates after every answer, (runs, answers). Answer n of run r is yes if
``luck[r, n]`` lies below the probability, for every method, so that runs are paired. Staircase and Robbins-Monro may
ask anywhere in [0, 1]; their step sizes are sensible values that were not tuned. The package adopy (0.4.1) cannot be
imported with NumPy 2, so it is not among them.
"""

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.base import BaseEstimator

from weaklearn.studies.own.thresholds.curve_cases import LEVELS, lapse_rates


class WeightedStaircase(BaseEstimator):
    """Kaernbach's (1991) staircase: steps up and down balance at the target; the mean level after three reversals."""

    def __init__(self, first=0.12, last=0.04):
        self.first, self.last = first, last

    def estimates(self, case, luck):
        """Estimates after every answer."""
        (n_runs, n_answers), first, last = luck.shape, self.first, self.last
        x, previous = np.full(n_runs, 0.5), np.zeros(n_runs)
        turns, total, count = np.zeros((3, n_runs))
        found = np.empty(luck.shape)
        for n in range(n_answers):
            yes = luck[:, n] < case.rates(x, n + 1)
            size = np.where(turns < 2, first, np.where(turns < 4, 0.5 * (first + last), last))
            move = np.where(yes, -1.0, 1.0)
            turns += (previous != 0) & (move != previous)
            previous = move
            counted = turns >= 3
            total, count = total + counted * x, count + counted
            x = np.clip(x + 2 * size * np.where(yes, case.target - 1, case.target), 0, 1)
            found[:, n] = np.where(count > 0, total / np.maximum(count, 1), x)
        return found


class RobbinsMonro(BaseEstimator):
    """Stochastic approximation with Kesten's (1958) rule: steps shrink at reversals only."""

    def __init__(self, gain=0.6):
        self.gain = gain

    def estimates(self, case, luck):
        """Estimates after every answer."""
        n_runs, n_answers = luck.shape
        x, previous, turns = np.full(n_runs, 0.5), np.zeros(n_runs), np.zeros(n_runs)
        found = np.empty(luck.shape)
        for n in range(n_answers):
            yes = luck[:, n] < case.rates(x, n + 1)
            move = np.where(yes, -1.0, 1.0)
            turns += (previous != 0) & (move != previous)
            previous = move
            x = np.clip(x - self.gain / np.where(n < 2, n + 1, 2 + turns) * (yes - case.target), 0, 1)
            found[:, n] = x
        return found


class QuestPlusInStep(BaseEstimator):
    """QUEST+ (Watson, 2017) with a cumulative normal curve: 41 means over the range, 12 standard deviations.

    The package questplus takes 5 ms per question and one run at a time; tests/studies/own/thresholds compares questions
    and estimates with it.
    """

    def estimates(self, case, luck):
        """Estimates after every answer."""
        n_runs, n_answers = luck.shape
        low, high = LEVELS[0], LEVELS[-1]
        parts = np.linspace(low, high, 41), np.geomspace(0.035, 1.0, 12) * (high - low), lapse_rates(case)
        means, widths, lapse = (part.ravel() for part in np.meshgrid(*parts, indexing="ij"))
        p = case.guess_rate + (1 - case.guess_rate - lapse) * ndtr((LEVELS[:, None] - means) / widths)
        p = np.clip(p, 1e-12, 1 - 1e-12)
        certainty = p * np.log(p) + (1 - p) * np.log1p(-p)
        weights = np.full((n_runs, len(means)), 1 / len(means))
        found = np.empty(luck.shape)
        for n in range(n_answers):
            rate = weights @ p.T
            # The least expected entropy of the parameters is the largest mutual information with the answer.
            information = -(rate * np.log(rate) + (1 - rate) * np.log1p(-rate)) + weights @ certainty.T
            asked = information.argmax(axis=1)
            yes = luck[:, n] < case.rates(LEVELS, n + 1)[asked]
            weights *= np.where(yes[:, None], p[asked], 1 - p[asked])
            weights /= weights.sum(axis=1, keepdims=True)
            share = (case.target - case.guess_rate) / (1 - case.guess_rate - weights @ lapse)
            place = weights @ means + (weights @ widths) * ndtri(np.clip(share, 1e-9, 1 - 1e-9))
            found[:, n] = np.clip(place, low, high)
        return found
