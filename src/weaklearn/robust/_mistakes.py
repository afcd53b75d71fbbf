r"""The auditor's noise model: kinds of mistakes that labels may have, and which of them a table has.

The kinds of matrices T (`_noise`):

- clean: no mistakes (0.05%, so that no label is impossible);
- alike: rows of all classes are mislabelled equally often, and all wrong labels are equally likely;
- next: the same, but each class has labels of its own that it is called, those of confident predictions that are
  contradicted;
- one class: only rows of class j are mislabelled, and all wrong labels are equally likely;
- one way: only rows of class j are mislabelled, and only as z.

A certain class is evidence against mistakes in all classes, and the overlap of two classes is none for them. The pull
is :math:`0.02 (a - 1)^2 + 0.025 |b|^2`, and kappa = 150 / (150 + n): a large table would otherwise turn the misfit of
the curve q into certainty. For the interval of the count, kappa = 600 / (600 + n), with which it covers what it should.

Where the classes can be told apart, little overlap is more probable than much: weights are divided by
:math:`(1 + o / 0.03)^{4 s^4}`, where o is the mean of 1 - the greatest q, and s the skill.
"""

import numpy as np
from scipy.special import softmax, xlog1py, xlogy

from weaklearn.robust._noise import Kind, NoiseModel, confident_labels, find_anchors, foremost, skill

__all__ = ["Mistakes", "kinds_of_mistakes"]

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
# The sample size at which the likelihood counts half: for averages, and for the interval of the count.
_TEMPERS = np.array([150.0, 600.0])
# What doubt about anchors costs, and the skill from which on it costs that much.
_ANCHOR_STRENGTH, _FULL_SKILL = 90.0, 0.6
# What overlap costs at full skill, the share of the rows from which on it matters, and the power of the skill.
_OVERLAP_STRENGTH, _SMALL_OVERLAP, _OVERLAP_POWER = 4.0, 0.03, 4


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
    identity = np.eye(K)
    even = (1 - identity) / (K - 1)
    clean = (1 - _CLEAN) * identity + _CLEAN * even

    def kind(name, transitions, prior):
        return Kind(name, transitions, np.log(prior), np.ones(len(prior)))

    def everywhere(name, targets, prior):
        """Rows of all classes get other labels by their row of ``targets``."""
        rates = _ALIKE[:, None, None]
        transitions = (1 - rates) * identity + rates * targets
        return kind(name, transitions, prior * _beta_weights(_ALIKE, *_ALIKE_PRIOR))

    def moved(name, j, targets, prior):
        """Rows of class j get other labels by ``targets``, on top of the rates of a clean table."""
        matrices = np.repeat(clean[None], len(_ONE_WAY), axis=0)
        matrices[:, j] = (1 - _ONE_WAY)[:, None] * clean[j] + _ONE_WAY[:, None] * targets
        return kind(name, matrices, prior * _beta_weights(_ONE_WAY, *_ONE_WAY_PRIOR))

    kinds = [kind("clean", clean[None], np.array([_PRIOR["clean"]]))]
    if K == 2:
        kinds.append(everywhere("alike", even, _PRIOR["alike"] + _PRIOR["next"]))
        weight = (_PRIOR["one class"] + _PRIOR["one way"]) / 2
        return kinds + [moved(f"{j} as {1 - j}", j, even[j], weight) for j in (0, 1)]
    uneven = (labels + evenness) * (1 - identity)
    kinds.append(everywhere("alike", even, _PRIOR["alike"]))
    kinds.append(everywhere("next", uneven / uneven.sum(axis=1, keepdims=True), _PRIOR["next"]))
    total = labels.sum(axis=1)
    classes = foremost((total - np.diag(labels)) / (total + 2))
    pairs = [divmod(place, K) for place in foremost(np.where(identity > 0, -1.0, labels).ravel())]
    for j in classes:
        kinds.append(moved(f"{j} as others", j, even[j], _PRIOR["one class"] / len(classes)))
    for j, z in pairs:
        kinds.append(moved(f"{j} as {z}", j, identity[z], _PRIOR["one way"] / len(pairs)))
    return kinds


class Mistakes(NoiseModel):
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
    interval_posterior : ndarray
        Probabilities of the matrices by a likelihood that counts more than in ``posterior``.
    """

    # Weak: mistakes make scores flatter than the truth, so the slope may well be 5.
    slope_pull, slope_bounds, max_iter = 0.02, (0, 8), 60

    def __init__(self, S, codes, known=None):
        n, K = S.shape
        skilled = skill(S, codes)
        anchors = find_anchors(S, _ANCHOR_STRENGTH * min(1.0, skilled / _FULL_SKILL) ** 2)
        kinds = kinds_of_mistakes(confident_labels(S, codes), _evenness(skilled))
        reviewed = np.arange(0) if known is None else np.flatnonzero(known >= 0)
        allowed = None
        if len(reviewed):
            allowed = np.ones((n, K), dtype=bool)
            allowed[reviewed] = known[reviewed, None] == np.arange(K)
        kappa = _TEMPERS / (_TEMPERS + n)
        logarithms = []
        for log_prior, q, loss, doubt in self._fit(S, codes, kinds, anchors, allowed=allowed):
            overlap = np.log1p(np.mean(1 - q.max(axis=1)) / _SMALL_OVERLAP)
            before = log_prior - doubt - _OVERLAP_STRENGTH * skilled**_OVERLAP_POWER * overlap
            logarithm = before - kappa * loss
            if len(reviewed):
                # Of the true label given the label that it had: people look at the rows that seem worst, and how these
                # came to be labelled as they are says nothing about the others.
                true = self.fits[-1].posterior(S[reviewed], codes[reviewed])
                true = true[np.arange(len(reviewed)), known[reviewed]]
                logarithm += (1 - kappa) * np.log(np.maximum(true, 1e-300)).sum()
            logarithms.append(logarithm)
        self.posterior, self.interval_posterior = softmax(logarithms, axis=0).T

    def used(self):
        """Fits that matter, their weights, and their weights for the interval; both divided by their sums."""
        kept = np.flatnonzero(np.maximum(self.posterior, self.interval_posterior) > 1e-5)
        weights = np.array([self.posterior[kept], self.interval_posterior[kept]])
        return [self.fits[k] for k in kept], *(weights / weights.sum(axis=1, keepdims=True))
