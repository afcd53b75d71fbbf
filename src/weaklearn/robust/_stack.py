r"""Calibrated members and their combination.

Member k's held-out scores :math:`F_k` become log-odds :math:`L_k = a_k F_k + c_k` (a slope :math:`a_k \ge 0`, a
constant per class) by the least log loss. The stack is :math:`S = \sum_k v_k L_k + c` with :math:`v \ge 0` and
minimises the log loss plus :math:`0.4 M |v - 1/M|^2` for M members: equal weights, unless the data say otherwise.

Wrong labels make the log loss prefer timid members: a confident one pays for each label that contradicts it. With few
rows equal weights are best anyway, but large tables say otherwise, so their stack knows of wrong labels. It minimises

.. math:: -\sum_i \log\big((1 - r) p_i + r (1 - p_i) / (K - 1)\big) + 0.4 M |v - 1/M|^2, \qquad
    p_i = \mathrm{softmax}\big(u \textstyle\sum_k v_k L_k(x_i) + c\big)_{z_i}

over v, c, the scale u and the noise rate r; then slope and constants are fitted to the given labels as for a
member.
"""

import numpy as np
from scipy.optimize import minimize

_TOWARDS_EQUAL = 0.4
# A weak pull of the constants to 0 keeps them finite where a class is never or always right.
_CONSTANT_PULL = 0.01
# Slopes of a member whose scores have a mean square of 1.
_SLOPES = (0.0, 50.0)
# Scale and noise rate of a large table's stack: where the search starts, and how far it goes.
_START, _SCALES, _RATES = (2.0, 0.05), (0.05, 20.0), (0.001, 0.4)


def stack_objective(parameters, L, codes, weight, target, pull):
    """Penalised log loss of softmax(sum_k v_k L_k + c) and its gradient; parameters are v, then c.

    L has the shape (n_members, n_samples, n_classes).
    """
    n_members, n, _ = L.shape
    v, c = parameters[:n_members], parameters[n_members:]
    S = (v @ L.reshape(n_members, -1)).reshape(n, -1) + c
    rows = np.arange(n)
    # One pass for the logarithm of the sum and the softmax: this is called a thousand times in a fit.
    S -= S.max(axis=1, keepdims=True)
    own = S[rows, codes]
    G = np.exp(S, out=S)
    total = G.sum(axis=1, keepdims=True)
    value = weight @ (np.log(total[:, 0]) - own)
    G /= total
    G[rows, codes] -= 1
    G *= weight[:, None]
    value += pull * ((v - target) ** 2).sum() + _CONSTANT_PULL * (c**2).sum()
    slope_v = L.reshape(n_members, -1) @ G.ravel() + 2 * pull * (v - target)
    return value, np.concatenate([slope_v, G.sum(axis=0) + 2 * _CONSTANT_PULL * c])


def _fit(L, codes, weight, target, pull, limits=(0, None)):
    n_members, _, n_classes = L.shape
    start = np.concatenate([np.full(n_members, target), np.zeros(n_classes)])
    bounds = [limits] * n_members + [(-20, 20)] * n_classes
    found = minimize(
        stack_objective, start, (L, codes, weight, target, pull), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": 200},
    )  # fmt: skip
    return found.x[:n_members], found.x[n_members:]


class Calibration:
    """Slope and constants that turn a member's scores into log-odds."""

    def __init__(self, F, codes, weight):
        scale = np.sqrt(np.mean(F**2))
        self.scale = scale if scale > 0 else 1.0
        slope, self.constant = _fit(F[None] / self.scale, codes, weight, 1.0, 0.01, _SLOPES)
        self.slope = slope[0] / self.scale

    def log_odds(self, F):
        L = self.slope * F + self.constant
        return L - L.mean(axis=1, keepdims=True)


def wrong_label_objective(parameters, L, codes, weight):
    """What the stack of a large table minimises, and its gradient; parameters are v, c, u, r."""
    n_members, n, K = L.shape
    v, c, (scale, rate) = parameters[:n_members], parameters[n_members:-2], parameters[-2:]
    rows = np.arange(n)
    # Sums of products without BLAS, whose threads would spend more time on waiting for each other.
    mean = np.einsum("k,kij->ij", v, L)
    S = scale * mean + c
    S -= S.max(axis=1, keepdims=True)
    p = np.exp(S, out=S)
    p /= p.sum(axis=1, keepdims=True)
    own = p[rows, codes]
    other = (1 - own) / (K - 1)
    likelihood = (1 - rate) * own + rate * other
    change = -weight / likelihood
    factor = change * (1 - rate * K / (K - 1)) * own
    G = np.multiply(p, -factor[:, None], out=p)
    G[rows, codes] += factor
    pull = _TOWARDS_EQUAL * n_members
    value = -np.sum(weight * np.log(likelihood)) + pull * ((v - 1 / n_members) ** 2).sum()
    slope_v = scale * np.einsum("kij,ij->k", L, G) + 2 * pull * (v - 1 / n_members)
    return value + _CONSTANT_PULL * (c**2).sum(), np.concatenate(
        [
            slope_v,
            G.sum(axis=0) + 2 * _CONSTANT_PULL * c,
            [np.sum(G * mean), np.sum(change * (other - own))],
        ]
    )


class Stack:
    """Weights of calibrated members; with ``wrong_labels``, by a log loss that knows of them."""

    def __init__(self, L, codes, weight, wrong_labels=False):
        n_members, _, K = L.shape
        if not wrong_labels:
            self.weight, self.constant = _fit(L, codes, weight, 1 / n_members, _TOWARDS_EQUAL * n_members)
            return
        start = np.r_[np.full(n_members, 1 / n_members), np.zeros(K), _START]
        bounds = [(0, None)] * n_members + [(-20, 20)] * K + [_SCALES, _RATES]
        found = minimize(
            wrong_label_objective, start, (L, codes, weight), jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 200, "ftol": 1e-7},
        )  # fmt: skip
        v = found.x[:n_members]
        given = Calibration(np.einsum("k,kij->ij", v, L), codes, weight)
        self.weight, self.constant = given.slope * v, given.constant

    def log_odds(self, L):
        return np.tensordot(self.weight, L, 1) + self.constant
