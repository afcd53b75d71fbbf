"""Proof that no hyperplane does better: a lower bound on the 0/1 error and, in time, the optimum.

The branch and bound of `_fast.infeasible` decides whether some hyperplane has an error below a given number. For
weights that are multiples of a common grain (integers, say) it is asked for one more grain at a time, from the
bound at the root upwards: every question answered raises the lower bound, so that a run out of time still returns
a useful one, and the last question is the proof of optimality itself. Other weights are decided in one step.

The proof is as good as floating point: an irreducible infeasible subsystem counts if the positive combination of
its unit rows is zero to 1e-8. Data whose separability hangs on less than that are beyond it.
"""

import numpy as np

from weaklearn._compilations import working_time
from weaklearn._fast.infeasible import FINISHED, NODES, POOLED, RUNNING, STATUS, proof_state, prove
from weaklearn._fast.simplex import new_vertex, work_arrays
from weaklearn.linear.zero_one._problem import count_errors, isotropic_problem

_MOST_QUESTIONS = 50
_BOUNDS = 6  # place of the bounds per level in the state of a proof


def _grain(weight):
    """The largest integer that every weight is a multiple of, if they are integers; else 0."""
    if len(weight) and (weight == np.floor(weight)).all() and weight.max() < 2**31:
        return float(np.gcd.reduce(weight.astype(np.int64)))
    return 0.0


class _Prover:
    """Answers whether some weight vector gives up less than a goal; remembers subsystems between questions."""

    def __init__(self, problem, scale, grain, deadline, rng):
        self.unit, self.columns, self.back = isotropic_problem(problem)
        n, p = self.unit.shape
        self.weight = problem.weight / scale
        self.grain = grain
        self.target = 1.0 + 0.01 * rng.random(n)
        self.vertex, self.work = new_vertex(n, p, self.target), work_arrays(n)
        self.deadline = deadline
        self.state = proof_state(n, p)
        self.found = None  # the last weight vector that met a goal

    def ask(self, goal, max_nodes=None):
        """(answered, the smallest value found or the goal, the bound at the root)."""
        pooled = self.state[0][POOLED]
        pool = self.state[-1]
        self.state = (*proof_state(*self.unit.shape)[:-1], pool)
        control = self.state[0]
        control[POOLED] = pooled
        upper, best_w = np.array([goal]), np.zeros(self.unit.shape[1])
        nodes = 1
        while True:
            began = working_time()
            prove(
                self.unit, self.columns, self.weight, self.target, self.vertex, upper, self.grain, best_w,
                self.state, nodes, self.work,
            )  # fmt: skip
            now = working_time()
            if control[STATUS] != RUNNING or now > self.deadline or control[NODES] == max_nodes:
                break
            # Twice as many, unless that would be longer than a fiftieth of a second.
            nodes = max(1, int(min(2 * nodes, nodes * 0.02 / max(now - began, 1e-6))))
        if upper[0] < goal:
            self.found = best_w @ self.back
        return control[STATUS] == FINISHED, upper[0], self.state[_BOUNDS][0]


def certify(problem, weights, deadline, rng):
    """Improve the best known weight vector or prove it optimal: (weights, a bound that no error is below).

    A good one makes the proof short. ``deadline`` is in seconds of `working_time`.
    """
    error, _ = count_errors(problem, weights)
    if error <= problem.unavoidable:
        return weights, error
    grain = _grain(problem.weight)
    scale = grain or problem.weight.max()
    prover = _Prover(problem, scale, 1.0 if grain else 0.0, deadline, rng)
    value = (error - problem.unavoidable) / scale
    try:
        bound = _lower_bound(prover, value, bool(grain))
    except KeyboardInterrupt:
        bound = 0.0
    if prover.found is not None:
        found_error, _ = count_errors(problem, prover.found)
        if found_error < error:
            weights, error = prover.found, found_error
    return weights, min(problem.unavoidable + bound * scale, error)


def _lower_bound(prover, value, integral):
    """The largest number proven to be below every error, in units of the grain."""
    answered, better, bound = prover.ask(value, max_nodes=1)
    if answered:
        return better
    bound = float(np.ceil(bound - 1e-6)) if integral else bound
    value = better
    if integral and value - bound <= _MOST_QUESTIONS:
        while bound < value:
            answered, better, _ = prover.ask(bound + 1.0)
            if not answered:
                return bound
            if better < bound + 1.0:
                return better
            bound += 1.0
        return bound
    answered, better, _ = prover.ask(value)
    return better if answered else bound
