"""Margins by linear programming (HiGHS): LPBoost's column generation and DLPBoost's correction.

Coefficients are non-negative and sum to 1 here, so margins lie between -1 and 1.
"""

import math

import numpy as np
from scipy.optimize import linprog

from weaklearn.boosting._steps import StepRule

# The tightest that HiGHS takes: margins are compared to nine digits.
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def _solved(what, costs, A_ub, b_ub, bounds, ones=None):
    """The least ``costs @ x`` with ``A_ub x <= b_ub``, the bounds and, if given, ``ones @ x = 1``."""
    equality = {} if ones is None else {"A_eq": ones[None], "b_eq": [1.0]}
    result = linprog(costs, A_ub, b_ub, **equality, bounds=bounds, method="highs", options=_TOLERANCES)
    if result.x is None:
        raise RuntimeError(f"the linear program of {what} was not solved: {result.message}")
    return result


def largest_margin(votes, caps):
    """The best convex combination of some hypotheses, and the weights that prove it.

    Primal: maximise ``rho - sum_i caps_i xi_i`` subject to ``sum_t a_t votes_ti + xi_i >= rho``, a on the simplex,
    xi >= 0. Dual: minimise beta subject to ``sum_i d_i votes_ti <= beta`` for all t, d on the simplex,
    ``d_i <= caps_i``. The dual is what is solved: it has one row for each hypothesis. The votes are ``y_i h_t(x_i)``;
    the caps sum to at least 1, and a cap of 1 is a hard margin. Returns a, d and the common optimum beta: the (soft)
    minimum margin and the largest edge.
    """
    n_rows, n = votes.shape
    result = _solved(
        "LPBoost",
        np.append(np.zeros(n), 1.0),
        np.column_stack([votes, -np.ones(n_rows)]),
        np.zeros(n_rows),
        [*((0.0, cap) for cap in caps), (None, None)],
        ones=np.append(np.ones(n), 0.0),
    )
    coefficients = np.maximum(-result.ineqlin.marginals, 0.0)
    return coefficients / coefficients.sum(), np.maximum(result.x[:-1], 0.0), float(result.x[-1])


class MarginProgram(StepRule):
    """Column generation: weights from the dual, coefficients from the primal, both solved in every round.

    A new hypothesis can improve the optimum only if its edge under the dual weights exceeds the largest edge beta
    of those there are. Source: LPBoost, pratap2008, sections 2.2 and 2.4 (Grove and Schuurmans; Demiriz et al.).

    ``nu``, in [0, 1), is the share of the weight that may lie on the wrong side of the soft margin; 0 is the hard
    margin. A hypothesis whose edge exceeds beta by no more than ``tol`` is no improvement.
    """

    def __init__(self, nu=0.0, tol=1e-6):
        self.nu = nu
        self.tol = tol
        self._votes = []
        self._weights = None
        self._beta = -np.inf

    def check(self, cost):
        """There is no cost to check."""

    def weights(self, ensemble):
        if self._weights is None:
            return ensemble.sample_weight / ensemble.sample_weight.sum()
        return self._weights

    def step(self, ensemble, hypothesis_margins, error):
        weights = self.weights(ensemble)
        edge = float((weights * hypothesis_margins).sum() / weights.sum())
        if edge <= self._beta + self.tol:
            return "optimal"
        self._votes.append(hypothesis_margins)
        share = ensemble.sample_weight / ensemble.sample_weight.sum()
        votes = np.array(self._votes)
        # Where nu is below an example's share, its weight is not bounded at all.
        caps = np.minimum(share / self.nu, 1.0) if self.nu > 0 else np.ones(len(share))
        coefficients, self._weights, self._beta = largest_margin(votes, caps)
        ensemble.replace(coefficients, coefficients @ votes)
        return None

    def objective(self, ensemble):
        return -self._beta

    def sufficient_nu(self, sample_weight):
        """A nu with two digits for which these hypotheses have a positive soft margin; None if none below 1 has."""
        least = least_soft_nu(np.array(self._votes), sample_weight / sample_weight.sum())
        nu = (math.floor(least * 100 + 1e-6) + 1) / 100
        return nu if nu < 1 else None


def least_soft_nu(votes, share):
    """The infimum of the nu for which some convex combination has a positive soft margin.

    By duality the optimum of `largest_margin` with the caps ``share / nu`` is at most 0 if and only if there are
    ``0 <= e_i <= share_i`` of sum nu with ``sum_i e_i votes_ti <= 0`` for all t; the largest such sum is returned. It
    is 0 if the hypotheses separate the examples.
    """
    bounds = np.column_stack([np.zeros(len(share)), share])
    result = _solved("LPBoost", -np.ones(len(share)), votes, np.zeros(len(votes)), bounds)
    return float(min(max(-result.fun, 0.0), 1.0))


def dominating_coefficients(votes, coefficients, weight, gain=0.0):
    """New coefficients that raise every margin by a gain and maximise the weighted sum of all margins.

    The gain is at most the `least_gain`. The result is a vertex of the program, so most often sparse; if rounding
    leaves some margin lower by more than 1e-9, it is the given coefficients.
    """
    costs = -(votes @ weight) / np.abs(votes @ weight).max()
    least = coefficients @ votes + gain
    result = _solved("DLPBoost", costs, -votes.T, -least, (0, None), ones=np.ones(len(votes)))
    found = np.where(result.x > 1e-12, result.x, 0.0)
    found /= found.sum()
    return found if (found @ votes >= coefficients @ votes - 1e-9).all() else coefficients


def least_gain(votes, coefficients):
    """By how much every margin can be raised at once: the largest least gain ``m_i(a) - m_i(coefficients)``.

    Never negative, as the coefficients may stay as they are; 1e-9 below the optimum, so that a program with this gain
    has a solution in spite of rounding.
    """
    result = _solved(
        "DLPBoost",
        np.append(np.zeros(len(votes)), -1.0),
        np.column_stack([-votes.T, np.ones(votes.shape[1])]),
        -(coefficients @ votes),
        (0, None),
        ones=np.append(np.ones(len(votes)), 0.0),
    )
    return max(float(result.x[-1]) - 1e-9, 0.0)
