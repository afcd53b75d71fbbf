"""p-boosting: capacity control by the p-norm of the coefficients."""

from numbers import Real

from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting.p_hull._pnorm import Gravity, Naive, Sloppy, SloppyNewton, Strict
from weaklearn.costs import Exponential, get_cost


@documented
class PBoostClassifier(BoostedClassifier):
    """Boosting on a p-convex hull: combinations with ``||b||_p = (sum_t b_t^p)^(1/p) = 1``.

    A small p favours few hypotheses of large weight. The cost of round t is ``c(t^acceleration y F(x))``, with the
    exponential cost unless another is given.

    Parameters
    ----------
    variant : {"sloppy", "sloppy_newton", "strict", "naive", "gravity"}, default="sloppy"
        - "sloppy": AdaBoost's step, then b is divided by its p-norm, in every round;
        - "sloppy_newton": the same with the line search of the thesis's program, whose absolute tolerance ends it at
          once, with steps of ``0.5 / t``, when the summed cost has become small;
        - "strict": a line search along the hull, for ``(F + alpha h) / (1 + alpha^p)^(1/p)``;
        - "naive": AdaBoost's coefficients to the power 1/p;
        - "gravity": line searches for the cost plus ``gravity ||b||_p``, not normalised.
    cost : str or MarginCost, default="exponential"
        The cost that is minimised, nowhere increasing; see `weaklearn.costs`. The variants "naive", "sloppy" and
        "strict" take any, with AnyBoost's steps in place of AdaBoost's; the others are for the exponential one.
    p : float, default=1.0
        Positive.
    acceleration : float, default=0.0
        Non-negative. How fast the cost becomes steeper; 0 is not at all.
    gravity : float, default=0.01
        The weight of the norm in the cost of the variant "gravity"; others ignore it.
    weighting : {"adaboost", "normalised"}, default="adaboost"
        What the sample weights of the variant "sloppy" come from: AdaBoost's own combination of the same hypotheses,
        however the coefficients are changed, or (taking the text literally) the normalised F.

    Attributes
    ----------
    cost_ : MarginCost
        The cost, without its acceleration.
    cost_curve_ : ndarray
        The cost that the variant minimises after each round, as a mean over the examples.
    stop_reason_ : str
        "n_estimators", "no edge", "increasing cost" (the strict line search has no stationary minimum, or
        gravity outweighs every step), "perfect", "validation".

    See Also
    --------
    AdaBoostClassifier : The same without capacity control.

    Notes
    -----
    The first round has b = (1). Sloppy ensembles forget: every round divides the earlier coefficients by
    ``(1 + alpha_t^p)^(1/p)``, so the last hypotheses dominate and the error goes up and down from round to
    round; choose the round by ``n_folds``. The strict line search always rises first for p < 1 and soon
    has no minimum; the steps that it takes are to stationary minima, which need not be lower than the cost
    without any step.

    References
    ----------
    - barnes1999, sections 4.2 to 4.5 and appendix B; equation 6.1 (acceleration), equation 4.14 (gravity).

    Examples
    --------
    >>> from weaklearn.boosting import PBoostClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, noise=0.2, random_state=0)
    >>> model = PBoostClassifier(p=0.8, n_estimators=50).fit(X, y)
    >>> round(float((model.estimator_weights_**0.8).sum()), 10)
    1.0
    >>> PBoostClassifier(variant="strict", p=0.5).fit(X, y).stop_reason_
    'increasing cost'
    """

    _scaled = True
    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "variant": [StrOptions({"sloppy", "sloppy_newton", "strict", "naive", "gravity"})],
        "p": [Interval(Real, 0, None, closed="neither")],
        "acceleration": [Interval(Real, 0, None, closed="left")],
        "gravity": [Interval(Real, 0, None, closed="left")],
        "weighting": [StrOptions({"adaboost", "normalised"})],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        variant="sloppy",
        cost="exponential",
        p=1.0,
        acceleration=0.0,
        gravity=0.01,
        weighting="adaboost",
        perfect="continue",
        n_restarts=0,
        validation_fraction=None,
        n_folds=None,
        n_iter_no_change=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            n_restarts=n_restarts,
            validation_fraction=validation_fraction,
            n_folds=n_folds,
            n_iter_no_change=n_iter_no_change,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.variant = variant
        self.cost = cost
        self.p = p
        self.acceleration = acceleration
        self.gravity = gravity
        self.weighting = weighting

    def _preset(self):
        if self.weighting != "adaboost" and self.variant != "sloppy":
            raise ValueError(
                f"weighting={self.weighting!r} belongs to variant='sloppy'; got variant={self.variant!r}, which takes "
                "weighting='adaboost'."
            )
        cost = get_cost(self.cost)
        if self.variant in ("gravity", "sloppy_newton") and not isinstance(cost, Exponential):
            raise ValueError(
                f"variant={self.variant!r} is for the exponential cost; cost={self.cost!r} needs one of 'naive', "
                "'sloppy', 'strict'."
            )
        rules = {
            "sloppy": (Sloppy, self.weighting == "normalised"),
            "sloppy_newton": (SloppyNewton,),
            "strict": (Strict,),
            "naive": (Naive,),
            "gravity": (Gravity, self.gravity),
        }
        rule, *own = rules[self.variant]
        return cost, rule(self.p, self.acceleration, *own)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Normalised ensembles are ruled by their last or their first hypotheses and need not fit the data well.
        tags.classifier_tags.poor_score = self.variant in ("sloppy", "sloppy_newton", "strict")
        return tags
