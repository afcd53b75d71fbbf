"""AdaBoost.ERP: AdaBoost.ECC whose columns are moved towards what the weak learner can do."""

import re

from sklearn.utils._param_validation import StrOptions

from weaklearn._docstrings import documented
from weaklearn.multiclass._code_classifier import BoostedCodeClassifier
from weaklearn.multiclass._partitions import PARTITIONS

__all__ = ["AdaBoostERPClassifier"]


@documented
class AdaBoostERPClassifier(BoostedCodeClassifier):
    r"""AdaBoost.ECC with repartitioning, for any number of classes and any binary weak learner.

    A column that separates much of the cost is worth little if the weak learner cannot learn it. Every round
    starts from a pair of classes, or from a column with all classes, and alternates between learning a hypothesis
    f_t for the column (L) and moving every class to the side that f_t itself prefers (R):

    .. math:: M(k, t) = \mathrm{sign}\Big[ \sum_{n: y_n = k} \sum_l \tilde D_t(n, l) f_t(x_n)
              - \sum_n \tilde D_t(n, k) f_t(x_n) \Big],

    which, of all :math:`2^K` columns, has the steepest descent of the cost for this f_t. Cost, weights, coefficients
    and decoding are those of `AdaBoostECCClassifier`.

    Parameters
    ----------
    partition : {"max-2", "rand-2", "rand-half", "max-cut", "max-cut-greedy"} or array of shape \
            (n_classes, n_columns), default="max-2"
        The first column of a round: the two classes between which there is most cost; two classes at random; the full
        columns of `AdaBoostECCClassifier`; or the columns of your own matrix of -1, 0 and +1, in turn, rows in the
        order of ``classes_``.
    schedule : str, default="LRL"
        "LR", "LRL", "LRLR" and so on, or "converge": until a repartition no longer makes the descent steeper.
        A round ends early when a repartition changes nothing.
    asymmetric : bool, default=False
        Give the votes -1 and +1 of a hypothesis coefficients of their own, each of them ``1/2 ln(right / wrong)``
        among the examples that get this vote. Repartitioning is the same.

    Attributes
    ----------
    estimator_weights_ : ndarray of shape (n_iter_,), or (2, n_iter_) if asymmetric
        The coefficients; if asymmetric those of the votes -1 and of the votes +1.

    See Also
    --------
    AdaBoostECCClassifier : The columns are picked without looking at the weak learner.

    Notes
    -----
    ``predict_proba`` is as for `AdaBoostECCClassifier`. A hypothesis that is learned on a pair of classes sees the
    examples of that pair alone. The entry of a class with a sum of exactly 0 is +1.

    References
    ----------
    li2006, section 4.3: Algorithm 4.2, equation (4.5); section 4.4 for partitions and schedules; its third footnote
    for the asymmetric form.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> from weaklearn.multiclass import AdaBoostERPClassifier
    >>> wine = load("wine")
    >>> model = AdaBoostERPClassifier(n_estimators=40, schedule="LRLR").fit(wine.X[::2], wine.y[::2])
    >>> round(model.score(wine.X[1::2], wine.y[1::2]), 3)
    0.955
    >>> model.truncated(5).code_matrix_.shape
    (3, 5)
    """

    _parameter_constraints: dict = {
        **BoostedCodeClassifier._parameter_constraints,
        "partition": [StrOptions(set(PARTITIONS)), "array-like"],
        "schedule": [str],
        "asymmetric": ["boolean"],
    }
    _partial = True

    def __init__(
        self,
        estimator=None,
        n_estimators=500,
        *,
        partition="max-2",
        schedule="LRL",
        asymmetric=False,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.partition = partition
        self.schedule = schedule
        self.asymmetric = asymmetric
        self.random_state = random_state

    def _preset(self):
        # Without an R a pair would stay a pair, for which the closed form of alpha does not hold.
        if self.schedule != "converge" and not re.fullmatch("(LR)+L?", self.schedule):
            raise ValueError(
                "schedule must be 'converge' or L and R in turn, starting with L and with at least one R, as "
                f"'LRL'; got {self.schedule!r}."
            )
        return self.schedule, self.asymmetric
