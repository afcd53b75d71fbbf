"""LPBoost: the largest (soft) minimum margin, by column generation."""

import warnings
from numbers import Real

from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting.linear_programs._linear_program import MarginProgram


@documented
class LPBoostClassifier(BoostedClassifier):
    """Maximises the minimum margin over all convex combinations of weak hypotheses.

    Hard margin (``nu=0``): maximise rho subject to ``y_i sum_t a_t h_t(x_i) >= rho`` for all i, a >= 0,
    sum_t a_t = 1. Soft margin: maximise ``rho - sum_i w_i xi_i / nu`` subject to ``y_i sum_t a_t h_t(x_i) +
    xi_i >= rho``, xi >= 0, with sample weights w of sum 1. The dual variables are the weights of the next
    round; all coefficients are set anew in every round.

    Parameters
    ----------
    nu : float, default=0.0
        In [0, 1). At most this share of the weight lies below the soft margin rho, and no example weighs
        more than 1 / nu times its share. 0 is the hard margin. If nu is below what the data need, no combination has a
        positive soft margin, and a warning says which value would do.
    tol : float, default=1e-6
        Boosting ends when no hypothesis has an edge that exceeds the optimum so far by more.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses of positive weight, trained on the labels -1 and +1.
    cost_ : None
        The linear program minimises no cost of single margins.
    cost_curve_ : ndarray
        Minus the objective after each round: it never rises.
    stop_reason_ : str
        "optimal" (the weak learner finds nothing that could improve the objective: over all its hypotheses,
        if it is exact), "n_estimators", "no edge".

    See Also
    --------
    ArcGVClassifier : Approaches the hard margin with AdaBoost's weights.
    DLPBoostClassifier : Keeps AdaBoost's hypotheses and lowers no margin.

    Notes
    -----
    A larger minimum margin does not mean fewer errors on new data; the hard margin is the worst choice on
    noisy labels.

    References
    ----------
    - pratap2008, sections 2.2 and 2.4, after Grove and Schuurmans (1998) and Demiriz, Bennett and
      Shawe-Taylor (2002).

    Examples
    --------
    >>> from weaklearn.boosting import LPBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = LPBoostClassifier(n_estimators=500).fit(X, y)
    >>> smallest = (y * model.decision_function(X)).min()
    >>> model.stop_reason_, bool(abs(smallest + model.cost_curve_[-1]) < 1e-6)
    ('optimal', True)
    """

    _scaled = True
    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "nu": [Interval(Real, 0, 1, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        nu=0.0,
        tol=1e-6,
        *,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, warm_start=warm_start, random_state=random_state)
        self.nu = nu
        self.tol = tol

    def _preset(self):
        # No margin cost: weights and objective are those of the linear program.
        return None, MarginProgram(self.nu, self.tol)

    def _keep(self, run, n_rounds=None):
        super()._keep(run, n_rounds)
        costs = run.rounds.costs
        if self.nu > 0 and costs and not costs[-1] < 0:
            nu = run.step_rule.sufficient_nu(run.ensemble.sample_weight)
            advice = "Use more rounds or another weak learner." if nu is None else f"Use nu={nu:g} or more."
            warnings.warn(
                f"LPBoostClassifier found no combination with a positive soft margin for nu={self.nu:g} (its objective "
                f"is {-costs[-1]:.3g}), so its predictions are unreliable. {advice}",
                ConvergenceWarning,
                stacklevel=2,
            )
