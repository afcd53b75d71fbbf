"""Boosting that gives up hopeless examples: AdaBoost-Reg, by soft margins, and DOOM II, by a bounded cost.

Soft margins come from the influence that an example has had. DOOM II is gradient descent on a sigmoid of the margin,
within the convex hull.
"""

from numbers import Real

from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import ClosedForm, StepRule, adaboost_step, mean_cost
from weaklearn.costs import Exponential, Sigmoid


class SoftMargins(StepRule):
    """The exact line search for the exponential cost of the soft margins.

    The soft margin of example i is ``y_i F(x_i) + C z_i`` with its influence ``z_i = sum_t b_t v_ti``, where v_t are
    the weights of round t, normalised to sum 1. Along a new hypothesis both terms grow with its coefficient, so the
    line has the direction ``y_i h(x_i) + C v_ti``. ``mistrust`` is C.
    """

    check = ClosedForm.check

    def __init__(self, mistrust):
        self.mistrust = mistrust
        self._influence = 0.0

    def soft_margins(self, ensemble):
        return ensemble.descent_margins + self.mistrust * self._influence

    def weights(self, ensemble):
        return ensemble.weigh(ensemble.cost.weights(self.soft_margins(ensemble)))

    def step(self, ensemble, hypothesis_margins, error):
        soft, weight = self.soft_margins(ensemble), ensemble.descent_weight
        # Of one example: two equal examples and one of weight 2 have the same influence each.
        share = ensemble.cost.weights(soft)
        share = share / (share * weight).sum()
        step = first_stationary_step(ensemble.cost, soft, hypothesis_margins + self.mistrust * share, weight)
        if step <= 0:
            return "increasing cost"
        self._influence = self._influence + step * share
        ensemble.add(step, hypothesis_margins)
        return None

    def objective(self, ensemble):
        return mean_cost(ensemble, ensemble.margins + self.mistrust * self._influence)


@documented
class AdaBoostRegClassifier(BoostedClassifier):
    """AdaBoost with soft margins: examples that had much weight for long are trusted less.

    Minimises ``sum_i w_i exp(-(y_i F(x_i) + C z_i))`` over the coefficients b, where the influence
    ``z_i = sum_t b_t v_ti`` is the example's weight summed over the rounds. A mislabelled example gathers influence,
    and with it a soft margin, until boosting leaves it alone.

    Parameters
    ----------
    mistrust : float, default=3.0
        The constant C >= 0; 0 is AdaBoost. Weights are normalised to sum 1, so useful values grow with the number of
        examples n and stay below it: for C > n every example gains by the first hypothesis, and the step is cut off
        like that of a hypothesis without errors.

    Attributes
    ----------
    cost_ : MarginCost
        The exponential cost.
    cost_curve_ : ndarray
        The mean cost of the soft margins after each round.
    stop_reason_ : str
        "n_estimators", "no edge", "increasing cost".

    See Also
    --------
    Doom2Classifier : A bounded cost instead of a soft margin.
    PBoostClassifier : Capacity control by a p-norm.

    Notes
    -----
    barnes1999, chapter 7, asks for p-boosting to be compared with it. Where several forms of the influence have been
    published, this is the one that is linear in the weights.

    References
    ----------
    - G. Rätsch, T. Onoda, K.-R. Müller: Soft margins for AdaBoost. Machine Learning 42, 2001.
    - barnes1999, section 3.7 and chapter 7.

    Examples
    --------
    >>> from weaklearn.boosting import AdaBoostRegClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(100, noise=0.2, random_state=0)
    >>> model = AdaBoostRegClassifier(mistrust=50.0, n_estimators=50).fit(X, y)
    >>> model.n_iter_
    50
    """

    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "mistrust": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        mistrust=3.0,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.mistrust = mistrust

    def _preset(self):
        return Exponential(), SoftMargins(self.mistrust)


_N_START = 10  # rounds of AdaBoost
# A step of 1 would forget all earlier hypotheses.
_LONGEST = 0.999
_EXPONENTIAL = Exponential()


class HullStep(StepRule):
    """``F <- (1 - eta) F + eta h``, which stays in the convex hull of the hypotheses.

    The first rounds are AdaBoost's, with F divided by the sum of its coefficients: the slope of tanh is an even
    function, so that all examples have the same weight while all margins are +-b, and an exact weak learner would find
    its first hypothesis for ever (li2006, section 3.3.2, shows it for AnyBoost). After them, where no step towards h
    lowers the cost, the rule stops ("increasing cost").

    ``eta`` leads to the first stationary point of the cost on the way to h; ``steepness`` is the factor lambda of the
    margins in the cost.
    """

    def __init__(self, steepness):
        self.steepness = steepness
        self._total = 0.0  # of AdaBoost's coefficients

    def weights(self, ensemble):
        if len(ensemble.stages) < _N_START:
            return ensemble.weigh(_EXPONENTIAL.weights(self._total * ensemble.margins))
        return ensemble.weigh(ensemble.cost.weights(self.steepness * ensemble.margins))

    def step(self, ensemble, hypothesis_margins, error):
        margins, weight = ensemble.margins, ensemble.sample_weight
        if len(ensemble.stages) < _N_START:
            step = adaboost_step(error)
            self._total += step
            eta = step / self._total
        else:
            way = hypothesis_margins - margins
            gain = float((self.weights(ensemble) * way).sum())
            if not gain > 1e-12 * weight.sum():
                return "increasing cost"
            eta = first_stationary_step(ensemble.cost, self.steepness * margins, self.steepness * way, weight)
            eta = min(eta, _LONGEST)
        if eta == 1:  # the first hypothesis
            ensemble.move(hypothesis_margins, 1.0)
        else:
            ensemble.move(hypothesis_margins, eta / (1 - eta), scale=1 - eta)
        return None

    def objective(self, ensemble):
        return mean_cost(ensemble, self.steepness * ensemble.margins)


@documented
class Doom2Classifier(BoostedClassifier):
    """DOOM II: boosting that gives up examples it cannot win, with coefficients that sum to 1.

    Minimises ``sum_i w_i (1 - tanh(lambda y_i F(x_i)))`` over convex combinations F of hypotheses. The cost is flat for
    margins far below 0, so mislabelled examples lose their weight; in the convex hull lambda sets the margin at which
    that happens.

    Parameters
    ----------
    steepness : float, default=10.0
        The factor lambda > 0 of the margins, which lie in [-1, 1]. A large one gives up hopeless examples sooner.

    Attributes
    ----------
    cost_ : MarginCost
        The sigmoid cost, without its steepness.
    stop_reason_ : str
        "n_estimators", "no edge", "increasing cost" (no step towards the hypothesis lowers the cost).

    See Also
    --------
    AdaBoostRegClassifier : Soft margins with the exponential cost.
    AnyBoostClassifier : The sigmoid cost without the convex hull.

    Notes
    -----
    The cost is not convex: a round may start where every step rises, and boosting then ends. The first ten rounds are
    AdaBoost's: from one stump alone boosting would end in the second round, because all examples have the same weight.
    barnes1999, chapter 7, asks for p-boosting to be compared with it.

    References
    ----------
    - L. Mason, J. Baxter, P. Bartlett, M. Frean: Boosting algorithms as gradient descent. NIPS 12, 1999.
    - barnes1999, section 3.7 and chapter 7.

    Examples
    --------
    >>> from weaklearn.boosting import Doom2Classifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(100, noise=0.2, random_state=0)
    >>> model = Doom2Classifier(n_estimators=50).fit(X, y)
    >>> round(float(model.estimator_weights_.sum()), 10)
    1.0
    """

    _scaled = True
    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "steepness": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        steepness=10.0,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.steepness = steepness

    def _preset(self):
        return Sigmoid(), HullStep(self.steepness)
