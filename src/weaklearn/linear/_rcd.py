"""Perceptrons that minimise the 0/1 loss itself by random coordinate descent (li2005, section 3)."""

import math
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._fast.line_search import descend, workspace
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier, with_bias
from weaklearn.linear._directions import SCHEDULES, direction_source, follows_scores
from weaklearn.linear._online import initial_weights

# Scores are recomputed and the weight vector is rescaled every this many epochs: its norm grows without
# limit otherwise (1e41 has been seen in cyclic runs), and updated scores collect rounding errors. The number
# does not depend on the number of examples, so that a weight of two equals two copies.
_REFRESH = 64
# Scores are known up to this multiple of the 1-norm of the weight vector (features lie in [-1, 1]).
_PRECISION = 1e-12
# Scores of a batch of directions: at most this many numbers at once.
_BATCH_NUMBERS = 1 << 18


@documented
class RCDPerceptron(CallbackSupportMixin, LinearThresholdClassifier):
    r"""Perceptron trained by random coordinate descent on the 0/1 loss.

    Minimises the weighted training error

    .. math:: e(w) = \sum_i \varphi_i [y_i \langle w, x_i \rangle \le 0]

    by exact line searches: every epoch draws a direction d and moves w to a best point of the line w + alpha d
    (Algorithm 5 of li2005 with the update of Algorithm 4, or Algorithm 3 with ``negation=True``).
    One epoch costs about two matrix-vector products.

    Parameters
    ----------
    directions : {"uniform", "gaussian", "conjugate", "cyclic", "gradient"} or schedule, default="uniform"
        How directions are drawn: each component uniform in [-1, 1] (RCD), standard normal, rows of random
        orthogonal bases (RCD-conj), the coordinate axes in turn (CCD), the gradient of the perceptron criterion
        (RCD-grad), or your own object with a ``stream(rng, size)`` method.
    bias_every : "auto", None or int, default="auto"
        Search along the bias alone every this many epochs; "auto" is every n_features + 1 epochs as in
        RCD-bias, None is plain RCD.
    bias_component : bool, default=True
        Whether the other directions move the bias too. The document does not say. Its AdaBoost results for
        RCD-bias need False, with ``bias_every`` set; as an optimiser True is the better choice.
    negation : bool, default=False
        Let a line search also negate the weight vector (Algorithm 3); useful only for bad starts.
    n_restarts : int, default=1
        Number of independent descents from the same start; the one with the lowest training error is kept.

    Notes
    -----
    Of equally good steps the one with the smallest threshold is taken even if standing still is as good:
    moves on plateaus are part of the search. The final error is recounted from scratch; examples closer to
    the hyperplane than rounding count as errors.

    References
    ----------
    li2005, sections 3.1-3.3, Algorithms 3-5; section 4 for scaling and start.

    Examples
    --------
    >>> from weaklearn.datasets import make_threenorm
    >>> from weaklearn.linear import RCDPerceptron
    >>> X, y = make_threenorm(300, random_state=0)
    >>> model = RCDPerceptron(max_iter=500, random_state=0).fit(X, y)
    >>> bool(model.error_curve_[-1] < model.error_curve_[0])
    True
    """

    _parameter_constraints = {
        "directions": [StrOptions(set(SCHEDULES)), HasMethods("stream"), HasMethods("direction")],
        "bias_every": [StrOptions({"auto"}), None, Interval(Integral, 1, None, closed="left")],
        "n_restarts": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        directions="uniform",
        *,
        bias_every="auto",
        bias_component=True,
        init="fld",
        max_iter=2000,
        negation=False,
        n_restarts=1,
        keep_path=False,
        random_state=None,
    ):
        self.directions = directions
        self.bias_every = bias_every
        self.bias_component = bias_component
        self.init = init
        self.max_iter = max_iter
        self.negation = negation
        self.n_restarts = n_restarts
        self.keep_path = keep_path
        self.random_state = random_state

    def _begin(self, X, codes, sample_weight):
        n_machines = len(self.classes_) if len(self.classes_) > 2 else 1
        n_blocks = n_machines * self.n_restarts * math.ceil(self.max_iter / _REFRESH)
        self._task = fit_task(
            self, f"{_REFRESH} epochs", n_blocks, X, lambda: self.classes_[codes], sample_weight
        )

    def _keep(self, fits, feature_range):
        super()._keep(fits, feature_range)
        if self._task is not None:
            self._task.end()
        del self._task

    def _fit_signed(self, X, y, sample_weight, rng, start):
        start = initial_weights(self.init, start, X, y, sample_weight)
        fits = []
        for _ in range(self.n_restarts):
            fits.append(self._descend(X, y, sample_weight, rng, start))
            if self._stopped:
                break
        return min(fits, key=lambda fit: fit.error_curve[-1])

    @property
    def _stopped(self):
        return self._task is not None and self._task.stopped

    def _descend(self, X, y, sample_weight, rng, start):
        A = with_bias(X)
        columns = np.ascontiguousarray(A.T)
        n, size = A.shape
        yw = y * sample_weight
        total = sample_weight.sum()
        schedule: Any = SCHEDULES[self.directions]() if isinstance(self.directions, str) else self.directions
        bias_every = size if self.bias_every == "auto" else self.bias_every
        if bias_every is None and not self.bias_component:
            raise ValueError("bias_component=False with bias_every=None would never move the intercept.")
        take = direction_source(schedule, rng, size, bias_every, self.bias_component)
        work = workspace(n)
        batch = 1 if follows_scores(schedule) else max(1, min(_REFRESH, _BATCH_NUMBERS // n))
        w = start.astype(np.float64)
        errors = np.empty(self.max_iter + 1)
        path = np.empty((self.max_iter + 1 if self.keep_path else 0, size))
        best_w, best_error = w, np.inf
        n_epochs = self.max_iter
        for epoch in range(0, self.max_iter, _REFRESH):
            w, scores, error = _refreshed(A, w, y, sample_weight)
            errors[epoch] = error
            if self.keep_path:
                path[epoch] = w
            if error < best_error:
                best_w, best_error = w.copy(), error
            end = min(epoch + _REFRESH, self.max_iter)
            for first in range(epoch, end, batch):
                count = min(batch, end - first)
                directions = take(first, count, A, yw, scores)
                done = slice(first + 1, first + 1 + count)
                descend(
                    w, scores, directions, directions @ columns, yw, _PRECISION, self.negation,
                    errors[done], path[done], work,
                )  # fmt: skip
            if self._stopped or (self._task is not None and self._task.step()):
                n_epochs = end
                break
        w, _, error = _refreshed(A, w, y, sample_weight)
        if error > best_error:
            # Only rounding on degenerate data gets here: an exact search never goes up.
            w, error = best_w, best_error
        errors[n_epochs] = error
        if self.keep_path:
            path[n_epochs] = w
        errors, path = errors[: n_epochs + 1], path[: n_epochs + 1]
        return LinearFit(w, n_epochs, errors / total, path if self.keep_path else None)


def _refreshed(A, w, y, sample_weight):
    """The weight vector at unit size, its scores, and its error (a sum of weights) counted from scratch."""
    largest = np.abs(w).max()
    if largest > 0:
        w = w / largest
    scores = A @ w
    wrong = y * scores <= _PRECISION * np.abs(w).sum()
    return w, scores, float(sample_weight @ wrong)
