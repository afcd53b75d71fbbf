"""The classifier that minimises the 0/1 error itself: search, certificate, margin, any number of classes."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from weaklearn._compilations import working_time
from weaklearn._docstrings import documented
from weaklearn._training import dense, one_vs_rest
from weaklearn.linear._base import LinearFit, LinearThresholdClassifier
from weaklearn.linear.zero_one._centre import away_from_points
from weaklearn.linear.zero_one._certificate import certify
from weaklearn.linear.zero_one._noise import averaged_noise_fit, noise_path
from weaklearn.linear.zero_one._probability import NoisySigmoid, fit_sigmoid
from weaklearn.linear.zero_one._problem import ZeroOneProblem, zero_one_problem
from weaklearn.linear.zero_one._search import Clock, search

_LARGEST_CENTRED = 5000  # distinct rows up to which the centre of the cell is sought
_START_ITERATIONS = 5  # of the search that supplies a start for the smooth loss
_PROOF_TIME = 60.0  # seconds for a certificate if max_time is None


def _has_probabilities(estimator):
    return estimator.noise == "auto"


@documented
class ZeroOneClassifier(LinearThresholdClassifier):
    r"""Linear classifier with the smallest 0/1 training error that can be found and, on request, a proof.

    Minimises

    .. math:: e(w, b) = \sum_i \varphi_i [y_i (\langle w, x_i \rangle + b) \le 0],

    the weight of the examples that a hyperplane does not get strictly right. Rows
    :math:`y_i (x_i, 1)` are brought to isotropic position, an elastic linear program is repaired by dropping examples
    until the rest is separable, and a few of the dropped examples are put back and the program repaired again in
    every iteration. Above 2,000 distinct rows exact line searches over all rows take the place of the
    linear programs. Among the hyperplanes with the errors found, the one in the middle is returned: the largest
    geometric mean of the margins of the examples that it gets right.

    Parameters
    ----------
    noise : None, "auto" or float in [0, 0.5), default=None
        None minimises the training error. A number trades training error for a wide margin, for a small error
        on *new* examples: the loss is
        :math:`-\log(\varepsilon + (1 - 2 \varepsilon) \sigma(y (\langle w, x \rangle + b)))` per example, and
        :math:`\frac{1}{2} |w|^2`, on features scaled to [-1, 1]: the 0/1 loss smoothed by a margin, where
        :math:`\varepsilon` is the share of labels expected to be wrong. Weights are relative here. "auto" averages
        three convex fits (squared hinge and logistic), those for the levels 0.2 and 0.4 and the 0/1 minimum
        itself, weighted by cross-validation. Not with ``certify``.
    max_iter : int, default=None
        Iterations of the search. None means 100, or 2 above 2,000 distinct rows, where an iteration is 16 line
        searches over all of them; or as many as there is time for if ``max_time`` is given.
    max_time : float, default=None
        Seconds for the whole fit, not counting compilation. Results with a time limit depend on the machine; without
        one they depend only on ``random_state``.
    certify : bool, default=False
        After the search, prove a lower bound by branch and bound in what is left of ``max_time`` (60 seconds if
        that is None). Useful up to about 100 examples, or more if few of them are wrong.
    callback : callable, default=None
        Called with the number of iterations done and the error so far, a sum of weights; stops the search if it
        returns something true.

    Attributes
    ----------
    error_ : float or ndarray of shape (n_classes,)
        Weight of the training examples that ``X @ coef_.T + intercept_`` does not get strictly right, recounted in
        the coordinates of X; for more than two classes one number per class against the rest.
    error_curve_ : ndarray of shape (n_iter_ + 1,) or (n_classes, n_iter_ + 1)
        Smallest training error so far, as a share of the total weight.
    n_iter_ : int
    lower_bound_, gap_, optimal_ : float, float, bool or one of them per class
        With ``certify=True``: no hyperplane has an error below ``lower_bound_``; ``gap_`` is
        ``error_ - lower_bound_``; ``optimal_`` tells whether it is zero.
    noise_ : float
        With ``noise``: the level used, an average for "auto".

    Notes
    -----
    Ctrl-C during the search keeps the best hyperplane so far and returns. A sparse X is made dense; it may have at most
    100 million numbers.

    References
    ----------
    - li2005 defines the problem; `RCDPerceptron` is its own method.
    - Chinneck (2001), Fast heuristics for the maximum feasible subsystem problem, INFORMS J. Computing 13.
    - Tyler (1987), A distribution-free M-estimator of multivariate scatter, Annals of Statistics 15.
    - Amaldi, Pfetsch, Trotter (2003), On the maximum feasible subsystem problem, IISs and IIS-hypergraphs,
      Mathematical Programming 95.

    Examples
    --------
    >>> from weaklearn.datasets import make_threenorm
    >>> from weaklearn.linear import RCDPerceptron, ZeroOneClassifier
    >>> X, y = make_threenorm(200, random_state=0)
    >>> model = ZeroOneClassifier(random_state=0).fit(X, y)
    >>> rcd = RCDPerceptron(random_state=0).fit(X, y)
    >>> bool(model.error_ <= rcd.error_curve_[-1] * 200)
    True
    >>> small = ZeroOneClassifier(certify=True, random_state=0).fit(X[:40, :4], y[:40])
    >>> small.optimal_
    True
    """

    _parameter_constraints = {
        "noise": [None, StrOptions({"auto"}), Interval(Real, 0, 0.5, closed="left")],
        "max_iter": [None, Interval(Integral, 0, None, closed="left")],
        "max_time": [None, Interval(Real, 0, None, closed="neither")],
        "callback": [None, callable],
    }

    def __init__(
        self,
        noise=None,
        *,
        max_iter=None,
        max_time=None,
        certify=False,
        callback=None,
        random_state=None,
    ):
        self.noise = noise
        self.max_iter = max_iter
        self.max_time = max_time
        self.certify = certify
        self.callback = callback
        self.random_state = random_state

    def _begin(self, X, codes, sample_weight):
        if self.certify and self.noise is not None:
            raise ValueError("certify=True needs noise=None: a certificate is one of the training error.")
        self._started, self._training = working_time(), (X, codes, sample_weight)
        self._left = len(self.classes_) if len(self.classes_) > 2 else 1

    def _read(self, X):
        return dense(X)

    def _seen(self, X, feature_range):
        # The problem is scaled where it is built, in one pass over its distinct rows.
        self._range = feature_range
        return X

    def _keep(self, fits, feature_range):
        super()._keep(fits, feature_range)
        self._recount(*self._training)
        del self._started, self._training, self._left, self._range, self._share

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @available_if(_has_probabilities)
    @documented
    def predict_proba(self, X):
        """Class probabilities, with ``noise="auto"`` only.

        A sigmoid of the score of each class against the rest, fitted to scores of rows held out in the cross-validation
        of "auto"; with more than two classes, the mean sigmoid of the classes, divided by the sum. The most probable
        class is the one of `predict`. With fewer than 10 rows it is the share of the class.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            positive = self._sigmoids(scores)
            return np.column_stack([1 - positive, positive])
        # One sigmoid for all classes keeps their order, so that the most probable class is the predicted one.
        each = NoisySigmoid(*np.mean(self._sigmoids, axis=0))(scores)
        return each / each.sum(axis=1, keepdims=True)

    def _time_left(self):
        if self.max_time is None:
            return None
        return max((self.max_time - (working_time() - self._started)) * self._share, 1e-9)

    def _fit_signed(self, X, y, sample_weight, rng, start):
        self._share = 1.0 / self._left  # every class gets an equal part of the time that is left
        self._left -= 1
        if self.noise is not None:
            return self._fit_noise(self._range.apply(X) * y[:, None], y, sample_weight, rng)
        problem = zero_one_problem(X, y, sample_weight, self._range)
        time_left = self._time_left()
        began = working_time()
        # A proof is worth more than a longer search: with both in one time limit the search has its default length.
        max_iter = 100 if self.certify and self.max_iter is None else self.max_iter
        found = search(problem, rng, Clock(max_iter, time_left, self.callback))
        weights, extra = found.weights, None
        if self.certify:
            deadline = began + (_PROOF_TIME if time_left is None else time_left)
            weights, bound = certify(problem, weights, deadline, rng)
            extra = {"lower_bound_": bound}
        weights = away_from_points(problem, weights, rng, centre=len(problem.rows) <= _LARGEST_CENTRED)
        return LinearFit(weights, len(found.curve) - 1, found.curve / sample_weight.sum(), extra=extra)

    def _fit_noise(self, signed, y, sample_weight, rng):
        rows = np.column_stack([signed, y])
        weight = sample_weight * (len(y) / sample_weight.sum())

        def minimise(rows, weight):
            problem = ZeroOneProblem(rows, weight, 0.0, rows[:0])
            found = search(problem, rng, Clock(_START_ITERATIONS, None)).weights
            return away_from_points(problem, found, rng, centre=len(rows) <= _LARGEST_CENTRED)

        extra: dict[str, Any] = {}
        if self.noise == "auto":
            weights, noise, (tested, held_out) = averaged_noise_fit(rows, weight, minimise, rng)
            # A row's score is y times that of its features; every row was tested as often as any other.
            extra["_sigmoids"] = fit_sigmoid(
                held_out * y[tested],
                y[tested] > 0,
                sample_weight[tested] / max(len(tested) / len(y), 1.0),
                # Of two classes the more probable one is then the predicted one.
                intercept=len(self.classes_) > 2,
            )
        else:
            noise = float(self.noise)
            weights = noise_path(rows, weight, minimise(rows, weight), [noise])[0]
        error = float(sample_weight @ (rows @ weights <= 0)) / sample_weight.sum()
        # One iteration, from the zero vector that gets nothing right.
        return LinearFit(weights, 1, np.array([1.0, error]), extra={"noise_": noise, **extra})

    def _recount(self, X, codes, sample_weight):
        """What the fitted hyperplanes get wrong in the user's coordinates, and what follows from it."""
        scores = X @ self.coef_.T + self.intercept_
        signs = one_vs_rest(codes, len(self.classes_))
        errors = np.array([float(sample_weight @ (s * z <= 0)) for s, z in zip(signs, scores.T, strict=True)])
        found = {"error_": errors}
        if self.certify:
            # Weights summed in another order may differ in the last digit.
            bound = np.minimum(getattr(self, "lower_bound_"), errors)  # noqa: B009
            gap = np.maximum(errors - bound, 0.0)
            gap[gap <= 1e-9 * sample_weight.sum()] = 0.0
            found |= {"lower_bound_": bound, "gap_": gap, "optimal_": gap == 0}
        for name, values in found.items():
            setattr(self, name, values if len(values) > 1 else values[0].item())
