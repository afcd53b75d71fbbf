"""A run of the boosting loop, and the record of its rounds that a fitted classifier keeps."""

from itertools import islice
from typing import Any, NamedTuple

from weaklearn.boosting._loop import Ensemble, boosting_rounds, error_curve, learning_curves
from weaklearn.boosting._stages import Scores

# Margins are kept for a few rounds and turned into learning curves together: NumPy's price per call
# is that of thousands of numbers. This is how many numbers are kept: beyond 128 KB allocation is slow.
_BLOCK = 12_000


class Rounds(NamedTuple):
    """What the rounds of a run recorded, one entry per round but for ``starts``."""

    hypotheses: list[Any]
    stages: list[Any]
    errors: list[float]
    costs: list[float]
    training_errors: list[float]
    starts: list[int]  # the rounds before which the margins started from 0: the first, and every restart

    def first(self, n):
        """The record after the first n rounds."""
        first = Rounds._make(part[:n] for part in self)
        return first._replace(starts=[start for start in self.starts if start < n])

    def n_runs(self, n):
        """F after n stages is the sum of this many runs, each of which started from margins of 0."""
        return max(1, sum(start < n for start in self.starts))


class Run:
    """A run of the loop that can be resumed: the ensemble, its random numbers and the record of the rounds so far."""

    def __init__(self, cost, step_rule, sample_weight, rng):
        self.step_rule, self.cost, self.sample_weight = step_rule, cost, sample_weight
        self.ensemble = Ensemble(cost, sample_weight)
        self.rng = rng
        self.rounds = Rounds([], self.ensemble.stages, [], [], [], self.ensemble.starts)

    @property
    def stop_reason(self):
        """Why the loop ended; None while it may continue."""
        return self.ensemble.stop_reason

    def tracker(self, X):
        """F of other rows, to be advanced stage by stage."""
        return Scores(X)

    @staticmethod
    def wrong(y, scores):
        """Which rows are misclassified; a margin of 0 is an error."""
        return y * scores <= 0

    def advance(self, weak_learner, n_rounds, watch=None, **options):
        """Run until there are n_rounds rounds, there is a reason to stop, or ``watch`` says so."""
        ensemble, rule = self.ensemble, self.step_rule
        weight, cost = ensemble.sample_weight, ensemble.cost
        n_rounds -= len(self.rounds.hypotheses)
        block_length = max(1, _BLOCK // len(weight))
        ahead = min(block_length, n_rounds)
        rounds = boosting_rounds(weak_learner, rule, ensemble, self.rng, block_length=ahead, **options)
        recent, values = [], []
        for hypothesis, error, margins, value in islice(rounds, n_rounds):
            self.rounds.hypotheses.append(hypothesis)
            self.rounds.errors.append(error)
            recent.append(margins)
            values.append(value)
            if len(recent) == block_length:
                self._record(recent, values, weight, cost)
                recent, values = [], []
            if watch is not None and watch(hypothesis, ensemble.stages[-1]):
                break
        self._record(recent, values, weight, cost)

    def _record(self, margins, values, weight, cost):
        if not margins:
            return
        if None in values:
            costs, errors = learning_curves(margins, weight, cost)
            values = [c if v is None else v for c, v in zip(costs.tolist(), values, strict=True)]
        else:
            errors = error_curve(margins, weight, self.ensemble.unit_weight)
        self.rounds.costs.extend(values)
        self.rounds.training_errors.extend(errors.tolist())
