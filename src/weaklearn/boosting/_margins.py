"""Margins of an ensemble and their distribution.

Conventions:

- The margin of (x, y) is ``y F(x)`` with y = +1 for ``classes_[1]`` and -1 for ``classes_[0]``
  (barnes1999, definition 1). It is *normalised* by a norm of the coefficients; under the 1-norm it lies
  in [-1, 1] for hypotheses with values in [-1, 1] (pratap2008, section 2.1).
- A margin of exactly 0 is an error: the training error is the distribution at 0.
- The distribution at t is the share of examples with a margin of *at most* t (barnes1999, definition 5),
  so it is continuous from the right.
- An ensemble is anything fitted with ``decision_function``, ``estimator_weights_`` and two ``classes_``,
  whose ``decision_function`` is the plain sum of votes times coefficients. (That of scikit-learn's
  AdaBoostClassifier is already divided by the sum of its coefficients: use ``normalize=False`` there.)
"""

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

# Shares are sums of up to millions of weights; two that differ by less than this are equal.
_SHARE_ROUNDING = 1e-12


def margins(ensemble, X, y, normalize=True):
    """Margins of labelled examples, ``y_i F(x_i) / ||alpha||``.

    Parameters
    ----------
    ensemble : fitted classifier of two classes
        With ``decision_function``, ``classes_`` and, if the margins are normalised, ``estimator_weights_``.
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels out of ``ensemble.classes_``.
    normalize : bool or float, default=True
        True divides by the 1-norm of the coefficients alpha; a number p > 0 by their p-norm
        ``(sum_t |alpha_t|^p)^(1/p)``, which puts F on the p-convex hull; False leaves F as it is.

    Returns
    -------
    ndarray of shape (n_samples,)
        In the order of the examples. All 0 for an ensemble without hypotheses.

    References
    ----------
    - barnes1999, definition 1 and its footnote 7; equation 3.27 for the p-norm.
    - pratap2008, section 2.1.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.boosting import AdaBoostClassifier, margins
    >>> X, y = np.arange(6.0)[:, None], [0, 0, 1, 1, 0, 0]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> margins(model, X, y).round(3)
    array([0.054, 0.054, 0.592, 0.592, 0.354, 0.354])
    """
    scores = np.asarray(ensemble.decision_function(X), dtype=np.float64)
    result = _signs(ensemble, y) * scores
    if normalize is not False:
        norm = coefficient_norm(ensemble.estimator_weights_, 1.0 if normalize is True else normalize)
        result /= norm if norm > 0 else 1.0
    return result


def _signs(ensemble, y):
    classes = np.asarray(ensemble.classes_)
    if len(classes) != 2:
        raise ValueError(f"Margins need an ensemble of two classes; this one has {len(classes)}.")
    y = column_or_1d(y)
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise ValueError(f"y holds the label {y[unknown][0]!r}; the ensemble knows {classes.tolist()}.")
    return np.where(y == classes[1], 1.0, -1.0)


def coefficient_norm(coefficients, p=1.0):
    """``(sum |alpha|^p)^(1/p)`` for p > 0; scaled first, so that small p neither over- nor underflow."""
    if isinstance(p, str) or not p > 0:
        raise ValueError(f"normalize must be True, False or a number p > 0; got {p!r}.")
    sizes = np.abs(np.asarray(coefficients, dtype=np.float64))
    largest = sizes.max(initial=0.0)
    if largest == 0 or np.isinf(p):
        return float(largest)
    return float(largest * ((sizes / largest) ** p).sum() ** (1 / p))


def margin_distribution(ensemble, X, y, *, sample_weight=None, normalize=True):
    """The empirical distribution of the margins of labelled examples.

    Parameters
    ----------
    ensemble, X, y, normalize
        As for `margins`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the examples; None means 1 each.

    Returns
    -------
    MarginDistribution

    References
    ----------
    - barnes1999, definition 5 and figure 3.6 (b).
    - pratap2008, sections 2.5 and 2.6, figures 2.9 and 2.23 to 2.28.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostClassifier, margin_distribution
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(200, random_state=0)
    >>> few, many = (AdaBoostClassifier(n_estimators=n).fit(X, y) for n in (10, 300))
    >>> few, many = margin_distribution(few, X, y), margin_distribution(many, X, y)
    >>> few.error > many.error, few.minimum < many.minimum
    (True, True)
    """
    return MarginDistribution(margins(ensemble, X, y, normalize), sample_weight)


class MarginDistribution:
    """An empirical distribution of margins; calling it at t gives the share of margins <= t.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        In any order.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights, not all 0; None means 1 each.

    Attributes
    ----------
    margins : ndarray of shape (n_samples,)
        Sorted. Examples of weight 0 are left out.
    shares : ndarray of shape (n_samples,)
        The share of each example; they sum to 1.

    Examples
    --------
    >>> from weaklearn.boosting import MarginDistribution
    >>> better, worse = MarginDistribution([-0.1, 0.3, 0.5]), MarginDistribution([-0.2, 0.3, 0.4])
    >>> better.error, better.minimum, round(better.average, 3)
    (0.333..., -0.1, 0.233)
    >>> better.dominates(worse), worse.dominates(better)
    (True, False)
    """

    def __init__(self, margins, sample_weight=None):
        margins = column_or_1d(margins, dtype=np.float64)
        weights = np.ones(len(margins)) if sample_weight is None else column_or_1d(sample_weight, dtype=float)
        check_consistent_length(margins, weights)
        if not np.isfinite(margins).all():
            raise ValueError("margins must be finite.")
        if not ((weights >= 0).all() and np.isfinite(weights).all() and weights.sum() > 0):
            raise ValueError("sample_weight must hold finite non-negative numbers, not all of them 0.")
        order = np.argsort(margins, kind="stable")
        order = order[weights[order] > 0]
        self.margins = margins[order]
        self.shares = weights[order] / weights.sum()
        # Whole shares up to the end: the distribution beyond the last margin is exactly 1.
        self._cumulated = np.concatenate([[0.0], np.cumsum(self.shares)])
        self._cumulated[-1] = 1.0

    def __call__(self, t):
        """The share of examples with a margin of at most t, the margin risk; t may be an array."""
        return self._cumulated[np.searchsorted(self.margins, t, side="right")]

    def __repr__(self):
        return (
            f"MarginDistribution(n_samples={self.n_samples}, minimum={self.minimum:.4g}, "
            f"average={self.average:.4g}, error={self.error:.4g})"
        )

    @property
    def n_samples(self):
        """The number of examples of positive weight."""
        return len(self.margins)

    @property
    def minimum(self):
        """The smallest margin."""
        return float(self.margins[0])

    @property
    def average(self):
        """The (weighted) mean margin."""
        return float(self.shares @ self.margins)

    @property
    def error(self):
        """The share of margins <= 0: the error of the classifier, counting undecided examples."""
        return float(self(0.0))

    def dominates(self, other, tolerance=1e-9):
        """Whether ``self(t - tolerance) <= other(t)`` for every t.

        With tolerance 0 this is dominance as pratap2008 defines it, P1(t) <= P2(t) for all t: at each level
        this ensemble has no more examples with a smaller margin, so that *no* decreasing cost of the margin
        prefers the other one. A tolerance forgives margins that are smaller by as much, which is what
        rounding and a linear programme's feasibility tolerance need.

        Parameters
        ----------
        other : MarginDistribution
        tolerance : float, default=1e-9
            At least 0, in units of the margin.

        Returns
        -------
        bool

        References
        ----------
        - pratap2008, section 2.6.
        """
        if not tolerance >= 0:
            raise ValueError(f"tolerance must be at least 0; got {tolerance!r}.")
        # Ours jumps up only at our own margins, theirs never falls: elsewhere the test is implied.
        return bool((self(self.margins) <= other(self.margins + tolerance) + _SHARE_ROUNDING).all())
