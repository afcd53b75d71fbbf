"""AdaBoost-Reg: soft margins for AdaBoost, by the influence that an example has had."""

from numbers import Real

from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._line import first_stationary_step
from weaklearn.boosting._steps import ClosedForm, StepRule
from weaklearn.costs import Exponential

__all__ = ["AdaBoostRegClassifier", "SoftMargins"]


class SoftMargins(StepRule):
    """The exact line search for the exponential cost of the soft margins.

    The soft margin of example i is ``y_i F(x_i) + C z_i`` with its influence ``z_i = sum_t b_t v_ti``, where v_t are
    the weights of round t, normalised to sum 1. Along a new hypothesis both terms grow with its coefficient, so the
    line has the direction ``y_i h(x_i) + C v_ti``.

    Parameters
    ----------
    mistrust : float
        The constant C.
    """

    check = ClosedForm.check

    def __init__(self, mistrust):
        self.mistrust = mistrust
        self._influence = 0.0

    def soft_margins(self, ensemble):
        return ensemble.descent_margins + self.mistrust * self._influence

    def weights(self, ensemble):
        weights = ensemble.cost.weights(self.soft_margins(ensemble))
        weights *= ensemble.descent_weight
        return weights

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
        weight = ensemble.sample_weight
        soft = ensemble.margins + self.mistrust * self._influence
        return float((ensemble.cost.value(soft) * weight).sum() / weight.sum())


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
        "n_estimators", "no edge", "increasing cost", "perfect", "validation".

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
        perfect="continue",
        validation_fraction=None,
        cv=None,
        n_iter_no_change=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            validation_fraction=validation_fraction,
            cv=cv,
            n_iter_no_change=n_iter_no_change,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.mistrust = mistrust

    def _preset(self):
        return Exponential(), SoftMargins(self.mistrust)
