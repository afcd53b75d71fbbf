"""The data engine: random learning problems of a chosen complexity, with any number of examples of each.

Conventions: classes are -1 and +1; the share ``balance`` of the inputs belongs to class +1 before noise; noise turns
a label round with probability ``noise``, independently of everything else.
"""

import numpy as np

from ._engine_targets import FAMILIES
from ._parameters import GENERATOR, checked_count, checked_positive, checked_real, random_generator

# The threshold is a quantile of this many scores: the balance is right to about half a percent.
_CALIBRATION = 10_000


class DataEngine:
    r"""A random target function, and independent examples of it on demand.

    A target is :math:`f(x) = \operatorname{sign}(s(x) - \theta)` on inputs that are uniform in
    :math:`[-1, 1]^d`, where s is a random function of one of six families, and the threshold
    :math:`\theta` is the quantile of s that gives class +1 its share. Labels are
    :math:`y = f(x)` with probability :math:`1 - \eta` and :math:`-f(x)` otherwise, so the Bayes error is
    :math:`\eta`.

    Parameters
    ----------
    n_features : int, default=2
        The dimension d.
    family : {"random", "network", "svm", "rbf", "tree", "polynomial", "prototypes"}, default="random"
        A neural network with one hidden layer, a Gaussian kernel machine, a normalised network of radial basis
        functions, a decision tree, a polynomial, or the nearest of some prototypes. "random" lets the seed choose.
    complexity : float, default=3.0
        The complexity factor, above 0: the number of units, vectors, leaves or prototypes, or the degree, grows
        in proportion to it, and so does the fineness of the structure.
    balance : float, default=0.5
        The share of class +1, strictly between 0 and 1.
    noise : float, default=0.0
        The probability :math:`\eta` of a wrong label, at most 1/2.
    seed : int, default=0
        Determines the target: the same numbers give the same target everywhere, so the parameters, as ``repr`` shows
        them, are all that two people have to share. (Targets are drawn with NumPy's frozen legacy generator.)

    Attributes
    ----------
    family : str
        The family of the target; never "random".
    parameters : dict of ndarray
        What the target is made of.
    threshold : float
        The threshold of the score.

    See Also
    --------
    make_yinyang : Fixed targets.

    Notes
    -----
    pratap2008, section 4.6, and li2006, section 3.3, describe such a program without its details: the families
    and the complexity factor are theirs, the sizes, scales and the uniform inputs ours.

    References
    ----------
    - pratap2008, section 4.6.
    - li2006, section 3.3.1, footnote 2.

    Examples
    --------
    >>> from weaklearn.datasets import DataEngine
    >>> engine = DataEngine(n_features=8, family="network", complexity=2, noise=0.1, seed=7)
    >>> X, y = engine.sample(400, random_state=0)
    >>> X.shape, engine.bayes_error
    ((400, 8), 0.1)
    >>> float((engine.target(X) != y).mean().round(2))
    0.1
    """

    def __init__(self, n_features=2, *, family="random", complexity=3.0, balance=0.5, noise=0.0, seed=0):
        self.n_features = checked_count("n_features", n_features)
        self.complexity = checked_positive("complexity", complexity)
        self.balance = checked_real("balance", balance, low=0.0, high=1.0)
        if self.balance in (0.0, 1.0):
            raise ValueError(f"balance must lie strictly between 0 and 1; got {balance!r}.")
        self.noise = checked_real("noise", noise, low=0.0, high=0.5)
        self.seed = checked_count("seed", seed, at_least=0)
        known = ["random", *FAMILIES]
        if family not in known:
            raise ValueError(f"family must be one of {', '.join(known)}; got {family!r}.")
        # One stream for everything: the choice of a family, its parameters, then the inputs of the calibration.
        rng = random_generator(self.seed)
        chosen = list(FAMILIES)[rng.randint(len(FAMILIES))]
        self.family = chosen if family == "random" else family
        self.parameters = FAMILIES[self.family].draw(rng, self.n_features, self.complexity)
        scores = self.score(self._inputs(_CALIBRATION, rng))
        self.threshold = float(np.quantile(scores, 1 - self.balance))

    def __repr__(self):
        return (
            f"DataEngine(n_features={self.n_features}, family={self.family!r}, complexity={self.complexity:g}, "
            f"balance={self.balance:g}, noise={self.noise:g}, seed={self.seed})"
        )

    @property
    def bayes_error(self):
        """The error of the best classifier there is, which is the noise."""
        return self.noise

    def _inputs(self, n_samples, rng):
        return rng.uniform(-1.0, 1.0, size=(n_samples, self.n_features))

    @GENERATOR
    def inputs(self, n_samples=400, *, random_state=None):
        """Inputs without labels.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        return self._inputs(checked_count("n_samples", n_samples), random_generator(random_state))

    @GENERATOR
    def score(self, X):
        """The score of each input; above ``threshold`` the class is +1.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(f"X must have shape (n_samples, {self.n_features}); got {X.shape}.")
        return FAMILIES[self.family].score(self.parameters, X)

    @GENERATOR
    def target(self, X):
        """The class of each input before noise.

        Returns
        -------
        ndarray of shape (n_samples,)
            -1 or +1.
        """
        return np.where(self.score(X) > self.threshold, 1, -1)

    @GENERATOR
    def sample(self, n_samples=400, *, random_state=None):
        """Independent examples of the target, with its noise.

        Parameters
        ----------
        random_state : int, RandomState instance or None, default=None
            Another one gives another, independent set of examples of the same target.
        """
        rng = random_generator(random_state)
        X = self._inputs(checked_count("n_samples", n_samples), rng)
        # Drawn even without noise, so that the inputs of a sample do not depend on the noise of a later one.
        turned = rng.uniform(size=len(X)) < self.noise
        return X, np.where(turned, -1, 1) * self.target(X)
