"""AdaBoost.ECC and AdaBoost.ERP: boosting that grows an error-correcting code, and decodes the votes by it.

Conventions:

- The class of largest score is predicted; of equal scores the first class in ``classes_`` wins.
- A class all of whose training examples have weight zero is never predicted: its score is -inf.
- For two classes ``decision_function`` is one number per row, the score of ``classes_[1]`` minus that of
  ``classes_[0]``, as everywhere in scikit-learn.
"""

import re
from abc import abstractmethod
from itertools import islice
from numbers import Integral

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from weaklearn._docstrings import documented
from weaklearn._fast.code_columns import code_scores
from weaklearn._training import training_set, validate_data
from weaklearn.boosting.engine import StagedPredictions, prepare_relabelled, votes
from weaklearn.multiclass._code_rounds import CodeState, code_rounds
from weaklearn.multiclass._partitions import PARTITIONS
from weaklearn.stumps import DecisionStump

# Votes are held for blocks of rows of about this many numbers.
_BLOCK = 1 << 20


class BoostedCodeClassifier(StagedPredictions, ClassifierMixin, BaseEstimator):
    """Base of AdaBoost.ECC and AdaBoost.ERP: a subclass states its schedule.

    There is one hypothesis for each column of ``code_matrix_``. With g_t(x) the vote of hypothesis t times its
    coefficient, the score of class k is ``s_k(x) = 1/2 sum_t M(k, t) g_t(x)``; the weighted Hamming distance between
    the code word of k and the votes is a constant minus this.

    Parameters
    ----------
    estimator : object, default=None
        The weak learner: any binary classifier. None means `DecisionStump()`. One whose ``fit`` takes no
        ``sample_weight`` is trained on resamples drawn by weight.
    n_estimators : int, default=500
        The largest number of rounds.
    random_state : int, RandomState instance or None, default=None
        Seeds random partitions and the weak learner.

    Attributes
    ----------
    code_matrix_ : ndarray of shape (n_classes, n_iter_)
        -1 and +1; a row of zeros for an absent class.
    estimators_ : list of classifiers
        The hypotheses, trained on the labels -1 and +1.
    estimator_weights_ : ndarray of shape (n_iter_,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_iter_,)
        Their weighted errors in the rounds that made them, on the final column of the round.
    cost_curve_ : ndarray of shape (n_iter_,)
        The cost after each round, as a share of its value before the first, the sum of w_n (K - 1).
    error_curve_ : ndarray of shape (n_iter_,)
        Weighted training error after each round, as a share; a margin of 0 is an error.
    stop_reason_ : str
        "n_estimators", or "no edge" if the error of a hypothesis was 1/2 or more; that one is not kept.
    n_iter_ : int
        The number of hypotheses.
    absent_ : ndarray of bool, shape (n_classes,)
        Classes all of whose examples have weight zero; they are never predicted.
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, n_estimators=500, *, partition="rand-half", random_state=None):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.partition = partition
        self.random_state = random_state

    @abstractmethod
    def _checked_schedule(self):
        """L, or L and R in turn; ValueError if it is neither."""

    @documented
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Boost on a training set."""
        schedule = self._checked_schedule()
        X, codes, sample_weight = training_set(self, X, y, sample_weight, finite=self._finite())
        present = np.bincount(codes, minlength=len(self.classes_)) > 0
        codes = (np.cumsum(present) - 1)[codes]
        partition = PARTITIONS[self.partition]()
        rng = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        state = CodeState(codes, sample_weight, np.count_nonzero(present))
        learner = prepare_relabelled(self._weak_learner(), X)
        rounds = list(islice(code_rounds(learner, state, partition, schedule, rng), self.n_estimators))

        self.absent_ = ~present
        self.code_matrix_ = np.zeros((len(present), len(rounds)), dtype=np.int8)
        self.estimators_ = [one.hypothesis for one in rounds]
        if rounds:
            self.code_matrix_[present] = np.stack([one.column for one in rounds], axis=1)
        self.estimator_weights_ = np.array([one.coefficient for one in rounds])
        self.estimator_errors_ = np.array([one.error for one in rounds])
        self.cost_curve_ = np.array([one.cost for one in rounds])
        self.error_curve_ = np.array([one.training_error for one in rounds])
        self.stop_reason_ = "n_estimators" if len(rounds) == self.n_estimators else "no edge"
        return self

    def _validated(self, X):
        check_is_fitted(self)
        return validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite=self._finite(), reset=False
        )

    def _weak_learner(self):
        return DecisionStump() if self.estimator is None else self.estimator

    def _finite(self):
        """What X has to be, in scikit-learn's words: missing values are taken where the weak learner takes them."""
        return "allow-nan" if get_tags(self._weak_learner()).input_tags.allow_nan else True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._finite() is not True
        return tags

    def _without_absent(self, scores):
        return np.where(self.absent_, -np.inf, scores)

    def _decision(self, F):
        F = self._without_absent(F)
        return F[:, 1] - F[:, 0] if F.shape[1] == 2 else F

    def _labels(self, F):
        return self.classes_[self._without_absent(F).argmax(axis=1)]

    @property
    def n_iter_(self):
        """The number of hypotheses in the ensemble."""
        return len(self.estimators_)

    @documented
    def predict_proba(self, X):
        """Class probabilities: those for which the scores minimise the expected cost (see Notes of the class).

        Long runs drive them to extremes: calibrate them if they matter.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        # The expected cost is least where exp(2 s_k) is proportional to P(k | x), by Cauchy-Schwarz:
        # sum_k exp(s_k) * sum_k P(k) exp(-s_k) >= (sum_k sqrt(P(k)))^2, with equality only there.
        return softmax(2.0 * self._without_absent(self._scores(self._validated(X))), axis=1)

    def _shorten(self, shorter, n):
        if n <= self.n_iter_:
            shorter.stop_reason_ = "n_estimators"
        for name in ("estimators_", "estimator_weights_", "estimator_errors_", "cost_curve_", "error_curve_"):
            setattr(shorter, name, getattr(self, name)[:n])
        shorter.code_matrix_ = self.code_matrix_[:, :n]

    def _scores(self, X):
        scores = np.zeros((len(X), len(self.classes_)))
        columns = 0.5 * self.code_matrix_.T
        n_rows = max(1, _BLOCK // max(1, len(self.estimators_)))
        for start in range(0, len(X), n_rows):
            rows = slice(start, start + n_rows)
            code_scores(self._weighted_votes(X[rows]), columns, scores[rows])
        return scores

    def _staged_scores(self, X):
        scores = np.zeros((len(X), len(self.classes_)))
        columns = 0.5 * self.code_matrix_.T
        # In blocks of rounds, so that stumps vote together; the order of summation is that of `_scores`.
        length = max(1, _BLOCK // max(1, len(X)))
        for start in range(0, len(self.estimators_), length):
            weighted = self._weighted_votes(X, slice(start, start + length))
            for t in range(weighted.shape[1]):
                code_scores(weighted[:, t : t + 1], columns[start + t][None, :], scores)
                yield scores

    def _weighted_votes(self, X, rounds=slice(None)):
        """g_t(x) of some rounds: (n_samples, number of rounds)."""
        alpha = self.estimator_weights_[rounds]
        return np.where(votes(self.estimators_[rounds], X), alpha, -alpha)

    def class_margins(self, X, y):
        """The margins (4.1) of examples for every class.

        ``rho_k(x, y) = s_y(x) - s_k(x)``: how much farther, in weighted Hamming distance, the code word of k is
        from the votes than that of y. An example is right if all others are positive.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels among ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            0 for the example's own class.
        """
        check_is_fitted(self)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", reset=False)
        codes = np.searchsorted(self.classes_, y)
        known = codes < len(self.classes_)
        known[known] = self.classes_[codes[known]] == y[known]
        if not known.all():
            raise ValueError(f"y has the label {y[~known][0]!r}, which is not among the classes of the fit.")
        scores = self._scores(X)
        return scores[np.arange(len(y)), codes][:, None] - scores


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
    partition : {"rand-half", "max-cut", "max-cut-greedy"}, default="rand-half"
        How columns are picked: a random half of the classes against the rest; the column that separates most
        cost, found by trying all of them (up to 20 classes); or the same greedily, starting from one class drawn at
        random.

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
    - Guruswami and Sahai (1999), Multiclass learning, boosting, and error-correcting codes.
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
        "partition": [StrOptions({"rand-half", "max-cut", "max-cut-greedy"})],
    }

    def _checked_schedule(self):
        return "L"


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
    partition : {"max-2", "rand-2", "rand-half", "max-cut", "max-cut-greedy"}, default="max-2"
        The first column of a round: the two classes between which there is most cost; two classes at random; or the
        full columns of `AdaBoostECCClassifier`.
    schedule : str, default="LRL"
        "LR", "LRL", "LRLR" and so on, or "converge": until a repartition no longer makes the descent steeper.
        A round ends early when a repartition changes nothing.

    See Also
    --------
    AdaBoostECCClassifier : The columns are picked without looking at the weak learner.

    Notes
    -----
    ``predict_proba`` is as for `AdaBoostECCClassifier`. A hypothesis that is learned on a pair of classes sees the
    examples of that pair alone. The entry of a class with a sum of exactly 0 is +1.

    References
    ----------
    li2006, section 4.3: Algorithm 4.2, equation (4.5); section 4.4 for partitions and schedules.

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
        "partition": [StrOptions(set(PARTITIONS))],
        "schedule": [str],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=500,
        *,
        partition="max-2",
        schedule="LRL",
        random_state=None,
    ):
        super().__init__(estimator, n_estimators, partition=partition, random_state=random_state)
        self.schedule = schedule

    def _checked_schedule(self):
        # Without an R a pair would stay a pair, for which the closed form of alpha does not hold.
        if self.schedule != "converge" and not re.fullmatch("(LR)+L?", self.schedule):
            raise ValueError(
                "schedule must be 'converge' or L and R in turn, starting with L and with at least one R, as "
                f"'LRL'; got {self.schedule!r}."
            )
        return self.schedule
