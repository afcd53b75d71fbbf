r"""The classifier's noise model: from log-odds of the *given* label to probabilities of the *true* one.

T (`_noise`) has either one rate r for all classes, or a rate in one class alone: on small tables, overlapping classes
of different shapes look like different rates, and a model with a free rate for each class moves the boundary for
nothing. The pull is :math:`0.5 (\log a - 4 r)^2 + 0.025 |b|^2`: wrong labels make scores flatter than the truth, and at
r = 0.2 slopes of 2 to 8 were measured. kappa is 0.5. The prior of r has three times as much weight at 0 as at each of
5, 10, ..., 40%; all classes alike have e times the weight of one class.

Doubt costs :math:`0.3\, n\, \mathrm{skill}^2`, at most 400 skill^2: with few rows, the rows farthest inside a class
are not typical enough to say anything. Without it, the rate is underestimated and probabilities are too cautious: the
likelihood hardly tells 20% wrong labels from classes that overlap everywhere alike.
"""

import numpy as np
from scipy.special import softmax

from weaklearn.robust._blocks import row_blocks
from weaklearn.robust._noise import Kind, NoiseModel, confident_labels, find_anchors, foremost, skill

__all__ = ["NoiseLink", "link_kinds"]

_RATES = np.arange(0, 0.41, 0.05)
_CLEAN_PRIOR = 3.0
# Logarithm of the prior odds of one rate for all classes.
_ALIKE = 1.0
_KAPPA = 0.5
_SLOPE_RISE = 4.0
_ANCHOR_STRENGTH, _MOST_STRENGTH = 0.3, 400.0


def link_kinds(n_classes, suspects):
    """One rate for all classes, 0 included, and one rate for each suspect alone."""
    identity = np.eye(n_classes)
    prior = np.where(_RATES == 0, _CLEAN_PRIOR, 1.0)
    log_prior = np.log(prior / prior.sum())

    def kind(name, where, chosen, log_share=0.0):
        rates = np.outer(_RATES[chosen], where)[:, :, None]
        transitions = (1 - rates) * identity + rates * (1 - identity) / (n_classes - 1)
        return Kind(name, transitions, log_prior[chosen] + log_share, _SLOPE_RISE * _RATES[chosen])

    one_class = -_ALIKE - np.log(len(suspects))
    return [kind("alike", np.ones(n_classes), slice(None))] + [
        kind(f"{j} as others", identity[j], slice(1, None), one_class) for j in suspects
    ]


class NoiseLink(NoiseModel):
    """Noise rates, and probabilities of true labels; see the module's formulas.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        The given labels, as indices.
    weight : ndarray of shape (n_samples,)
        A weight of two counts like two rows.
    """

    log_slope, slope_pull, slope_bounds, max_iter = True, 0.5, (-2, 3.5), 100

    def __init__(self, S, codes, weight):
        labels = confident_labels(S, codes)
        suspects = sorted(foremost(1 - np.diag(labels) / np.maximum(labels.sum(axis=1), 1)))
        strength = min(_ANCHOR_STRENGTH * weight.sum(), _MOST_STRENGTH) * skill(S, codes, weight) ** 2
        anchors = find_anchors(S, strength, weight)
        fits = self._fit(S, codes, link_kinds(S.shape[1], suspects), anchors, weight)
        self.posterior = softmax([-_KAPPA * loss - doubt + log_prior for log_prior, _, loss, doubt in fits])

    @property
    def noise_rate(self):
        """Mean share of wrong labels over classes."""
        return float(np.mean(1 - np.diag(self.transition)))

    def _mixed(self, S, probability):
        """The mean over fits of probabilities (rows, K), block by block."""
        kept = np.flatnonzero(self.posterior > 1e-6)
        weights = self.posterior[kept] / self.posterior[kept].sum()
        mixed = np.empty(S.shape)
        for rows in row_blocks(len(S), 8 * S.shape[1]):
            mixed[rows] = sum(w * probability(self.fits[k], rows) for w, k in zip(weights, kept, strict=True))
        return mixed

    def class_probability(self, S):
        """P(true label | x)."""
        return self._mixed(S, lambda fit, rows: fit.true_probability(S[rows]))

    def given_probability(self, S):
        """P(given label | x): of labels that are wrong as often as those seen."""
        return self._mixed(S, lambda fit, rows: fit.true_probability(S[rows]) @ fit.transition)

    def label_probability(self, S, codes):
        """P(true label | x, given label)."""
        return self._mixed(S, lambda fit, rows: fit.posterior(S[rows], codes[rows]))
