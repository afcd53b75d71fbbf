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
    perfect : {"continue", "stop"}, default="continue"
        What to do after a hypothesis without errors, which is kept in either case.
    n_restarts : int, default=0
        How often, where a hypothesis has no edge, the weights are replaced by a bootstrap sample of the
        examples and boosting goes on with the same ensemble.
    validation : float, int or None, default=None
        How the number of rounds is chosen, up to ``n_estimators``. A float between 0 and 1 holds out that share
        of each class and keeps the rounds up to the least error on it; an int of at least 2 is a number of
        folds: the least mean error over them gives the number of rounds of a fit to all examples. None
        takes all rounds.
    patience : int or None, default=None
        With ``validation``, look no further than so many rounds without a lower validation error.
    warm_start : bool, default=False
        Go on from the last fit, on the same data, when ``n_estimators`` was raised. The outcome is that of one
        long fit.
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner, resampling, restarts and validation; plain boosting of stumps uses none.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray
        Their coefficients.
    estimator_errors_ : ndarray
        Their weighted errors in the rounds that made them.
    cost_ : MarginCost
        The exponential cost.
    cost_curve_ : ndarray
        The mean cost after each round.
    error_curve_ : ndarray
        Weighted training error after each round, as a share; F(x) = 0 is an error.
    stop_reason_ : str
        "n_estimators" (all rounds were run), "no edge" (a hypothesis had a weighted error of 1/2 or more;
        it is not kept, and if it is the first, the ensemble is empty and predicts ``classes_[0]``),
        "perfect", "validation".
    n_iter_ : int
        The number of rounds.
    validation_curve_ : ndarray
        With ``validation``: the validation error after each round.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had column names that are all strings.

    See Also
    --------
    weaklearn.stumps.DecisionStump : The default weak learner; ``criterion="gini"`` gives scikit-learn's
    AdaBoost.
    AnyBoostClassifier : Other costs and steps.

    Notes
    -----
    A hypothesis without errors would get an infinite coefficient. As in li2005's experiments it gets
    ``1/2 ln 1000`` and boosting goes on. (barnes1999 and pratap2008 stop there, without that hypothesis;
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
