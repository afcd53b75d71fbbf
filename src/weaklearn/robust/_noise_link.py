r"""The noise link of the classifier: from log-odds of the *given* label to probabilities of the *true* one.

With held-out log-odds S(x) of a stack, the true label is j with probability
:math:`q_j = \mathrm{softmax}(a S + b)_j`, and a row of class j carries the label z with probability :math:`T_{jz}`. So

.. math:: P(z \mid x) = \sum_j q_j T_{jz}, \qquad P(\text{true} = j \mid x, z) = q_j T_{jz} / P(z \mid x).

T has either one rate r for all classes, or a rate in one class alone: on small tables, overlapping classes of different
shapes look like different rates, and a model with a free rate for each class moves the boundary for nothing. For each
T, a and b maximise the log likelihood minus :math:`0.5 (\log a - 4 r)^2 + 0.025 |b|^2` (wrong labels make scores
flatter than the truth: at r = 0.2, slopes of 2 to 8 were measured) and minus the doubt about anchors (`_anchors`).
Probabilities are averaged over T with weights proportional to prior x likelihood^0.5 x exp(-doubt). The prior of r has
three times as much weight at 0 as at each of 5, 10, ..., 40%; all classes alike have e times the weight of one class.

Doubt costs :math:`0.3\, n\, \mathrm{skill}^2`, at most 400 skill^2: with few rows, the rows farthest inside a class
are not typical enough to say anything. Without it, the rate is underestimated and probabilities are too cautious: the
likelihood hardly tells 20% wrong labels from classes that overlap everywhere alike.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from weaklearn.robust._anchors import confident_labels, find_anchors, skill
from weaklearn.robust._blocks import row_blocks
from weaklearn.robust._given_labels import given_labels_loss
from weaklearn.robust._mistakes import MistakeFit

__all__ = ["NoiseLink", "Rate", "link_objective"]

_RATES = np.arange(0, 0.41, 0.05)
_CLEAN_PRIOR = 3.0
# Logarithm of the prior odds of one rate for all classes.
_ALIKE = 1.0
_KAPPA = 0.5
_SLOPE_PULL, _SLOPE_RISE, _CONSTANT_PULL = 0.5, 4.0, 0.025
_ANCHOR_SHARE, _ANCHOR_STRENGTH, _MOST_STRENGTH = 0.1, 0.3, 400.0
# Classes that are tried as the one with wrong labels: all of them for few classes, the most suspicious ones for more.
_TRIED = 6


class Rate(NamedTuple):
    """A hypothesis: the rate r of wrong labels in all classes (``of`` None) or in one, and its log prior."""

    r: float
    of: int | None
    log_prior: float

    def transition(self, n_classes):
        """The matrix T; all wrong labels of a row are equally likely."""
        identity = np.eye(n_classes)
        rates = np.full(n_classes, self.r) if self.of is None else self.r * identity[self.of]
        return (1 - rates)[:, None] * identity + rates[:, None] * (1 - identity) / (n_classes - 1)


def _hypotheses(classes):
    """All rates to try, those of the same classes together and ascending."""
    prior = np.where(_RATES == 0, _CLEAN_PRIOR, 1.0)
    prior = np.log(prior / prior.sum())
    alike = [Rate(float(r), None, float(p)) for r, p in zip(_RATES, prior, strict=True)]
    share = -_ALIKE - np.log(len(classes))
    return alike + [
        Rate(float(r), j, float(p + share)) for j in classes for r, p in zip(_RATES, prior, strict=True) if r > 0
    ]  # fmt: skip


def _suspects(S, codes):
    """Classes whose confident predictions are contradicted most often."""
    labels = confident_labels(S, codes)
    contradicted = 1 - np.diag(labels) / np.maximum(labels.sum(axis=1), 1)
    return np.sort(np.argsort(-contradicted, kind="stable")[:_TRIED]).tolist()


def link_objective(parameters, S, columns, weight, rise, anchors):
    """Penalised negative log likelihood, its gradient, and the doubt in it; parameters are log a and b (K).

    ``columns`` (n, K) are T_jz of the given labels z; ``rise`` is what log a is pulled to; ``anchors`` are `Anchors`
    or None.
    """
    log_a, b = parameters[0], parameters[1:]
    a = np.exp(log_a)
    loss, doubt, slope = given_labels_loss(a, b, S, columns, anchors, weight)
    value = loss + _SLOPE_PULL * (log_a - rise) ** 2 + _CONSTANT_PULL * (b @ b)
    slope_a = a * np.vdot(slope, S) + 2 * _SLOPE_PULL * (log_a - rise)
    return value + doubt, np.r_[slope_a, slope.sum(axis=0) + 2 * _CONSTANT_PULL * b], doubt


class NoiseLink:
    """Rates of wrong labels, and probabilities of true ones; see the module's formulas.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        The given labels, as indices.
    weight : ndarray of shape (n_samples,)
        A weight of two counts like two rows.

    Attributes
    ----------
    hypotheses : list of Rate
    fits : list of MistakeFit
    posterior : ndarray
        Their probabilities.
    """

    def __init__(self, S, codes, weight):
        K = S.shape[1]
        self.hypotheses = _hypotheses(_suspects(S, codes))
        strength = min(_ANCHOR_STRENGTH * weight.sum(), _MOST_STRENGTH) * skill(S, codes, weight) ** 2
        anchors = find_anchors(S, _ANCHOR_SHARE, strength, weight) if strength > 0 else None
        bounds = [(-2, 3.5)] + [(-8, 8)] * K
        self.fits, logarithms = [], []
        of, x = None, np.zeros(1 + K)
        for one in self.hypotheses:
            if one.of != of:
                of, x = one.of, self._start(0)
            transition = one.transition(K)
            arguments = (S, transition.T[codes], weight, _SLOPE_RISE * one.r, anchors)
            found = minimize(
                lambda x, *arguments: link_objective(x, *arguments)[:2],
                x,
                arguments,
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                options={"maxiter": 100},
            )
            x = found.x
            doubt = link_objective(x, *arguments)[2]
            self.fits.append(MistakeFit(float(np.exp(x[0])), x[1:].copy(), transition))
            logarithms.append(_KAPPA * (doubt - found.fun) - doubt + one.log_prior)
        self.posterior = softmax(logarithms)

    def _start(self, k):
        return np.r_[np.log(self.fits[k].a), self.fits[k].b]

    @property
    def transition(self):
        """Mean of T."""
        return sum(w * fit.transition for w, fit in zip(self.posterior, self.fits, strict=True))

    @property
    def rate(self):
        """Mean rate of wrong labels over classes."""
        return float(np.mean(1 - np.diag(self.transition)))

    def one_class_probability(self):
        """Probability that labels are wrong in one class alone."""
        return float(
            sum(p for p, one in zip(self.posterior, self.hypotheses, strict=True) if one.of is not None)
        )

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
