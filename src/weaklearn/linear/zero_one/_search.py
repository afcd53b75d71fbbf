"""The search behind ZeroOneClassifier: anytime, one problem, two ways by size.

Up to `_LARGEST_EXACT` distinct rows: elastic linear programs on isotropic rows (`_fast.subsystem`), one round of
put-back-and-repair per iteration. Beyond that: a smooth start (`_noise`) and exact line searches along
isotropic directions over all rows at once (`_fast.line_search`), a batch of them per iteration. Which one is used
depends on the problem alone, never on the clock, so that results are reproducible; a time limit only decides how
many iterations there are.
"""

from typing import NamedTuple

import numpy as np

from weaklearn._compilations import working_time
from weaklearn._fast.line_search import descend, workspace
from weaklearn._fast.simplex import new_vertex, work_arrays
from weaklearn._fast.subsystem import move_to, search_rounds
from weaklearn.linear._closed_form import fisher_weights
from weaklearn.linear.zero_one._noise import noisy_logistic
from weaklearn.linear.zero_one._problem import ZeroOneProblem, count_errors, isotropic_problem

_LARGEST_EXACT = 2000  # distinct rows
_LARGEST_SCRATCH = 1000  # distinct rows up to which the first repair starts from nothing
_FLAT, _POLISH_FLAT = 5, 1000  # rank up to which line searches alone are nearly exact, and their number then
_POLISH = 128  # line searches before and after the rounds where the first repair does not start from nothing
_PER_LOOK = 1e8  # n^2 p times rounds between looks at the clock, about a twentieth of a second
_ROUNDS = 100  # iterations if neither their number nor a time is given
_BATCHES = 2  # the same on large data
_BATCH = 16  # line searches per iteration on large data
_SAMPLE = 5000  # rows that the smooth start of large data sees
_SMOOTH_NOISE = 0.2  # the share of wrong labels that it assumes
_FULL_STEPS = 8  # steps of the smooth fit on all rows after that
_PRECISION = 1e-12


class Found(NamedTuple):
    """The best weight vector, on the rows of the problem, and how the error fell."""

    weights: np.ndarray
    error: float
    curve: np.ndarray  # errors (sums of weights) at the start and after each iteration


class Clock:
    """When to stop, and how many iterations to do between looks at the clock and calls of the callback."""

    def __init__(self, max_iter, max_time, callback=None):
        self.started = working_time()
        self.max_iter = max_iter if max_iter is not None or max_time is None else np.inf
        self.max_time = np.inf if max_time is None else max_time
        self.callback = callback
        self.done = 0
        self._chunk = 1
        self._seen = self.started

    def chunk(self, default, first=1):
        """Iterations to run now; 0 is the end.

        ``default`` is how many there are if nothing was said, ``first`` how many are quick enough to begin with if
        there is no time limit.
        """
        now = working_time()
        left = self.max_time - (now - self.started)
        if self.max_iter is None:
            self.max_iter = default
        # One iteration there is always time for.
        if self.done >= self.max_iter or (left <= 0 and self.done > 0):
            return 0
        if self.done == 0 and self.callback is None and self.max_time == np.inf:
            self._chunk = max(1, first)
        elif self.done:
            # Look again after about a twentieth of a second, or when a third of what is left has gone.
            pace = max((now - self._seen) / self._chunk, 1e-7)
            self._chunk = int(max(1, min(2 * self._chunk, min(0.05, left / 3) / pace)))
        self._seen = now
        self._chunk = int(min(self._chunk, self.max_iter - self.done))
        return self._chunk

    def tell(self, iterations, error):
        """Account for iterations done; whether the callback wants to stop."""
        self.done += iterations
        return self.callback is not None and bool(self.callback(self.done, error))


def search(problem: ZeroOneProblem, rng, clock: Clock) -> Found:
    """Minimise the 0/1 error of one problem until the clock says stop."""
    n, size = problem.rows.shape
    if n == 0:
        weights = np.zeros(size)
        weights[-1] = 1.0
        return Found(weights, problem.unavoidable, np.array([problem.unavoidable]))
    if n <= _LARGEST_EXACT:
        return _search_vertices(problem, rng, clock)
    return _search_lines(problem, rng, clock)


def _search_vertices(problem, rng, clock):
    unit, columns, back = isotropic_problem(problem)
    n, p = unit.shape
    weight = problem.weight / problem.weight.max()
    target = 1.0 + 0.01 * rng.random(n)
    vertex, saved = new_vertex(n, p, target), new_vertex(n, p, target)
    state = rng.integers(0, 2**63, size=1).astype(np.uint64)
    best, best_w, since = np.array([np.inf]), np.zeros(p), np.zeros(1, np.int64)
    work = work_arrays(n)

    def rounds(errors):
        search_rounds(unit, columns, weight, target, vertex, saved, since, state, errors, best, best_w, work)

    small = n <= _LARGEST_SCRATCH
    if small:
        rounds(np.empty(0))
        found = best_w @ back
    else:
        found = _smooth_start(problem)
    error = count_errors(problem, found)[0]
    polish = _POLISH_FLAT if p <= _FLAT else 0 if small else _POLISH
    lines = _Lines(problem, problem.rows, rng) if polish else None
    if lines is not None:
        found, error = lines.descend(found, error, polish)
        # rows @ found = (unit @ w) times row lengths, with w @ back = found.
        move_to(unit, target, vertex, np.linalg.lstsq(back.T, found, rcond=None)[0])
    curve = [np.array([error])]
    if clock.callback is not None:
        clock.tell(0, error)
    try:
        while error > problem.unavoidable and (chunk := clock.chunk(_ROUNDS, int(_PER_LOOK / (n * n * p)))):
            errors = np.empty(chunk)
            rounds(errors)
            if problem.unavoidable + best[0] * problem.weight.max() < error:
                candidate = best_w @ back
                candidate_error = count_errors(problem, candidate)[0]
                if candidate_error <= error:
                    found, error = candidate, candidate_error
            curve.append(np.maximum(problem.unavoidable + errors * problem.weight.max(), error))
            curve[-1][-1] = error
            if clock.tell(chunk, error):
                break
        if lines is not None:
            found, error = lines.descend(found, error, polish)
            curve[-1][-1] = error
    except KeyboardInterrupt:
        pass  # what was found so far counts
    return Found(found, error, np.minimum.accumulate(np.concatenate(curve)))


def _smooth_start(problem, levels=(0.1, 0.2, 0.3)):
    """The best of Fisher's discriminant and smooth fits for some assumed shares of wrong labels."""
    rows, weight = problem.rows, problem.weight
    labels = rows[:, -1]
    weights = fisher_weights(rows[:, :-1] * labels[:, None], labels, weight)
    best, best_error = weights, count_errors(problem, weights)[0]
    weights = np.zeros(len(weights))
    for noise in levels:
        weights = noisy_logistic(rows, weight, noise, 1e-4, weights)
        error = count_errors(problem, weights)[0]
        if error < best_error:
            best, best_error = weights, error
    return best


def _search_lines(problem, rng, clock):
    rows, weight = problem.rows, problem.weight
    chosen = rng.choice(len(rows), min(len(rows), _SAMPLE), replace=False)
    sample = ZeroOneProblem(rows[chosen], weight[chosen], 0.0, problem.neutral)
    weights = _smooth_start(sample, (_SMOOTH_NOISE,))
    weights = noisy_logistic(rows, weight, _SMOOTH_NOISE, 1e-4, weights, _FULL_STEPS)
    lines = _Lines(problem, sample.rows, rng)
    error = count_errors(problem, weights)[0]
    curve = [error]
    try:
        while error > problem.unavoidable and (chunk := clock.chunk(_BATCHES)):
            for _ in range(chunk):
                weights, error = lines.descend(weights, error, _BATCH)
                curve.append(error)
            if clock.tell(chunk, error):
                break
    except KeyboardInterrupt:
        pass  # what was found so far counts
    return Found(weights, error, np.array(curve))


class _Lines:
    """Exact line searches over all rows, in directions that change scores by as much whatever the direction."""

    def __init__(self, problem, sample, rng):
        self.problem = problem
        self.rng = rng
        self.work = workspace(len(problem.rows))
        values, vectors = np.linalg.eigh(sample.T @ sample / len(sample))
        kept = values > 1e-12 * values[-1]
        self.factor = (vectors[:, kept] / np.sqrt(values[kept])) @ vectors.T[kept]

    def descend(self, weights, error, count):
        """``count`` line searches from a weight vector; a weight vector with no larger error, and that error."""
        rows = self.problem.rows
        no_path = np.empty((0, rows.shape[1]))
        batch = max(1, min(64, count, (1 << 21) // len(rows)))
        now = weights
        for first in range(0, count, batch):
            now = now / np.abs(now).max()
            directions = self.rng.standard_normal((min(batch, count - first), len(now))) @ self.factor
            # All labels are +1 here: the rows carry the signs.
            descend(
                now, rows @ now, directions, directions @ rows.T, self.problem.weight, _PRECISION, False,
                np.empty(len(directions)), no_path, self.work,
            )  # fmt: skip
        now_error = count_errors(self.problem, now)[0]
        return (now, now_error) if now_error <= error else (weights, error)
