"""The relaxed online maximum margin algorithm.

Conventions: those of `weaklearn.linear._online`, except for sample weights: the rule has no step that a
weight could scale, so weights act through how often an example is presented.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from weaklearn._docstrings import documented
from weaklearn._fast.online import relaxed_margin_epochs
from weaklearn.linear._base import LinearThresholdClassifier, fit_of_path
from weaklearn.linear._online import order_of_trials, signed_rows

# An example whose part perpendicular to the weight vector is smaller than this share of it counts as
# parallel.
_PARALLEL = 1e-8
# A longer weight vector means a margin that could be rounding alone: a warning says so.
_LONG = 1e8
# The length that a weight vector is given at most; only its direction matters beyond `_LONG`.
_LONGEST = 1e100


@documented
class ROMMA(LinearThresholdClassifier):
    r"""The relaxed online maximum margin algorithm of Li and Long.

    The shortest vector with :math:`\langle w, z_k \rangle \ge 1` for all :math:`z_k = y_k x_k` (:math:`x_k`
    extended by a 1 for the bias) has the largest margin. The algorithm relaxes all past constraints to one:
    after a mistake on :math:`z` the new vector is the shortest :math:`v` with

    .. math:: \langle v, z \rangle \ge 1 \quad\text{and}\quad \langle v, w \rangle \ge \|w\|^2,

    which is :math:`v = w + \frac{1 - \langle w, z \rangle}{\|p\|^2}\, p` with :math:`p` the part of
    :math:`z` that is perpendicular to :math:`w`. The first one is :math:`z / \|z\|^2`. The aggressive form
    also updates on examples that are right with :math:`\langle w, z \rangle < 1`, and then
    :math:`v = z / \|z\|^2` if that satisfies the second constraint too. On separable data the aggressive
    form approaches the maximum margin hyperplane (through the origin of the space with the extra 1: the
    bias counts in the margin).

    Parameters
    ----------
    aggressive : bool, default=False
        Whether to update on examples that are right but within the margin.
    order : {"random", "permute", "cyclic"}, default="random"
        How examples are presented: every trial drawn anew in proportion to the sample weights, every epoch
        in a new random order, or every epoch in the given order. The last two take equal sample weights
        only.
    max_iter : int, default=2000
        Number of epochs at most; the run ends early when every example satisfies its constraint.

    Attributes
    ----------
    n_updates_ : int
        Number of updates. A list if there are more than two classes.
    n_contradictions_ : int
        Number of trials passed over, see Notes. A list if there are more than two classes.

    Warns
    -----
    ConvergenceWarning
        If constraints contradicted each other, or the margin fell below 1e-8: the data cannot be separated,
        there is nothing to converge to, and the vector found is one of many between which the algorithm
        moves.

    Notes
    -----
    Each update makes the weight vector longer, by a factor 1 / sin(angle) on data that cannot be
    separated: computed by the usual formula it overflows after some hundred epochs, and the denominator
    vanishes when an example points against it (the numerical problems of li2005, section 4.2). Here the
    direction and the margin ``1 / |w|`` are kept instead, which has neither problem. An example that points
    exactly against the weight vector (its perpendicular part is below 1e-8 of it) asks for what the relaxed
    past excludes; it is passed over and counted. The length of the weight vectors that are returned is cut
    at 1e100.

    References
    ----------
    Y. Li and P. Long, "The relaxed online maximum margin algorithm", 2002; li2005, sections 2 and 4.2.

    Examples
    --------
    >>> from weaklearn.linear import ROMMA
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = ROMMA(aggressive=True, order="cyclic").fit(X, [0, 0, 0, 1])
    >>> model.predict(X)
    array([0, 0, 0, 1])
    """

    def __init__(
        self, aggressive=False, *, order="random", max_iter=2000, keep_path=False, random_state=None
    ):
        self.aggressive = aggressive
        self.order = order
        self.max_iter = max_iter
        self.keep_path = keep_path
        self.random_state = random_state

    def _fit_signed(self, X, y, sample_weight, rng, start):
        unequal = (sample_weight != sample_weight[0]).any()
        if unequal and self.order != "random":
            raise ValueError(
                'ROMMA can take unequal sample weights only with order="random", where they say how often an '
                f"example is drawn; got order={self.order!r}."
            )
        rows = signed_rows(X, y)
        direction = np.zeros(rows.shape[1])
        # The margin, the number of updates, the number of contradictions.
        state = np.array([np.inf, 0.0, 0.0])
        path = [np.append(direction, np.inf)[None, :]]
        weights = sample_weight if unequal else None
        for trials in order_of_trials(self.order, self.max_iter, len(X), rng, weights):
            block = np.empty((len(trials), rows.shape[1] + 1))
            done, converged = relaxed_margin_epochs(
                rows, trials, self.aggressive, _PARALLEL, direction, state, block
            )
            path.append(block[:done])
            if converged:
                break
        margin, n_updates, n_contradictions = state
        if n_contradictions or margin < 1 / _LONG:
            warnings.warn(
                f"The data cannot be separated: {n_contradictions:.0f} trials contradicted the current weight "
                f"vector, and the margin is down to {margin:.1e}. The weight vector found is one of many that "
                "ROMMA moves between.",
                ConvergenceWarning,
                stacklevel=2,
            )
        directions, margins = np.split(np.concatenate(path), [-1], axis=1)
        vectors = directions * np.minimum(1.0 / np.maximum(margins, 1.0 / _LONGEST), _LONGEST)
        return fit_of_path(
            X, y, sample_weight, vectors, n_updates_=int(n_updates), n_contradictions_=int(n_contradictions)
        )
