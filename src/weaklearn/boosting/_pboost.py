"""p-boosting: capacity control by the p-norm of the coefficients."""

from numbers import Real

from sklearn.utils._param_validation import Interval, StrOptions

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._pnorm import Gravity, Naive, Sloppy, Strict
from weaklearn.boosting._shared_docs import documented
from weaklearn.costs import Exponential

__all__ = ["PBoostClassifier"]


@documented
class PBoostClassifier(BoostedClassifier):
    """Boosting on a p-convex hull: combinations with ``||b||_p = (sum_t b_t^p)^(1/p) = 1``.

    A small p favours few hypotheses of large weight. The exponential cost of round t is
    ``exp(-t^acceleration y F(x))``.

    Parameters
    ----------
    variant : {"sloppy", "strict", "naive", "gravity"}, default="sloppy"
        - "sloppy": AdaBoost's step, then b is divided by its p-norm, in every round;
        - "strict": a line search along the hull, for ``(F + alpha h) / (1 + alpha^p)^(1/p)``;
        - "naive": AdaBoost's coefficients to the power 1/p, with AdaBoost's weights;
        - "gravity": line searches for the cost plus ``gravity ||b||_p``, not normalised.
    p : float, default=1.0
        Positive.
    acceleration : float, default=0.0
        Non-negative. How fast the cost becomes steeper; 0 is not at all.
    gravity : float, default=0.01
        The weight of the norm in the cost of the variant "gravity"; others ignore it.
    weighting : {"adaboost", "normalised"}, default="adaboost"
        What the sample weights of the variant "sloppy" come from: AdaBoost's own combination of the same
        hypotheses, of which only the coefficients are normalised; or, taking the text literally, the
        normalised F. Others ignore it.

    Attributes
    ----------
    cost_ : MarginCost
        The exponential cost, without its acceleration.
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
    round; choose the round by ``validation``. The strict line search always rises first for p < 1 and soon
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

    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "variant": [StrOptions({"sloppy", "strict", "naive", "gravity"})],
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
        p=1.0,
        acceleration=0.0,
        gravity=0.01,
        weighting="adaboost",
        perfect="continue",
        n_restarts=0,
        validation=None,
        patience=None,
        warm_start=False,
        random_state=None,
    ):
        super().__init__(
            estimator,
            n_estimators,
            perfect=perfect,
            n_restarts=n_restarts,
            validation=validation,
            patience=patience,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.variant = variant
        self.p = p
        self.acceleration = acceleration
        self.gravity = gravity
        self.weighting = weighting

    def _preset(self):
        rules = {
            "sloppy": lambda: Sloppy(self.p, self.acceleration, self.weighting == "normalised"),
            "strict": lambda: Strict(self.p, self.acceleration),
            "naive": lambda: Naive(self.p, self.acceleration),
            "gravity": lambda: Gravity(self.p, self.acceleration, self.gravity),
        }
        return Exponential(), rules[self.variant]()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Normalised ensembles are ruled by their last or their first hypotheses and need not fit the data well.
        tags.classifier_tags.poor_score = self.variant in ("sloppy", "strict")
        return tags
