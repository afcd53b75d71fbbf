"""The rho-cloner: random hypotheses, and how an example goes together with being right elsewhere."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn._docstrings import documented
from weaklearn._training import one_vs_rest
from weaklearn.cloning._cloner import Cloner, Setting

# Hypotheses are evaluated in blocks of about this many numbers.
_BLOCK = 1 << 22
_FAR = 1e30
_LADDER = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)


def _sign(values):
    return np.where(values > 0, np.float32(1), np.float32(-1))


class _Networks:
    """One hidden layer of tanh units and a threshold, all weights normal."""

    def __init__(self, Z, n, rng, hidden=5):
        d = Z.shape[1]
        # Weights of variance 9 / d put the units well into saturation: on standardised inputs they mostly decide.
        self.inner = (3.0 / np.sqrt(d) * rng.standard_normal((n * hidden, d))).astype(np.float32)
        self.offset = (3.0 * rng.standard_normal(n * hidden)).astype(np.float32)
        self.outer = rng.standard_normal((n, hidden)).astype(np.float32)

    def __call__(self, Z):
        # Units are saturated long before; beyond float32 they would be undefined.
        units = self.inner @ np.clip(Z.T, -_FAR, _FAR).astype(np.float32)
        units += self.offset[:, None]
        np.tanh(units, out=units)
        return _sign((self.outer[:, None, :] @ units.reshape(*self.outer.shape, len(Z)))[:, 0])


class _Perceptrons:
    """Half-spaces with uniform directions, their thresholds spread over the inputs and a little beyond."""

    def __init__(self, Z, n, rng):
        directions = rng.standard_normal((n, Z.shape[1]))
        self.directions = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        reach = 1.1 * np.abs(Z @ self.directions.T).max()
        self.offsets = rng.uniform(-reach, reach, n)

    def __call__(self, Z):
        return _sign(self.directions @ Z.T + self.offsets[:, None])


_FAMILIES = {"networks": _Networks, "perceptrons": _Perceptrons}


@documented
class RhoCloner(Cloner):
    r"""Clones a labelled table by rho-learning.

    The rho-value of an example under a distribution of hypotheses g is the correlation of being wrong on it with the
    error on the whole set S,

    .. math:: \rho(x, y) = \operatorname{corr}_g([g(x) \ne y],\ \nu_S(g)), \qquad
        \nu_S(g) = \frac{1}{|S|} \sum_i [g(x_i) \ne y_i].

    With every g the family holds -g, so errors have mean 1/2 and variance 1/4 on every single example, and with the
    agreement :math:`a(g) = \frac{1}{|S|} \sum_i y_i g(x_i)`

    .. math:: \rho(x, y) = y\, \frac{E_g[g(x)\, a(g)]}{\sqrt{E_g[a(g)^2]}} .

    The cloner function is :math:`\operatorname{sign}(\rho(x, +1) - \theta)`, the value of an example
    :math:`y\,(\rho(x, +1) - \theta)`, and the threshold :math:`\theta` gives each class its share in the original.

    Parameters
    ----------
    hypotheses : {"networks", "perceptrons"} or callable, default="networks"
        The family. "networks": one hidden layer of 5 tanh units with normal weights (2-5-1 on two inputs);
        "perceptrons": random half-spaces. A callable ``hypotheses(Z, n, rng)`` gets the standardised inputs and
        returns a function from inputs to an array of shape (n, n_inputs) with entries -1 and +1.
    n_hypotheses : int, default=1000
    noise : float or "match", default="match"
        Which share of the examples with a negative value is noise; the rest is taken as critical, with the label of
        the cloner. "match" takes that of 0, 1/8, ..., 1 whose clones are nearest to the original in complexity; 1 is
        the published selection.
    threshold : {"balance", "zero"}, default="balance"
        How :math:`\theta` is set; "zero" is the published rule.

    Attributes
    ----------
    values_ : ndarray of shape (n_samples,)
        The rho-values of the original examples.
    noise_ : float
        The share taken.
    threshold_ : ndarray
        :math:`\theta`; with more than two classes, one for each class against the rest.

    See Also
    --------
    AdaBoostCloner : Clones by boosted stumps.

    Notes
    -----
    The stable form needs no division by the sampled variance of a single example, which may be 0. (The correlation of
    a *set* with S is the sum of the standard deviations times the rho-values of its examples over the standard
    deviation of the sum; equation (4.1) of the text divides by the sum of the deviations.)

    Up to the sampling of g, :math:`\rho(x, +1)` is a mean of kernels, :math:`\sum_i y_i K(x, x_i)` with
    :math:`K(x, x') = E_g[g(x) g(x')]`. If one class is much tighter than the other, as in ringnorm, every point of the
    space is more similar to the tight class, and with :math:`\theta = 0` all clones get its label: the clone collapses,
    however many hypotheses are drawn. The threshold is all it takes.

    References
    ----------
    - pratap2008, sections 4.4.2 and 4.5.1; Theorem 6.

    Examples
    --------
    >>> from weaklearn.cloning import RhoCloner
    >>> from weaklearn.datasets import make_ringnorm
    >>> X, y = make_ringnorm(200, random_state=0)
    >>> cloner = RhoCloner(n_hypotheses=500, random_state=0).fit(X, y)
    >>> bool(abs(cloner.predict(X).mean() - y.mean()) < 0.05)
    True
    """

    _parameter_constraints: dict = {
        **Cloner._parameter_constraints,
        "hypotheses": [StrOptions(set(_FAMILIES)), callable],
        "n_hypotheses": [Interval(Integral, 1, None, closed="left")],
        "noise": [StrOptions({"match"}), Interval(Real, 0, 1, closed="both")],
        "threshold": [StrOptions({"balance", "zero"})],
    }

    def __init__(
        self,
        hypotheses="networks",
        n_hypotheses=1000,
        *,
        noise="match",
        threshold="balance",
        inputs=None,
        n_bins=10,
        random_state=None,
    ):
        self.hypotheses = hypotheses
        self.n_hypotheses = n_hypotheses
        self.noise = noise
        self.threshold = threshold
        self.inputs = inputs
        self.n_bins = n_bins
        self.random_state = random_state

    def _learn(self, Z, codes, n_classes, rng):
        family = _FAMILIES[self.hypotheses] if isinstance(self.hypotheses, str) else self.hypotheses
        self._predictions = family(Z, int(self.n_hypotheses), rng)
        votes = self._votes(Z)
        if votes.shape != (self.n_hypotheses, len(Z)) or not np.isin(votes, (-1, 1)).all():
            raise ValueError(
                f"hypotheses must give {self.n_hypotheses} rows of -1 and +1, one entry for each input; "
                f"got shape {votes.shape}."
            )
        y = one_vs_rest(codes, n_classes)
        agreement = votes @ y.T / len(Z)
        size = np.sqrt((agreement**2).mean(axis=0))
        # No hypothesis agrees or disagrees with S beyond chance: every correlation is 0.
        self._weights = agreement / np.where(size > 0, size, 1.0) / self.n_hypotheses
        rho = votes.T @ self._weights
        self.threshold_ = np.zeros(len(y))
        if self.threshold == "balance":
            shares = (y < 0).mean(axis=1)
            self.threshold_ = np.array([np.quantile(r, q) for r, q in zip(rho.T, shares, strict=True)])
        shares = _LADDER if self.noise == "match" else (float(self.noise),)
        return [Setting(0, share) for share in shares]

    def _votes(self, Z):
        return np.asarray(self._predictions(Z))

    def _stage_scores(self, Z, stages):
        # Blocks of inputs: 1,000 hypotheses on 8,000 candidates are not held at once.
        rows = max(1, _BLOCK // int(self.n_hypotheses))
        parts = [self._votes(Z[i : i + rows]).T @ self._weights for i in range(0, len(Z), rows)]
        scores = np.concatenate(parts) - self.threshold_
        if scores.shape[1] == 1:
            scores = np.concatenate([-scores, scores], axis=1)
        return [scores] * len(stages)

    @property
    def noise_(self):
        """Which share of the examples with a negative value is noise."""
        return self.setting_.noise
