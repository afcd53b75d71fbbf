"""What the learners that look at one example at a time share: the order of trials, weights, Rosenblatt's rule.

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

from weaklearn._fast.online import perceptron_epochs
from weaklearn.linear._base import with_bias
from weaklearn.linear._closed_form import fisher_weights

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
    """Row numbers to present, in blocks of epochs: arrays of int32 of shape (n_block_epochs, n_samples).

    With ``sample_weight``, the order "random" draws in proportion to it instead of uniformly.
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
    """The results of a block of epochs of Rosenblatt's rule."""

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
