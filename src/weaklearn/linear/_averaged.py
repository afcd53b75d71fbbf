"""The averaged perceptron.

Conventions: those of `weaklearn.linear._rosenblatt`; a vector's part in the average is the sum of the
weights of the trials after which it was the current one, so the vector made by a mistake counts from that
very trial on.
"""

import numpy as np

from weaklearn._docstrings import documented
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, path_errors
from weaklearn.linear._rosenblatt import (
    initial_weights,
    perceptron_blocks,
    signed_rows,
    weighted_trials,
)

__all__ = ["AveragedPerceptron"]


@documented
class AveragedPerceptron(LinearThresholdClassifier):
    r"""The averaged perceptron of Freund and Schapire.

    Rosenblatt's rule produces vectors :math:`w_1, w_2, \ldots`; the classifier is their mean, each weighted
    by the trials :math:`\gamma_t` that it survived,

    .. math:: w = \sum_t \gamma_t w_t \Big/ \sum_t \gamma_t.

    With sample weights (reweighting) a right trial adds :math:`N \varphi_k` to :math:`\gamma_t`, and a
    mistake makes :math:`w_{t+1} = w_t + N \varphi_k y_k x_k` with :math:`\gamma_{t+1} = N \varphi_k`. The
    document returns the sum, which is the same classifier.

    Parameters
    ----------
    order : {"random", "permute", "cyclic"}, default="random"
        How examples are presented: every trial drawn anew, every epoch in a new random order, or every
        epoch in the given order. The last is the worst of the three when there are many epochs.

    Attributes
    ----------
    n_iter_ : int
        Number of epochs run, which is `max_iter`.
    n_mistakes_ : int
        Number of mistakes of Rosenblatt's rule. A list if there are more than two classes.
    error_curve_ : ndarray of shape (n_iter_ + 1,) or (n_classes, n_iter_ + 1)
        Weighted training error at the start and of the mean after each epoch.

    References
    ----------
    li2005, Algorithm 2 (a line missing there, which gives the new vector its first trial, is in Algorithm 6),
    Algorithm 6, sections 4.2 and 4.3.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn.linear import AveragedPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> AveragedPerceptron(max_iter=100, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        *,
        order="random",
        init="zero",
        max_iter=2000,
        weighting="reweight",
        keep_path=False,
        random_state=None,
    ):
        self.order = order
        self.init = init
        self.max_iter = max_iter
        self.weighting = weighting
        self.keep_path = keep_path
        self.random_state = random_state

    def _fit_signed(self, X, y, sample_weight, rng, start):
        blocks, strength = weighted_trials(self.order, self.weighting, self.max_iter, sample_weight, rng)
        weights = initial_weights(self.init, start, X, y, sample_weight)
        path = [weights[None, :]]
        n_mistakes = 0
        for block in perceptron_blocks(signed_rows(X, y), strength, weights, blocks):
            path.append(block.means)
            n_mistakes += len(block.missed)
        means = np.concatenate(path)
        errors = path_errors(X, y, sample_weight, means)
        return LinearFit(means[-1], self.max_iter, errors, means, {"n_mistakes_": n_mistakes})
