r"""Kinds of mistakes that labels may have, and which of them a table has.

With held-out log-odds S(x) of a stack, the true label is j with probability :math:`q_j = \mathrm{softmax}(a S + b)_j`,
and a row of class j carries the label z with probability :math:`T_{jz}`. So

.. math:: P(z \mid x) = \sum_j q_j T_{jz}, \qquad P(\text{true} = j \mid x, z) = q_j T_{jz} / P(z \mid x).

A free matrix T can explain any overlap of two classes as mistakes between them. So only matrices of a few simple kinds
are allowed:

- clean: no mistakes (0.05%, so that no label is impossible);
- alike: rows of all classes are mislabelled equally often, and all wrong labels are equally likely;
- next: the same, but each class has labels of its own that it is called, those of confident predictions that are
  contradicted;
- one class: only rows of class j are mislabelled, and all wrong labels are equally likely;
- one way: only rows of class j are mislabelled, and only as z.

A certain class is evidence against mistakes in all classes, and the overlap of two classes is none for them. For each
matrix, a and b maximise the log likelihood minus :math:`0.02 (a - 1)^2 + 0.025 |b|^2` and minus the doubt about anchors
(`_anchors`). What is reported is averaged over matrices with weights proportional to prior x likelihood^kappa x
exp(-doubt), kappa = 150 / (150 + n): the curve q is only an approximation, and a large table would otherwise turn its
misfit into certainty. For the interval of the count, kappa = 600 / (600 + n), with which it covers what it should.

Where the classes can be told apart, little overlap is more probable than much: weights are divided by
:math:`(1 + o / 0.03)^{4 s^4}`, where o is the mean of 1 - the greatest q, and s the skill (`_anchors`).
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax, xlog1py, xlogy

from weaklearn.robust._anchors import confident_labels, find_anchors, skill
from weaklearn.robust._given_labels import given_labels_loss

__all__ = ["Kind", "MistakeFit", "Mistakes", "kinds_of_mistakes", "mistakes_objective"]

_CLEAN = 0.0005
_ALIKE = np.array([0.01, 0.02, 0.035, 0.055, 0.08, 0.11, 0.15, 0.2, 0.26, 0.33, 0.41])
_ONE_WAY = np.array([0.03, 0.07, 0.13, 0.2, 0.29, 0.4])
# Parameters of beta distributions of the rate.
_ALIKE_PRIOR, _ONE_WAY_PRIOR = (2.0, 12.0), (1.5, 4.0)
# Prior probabilities of the kinds. With two classes, "alike" and "next" are the same, "one class" and "one way" too.
_PRIOR = {"clean": 0.2, "alike": 0.45, "next": 0.05, "one class": 0.2, "one way": 0.1}
# Added to the number of each wrong label of confident predictions: the least, the most, and the skill from which on it
# is the least. Where classes overlap, contradictions gather in few pairs of classes without any mistakes.
_EVENNESS, _EVEN_SKILL, _EVEN_POWER = (0.5, 2.0), 0.65, 6
# Classes, and pairs, that are tried: all of them for three classes, the most suspicious ones for more.
_TRIED = 6
# The sample size at which the likelihood counts half: for averages, and for the interval of the count.
_TEMPERS = np.array([150.0, 600.0])
# Of anchors: the share of rows, what doubt about them costs, and the skill from which on it costs that much.
_ANCHOR_SHARE, _ANCHOR_STRENGTH, _FULL_SKILL = 0.1, 90.0, 0.6
# What overlap costs at full skill, the share of the rows from which on it matters, and the power of the skill.
_OVERLAP_STRENGTH, _SMALL_OVERLAP, _OVERLAP_POWER = 4.0, 0.03, 4
# Weak: mistakes make scores flatter than the truth, so the slope may well be 5.
_SLOPE_PULL, _CONSTANT_PULL = 0.02, 0.025


class Kind(NamedTuple):
    """Transition matrices of ascending rates, (n_rates, K, K), and their prior weights."""

    name: str
    transitions: np.ndarray
    prior: np.ndarray


class MistakeFit(NamedTuple):
    """Parameters for one transition matrix."""

    a: float
    b: np.ndarray
    transition: np.ndarray

    def true_probability(self, S):
        """P(true label | x)."""
        return softmax(self.a * S + self.b, axis=1)

    def posterior(self, S, codes, q=None):
        """P(true label | x, given label); q are the true probabilities, where they are known already."""
        joint = (self.true_probability(S) if q is None else q) * self.transition.T[codes]
        return joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)

    def log_true(self, S, codes, true):
        """The logarithm of P(true label | x, given label)."""
        return np.log(np.maximum(self.posterior(S, codes)[np.arange(len(true)), true], 1e-300))


def _beta_weights(rates, alpha, beta):
    """A beta distribution on a grid: weights that add up to 1."""
    mass = np.exp(xlogy(alpha - 1, rates) + xlog1py(beta - 1, -rates)) * np.gradient(rates)
    return mass / mass.sum()


def _evenness(skilled):
    """The number that is added to each wrong label of confident predictions."""
    least, most = _EVENNESS
    return min(most, least * max(1.0, _EVEN_SKILL / max(skilled, 1e-3)) ** _EVEN_POWER)


def kinds_of_mistakes(labels, evenness):
    """The kinds to try.

    Parameters
    ----------
    labels : ndarray of shape (n_classes, n_classes)
        How often confident predictions of a class (rows) have which label; see `confident_labels`. It decides which
        classes and pairs are tried.
    evenness : float
        Added to each of these numbers off the diagonal for the labels of the kind "next".

    Returns
    -------
    list of Kind
        Priors add up to 1.
    """
    K = len(labels)
    even = (1 - np.eye(K)) / (K - 1)
    clean = (1 - _CLEAN) * np.eye(K) + _CLEAN * even

    def moved(j, targets):
        """Rows of class j get other labels by ``targets``, on top of the rates of a clean table."""
        matrices = np.repeat(clean[None], len(_ONE_WAY), axis=0)
        matrices[:, j] = (1 - _ONE_WAY)[:, None] * clean[j] + _ONE_WAY[:, None] * targets
        return matrices

    def everywhere(name, targets, prior):
        """Rows of all classes get other labels by their row of ``targets``."""
        rates = _ALIKE[:, None, None]
        matrices = (1 - rates) * np.eye(K) + rates * targets
        return Kind(name, matrices, prior * _beta_weights(_ALIKE, *_ALIKE_PRIOR))

    kinds = [Kind("clean", clean[None], np.array([_PRIOR["clean"]]))]
    one_way = _beta_weights(_ONE_WAY, *_ONE_WAY_PRIOR)
    if K == 2:
        kinds.append(everywhere("alike", even, _PRIOR["alike"] + _PRIOR["next"]))
        weight = (_PRIOR["one class"] + _PRIOR["one way"]) / 2
        return kinds + [Kind(f"{j} as {1 - j}", moved(j, even[j]), weight * one_way) for j in (0, 1)]
    uneven = (labels + evenness) * (1 - np.eye(K))
    kinds.append(everywhere("alike", even, _PRIOR["alike"]))
    kinds.append(everywhere("next", uneven / uneven.sum(axis=1, keepdims=True), _PRIOR["next"]))
    contradictions = np.where(np.eye(K) > 0, -1.0, labels)
    total = labels.sum(axis=1)
    classes = _foremost((total - np.diag(labels)) / (total + 2))
    pairs = [divmod(place, K) for place in _foremost(contradictions.ravel())]
    for j in classes:
        kinds.append(Kind(f"{j} as others", moved(j, even[j]), _PRIOR["one class"] / len(classes) * one_way))
    for j, z in pairs:
        kinds.append(Kind(f"{j} as {z}", moved(j, np.eye(K)[z]), _PRIOR["one way"] / len(pairs) * one_way))
    return kinds


def _foremost(values):
    """Places of the greatest values, at most as many as are tried."""
    return np.argsort(-values, kind="stable")[:_TRIED].tolist()


def mistakes_objective(parameters, S, columns, anchors):
    """Penalised negative log likelihood and its gradient; parameters are a and b (K).

    ``columns`` (n, K) are T_jz of the given labels z, and 0 for true labels that are ruled out because somebody has
    looked; ``anchors`` are `Anchors` or None.
    """
    a, b = parameters[0], parameters[1:]
    loss, doubt, slope = given_labels_loss(a, b, S, columns, anchors)
    value = loss + _SLOPE_PULL * (a - 1) ** 2 + _CONSTANT_PULL * (b @ b)
    slope_a = np.vdot(slope, S) + 2 * _SLOPE_PULL * (a - 1)
    return value + doubt, np.r_[slope_a, slope.sum(axis=0) + 2 * _CONSTANT_PULL * b]


class Mistakes:
    """Transition matrices with their probabilities, from held-out log-odds; see the module's formulas.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        The given labels, as indices.
    known : ndarray of shape (n_samples,), default=None
        Index of the true label where it is known, -1 elsewhere. Such rows count with the full power of 1.

    Attributes
    ----------
    names : list of str
        The kind of each matrix.
    fits : list of MistakeFit
    posterior : ndarray
        Their probabilities.
    interval_posterior : ndarray
        The same by a likelihood that counts more.
    """

    def __init__(self, S, codes, known=None):
        n, K = S.shape
        skilled = skill(S, codes)
        strength = _ANCHOR_STRENGTH * min(1.0, skilled / _FULL_SKILL) ** 2
        anchors = find_anchors(S, _ANCHOR_SHARE, strength) if strength > 0 else None
        looked_at = np.zeros(n, dtype=bool) if known is None else known >= 0
        kappa = _TEMPERS / (_TEMPERS + n)
        bounds = [(0, 8)] + [(-8, 8)] * K
        clean = np.r_[1.0, np.zeros(K)]
        self.names, self.fits, logarithms = [], [], []
        for kind in kinds_of_mistakes(confident_labels(S, codes), _evenness(skilled)):
            x = clean
            for transition, prior in zip(kind.transitions, kind.prior, strict=True):
                columns = transition.T[codes]
                if looked_at.any():
                    columns[looked_at] *= known[looked_at, None] == np.arange(K)
                found = minimize(
                    mistakes_objective,
                    x,
                    (S, columns, anchors),
                    jac=True,
                    method="L-BFGS-B",
                    bounds=bounds,
                    options={"maxiter": 60},
                )
                x = found.x
                fit = MistakeFit(x[0], x[1:].copy(), transition)
                q = fit.true_probability(S)
                doubt = 0.0 if anchors is None else anchors.doubt(q)[0]
                overlap = np.log1p(np.mean(1 - q.max(axis=1)) / _SMALL_OVERLAP)
                before = np.log(prior) - doubt - _OVERLAP_STRENGTH * skilled**_OVERLAP_POWER * overlap
                logarithm = before + kappa * (doubt - found.fun)
                if looked_at.any():
                    # Of the true label given the label that it had: people look at the rows that seem worst, and how
                    # these came to be labelled as they are says nothing about the others.
                    logarithm += (1 - kappa) * fit.log_true(
                        S[looked_at], codes[looked_at], known[looked_at]
                    ).sum()
                self.names.append(kind.name)
                self.fits.append(fit)
                logarithms.append(logarithm)
            if kind.name == "clean":
                clean = x
        self.posterior, self.interval_posterior = softmax(logarithms, axis=0).T

    def probability(self, name):
        """Probability of a kind."""
        return float(self.posterior[np.array(self.names) == name].sum())

    @property
    def transition(self):
        """Mean of T."""
        return sum(w * fit.transition for w, fit in zip(self.posterior, self.fits, strict=True))

    def used(self):
        """Fits that matter, their weights, and their weights for the interval; both divided by their sums."""
        kept = np.flatnonzero(np.maximum(self.posterior, self.interval_posterior) > 1e-5)
        weights = np.array([self.posterior[kept], self.interval_posterior[kept]])
        return [self.fits[k] for k in kept], *(weights / weights.sum(axis=1, keepdims=True))
