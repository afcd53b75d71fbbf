"""AdaBoost: the exponential cost, minimised by exact line searches; SAMME for more than two classes."""

from numbers import Real

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils._param_validation import Interval

from weaklearn._docstrings import documented
from weaklearn.boosting._classifier import BoostedClassifier
from weaklearn.boosting._samme import SammeBoostedClassifier


@documented
class AdaBoostClassifier(SammeBoostedClassifier):
    """AdaBoost for two or more classes, with any weak learner.

    For two classes it builds ``F(x) = sum_t alpha_t h_t(x)``. Round t trains the weak learner with the weights
    ``w_i exp(-y_i F(x_i))``, where w are the sample weights, measures its weighted error e_t and adds it
    with the coefficient ``alpha_t = 1/2 ln((1 - e_t) / e_t)``, which minimises the cost
    ``C(F) = sum_i w_i exp(-y_i F(x_i)) / sum_i w_i`` along h_t.

    For K > 2 classes it is SAMME: the weak learner tells all classes apart, its coefficient is
    ``ln((1 - e_t) / e_t) + ln(K - 1)``, and the class with the largest sum of coefficients is predicted.

    It can replace scikit-learn's ``AdaBoostClassifier`` by a change of the import.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier. None means ``DecisionStump(criterion="gini")`` for two classes and
        scikit-learn's ``DecisionTreeClassifier(max_depth=1)`` for more: the stump of scikit-learn's AdaBoost. The
        stump of least weighted error, which the documents boost, is ``DecisionStump()``. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight; one with a ``random_state`` gets a seed of its own
        in every round.
    learning_rate : float, default=1.0
        The share of every coefficient that is taken. Small steps need more rounds and overfit later.
    n_restarts : int, default=0
        How often, at most, boosting restarts where a hypothesis has no edge: a bootstrap sample of the
        examples replaces their weights, and the ensemble is kept. For two classes only.

    Attributes
    ----------
    estimators_ : list of classifiers
        The hypotheses: trained on the labels -1 and +1 for two classes, on 0, 1, ... (the classes in order) for more.
    cost_curve_ : ndarray of shape (n_iter_,)
        The mean cost after each round; for more than two classes the loss of `SAMMEClassifier`.
    stop_reason_ : str
        "n_estimators" (all rounds were run), "no edge" (a hypothesis was no better than guessing; it is not kept.
        If it is the first one, the ensemble of two classes is empty and predicts ``classes_[0]``; for more classes
        `fit` raises an error), "perfect" (a hypothesis without errors, with ``perfect="stop"``), "overflow" (the
        weights became infinite, which a warning says: the learning rate is far too large) or "validation".
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.

    See Also
    --------
    weaklearn.stumps.DecisionStump : The default weak learner, and the stump of least error.
    AnyBoostClassifier : Other costs and steps.
    weaklearn.multiclass.SAMMEClassifier : SAMME.R, too.
    weaklearn.multiclass.AdaBoostERPClassifier : Many classes from a binary weak learner.

    Notes
    -----
    A hypothesis without errors would get an infinite coefficient. As in li2005's experiments it gets
    ``1/2 ln 1000`` and boosting continues. (barnes1999 and pratap2008 stop there, without that hypothesis;
    ``perfect="stop"`` stops and keeps it.)

    The training error of two classes after T rounds is at most ``C(F) = prod_t 2 sqrt(e_t (1 - e_t))``.

    ``decision_function`` is F for two classes. For more it is, as in scikit-learn, the mean vote, weighted by the
    coefficients: a vote counts 1 for its class and -1 / (K - 1) for the others.

    Differences from scikit-learn: F of two classes is not divided by the sum of the coefficients; the default is 100
    rounds; a perfect hypothesis does not end boosting; weights are taken relative to the largest, so that they
    overflow only where the cost does; a weak learner without ``sample_weight`` is trained on resamples instead of
    refused.

    References
    ----------
    - li2006, section 3.3.1: AdaBoost as AnyBoost with the exponential cost.
    - barnes1999, theorems 6 and 7: gradient descent, and the bound on the training error.
    - li2005, section 4.4: AdaBoost of perceptrons.
    - Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost: SAMME.

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

    _parameter_constraints: dict = {
        **BoostedClassifier._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
    }
    _fewest_classes = 1
    _criterion = "gini"

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        learning_rate=1.0,
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
        self.learning_rate = learning_rate

    @property
    def _many(self):
        return len(self.classes_) > 2

    def _targets(self, codes):
        targets = super()._targets(codes)
        if self._many and self.n_restarts:
            raise ValueError(
                f"n_restarts={self.n_restarts} is for two classes; y has {len(self.classes_)}. Set it to 0."
            )
        learner = self._many_learner()
        if self._many and not _takes_many(learner):
            raise ValueError(
                f"Only binary classification is supported by {type(learner).__name__}, and y has "
                f"{len(self.classes_)} classes. Use an estimator for many classes (None means a tree of depth 1), "
                "or weaklearn.multiclass.AdaBoostERPClassifier."
            )
        return targets

    def _advance(self, run, X, y, n_rounds, watch=None):
        super()._advance(run, X, y, n_rounds, watch)
        if self._many and not run.rounds.hypotheses:
            raise ValueError(
                f"the first {type(self._many_learner()).__name__} is no better or worse than random guessing among "
                f"{run.n_classes} classes: there is nothing to boost. Use another estimator, or check that X and y "
                "belong together."
            )

    def _decision(self, F):
        if not self._many:
            return F
        total = F.sum(axis=1, keepdims=True)
        return self._class_scores((F - (total - F) / max(1, F.shape[1] - 1)) / total)

    def _probabilities(self, F, n_runs):
        return np.ones((len(F), 1)) if len(self.classes_) == 1 else super()._probabilities(F, n_runs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = _takes_many(self._many_learner())
        return tags


def _takes_many(learner):
    """Whether a classifier takes more than two classes, as far as its tags say."""
    tags = get_tags(learner).classifier_tags
    return tags is None or tags.multi_class
