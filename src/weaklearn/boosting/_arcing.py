"""Arcing: Breiman's algorithms, arc-x4 and arc-gv."""

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import ArcGV, Average
from weaklearn.costs import ArcX4, Exponential

__all__ = ["ArcGVClassifier", "ArcX4Classifier"]


@documented
class ArcX4Classifier(BoostedClassifier):
    """Arc-x4: every hypothesis has one vote, often misclassified examples have large weights.

    An example that k of the hypotheses so far got wrong has the weight ``w_i (1 + k^4)``. Up to the 1 this
    is gradient descent on ``sum_i w_i (1 - y_i F(x_i))^5`` over averages of votes, with steps of 1/t.

    Attributes
    ----------
    cost_ : MarginCost
        ``(1 - margin)^5``, a cost of the average vote.
    cost_curve_ : ndarray
        The mean of ``(1 - y_i F(x_i) / t)^5`` after each round.

    See Also
    --------
    AnyBoostClassifier : ``cost="arc_x4", step="average"`` is exactly the cost of the table, with weights k^4.

    Notes
    -----
    Without the 1 an example that was always right has the weight 0 from the second round on, and the weak
    learner never sees it again until it is wrong; Breiman's own algorithm has it.

    References
    ----------
    - pratap2008, table 2.1 (ARC-X4).

    Examples
    --------
    >>> from weaklearn.boosting import ArcX4Classifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = ArcX4Classifier(n_estimators=50).fit(X, y)
    >>> set(model.estimator_weights_.tolist())
    {1.0}
    """

    def _preset(self):
        return ArcX4(), Average(offset=1.0)


@documented
class ArcGVClassifier(BoostedClassifier):
    """Arc-gv: AdaBoost's weights, with steps that maximise the smallest margin.

    With the edge ``g_t = 1 - 2 e_t`` and the smallest normalised margin ``r_t = min_i y_i F(x_i) / sum_s
    alpha_s`` so far, ``alpha_t = 1/2 ln((1 + g_t) / (1 - g_t)) - 1/2 ln((1 + r_t) / (1 - r_t))``.

    Attributes
    ----------
    stop_reason_ : str
        "n_estimators", "no edge", "optimal" (the smallest margin is as large as the edge, hence as large as any
        combination has it), "perfect", "validation".

    See Also
    --------
    LPBoostClassifier : The largest smallest margin by linear programming.

    Notes
    -----
    A negative r_t counts as 0, which is AdaBoost's step: after one round with an error r_t is -1 and the
    formula infinite.

    References
    ----------
    - pratap2008, sections 2.6 and 2.6.3, after Breiman (1998).

    Examples
    --------
    >>> from weaklearn.boosting import ArcGVClassifier
    >>> from weaklearn.datasets import make_ring
    >>> X, y = make_ring(60, random_state=0)
    >>> model = ArcGVClassifier(n_estimators=1000).fit(X, y)
    >>> normed = y * model.decision_function(X) / model.estimator_weights_.sum()
    >>> round(float(normed.min()), 2)  # the largest there is: 1/9
    0.09
    """

    def _preset(self):
        return Exponential(), ArcGV()
