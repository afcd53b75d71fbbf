"""SAMME and SAMME.R: AdaBoost for many classes with one multiclass weak learner."""

from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn.boosting.engine import SammeBoostedClassifier, centred_log_probabilities, class_votes


@documented
class SAMMEClassifier(SammeBoostedClassifier):
    r"""Stagewise additive modelling with a multiclass exponential loss.

    Round t trains a classifier T_t with the current weights of the examples, measures its weighted error e_t and,
    in SAMME, adds it with the coefficient

    .. math:: \alpha_t = \ln\frac{1 - e_t}{e_t} + \ln(K - 1),

    which is positive for anything better than guessing among K classes; the weights of the examples that it gets
    wrong are multiplied by :math:`e^{\alpha_t}`. The score of class k is the sum of alpha_t over the classifiers that
    vote for k. SAMME.R uses the class probabilities p_k(x) of T_t instead: the score of class k is the sum of
    :math:`\ell_k(x) = \ln p_k(x) - \frac1K \sum_j \ln p_j(x)`, and the weights are multiplied by
    :math:`e^{-\ell_y(x)}`.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any classifier for the same classes; SAMME.R needs its ``predict_proba``. None means
        scikit-learn's ``DecisionTreeClassifier(max_depth=1)``, or `weaklearn.trees.SmallTree` where float32, in
        which it works, cannot tell the values of a column apart.
    algorithm : {"SAMME", "SAMME.R"}, default="SAMME"
    random_state : int, RandomState instance or None, default=None
        Seeds the weak learner.

    Attributes
    ----------
    estimators_ : list of classifiers
        Trained on 0, 1, ...: the present classes in order.
    estimator_weights_ : ndarray of shape (n_iter_,)
        alpha; ones for SAMME.R.
    cost_curve_ : ndarray of shape (n_iter_,)
        Weighted mean of the loss ``exp(-(1/K) sum_k Y_k f_k)`` after each round, 1 before the first. Y is 1 for the
        example's class and -1 / (K - 1) for others, f is (K - 1) times the centred scores.
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share.
    stop_reason_ : str
        "n_estimators", or "no edge" if a classifier was no better than guessing; that one is not kept.
    absent_ : ndarray of bool, shape (n_classes,)
        Classes all of whose examples have weight zero; they are never predicted.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.

    See Also
    --------
    AdaBoostERPClassifier : Many classes from a binary weak learner.

    Notes
    -----
    The expected loss is least where the scores are log-probabilities up to a constant, so ``predict_proba`` is
    the softmax of the scores. With two classes SAMME is AdaBoost, its scores twice as large.

    A classifier without errors has (1 - e) / e taken to be 1000, and boosting continues. SAMME.R stops only at
    ``n_estimators``, or when a classifier is no better than guessing; probabilities are kept above 2.2e-16.

    References
    ----------
    - may2020, section 6, Algorithm 6: SAMME on digits.
    - Zhu, Zou, Rosset and Hastie (2009), Multi-class AdaBoost: both algorithms and the loss.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from weaklearn.datasets import load
    >>> from weaklearn.multiclass import SAMMEClassifier
    >>> wine = load("wine")
    >>> model = SAMMEClassifier(DecisionTreeClassifier(max_depth=2), 30, random_state=0)
    >>> round(model.fit(wine.X[::2], wine.y[::2]).score(wine.X[1::2], wine.y[1::2]), 2)
    0.97
    """

    _parameter_constraints: dict = {
        **SammeBoostedClassifier._parameter_constraints,
        "algorithm": [StrOptions({"SAMME", "SAMME.R"})],
    }

    def __init__(self, estimator=None, n_estimators=100, *, algorithm="SAMME", random_state=None):
        super().__init__(estimator, n_estimators, random_state=random_state)
        self.algorithm = algorithm

    def _weak_learner(self):
        return self._many_learner()

    @property
    def _says(self):
        return class_votes if self.algorithm == "SAMME" else centred_log_probabilities

    def _targets(self, codes):
        given = self._weak_learner()
        if self.algorithm == "SAMME.R" and not hasattr(given, "predict_proba"):
            raise ValueError(
                f"algorithm='SAMME.R' needs class probabilities, and {type(given).__name__} has no "
                "predict_proba. Use algorithm='SAMME'."
            )
        return super()._targets(codes)

    @property
    def absent_(self):
        """Classes all of whose examples have weight zero."""
        check_is_fitted(self)
        return ~self._present

    def _decision(self, F):
        F = self._class_scores(F)
        return F[:, 1] - F[:, 0] if F.shape[1] == 2 else F
