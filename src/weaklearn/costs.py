"""Margin costs: what an example of margin ``rho = y F(x)`` costs, and how steeply.

Conventions, shared by everything that takes a cost:

- The margin is positive where the example is classified correctly. A margin of exactly 0 is an
  error: the 0/1 loss is [rho <= 0].
- At a kink the slope is the left derivative: an example on the boundary still counts as undecided. So the
  perceptron criterion has slope -1 at 0, and stochastic gradient descent on it is Rosenblatt's rule,
  which also moves on a score of 0; the hinge has slope -1 at 1. The 0/1 loss, which jumps, has
  slope 0 everywhere.
- The weight of an example in boosting is ``-slope(margin)`` (times its own sample weight). Only the
  ratios matter there, and for costs with exponential tails the slopes themselves leave the range of
  floats long before their ratios do, so `MarginCost.weights` forms them in log space.
- ``is_decreasing`` and ``is_convex`` refer to the whole real line; decreasing means nowhere increasing.
- Margins may be scalars or arrays of any shape; results are float64 of the same shape. Values and
  slopes are finite for margins of +-1e4 unless ``is_finite`` is False (the exponential alone).

To add a cost, subclass `MarginCost`, decorate it as a frozen dataclass, and give it a row in ``COSTS``:
`weaklearn.testing.check_margin_cost` then says whether it keeps these promises.

>>> from weaklearn.costs import get_cost
>>> get_cost("perceptron").slope([-1.0, 0.0, 1.0])
array([-1., -1.,  0.])
>>> get_cost("exponential").weights([-1e4, -9999.0]).round(3)
array([1.   , 0.368])
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_expit

from weaklearn._docstrings import documented

__all__ = [
    "COSTS",
    "ArcX4",
    "Bisigmoid",
    "Exponential",
    "Hinge",
    "LeastSquares",
    "Logistic",
    "MarginCost",
    "ModifiedLeastSquares",
    "PerceptronCriterion",
    "Sigmoid",
    "ZeroOne",
    "get_cost",
]


# What the docstrings of functions of the margin have in common.
_OF_MARGINS = partial(
    documented,
    shared="""
Parameters
----------
margin : array-like

Returns
-------
ndarray of the shape of margin
""",
)


@dataclass(frozen=True)
class MarginCost(ABC):
    """A cost of the margin; a subclass states `value`, `slope` and its flags."""

    is_convex: ClassVar[bool] = False
    is_decreasing: ClassVar[bool] = True
    is_finite: ClassVar[bool] = True
    has_link: ClassVar[bool] = False  # whether `log_odds` is finite and grows with the score
    kinks: ClassVar[tuple[float, ...]] = ()  # where the slope or the value jumps

    @property
    def is_smooth(self) -> bool:
        """Whether the slope is continuous."""
        return not self.kinks

    @abstractmethod
    @_OF_MARGINS
    def value(self, margin):
        """The cost at each margin."""

    @abstractmethod
    @_OF_MARGINS
    def slope(self, margin):
        """The derivative of the cost at each margin (left derivative at a kink)."""

    @_OF_MARGINS
    def log_weights(self, margin):
        """``log(-slope(margin))``; -inf where the slope is 0.

        Costs whose slope leaves the range of floats override this with a closed form.
        """
        if not self.is_decreasing:
            raise ValueError(
                f"{type(self).__name__} gives no example weights: its slope changes sign, "
                "and weights need a cost that is nowhere increasing."
            )
        with np.errstate(divide="ignore"):
            return np.log(-self.slope(margin))

    def weights(self, margin):
        """``-slope(margin)`` over its maximum: example weights up to a common factor.

        Parameters
        ----------
        margin : array-like, not empty

        Returns
        -------
        ndarray of the shape of margin
            In [0, 1] with the maximum 1; all 0 where every slope is 0.
        """
        logs = self.log_weights(margin)
        top = logs.max()
        return np.exp(logs - top) if top > -np.inf else np.zeros_like(logs)

    @_OF_MARGINS
    def decay(self, margin):
        """``c'' / (-c')``: how fast the weight falls with the margin, relative to itself.

        Newton steps need it. The default is a central difference of `log_weights`, good to about 8
        digits; costs that are minimised by Newton steps as a rule override it.
        """
        margin = np.asarray(margin, dtype=np.float64)
        return (self.log_weights(margin - 5e-5) - self.log_weights(margin + 5e-5)) / 1e-4

    def log_odds(self, score):
        """The link: the log-odds of the positive class at which a score F minimises the expected cost.

        With P the probability of the positive class, ``P c(F) + (1 - P) c(-F)`` is stationary where the log-odds are
        ``log w(-F) - log w(F)``, with the weights ``w = -c'``: 2 F for the exponential cost, F for the logistic one.
        Bounded costs and the hinge have no link (``has_link`` is False): their scores say nothing about probabilities.

        Parameters
        ----------
        score : array-like

        Returns
        -------
        ndarray of the shape of score
        """
        score = np.asarray(score, dtype=np.float64)
        return self.log_weights(-score) - self.log_weights(score)


@dataclass(frozen=True)
class Exponential(MarginCost):
    """``exp(-rho)``: the cost that AdaBoost minimises.

    Domain: all reals; beyond margins of about -709 value and slope are infinite as floats (no
    warning is given), `log_weights` and `weights` are not. Source: li2006, section 3.3.1;
    barnes1999, theorem 6.
    """

    is_convex = True
    has_link = True
    is_finite = False

    def value(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        logs = np.negative(margin, out=np.empty_like(margin))
        with np.errstate(over="ignore"):
            return np.exp(logs, out=logs)

    def slope(self, margin):
        return -self.value(margin)

    def log_weights(self, margin):
        return -np.asarray(margin, dtype=np.float64)

    def weights(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        logs = np.subtract(np.minimum.reduce(margin, axis=None), margin, out=np.empty_like(margin))
        return np.exp(logs, out=logs)

    def decay(self, margin):
        return np.ones(np.shape(margin))


@dataclass(frozen=True)
class Logistic(MarginCost):
    """``ln(1 + exp(-rho))``: the negative log-likelihood of log-odds rho, natural logarithm.

    Domain: all reals. Source: pratap2008, table 2.1 (LogitBoost).
    """

    is_convex = True
    has_link = True

    def value(self, margin):
        # A third of the time of SciPy's log_expit.
        margin = np.asarray(margin, dtype=np.float64)
        tail = np.negative(np.abs(margin))
        return np.log1p(np.exp(tail)) - np.minimum(margin, 0)

    def slope(self, margin):
        return -expit(-np.asarray(margin, dtype=np.float64))

    def log_weights(self, margin):
        return log_expit(-np.asarray(margin, dtype=np.float64))

    def weights(self, margin):
        # Without the logarithm, of a large share of a round; two forms, neither of which leaves the range of floats.
        margin = np.asarray(margin, dtype=np.float64)
        least = margin.min()
        if least <= 0:
            return expit(-margin) / expit(-least)
        if least == np.inf:
            return np.zeros_like(margin)
        return np.exp(least - margin) * (1 + np.exp(-least)) / (1 + np.exp(-margin))

    def decay(self, margin):
        return expit(np.asarray(margin, dtype=np.float64))


@dataclass(frozen=True)
class Sigmoid(MarginCost):
    """``1 - tanh(rho)``: bounded, so that outliers count little.

    Domain: all reals. Its slope is an even function, which stops boosting in its second round if
    the first hypothesis is the best one; `Bisigmoid` avoids that. Source: li2006, section 3.3.2.
    """

    # 1 - tanh and 1 - tanh^2 cancel beyond |rho| of about 15; in terms of the logistic function
    # s(x) = 1 / (1 + exp(-x)) they are 2 s(-2 rho) and 4 s(2 rho) s(-2 rho), which do not.

    def value(self, margin):
        return 2 * expit(-2 * np.asarray(margin, dtype=np.float64))

    def slope(self, margin):
        doubled = 2 * np.asarray(margin, dtype=np.float64)
        return -4 * expit(doubled) * expit(-doubled)

    def log_weights(self, margin):
        doubled = 2 * np.asarray(margin, dtype=np.float64)
        return np.log(4) + log_expit(doubled) + log_expit(-doubled)

    def weights(self, margin):
        return _squared_sech_over_largest(2 * np.asarray(margin, dtype=np.float64))


def _squared_sech_over_largest(doubled):
    """sech(x)^2 over its largest value, from 2x: by one exponential, since line searches ask for it often.

    With a = 2|x| it is ``4 exp(-a) / (1 + exp(-a))^2``, largest where a is least.
    """
    distance = np.abs(doubled)
    least = distance.min()
    ratio = np.exp(least - distance)
    largest = np.exp(-least)
    return ratio * ((1 + largest) / (1 + ratio * largest)) ** 2


@dataclass(frozen=True)
class Bisigmoid(MarginCost):
    """Two sigmoids of different width, joined at 0 where both have the slope -1.

    ``kappa_pos - kappa_pos tanh(rho / kappa_pos)`` for rho > 0 and
    ``kappa_pos - kappa_neg tanh(rho / kappa_neg)`` elsewhere.

    Domain: all reals. Source: li2006, equation 3.5.

    Parameters
    ----------
    kappa_pos, kappa_neg : float > 0, default 1 and 1.05
        Widths for positive and for negative margins; kappa_neg > kappa_pos stresses the errors.
        The defaults are those of figure 3.1.
    """

    kappa_pos: float = 1.0
    kappa_neg: float = 1.05

    def __post_init__(self):
        for name in ("kappa_pos", "kappa_neg"):
            kappa = getattr(self, name)
            if not 0 < kappa < np.inf:
                raise ValueError(f"{name} of Bisigmoid must be a positive number; got {kappa!r}.")

    def value(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        right = 2 * self.kappa_pos * expit(-2 * margin / self.kappa_pos)
        left = self.kappa_pos - self.kappa_neg * np.tanh(margin / self.kappa_neg)
        return np.where(margin > 0, right, left)

    def slope(self, margin):
        doubled = self._doubled(margin)
        return -4 * expit(doubled) * expit(-doubled)

    def log_weights(self, margin):
        doubled = self._doubled(margin)
        return np.log(4) + log_expit(doubled) + log_expit(-doubled)

    def weights(self, margin):
        return _squared_sech_over_largest(self._doubled(margin))

    def _doubled(self, margin):
        margin = np.asarray(margin, dtype=np.float64)
        return 2 * margin / np.where(margin > 0, self.kappa_pos, self.kappa_neg)


@dataclass(frozen=True)
class ArcX4(MarginCost):
    """``(1 - rho)^5``: with steps of 1/t, the arc-x4 algorithm.

    Domain: normalised margins, -1 <= rho <= 1 (coefficients that sum to 1). The formula decreases
    everywhere, but beyond rho = 1 it is negative and no longer convex. Source: pratap2008, table 2.1.
    """

    def value(self, margin):
        return (1 - np.asarray(margin, dtype=np.float64)) ** 5

    def slope(self, margin):
        return -5 * (1 - np.asarray(margin, dtype=np.float64)) ** 4


@dataclass(frozen=True)
class PerceptronCriterion(MarginCost):
    """``max(0, -rho)``; the slope is -1 for rho <= 0, which includes the kink.

    Domain: all reals. Source: li2005, equation 2 and table 1.
    """

    is_convex = True
    kinks = (0.0,)

    def value(self, margin):
        return np.maximum(0, -np.asarray(margin, dtype=np.float64))

    def slope(self, margin):
        return np.where(np.asarray(margin, dtype=np.float64) <= 0, -1.0, 0.0)


@dataclass(frozen=True)
class Hinge(MarginCost):
    """``max(0, 1 - rho)``; the slope is -1 for rho <= 1, which includes the kink.

    Domain: all reals. Source: li2005, table 1.
    """

    is_convex = True
    kinks = (1.0,)

    def value(self, margin):
        return np.maximum(0, 1 - np.asarray(margin, dtype=np.float64))

    def slope(self, margin):
        return np.where(np.asarray(margin, dtype=np.float64) <= 1, -1.0, 0.0)


@dataclass(frozen=True)
class LeastSquares(MarginCost):
    """``(1 - rho)^2``, the squared error of F(x) as an estimate of y.

    Domain: all reals; increasing for rho > 1, so it gives no example weights. Source: li2005, table 1.
    """

    is_convex = True
    is_decreasing = False

    def value(self, margin):
        return (1 - np.asarray(margin, dtype=np.float64)) ** 2

    def slope(self, margin):
        return 2 * (np.asarray(margin, dtype=np.float64) - 1)


@dataclass(frozen=True)
class ModifiedLeastSquares(MarginCost):
    """``max(0, 1 - rho)^2``: the squared error without a penalty for large margins.

    Domain: all reals. Source: li2005, table 1.
    """

    is_convex = True

    def value(self, margin):
        return np.maximum(0, 1 - np.asarray(margin, dtype=np.float64)) ** 2

    def slope(self, margin):
        return -2 * np.maximum(0, 1 - np.asarray(margin, dtype=np.float64))


@dataclass(frozen=True)
class ZeroOne(MarginCost):
    """``[rho <= 0]``: the training error itself. Its slope is 0 everywhere.

    Domain: all reals. Source: li2005, table 1.
    """

    kinks = (0.0,)

    def value(self, margin):
        return (np.asarray(margin, dtype=np.float64) <= 0).astype(np.float64)

    def slope(self, margin):
        return np.zeros(np.shape(margin))


COSTS: dict[str, type[MarginCost]] = {
    "exponential": Exponential,
    "logistic": Logistic,
    "sigmoid": Sigmoid,
    "bisigmoid": Bisigmoid,
    "arc_x4": ArcX4,
    "perceptron": PerceptronCriterion,
    "hinge": Hinge,
    "least_squares": LeastSquares,
    "modified_least_squares": ModifiedLeastSquares,
    "zero_one": ZeroOne,
}


def get_cost(cost) -> MarginCost:
    """The margin cost of a name, or the instance itself.

    Parameters
    ----------
    cost : str or MarginCost
        A key of ``COSTS``, which gives that cost with its default parameters, or a cost.

    Returns
    -------
    MarginCost
    """
    if isinstance(cost, MarginCost):
        return cost
    if isinstance(cost, str) and cost in COSTS:
        return COSTS[cost]()
    raise ValueError(f"cost must be a MarginCost or one of {', '.join(map(repr, COSTS))}; got {cost!r}.")
