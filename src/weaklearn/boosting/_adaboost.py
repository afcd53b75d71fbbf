"""AdaBoost: the exponential cost, minimised by exact line searches."""

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._shared_docs import documented
from weaklearn.boosting._steps import ClosedForm
from weaklearn.costs import Exponential

__all__ = ["AdaBoostClassifier"]


@documented
class AdaBoostClassifier(BoostedClassifier):
    """AdaBoost for two classes, with any weak learner.

    Builds ``F(x) = sum_t alpha_t h_t(x)``. Round t trains the weak learner with the weights
    ``w_i exp(-y_i F(x_i))``, where w are the sample weights, measures its weighted error e_t and adds it
    with the coefficient ``alpha_t = 1/2 ln((1 - e_t) / e_t)``, which minimises the cost
    ``C(F) = sum_i w_i exp(-y_i F(x_i)) / sum_i w_i`` along h_t.

    See Also
    --------
    weaklearn.stumps.DecisionStump : The default weak learner; ``criterion="gini"`` gives scikit-learn's
    AdaBoost.
    AnyBoostClassifier : Other costs and steps.

    Notes
    -----
    A hypothesis without errors would get an infinite coefficient. As in li2005's experiments it gets
    ``1/2 ln 1000`` and boosting continues. (barnes1999 and pratap2008 stop there, without that hypothesis;
    ``perfect="stop"`` stops and keeps it.)

    The training error after T rounds is at most ``C(F) = prod_t 2 sqrt(e_t (1 - e_t))``.

    References
    ----------
    - li2006, section 3.3.1: AdaBoost as AnyBoost with the exponential cost.
    - barnes1999, theorems 6 and 7: gradient descent, and the bound on the training error.
    - li2005, section 4.4: AdaBoost of perceptrons.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.boosting import AdaBoostClassifier
    >>> X = np.arange(6.0)[:, None]
    >>> y = ["in" if 1 < x < 4 else "out" for x in X[:, 0]]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.error_curve_.round(3)
    array([0.333, 0.333, 0.   ])
    >>> model.predict([[0.2], [2.4], [5.0]])
    array(['out', 'in', 'out'], dtype='<U3')
    """

    def _preset(self):
        return Exponential(), ClosedForm()
