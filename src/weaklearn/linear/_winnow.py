"""Winnow: multiplicative updates.

Conventions:

- The algorithm is defined on features in [0, 1]; columns are shifted and scaled there by their range in the
  training rows, which leaves columns of zeros and ones as they are. Constant columns are ignored and are
  not counted.
- A score of exactly 0 is a mistake in training. Littlestone predicts the positive class there; his mistake
  bound holds for this rule as well.
"""

import warnings
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn._fast.online import winnow_epochs
from weaklearn.linear._base import LinearThresholdClassifier, fit_of_path
from weaklearn.linear._online import order_of_trials, relative_weights

# Weights are kept within [1 / _LIMIT, _LIMIT]: far beyond what unweighted data can lead to, far from
# overflow.
_LIMIT = 1e150


@documented
class Winnow(LinearThresholdClassifier):
    r"""Littlestone's Winnow: multiplicative updates, for few relevant features among many.

    Predicts the positive class where :math:`\sum_i w_i x_i > \theta`, for features in [0, 1]. All weights
    start at 1; a mistake multiplies them,

    .. math:: w_i \leftarrow w_i \, \alpha^{\,y_k N \varphi_k x_{ki}},

    so with zeros and ones, and equal sample weights, those of the present features are multiplied or
    divided by :math:`\alpha`. The number of mistakes on a disjunction of k of n variables is at most
    :math:`3 k (\log_2 n + 1) + 2` for :math:`\alpha = 2, \theta = n`: irrelevant features cost little.

    Parameters
    ----------
    factor : float, default=2.0
        :math:`\alpha > 1`.
    threshold : float, default=None
        :math:`\theta > 0`; None is the number of features that are not constant (twice that with
        `complement`).
    complement : bool, default=False
        Whether to give the algorithm :math:`1 - x_i` beside each :math:`x_i`. Without them it can only
        learn functions that grow with every feature.
    max_iter : int, default=2000
        Number of epochs at most; the run ends early when all examples are right.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        On the user's own columns. For columns of zeros and ones these are the weights, except that a
        constant column has 0.
    n_mistakes_ : int
        Number of mistakes in all. A list, one per class, if there are more than two classes.
    mistakes_ : ndarray of shape (n_iter_,)
        Number of mistakes in each epoch. A list if there are more than two classes.

    Warns
    -----
    ConvergenceWarning
        If ``complement=False`` and the result is no better on the training examples than the majority class.

    References
    ----------
    N. Littlestone, "Learning quickly when irrelevant attributes abound", 1988 (Winnow2); may2020, part II.

    Examples
    --------
    The label is the first of four bits:

    >>> import itertools
    >>> import numpy as np
    >>> from weaklearn.linear import Winnow
    >>> X = np.array(list(itertools.product([0, 1], repeat=4)))
    >>> model = Winnow().fit(X, X[:, 0])
    >>> model.score(X, X[:, 0]), model.n_mistakes_
    (1.0, 4)
    """

    _parameter_constraints: dict = {
        "factor": [Interval(Real, 1, None, closed="neither")],
        "threshold": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        *,
        factor=2.0,
        threshold=None,
        complement=False,
        order="cyclic",
        max_iter=2000,
        keep_path=False,
        random_state=None,
    ):
        self.factor = factor
        self.threshold = threshold
        self.complement = complement
        self.order = order
        self.max_iter = max_iter
        self.keep_path = keep_path
        self.random_state = random_state

    def _fit_signed(self, X, y, sample_weight, rng, start):
        varies = X.any(axis=0)  # the base class maps constant columns, and only those, to 0 throughout
        literals = (X[:, varies] + 1) / 2
        if self.complement:
            literals = np.concatenate([literals, 1 - literals], axis=1)
        threshold = float(max(1, literals.shape[1]) if self.threshold is None else self.threshold)
        exponent = np.log2(self.factor) * relative_weights(sample_weight)
        weights = np.ones(literals.shape[1])
        path, mistakes = [weights[None, :].copy()], []
        for trials in order_of_trials(self.order, self.max_iter, len(X), rng):
            block, counts = np.empty((len(trials), len(weights))), np.empty(len(trials), dtype=np.int64)
            done, converged = winnow_epochs(
                literals, y, exponent, trials, threshold, _LIMIT, weights, block, counts
            )
            path.append(block[:done])
            mistakes.append(counts[:done])
            if converged:
                break
        vectors = self._on_scaled_columns(np.concatenate(path), varies, threshold)
        counts = np.concatenate(mistakes)
        fit = fit_of_path(X, y, sample_weight, vectors, mistakes_=counts, n_mistakes_=int(counts.sum()))
        # One pass over the examples may leave any error.
        if not self.complement and len(counts) > 1:
            self._warn_if_nothing_was_learned(fit.error_curve[-1], y, sample_weight)
        return fit

    def _warn_if_nothing_was_learned(self, error, y, sample_weight):
        positive = sample_weight[y > 0].sum() / sample_weight.sum()
        if error >= min(positive, 1 - positive):
            warnings.warn(
                f"{100 * error:.0f}% of the training examples are wrong, no fewer than for the majority class: "
                "complement=False can only learn what becomes likelier as features grow. Try complement=True, or "
                "another order of the classes.",
                ConvergenceWarning,
                stacklevel=2,
            )

    def _on_scaled_columns(self, path, varies, threshold):
        """Weights of literals (1 + x) / 2 and (1 - x) / 2 -> weight vectors on x in [-1, 1]."""
        n_varying = np.count_nonzero(varies)
        vectors = np.zeros((len(path), len(varies) + 1))
        vectors[:, :-1][:, varies] = path[:, :n_varying] / 2
        if self.complement:
            vectors[:, :-1][:, varies] -= path[:, n_varying:] / 2
        vectors[:, -1] = path.sum(axis=1) / 2 - threshold
        return vectors

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Without complements only functions that grow with every feature can be learned.
        tags.classifier_tags.poor_score = not self.complement
        return tags
