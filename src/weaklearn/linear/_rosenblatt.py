"""Rosenblatt's rule, and what all learners that look at one example at a time share.

Conventions:

- A trial presents one example; an epoch is as many trials as there are examples.
- A score of exactly 0 is a mistake, so that the weight vector 0 is wrong everywhere and every run leaves it.
- Sample weights act through N phi_k, the weight of an example relative to the mean weight: with equal
  weights that is 1 and the rules are the textbook's.
- Trials are drawn in blocks of epochs, so that memory stays bounded; a run of T epochs is the beginning of
  any longer run from the same random state.
"""

from typing import NamedTuple

import numpy as np

from weaklearn._docstrings import documented
from weaklearn._fast.online import perceptron_epochs
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, path_errors, with_bias
from weaklearn.linear._fisher import fisher_weights

__all__ = [
    "Perceptron",
    "initial_weights",
    "order_of_trials",
    "perceptron_blocks",
    "relative_weights",
    "signed_rows",
    "weighted_trials",
]

# Trials drawn at a time: one megabyte of row numbers.
_BLOCK_TRIALS = 1 << 18


def signed_rows(X, y):
    """The rows y_k (x_k, 1), whose product with a weight vector is the margin."""
    return with_bias(X) * y[:, None]


def relative_weights(sample_weight):
    """N phi_k: the weights divided by their mean."""
    return sample_weight / sample_weight.mean()


def initial_weights(init, start, X, y, sample_weight):
    """The weight vector to start from: the user's own, Fisher's, or 0."""
    if start is not None:
        return start.copy()
    if init == "fld":
        return fisher_weights(X, y, sample_weight)
    return np.zeros(X.shape[1] + 1)


def order_of_trials(order, n_epochs, n_samples, rng, sample_weight=None):
    """Row numbers to present, in blocks of epochs.

    Parameters
    ----------
    order : {"cyclic", "permute", "random"}
        Every epoch in the given order; every epoch in a new random order; every trial drawn anew.
    n_epochs, n_samples : int
    rng : numpy.random.Generator
    sample_weight : ndarray of shape (n_samples,), default=None
        With order "random", draw in proportion to these weights instead of uniformly.

    Yields
    ------
    ndarray of int32, of shape (n_block_epochs, n_samples)
    """
    per_block = max(1, _BLOCK_TRIALS // n_samples)
    rows = np.arange(n_samples, dtype=np.int32)
    cumulative = None if sample_weight is None else np.cumsum(sample_weight)
    for first in range(0, n_epochs, per_block):
        shape = (min(per_block, n_epochs - first), n_samples)
        if order == "cyclic":
            yield np.tile(rows, (shape[0], 1))
        elif order == "permute":
            yield rng.permuted(np.tile(rows, (shape[0], 1)), axis=1)
        elif cumulative is None:
            yield rng.integers(0, n_samples, size=shape, dtype=np.int32)
        else:
            drawn = np.searchsorted(cumulative, rng.random(shape) * cumulative[-1], side="right")
            # A product that rounds up to the total would point behind the last row.
            yield np.minimum(drawn, n_samples - 1).astype(np.int32)


def weighted_trials(order, weighting, n_epochs, sample_weight, rng):
    """Blocks of trials and the strength N phi_k of each row's update (li2005, section 4.3).

    "reweight" draws regardless of the weights and scales the updates; "resample" draws in proportion to the
    weights and leaves the updates alone.
    """
    n_samples = len(sample_weight)
    if weighting == "reweight":
        return order_of_trials(order, n_epochs, n_samples, rng), relative_weights(sample_weight)
    if order != "random":
        raise ValueError(
            f'weighting="resample" draws the examples and needs order="random"; got order={order!r}.'
        )
    return order_of_trials(order, n_epochs, n_samples, rng, sample_weight), np.ones(n_samples)


class PerceptronBlock(NamedTuple):
    """What a block of epochs of Rosenblatt's rule leaves behind."""

    trials: np.ndarray  # (epochs, n_samples): the rows presented
    missed: np.ndarray  # flat positions in `trials` of the mistakes
    weights: np.ndarray  # (epochs, m + 1): the weight vector after each epoch
    means: np.ndarray  # (epochs, m + 1): the mean of the vectors after all trials up to each epoch


def perceptron_blocks(rows, strength, weights, blocks, *, stop=False):
    """Run w += strength_k rows_k on mistakes over blocks of trials; yields a `PerceptronBlock` for each."""
    n_columns = rows.shape[1]
    state = np.concatenate([weights, np.zeros(n_columns + 1)])
    for trials in blocks:
        path = np.empty((len(trials), len(state)))
        missed = np.empty(trials.size, dtype=np.int64)
        done, n_missed, converged = perceptron_epochs(rows, strength, trials, state, path, missed, stop)
        path = path[:done]
        vectors = path[:, :n_columns]
        means = vectors - path[:, n_columns:-1] / path[:, -1:]
        yield PerceptronBlock(trials[:done], missed[:n_missed], vectors, means)
        if converged:
            return


@documented
class Perceptron(LinearThresholdClassifier):
    r"""Rosenblatt's perceptron: every mistake adds the example to the weight vector.

    Whenever an example is on the wrong side, :math:`y_k \langle w, x_k \rangle \le 0`, the rule adds it,

    .. math:: w \leftarrow w + N \varphi_k\, y_k x_k,

    with :math:`x_k` extended by a 1 for the bias. The run ends after an epoch without a mistake (all
    examples are then right), or after `max_iter` epochs. On data that a hyperplane through the origin
    separates with margin :math:`\gamma`, the rule makes at most :math:`(R / \gamma)^2` mistakes from
    :math:`w = 0` in any order, where :math:`R` is the length of the longest example (Novikoff). On other
    data it never settles.

    Parameters
    ----------
    max_iter : int, default=2000
        Number of epochs at most.

    Attributes
    ----------
    n_mistakes_ : int
        Number of mistakes in all. A list, one per class, if there are more than two classes.
    mistakes_ : ndarray of shape (n_iter_,)
        Number of mistakes in each epoch. A list if there are more than two classes.

    References
    ----------
    li2005, section 2, equation (1); may2020, part II.

    Examples
    --------
    >>> from weaklearn.linear import Perceptron
    >>> X = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1], [1, 1, 1]]
    >>> model = Perceptron().fit(X, ["yes", "no", "no", "no", "yes"])
    >>> model.predict([[1, 1, 0], [1, 0, 1]])
    array(['yes', 'no'], dtype='<U3')
    >>> model.mistakes_
    array([4, 2, 0])
    """

    def __init__(
        self,
        *,
        order="cyclic",
        init="zero",
        max_iter=2000,
        fit_intercept=True,
        keep_path=False,
        random_state=None,
    ):
        self.order = order
        self.init = init
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.keep_path = keep_path
        self.random_state = random_state

    @property
    def _scales_features(self):  # type: ignore[override]
        return self.fit_intercept

    def _fit_signed(self, X, y, sample_weight, rng, start):
        rows = signed_rows(X, y)
        weights = initial_weights(self.init, start, X, y, sample_weight)
        if not self.fit_intercept:
            rows[:, -1] = 0.0
            weights[-1] = 0.0
        path = [weights[None, :]]
        mistakes = []
        blocks = order_of_trials(self.order, self.max_iter, len(X), rng)
        for block in perceptron_blocks(rows, relative_weights(sample_weight), weights, blocks, stop=True):
            path.append(block.weights)
            mistakes.append(np.bincount(block.missed // len(X), minlength=len(block.weights)))
        vectors = np.concatenate(path)
        counts = np.concatenate(mistakes)
        extra = {"mistakes_": counts, "n_mistakes_": int(counts.sum())}
        errors = path_errors(X, y, sample_weight, vectors)
        return LinearFit(vectors[-1], len(counts), errors, vectors, extra)
