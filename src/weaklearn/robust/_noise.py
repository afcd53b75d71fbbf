r"""A model of wrong labels: what the given labels say about the true ones.

With held-out log-odds S(x) of a stack, the true label is j with probability
:math:`q_j = \mathrm{softmax}(a S + b)_j`, and a row of class j carries the label z with probability
:math:`T_{jz}`: :math:`1 - \rho_j` for z = j, and :math:`\rho_j / (K - 1)` for other labels. So

.. math:: P(z \mid x) = \sum_j q_j T_{jz}, \qquad P(\text{true} = j \mid x, z) = q_j T_{jz} / P(z \mid x).

The rate is :math:`\mathrm{logit} \rho_j = \mathrm{logit}\, r + d_j`, with d centred where r shall be the mean. For
each r of a grid, a, b and d maximise the log likelihood minus
:math:`0.1 (a - 1)^2 + 0.025 |b|^2 + c \sum_j \log(1 + d_j^2)`, with c = 2 unless
stated otherwise. What is reported is averaged over the grid with weights proportional to prior x likelihood^kappa;
kappa < 1 because the curve q is only an approximation, and a large table would otherwise turn its misfit into certainty
about r.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit, logsumexp, softmax

from weaklearn.robust._blocks import row_blocks

__all__ = ["NoiseModel", "noise_objective"]

_MAX_RATE = 0.7
# Weak: noise makes scores flatter than the truth, so the slope may well be 3.
SLOPE_PULL = 0.1
# Heavy-tailed: all classes alike, or one quite different, as when one label is often written for another.
CLASS_PULL = 2.0


class NoiseFit(NamedTuple):
    """Parameters at one rate r."""

    a: float
    b: np.ndarray
    rho: np.ndarray

    @property
    def transition(self):
        """The matrix T."""
        return _transition(self.rho)

    def true_probability(self, S):
        """P(true label | x)."""
        return softmax(self.a * S + self.b, axis=1)

    def posterior(self, S, codes):
        """P(true label | x, given label)."""
        joint = self.true_probability(S) * self.transition.T[codes]
        return joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)


def even_spread(K):
    """Wrong labels that are all equally likely: the matrix pi."""
    return (1 - np.eye(K)) / (K - 1)


def _transition(rho):
    return rho[:, None] * even_spread(len(rho)) + np.diag(1 - rho)


def _rates_by_class(r, d, centred):
    if r <= 0:
        return np.zeros(len(d))
    return expit(logit(r) + (d - d.mean() if centred else d))


def noise_objective(
    parameters,
    r,
    S,
    codes,
    weight,
    asymmetric,
    class_pull=CLASS_PULL,
    centred=False,
):
    """Penalised negative log likelihood and its gradient; parameters are a, b (K) and, if asymmetric, d (K).

    ``centred`` makes r the mean of the rates on the scale of log-odds.
    """
    K = S.shape[1]
    a, b = parameters[0], parameters[1 : K + 1]
    d = parameters[K + 1 :] if asymmetric else np.zeros(K)
    raw = _rates_by_class(r, d, centred)
    rho = np.minimum(raw, _MAX_RATE)
    q = softmax(a * S + b, axis=1)
    columns = _transition(rho).T[codes]
    joint = q * columns
    given = np.maximum(joint.sum(axis=1), 1e-300)
    value = -weight @ np.log(given) + SLOPE_PULL * (a - 1) ** 2 + 0.025 * (b @ b)
    G = (q - joint / given[:, None]) * weight[:, None]
    slope = [np.array([np.sum(G * S) + 2 * SLOPE_PULL * (a - 1)]), G.sum(axis=0) + 0.05 * b]
    if asymmetric:
        value += class_pull * np.log1p(d**2).sum()
        own = np.arange(K) == codes[:, None]
        ratio = q / given[:, None] * weight[:, None]
        slope_rho = np.where(own, ratio, -ratio * even_spread(K).T[codes]).sum(axis=0)
        slope_d = np.where(raw < _MAX_RATE, slope_rho * raw * (1 - raw), 0.0)
        if centred:
            slope_d -= slope_d.mean()
        slope.append(slope_d + 2 * class_pull * d / (1 + d**2))
    return value, np.concatenate(slope)


class NoiseModel:
    """Noise rates and true labels from held-out log-odds; see the module's formulas.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        The given labels, as indices.
    weight : ndarray of shape (n_samples,)
        A weight of two counts like two rows.
    rates : ndarray
        The grid of r, ascending; the first stands for a clean table.
    prior : ndarray
        Its prior weights.
    kappa : float
        Power of the likelihood.
    asymmetric : bool
        Whether classes have rates of their own.
    class_pull : float, default=2.0
        How strongly the rates of classes are pulled together.
    centred : bool, default=False
        Whether r is the mean of the rates on the scale of log-odds, rather than what they are pulled towards.
    """

    def __init__(
        self,
        S,
        codes,
        weight,
        *,
        rates,
        prior,
        kappa,
        asymmetric,
        class_pull=CLASS_PULL,
        centred=False,
    ):
        K = S.shape[1]
        x = np.zeros(1 + 2 * K if asymmetric else 1 + K)
        x[0] = 1.0
        bounds = [(0, 8)] + [(-8, 8)] * K + [(-5, 5)] * (len(x) - 1 - K)
        self.rates = np.asarray(rates)
        self.fits, values = [], []
        for r in self.rates:
            found = minimize(
                noise_objective,
                x,
                (r, S, codes, weight, asymmetric, class_pull, centred),
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                options={"maxiter": 100},
            )
            x = found.x
            d = x[K + 1 :] if asymmetric else np.zeros(K)
            rho = np.minimum(_rates_by_class(r, d, centred), _MAX_RATE)
            self.fits.append(NoiseFit(x[0], x[1 : K + 1].copy(), rho))
            values.append(found.fun)
        self.log_likelihood = -np.array(values)
        logarithm = kappa * self.log_likelihood + np.log(prior)
        self.posterior = softmax(logarithm)
        self.log_evidence = float(logsumexp(logarithm))

    @property
    def rate(self):
        """Mean rate."""
        return float(self.posterior @ [fit.rho.mean() for fit in self.fits])

    @property
    def transition(self):
        """Mean of T."""
        return sum(w * fit.transition for w, fit in zip(self.posterior, self.fits, strict=True))

    def used(self):
        """Pairs of a weight and a fit: those that matter, their weights divided by the sum."""
        kept = np.flatnonzero(self.posterior > 1e-6)
        weights = self.posterior[kept] / self.posterior[kept].sum()
        return [(w, self.fits[k]) for w, k in zip(weights, kept, strict=True)]

    def _mixed(self, n_rows, probability):
        """The mean over fits of probabilities (rows, K), block by block."""
        K = len(self.fits[0].rho)
        mixed = np.empty((n_rows, K))
        for rows in row_blocks(n_rows, 8 * K):
            mixed[rows] = sum(w * probability(fit, rows) for w, fit in self.used())
        return mixed

    def class_probability(self, S):
        """P(true label | x)."""
        return self._mixed(len(S), lambda fit, rows: fit.true_probability(S[rows]))

    def given_probability(self, S):
        """P(given label | x): of labels that are wrong as often as those seen."""
        return self._mixed(
            len(S), lambda fit, rows: fit.true_probability(S[rows]) @ fit.transition
        )  # fmt: skip

    def label_probability(self, S, codes):
        """P(true label | x, given label)."""
        return self._mixed(len(S), lambda fit, rows: fit.posterior(S[rows], codes[rows]))
