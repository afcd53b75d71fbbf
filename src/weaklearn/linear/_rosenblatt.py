"""Rosenblatt's rule, and what is made of its weight vectors: the last one, their mean, their vote.

Conventions: those of `weaklearn.linear._online`. A vector's part in the average, or in the vote, is the sum of the
weights of the trials after which it was the current one, so the vector made by a mistake counts from that very trial
on. A vector that scores exactly 0 on an example does not vote on it.
"""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._training import validate_data
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, fit_of_path, one_or_all, with_bias
from weaklearn.linear._online import (
    initial_weights,
    order_of_trials,
    perceptron_blocks,
    relative_weights,
    signed_rows,
    weighted_trials,
)

# Scores of rows with larger numbers might overflow.
_LARGE = 1e150
# Votes are counted in blocks of about this many signs.
_BLOCK = 1 << 20


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
        counts = np.concatenate(mistakes)
        return fit_of_path(
            X, y, sample_weight, np.concatenate(path), mistakes_=counts, n_mistakes_=int(counts.sum())
        )


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
        return fit_of_path(X, y, sample_weight, np.concatenate(path), n_mistakes_=n_mistakes)


@documented
class VotedPerceptron(LinearThresholdClassifier):
    r"""The voted perceptron of Freund and Schapire.

    Rosenblatt's rule produces vectors :math:`w_0, w_1, \ldots`, one more with each mistake; all of them are
    kept, and each votes with the trials :math:`\gamma_t` that it survived,

    .. math:: f(x) = \sum_t \gamma_t \operatorname{sign} \langle w_t, x \rangle \Big/ \sum_t \gamma_t.

    This is not a linear classifier: its decision boundary is made of pieces of hyperplanes. Sample weights
    act as in `AveragedPerceptron`: a trial of example k counts :math:`N \varphi_k`, and so does its update.

    Parameters
    ----------
    max_iter : int, default=10
        Number of epochs. Time and memory of a prediction grow with the number of mistakes made in them.

    Attributes
    ----------
    vectors_ : ndarray of shape (n_vectors, n_features + 1)
        All weight vectors, in order, bias last. A list, one array per class, if there are more than two
        classes.
    votes_ : ndarray of shape (n_vectors,)
        Their votes. A list if there are more than two classes.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Of the *last* weight vector, which alone is Rosenblatt's perceptron.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Of the last weight vector.
    n_iter_ : int
        Number of epochs run, which is `max_iter`.
    error_curve_ : ndarray of shape (n_iter_ + 1,) or (n_classes, n_iter_ + 1)
        Weighted training error at the start and of the vote after each epoch.
    path_ : ndarray of shape (n_iter_ + 1, n_features + 1)
        The current weight vector at the start and after each epoch, bias last. Only with `keep_path`; a
        list if there are more than two classes.

    References
    ----------
    Y. Freund and R. Schapire, "Large margin classification using the perceptron algorithm",
    1999, figure 1; li2005, section 2.

    Examples
    --------
    >>> from weaklearn.linear import VotedPerceptron
    >>> X = [[0], [1], [2], [3], [4], [5]]
    >>> model = VotedPerceptron(order="cyclic", max_iter=2).fit(X, [0, 0, 1, 0, 1, 1])
    >>> model.votes_
    array([0., 2., 1., 1., 4., 1., 3.])
    >>> model.decision_function([[0], [3]])
    array([-1. ,  0.5])
    """

    def __init__(self, *, order="permute", init="zero", max_iter=10, keep_path=False, random_state=None):
        self.order = order
        self.init = init
        self.max_iter = max_iter
        self.keep_path = keep_path
        self.random_state = random_state

    def _fit_signed(self, X, y, sample_weight, rng, start):
        rows = signed_rows(X, y)
        strength = relative_weights(sample_weight)
        weights = initial_weights(self.init, start, X, y, sample_weight)
        path, trials, mistakes = [weights[None, :]], [], []
        for block in perceptron_blocks(
            rows, strength, weights, order_of_trials(self.order, self.max_iter, len(X), rng)
        ):
            path.append(block.weights)
            trials.append(block.trials)
            mistakes.append(np.isin(np.arange(block.trials.size), block.missed, assume_unique=True))
        presented = np.concatenate(trials)
        mistake = np.concatenate(mistakes)
        steps = presented.ravel()[mistake]
        vectors = np.cumsum(np.concatenate([path[0], strength[steps, None] * rows[steps]]), axis=0)
        # Which vector was the current one after each trial.
        current = np.cumsum(mistake).reshape(presented.shape)
        votes = np.zeros(len(vectors))
        sums = rows @ weights
        errors = [sample_weight @ (sums <= 0)]
        sums[:] = 0.0
        for epoch in range(len(presented)):
            first, last = current[epoch, 0], current[epoch, -1] + 1
            gained = np.bincount(current[epoch] - first, weights=strength[presented[epoch]])
            sums += _count_votes(rows, vectors[first:last], gained)
            votes[first:last] += gained
            errors.append(sample_weight @ (sums <= 0))
        curve = np.array(errors) / sample_weight.sum()
        extra = {"vectors_": vectors, "votes_": votes}
        return LinearFit(vectors[-1], len(presented), curve, np.concatenate(path), extra)

    def _keep(self, fits, feature_range):
        super()._keep(fits, feature_range)
        self.vectors_ = one_or_all([feature_range.weights_to_user(fit.extra["vectors_"]) for fit in fits])

    @documented
    def decision_function(self, X):
        """The vote, from -1 (all for ``classes_[0]``) to 1."""
        check_is_fitted(self)
        rows = with_bias(validate_data(self, X, dtype=np.float64, reset=False))
        large = np.abs(rows).max(axis=1) > _LARGE
        rows[large] = np.ldexp(rows[large], -600)  # a vote is a sign, which this does not change
        two = len(self.classes_) == 2
        voters = [(self.vectors_, self.votes_)] if two else zip(self.vectors_, self.votes_, strict=True)
        shares = [_count_votes(rows, vectors, votes) / votes.sum() for vectors, votes in voters]
        return shares[0] if two else np.stack(shares, axis=1)


def _count_votes(rows, vectors, votes):
    """Sum of votes times sign(row . vector), for each row."""
    sums = np.zeros(len(rows))
    width = max(1, _BLOCK // max(1, len(rows)))
    for first in range(0, len(votes), width):
        sums += np.sign(rows @ vectors[first : first + width].T) @ votes[first : first + width]
    return sums
