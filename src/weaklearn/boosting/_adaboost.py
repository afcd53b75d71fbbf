"""AdaBoost: the exponential cost, minimised by exact line searches."""

from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._steps import ClosedForm
from weaklearn.costs import Exponential

__all__ = ["AdaBoostClassifier"]


class AdaBoostClassifier(BoostedClassifier):
    """AdaBoost for two classes, with any weak learner.

    Builds ``F(x) = sum_t alpha_t h_t(x)``. Round t trains the weak learner with the weights
    ``w_i exp(-y_i F(x_i))``, where w are the sample weights, measures its weighted error e_t and adds it
    with the coefficient ``alpha_t = 1/2 ln((1 - e_t) / e_t)``, which minimises the cost
    ``C(F) = sum_i w_i exp(-y_i F(x_i)) / sum_i w_i`` along h_t.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets
        a seed of its own in every round.
    n_estimators : int, default=100
        The largest number of rounds.
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner and the resampling; stumps use neither.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_iter_,)
        Their coefficients alpha.
    estimator_errors_ : ndarray of shape (n_iter_,)
        Their weighted errors e in the round that made them.
    cost_curve_ : ndarray of shape (n_iter_,)
        C(F) after each round.
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error of the ensemble after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators", or "no edge" if a hypothesis had an error of 1/2 or more. That one is not kept; if
        it is the first, the ensemble is empty and predicts ``classes_[0]``.
    n_iter_ : int
        The number of hypotheses.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had column names that are all strings.

    See Also
    --------
    weaklearn.stumps.DecisionStump : The default weak learner.

    Notes
    -----
    A hypothesis without errors would get an infinite coefficient. As in li2005's experiments it gets
    ``1/2 ln 1000`` and boosting goes on.

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

    def __init__(self, estimator=None, n_estimators=100, *, random_state=None):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.random_state = random_state

    def _preset(self):
        return Exponential(), ClosedForm()
