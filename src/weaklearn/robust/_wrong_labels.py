r"""From held-out log-odds to the probability that a label is wrong, and how many are: the auditor's noise model.

The matrices T (`_noise`) are of these kinds:

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

`Mistakes` sees mistakes that contradict the other columns. Mistakes where the classes overlap leave no trace: a row
with :math:`q = (0.5, 0.5)` looks the same with either label, and whatever the model blames on overlap could be noise.
Such hidden mistakes follow a prior that labels cannot change: with probability 0.6 there are none, else their share of
the rows is exponential with mean 0.055 x 0.02 / (0.02 + s), where s is the share of wrong labels that the model sees
(the more are seen everywhere, the fewer are expected near the boundary), but at most 95% of the overlap, the mean of
:math:`G = (1 - P)(1 - q_z)`. They are spread over the rows in proportion to G, and widen the interval by no more than
the overlap. Only reviewed rows tell how many there are.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, softmax, xlog1py, xlogy

from weaklearn.robust._columns import row_blocks
from weaklearn.robust._noise import Kind, NoiseModel, confident_labels, find_anchors, foremost, skill

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
# Of hidden mistakes: the probability that there are none, their mean share of the rows if there are some but the model
# sees no mistakes, the share of seen ones that halves it, and the part of the overlap that they may be.
_NO_HIDDEN, _HIDDEN_MEAN, _HALVED, _MOST_HIDDEN = 0.6, 0.055, 0.02, 0.95
# More rows would change the probabilities of kinds of mistakes little: their likelihood is tempered.
_ROWS = 3000
# Standard deviation of the count by misfit of the model: of the rows, and of the count.
_MISFIT = (0.002, 0.05)


def _beta_weights(rates, alpha, beta):
    """A beta distribution on a grid: weights that add up to 1."""
    mass = np.exp(xlogy(alpha - 1, rates) + xlog1py(beta - 1, -rates)) * np.gradient(rates)
    return mass / mass.sum()


def _evenness(skilled):
    """The number that is added to each wrong label of confident predictions."""
    least, most = _EVENNESS
    return min(most, least * max(1.0, _EVEN_SKILL / max(skilled, 1e-3)) ** _EVEN_POWER)


def kinds_of_mistakes(labels, evenness):
    """The kinds to try; their priors add up to 1.

    ``labels`` (K, K) are `confident_labels`; they decide which classes and pairs are tried. ``evenness`` is added to
    each of these numbers off the diagonal for the labels of the kind "next".
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
    """The auditor's noise model; see the module's formulas.

    ``known`` has the index of the true label where it is known, -1 elsewhere; such rows count with the full power of 1.
    ``interval_posterior`` is by a likelihood that counts more than in ``posterior``.
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


class WrongLabels(NamedTuple):
    """Probabilities of every true label, (n, K), the expected number of wrong labels, and its 90% interval."""

    label_probability: np.ndarray
    n_wrong: float
    interval: tuple[float, float]


def wrong_labels(S, codes, known=None, seed=0):
    """Judge every row.

    Parameters
    ----------
    S : ndarray of shape (n_samples, n_classes)
        Held-out log-odds.
    codes : ndarray of shape (n_samples,)
        Given labels, as indices.
    known : ndarray of shape (n_samples,), default=None
        Index of the true label of reviewed rows, -1 elsewhere.
    seed : int, default=0
        Draws the 3,000 rows to which the model is fitted if there are more.

    Returns
    -------
    WrongLabels
    """
    n, K = S.shape
    known = np.full(n, -1) if known is None else known
    used = np.arange(n)
    if n > _ROWS:
        drawn = np.random.RandomState(seed).permutation(n)[:_ROWS]
        used = np.union1d(drawn, np.flatnonzero(known >= 0))
    mistakes = Mistakes(S[used], codes[used], known[used])
    open_ = known < 0
    probability = np.zeros((n, K))
    fits, weights, interval_weights = mistakes.used()
    hidden = [_hidden_mistakes(fit, S[used], codes[used], known[used]) for fit in fits]
    sums = np.zeros((len(fits), 2))
    for rows in row_blocks(n, 8 * K):
        for k, fit in enumerate(fits):
            share, overlap = _overlap(fit, S[rows], codes[rows])
            own = np.arange(len(share)), codes[rows]
            wrong = (1 - share[own])[open_[rows]]
            sums[k] += wrong.sum(), wrong @ (1 - wrong)
            share += hidden[k].part * overlap
            share[own] -= hidden[k].part * overlap.sum(axis=1)
            probability[rows] += weights[k] * share
    probability[~open_] = np.arange(K) == known[~open_, None]
    found = int(np.sum(known[~open_] != codes[~open_]))
    n_wrong = found + float((1 - probability[np.arange(n), codes])[open_].sum())
    low, high = _interval(interval_weights, sums, hidden, int(open_.sum()))
    return WrongLabels(probability, n_wrong, (found + low, found + high))


def _overlap(fit, S, codes):
    """P(true label), and of the rows that are right by the model the probabilities of other labels, both (n, K)."""
    rows = np.arange(len(S))
    q = fit.true_probability(S)
    share = fit.posterior(S, codes, q)
    overlap = share[rows, codes][:, None] * q
    overlap[rows, codes] = 0.0
    return share, overlap


class _Hidden(NamedTuple):
    """Hidden mistakes: values of their share of the rows, their probabilities, and the expected part of the overlap."""

    shares: np.ndarray
    probability: np.ndarray
    part: float


def _hidden_shares(seen, overlap):
    """Quantiles of the prior at equal steps; the overlap and the mistakes that are seen are shares of the rows."""
    levels = (np.arange(60) + 0.5) / 60
    some = np.clip((levels - _NO_HIDDEN) / (1 - _NO_HIDDEN), 0, None)
    mean = _HIDDEN_MEAN * _HALVED / (_HALVED + seen)
    return np.minimum(-mean * np.log1p(-some), _MOST_HIDDEN * overlap)


def _hidden_mistakes(fit, S, codes, known):
    """Prior times the likelihood of the true labels that are known (-1 elsewhere)."""
    share, overlap = _overlap(fit, S, codes)
    lost = overlap.sum(axis=1)
    open_ = known < 0
    seen = 1 - share[np.arange(len(codes)), codes]
    greatest = lost[open_].mean() if open_.any() else 0.0
    shares = _hidden_shares(seen[open_].mean() if open_.any() else 0.0, greatest)
    parts = shares / greatest if greatest > 0 else np.zeros_like(shares)
    rows = np.flatnonzero(~open_)
    true = known[rows]
    change = np.where(true == codes[rows], -lost[rows], overlap[rows, true])
    likelihood = share[rows, true][:, None] + change[:, None] * parts
    probability = softmax(np.log(np.maximum(likelihood, 1e-300)).sum(axis=0))
    return _Hidden(shares, probability, float(probability @ parts))


def _interval(weights, sums, hidden, n):
    """5% and 95% quantiles of the count: a mixture of normals over kinds of mistakes and over the hidden ones.

    ``sums`` are expectation and variance of the count without hidden mistakes, a row for each weight.
    """
    mean, variance = sums[:, :1], sums[:, 1:]
    added = n * np.array([found.shares for found in hidden])
    probability = weights[:, None] * np.array([found.probability for found in hidden])
    centre = mean + added
    misfit = (_MISFIT[0] * n) ** 2 + (_MISFIT[1] * mean) ** 2
    deviation = np.sqrt(variance + 0.8 * added + 0.1 + misfit)

    def below(x):
        return float(np.sum(probability * ndtr((x - centre) / deviation)))

    ends = []
    for level in (0.05, 0.95):
        low, high = -1.0, float(n) + 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) < level else (low, middle)
        ends.append(min(max(low, 0.0), float(n)))
    return ends[0], ends[1]
