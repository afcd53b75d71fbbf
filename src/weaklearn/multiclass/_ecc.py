"""AdaBoost.ECC: boosting that grows an error-correcting code column by column."""

from sklearn.utils._param_validation import StrOptions

from weaklearn._docstrings import documented
from weaklearn.multiclass._code_classifier import BoostedCodeClassifier

__all__ = ["AdaBoostECCClassifier"]


@documented
class AdaBoostECCClassifier(BoostedCodeClassifier):
    r"""AdaBoost.ECC for any number of classes, with any binary weak learner.

    Every round picks a column of the code matrix M, which puts each class on side -1 or +1, learns a binary
    hypothesis f_t for it and adds it with the coefficient that minimises the cost

    .. math:: C = \sum_n w_n \sum_{k \ne y_n} e^{-\rho_k(x_n, y_n)}, \qquad
              \rho_k(x, y) = \frac12 \sum_t \alpha_t [M(y, t) - M(k, t)] f_t(x).

    The hypothesis is trained with the weights :math:`\sum_k \tilde D_t(n, k) [M(k, t) \ne M(y_n, t)]`, where
    :math:`\tilde D_t(n, k) = w_n e^{-\rho_k}`, and :math:`\alpha_t = \frac12 \ln(1 / \varepsilon_t - 1)` from its
    weighted error. The class whose code word is nearest to the votes, in Hamming distance weighted by alpha, is
    predicted.

    Parameters
    ----------
    partition : {"rand-half", "max-cut", "max-cut-greedy"} or array of shape (n_classes, n_columns), \
            default="rand-half"
        How columns are picked: a random half of the classes against the rest; the column that separates most
        cost, found by trying all of them (up to 20 classes); the same greedily, starting from one class drawn at
        random; or the columns of your own matrix of -1 and +1, in turn, rows in the order of ``classes_``.
    asymmetric : bool, default=False
        Give the votes -1 and +1 of a hypothesis coefficients of their own, each of them ``1/2 ln(right / wrong)``
        among the examples that get this vote.

    Attributes
    ----------
    estimator_weights_ : ndarray of shape (n_iter_,), or (2, n_iter_) if asymmetric
        The coefficients; if asymmetric those of the votes -1 and of the votes +1.

    See Also
    --------
    AdaBoostERPClassifier : Lets the column follow what the weak learner can do; usually better.

    Notes
    -----
    The expected cost at x is least where ``exp(2 s_k(x))`` is proportional to the probability of class k, with
    the class scores ``s_k = 1/2 sum_t alpha_t M(k, t) f_t`` of ``decision_function``; ``predict_proba`` inverts
    this. With two classes this is AdaBoost.

    A hypothesis without errors would get an infinite coefficient; it gets ``1/2 ln 1000``.

    References
    ----------
    - li2006, section 4.2: Algorithm 4.1, equations (4.1) to (4.4).
    - Guruswami and Sahai (1999), Multiclass learning, boosting, and error-correcting codes: both forms.
    - Sun et al. (2005): the cost that it minimises.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> from weaklearn.multiclass import AdaBoostECCClassifier
    >>> iris = load("iris")
    >>> model = AdaBoostECCClassifier(n_estimators=30, partition="max-cut").fit(iris.X, iris.y)
    >>> model.code_matrix_[:, :4]
    array([[-1, -1, -1, -1],
           [ 1, -1,  1,  1],
           [-1,  1, -1, -1]], dtype=int8)
    >>> bool((model.predict_proba(iris.X).argmax(axis=1) == model.decision_function(iris.X).argmax(axis=1)).all())
    True
    """

    _parameter_constraints: dict = {
        **BoostedCodeClassifier._parameter_constraints,
        "partition": [StrOptions({"rand-half", "max-cut", "max-cut-greedy"}), "array-like"],
        "asymmetric": ["boolean"],
    }

    def __init__(
        self, estimator=None, n_estimators=500, *, partition="rand-half", asymmetric=False, random_state=None
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.partition = partition
        self.asymmetric = asymmetric
        self.random_state = random_state

    def _preset(self):
        return "L", self.asymmetric
