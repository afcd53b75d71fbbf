r"""The noise model of given labels: what `RobustClassifier` and `LabelAuditor` share.

With held-out log-odds S(x) of a stack, the true label is j with probability :math:`q_j = \mathrm{softmax}(a S + b)_j`,
and a row of class j carries the label z with probability :math:`T_{jz}`. So

.. math:: P(z \mid x) = \sum_j q_j T_{jz}, \qquad P(\text{true} = j \mid x, z) = q_j T_{jz} / P(z \mid x).

A free matrix T can explain any overlap of two classes as wrong labels. So T is one of a few simple kinds, each with
some noise rates and a prior. For each T, a and b maximise the log likelihood minus a quadratic pull and minus the doubt
about anchors. What is reported is averaged over T with weights proportional to prior x likelihood^kappa x exp(-doubt),
with kappa < 1 because the curve q is only an approximation. The classifier (`NoiseLink`) and the auditor
(`_wrong_labels`) state which kinds they allow, what a is pulled to, and kappa.

*Anchors* are rows so typical of a class that doubt about them speaks for wrong labels. S are log-odds of the *given*
label: if one label in five is wrong, no row is more than 80% certain, and nothing in the likelihood says whether that
is noise, or classes that overlap everywhere alike. In real tables, classes do not overlap everywhere alike: the rows
farthest inside a class are nearly certain. So a model that leaves doubt about these rows is less probable, by
:math:`\exp(-c\, \overline{1 - q})`, where the mean is over the anchors of all classes and q is the model's probability
of their class. This holds only where the classes can be told apart at all, so c grows with the square of the skill: 1
minus the share of errors, relative to that of the majority class, or to 1/2 if that is less.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from weaklearn.robust._columns import row_blocks

# The share of the rows of a predicted class that are anchors.
_ANCHOR_SHARE = 0.1
_CONSTANT_PULL, _CONSTANT_BOUNDS = 0.025, (-8, 8)
# Classes, and pairs of classes, that are tried: all of them for few classes, the most suspicious ones for more.
_TRIED = 6
# The classifier's rates and priors; see `NoiseLink`.
_RATES = np.arange(0, 0.41, 0.05)
_CLEAN_PRIOR = 3.0
# Without skill, clean labels are this many times more probable on top; with this much skill, 1/e of that.
_UNSKILLED_PRIOR, _LITTLE_SKILL = 30.0, 0.03
# Logarithm of the prior odds of one rate for all classes.
_ALIKE = 1.0
_KAPPA = 0.5
_SLOPE_RISE = 4.0
_ANCHOR_STRENGTH, _MOST_STRENGTH = 0.3, 400.0


class Anchors(NamedTuple):
    """Rows, their classes, and what each counts."""

    rows: np.ndarray
    classes: np.ndarray
    weight: np.ndarray

    def doubt(self, q):
        """The weighted sum of 1 - q over anchors, and its gradient by their log-odds, (n_anchors, K)."""
        p = q[self.rows]
        place = np.arange(len(self.rows))
        own = p[place, self.classes]
        slope = p * (self.weight * own)[:, None]
        slope[place, self.classes] -= self.weight * own
        return float(self.weight @ (1 - own)), slope


def find_anchors(S, strength, weight=None, share=_ANCHOR_SHARE):
    """Anchors: of the rows whose greatest log-odds are those of class j, the share with the greatest lead.

    The weights add up to ``strength``; a class gets a part by the root of its number of rows. A row of ``weight`` two
    counts like two rows. There are none if the strength is 0.
    """
    if strength == 0:
        return Anchors(np.arange(0), np.arange(0), np.zeros(0))
    weight = np.ones(len(S)) if weight is None else weight
    predicted, lead = _predicted(S)
    rows, classes, weights = [], [], []
    for j in range(S.shape[1]):
        inside = np.flatnonzero(predicted == j)
        inside = inside[np.argsort(-lead[inside], kind="stable")]
        total = weight[inside].sum()
        before = np.cumsum(weight[inside]) - weight[inside]
        used = np.clip(np.ceil(share * total) - before, 0, weight[inside])  # of the last row only a part
        chosen = used > 0
        rows.append(inside[chosen])
        classes.append(np.full(chosen.sum(), j))
        weights.append(np.sqrt(total) * used[chosen] / max(used.sum(), 1e-300))
    weight = np.concatenate(weights)
    return Anchors(np.concatenate(rows), np.concatenate(classes), strength * weight / weight.sum())


def confident_labels(S, codes):
    """How often confident predictions of each class (rows) have each label (columns), (K, K).

    Confident are those with a lead of at least the median of their class: contradictions of the others are overlap as a
    rule.
    """
    K = S.shape[1]
    predicted, lead = _predicted(S)
    counts = np.zeros((K, K))
    for j in range(K):
        inside = predicted == j
        if inside.any():
            confident = inside & (lead >= np.median(lead[inside]))
            counts[j] = np.bincount(codes[confident], minlength=K)
    return counts


def foremost(values):
    """Places of the greatest values, at most as many as are tried."""
    return np.argsort(-values, kind="stable")[:_TRIED].tolist()


def _predicted(S):
    """The class with the greatest log-odds, and its lead."""
    n, K = S.shape
    predicted = S.argmax(axis=1)
    second = np.where(np.arange(K) == predicted[:, None], -np.inf, S).max(axis=1)
    return predicted, S[np.arange(n), predicted] - second


def skill(S, codes, weight=None):
    """1 minus the share of errors of predictions by S, relative to that of the majority class; between 0 and 1.

    The majority class of many classes is nearly always wrong, so it counts as wrong in half of the rows at most.
    """
    total = len(codes) if weight is None else weight.sum()
    base = min(1 - np.bincount(codes, weights=weight).max() / total, 0.5)
    error = np.average(S.argmax(axis=1) != codes, weights=weight)
    return max(0.0, 1 - error / base) if base > 0 else 0.0


class Kind(NamedTuple):
    """Transition matrices of ascending rates, (n_rates, K, K), with logarithms of their priors.

    ``slopes`` are what the slope (`NoiseModel.log_slope`: its logarithm) is pulled to.
    """

    name: str
    transitions: np.ndarray
    log_prior: np.ndarray
    slopes: np.ndarray


class TransitionFit(NamedTuple):
    """Slope a and constants b for one transition matrix."""

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


class NoiseModel:
    """Transition matrices with their probabilities; a subclass states kinds, pulls and the power of the likelihood.

    It is made from held-out log-odds S (n, K) and the given labels as indices. ``names`` has the kind of each matrix,
    ``fits`` its `TransitionFit`, ``posterior`` its probability.
    """

    # Whether log a is fitted and pulled, in place of a; how strongly; its bounds.
    log_slope = False
    slope_pull: float
    slope_bounds: tuple
    max_iter: int
    posterior: np.ndarray

    def _fit(self, S, codes, kinds, anchors, weight=None, allowed=None):
        """Fit a and b for each matrix of each kind; the first matrix of the first kind is that of clean labels.

        A ``weight`` of two counts like two rows; ``allowed`` (n, K) is False for true labels that are ruled out. Yields
        the logarithm of the prior, the probabilities q (n, K), the loss (penalised negative log likelihood without the
        doubt), and the doubt.
        """
        K = S.shape[1]
        bounds = [self.slope_bounds] + [_CONSTANT_BOUNDS] * K
        self.names, self.fits = [], []
        clean = TransitionFit(1.0, np.zeros(K), np.eye(K))
        for kind in kinds:
            x = np.r_[np.log(clean.a) if self.log_slope else clean.a, clean.b]
            for transition, log_prior, target in zip(*kind[1:], strict=True):
                columns = transition.T[codes]
                if allowed is not None:
                    columns *= allowed
                found = minimize(
                    self.objective,
                    x,
                    (target, S, columns, anchors, weight),
                    jac=True,
                    method="L-BFGS-B",
                    bounds=bounds,
                    options={"maxiter": self.max_iter},
                )
                x = found.x
                fit = TransitionFit(float(np.exp(x[0]) if self.log_slope else x[0]), x[1:].copy(), transition)
                self.names.append(kind.name)
                self.fits.append(fit)
                q = fit.true_probability(S)
                doubt = anchors.doubt(q)[0]
                yield log_prior, q, found.fun - doubt, doubt
            clean = self.fits[0]

    @classmethod
    def objective(cls, parameters, target, S, columns, anchors, weight=None):
        """Penalised negative log likelihood with the doubt, and its gradient; parameters are a or log a, and b (K).

        ``columns`` (n, K) are T_jz of the given labels z, and 0 for true labels that are ruled out; ``target`` is what
        the first parameter is pulled to.
        """
        b = parameters[1:]
        a = np.exp(parameters[0]) if cls.log_slope else parameters[0]
        q = a * S + b
        q -= q.max(axis=1, keepdims=True)
        np.exp(q, out=q)
        q /= q.sum(axis=1, keepdims=True)
        joint = q * columns
        given = np.maximum(joint.sum(axis=1), 1e-300)
        logarithms = np.log(given)
        loss = -logarithms.sum() if weight is None else -weight @ logarithms
        doubt, slope_doubt = anchors.doubt(q)
        joint /= given[:, None]
        slope = np.subtract(q, joint, out=q)
        if weight is not None:
            slope *= weight[:, None]
        slope[anchors.rows] += slope_doubt
        beyond = parameters[0] - target
        value = loss + cls.slope_pull * beyond**2 + _CONSTANT_PULL * (b @ b)
        slope_a = np.vdot(slope, S) * (a if cls.log_slope else 1.0) + 2 * cls.slope_pull * beyond
        return value + doubt, np.r_[slope_a, slope.sum(axis=0) + 2 * _CONSTANT_PULL * b]

    @property
    def transition(self):
        """Mean of T."""
        return sum(w * fit.transition for w, fit in zip(self.posterior, self.fits, strict=True))


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
    r"""The classifier's noise model: from log-odds of the *given* label to probabilities of the *true* one.

    T has either one rate r for all classes, or a rate in one class alone: on small tables, overlapping classes of
    different shapes look like different rates, and a model with a free rate for each class moves the boundary for
    nothing. The pull is :math:`0.5 (\log a - 4 r)^2 + 0.025 |b|^2`: wrong labels make scores flatter than the truth,
    and at r = 0.2 slopes of 2 to 8 were measured. kappa is 0.5. The prior of r has three times as much weight at 0 as
    at each of 5, 10, ..., 40%; all classes alike have e times the weight of one class. Where columns say little about
    the label, the likelihood says nothing about r, and a prior of r alone would sharpen probabilities for nothing: the
    weight at 0 is multiplied by :math:`1 + 30 \exp(-\mathrm{skill} / 0.03)`.

    Doubt costs :math:`0.3\, n\, \mathrm{skill}^2`, at most 400 skill^2: with few rows, the rows farthest inside a class
    are not typical enough to say anything. Without it, the rate is underestimated and probabilities are too cautious:
    the likelihood hardly tells 20% wrong labels from classes that overlap everywhere alike.
    """

    log_slope, slope_pull, slope_bounds, max_iter = True, 0.5, (-2, 3.5), 100

    def __init__(self, S, codes, weight):
        labels = confident_labels(S, codes)
        suspects = sorted(foremost(1 - np.diag(labels) / np.maximum(labels.sum(axis=1), 1)))
        known = skill(S, codes, weight)
        strength = min(_ANCHOR_STRENGTH * weight.sum(), _MOST_STRENGTH) * known**2
        anchors = find_anchors(S, strength, weight)
        fits = self._fit(S, codes, link_kinds(S.shape[1], suspects), anchors, weight)
        evidence = np.array([-_KAPPA * loss - doubt + log_prior for log_prior, _, loss, doubt in fits])
        evidence[0] += np.log1p(_UNSKILLED_PRIOR * np.exp(-known / _LITTLE_SKILL))
        self.posterior = softmax(evidence)

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
