r"""`AnnotatorConsensus`: one label from the labels of several people, and how good each of them is.

Dawid and Skene (1979): rater r writes z for a row of class j with probability :math:`\pi^r_{jz}`, independently of the
others. EM alternates between the probabilities of the true labels and the smoothed counts of each rater's answers.
"""

from numbers import Integral, Real

import numpy as np
import pandas
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, _fit_context, clone
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from weaklearn.labels._label_auditor import LabelAuditor


class AnnotatorConsensus(BaseEstimator):
    """Consensus of several raters, after Dawid and Skene.

    Raters may have labelled some of the rows only. Given the columns of the table, the learners of `LabelAuditor` take
    part as one more rater, whose answers are held-out probabilities, calibrated to the first consensus. As this is no
    truth, they are modest, and no rater is judged by them alone.

    Parameters
    ----------
    smoothing : float, default=20.0
        Imaginary answers of each rater to each class, as often right as the rater's answers to all classes are. The
        latter start from as many imaginary answers, three quarters of them right.
    max_iter : int, default=200
        Most rounds of EM; it ends when no probability changes by more than 1e-6.
    auditor : LabelAuditor, default=None
        Its learners are used if there is X; None stands for the defaults with ``random_state=0``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    label_ : ndarray of shape (n_samples,)
        The most probable label of each row.
    label_probability_ : ndarray of shape (n_samples, n_classes)
        Probability of every label to be the true one.
    rater_quality_ : ndarray of shape (n_raters,)
        Expected share of right answers on the rows that the rater has labelled; NaN without any.
    confusion_ : ndarray of shape (n_raters, n_classes, n_classes)
        P(answer | true label) of each rater, a row for each true label.
    n_iter_ : int
        Rounds of EM.

    References
    ----------
    A. P. Dawid and A. M. Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied
    Statistics 28 (1979), 20-28.

    Examples
    --------
    >>> from weaklearn.labels import AnnotatorConsensus
    >>> labels = [["cat", "cat", "dog"], ["dog", "dog", None], ["cat", None, "cat"], ["dog", "dog", "cat"]]
    >>> consensus = AnnotatorConsensus().fit(labels)
    >>> consensus.label_.tolist()
    ['cat', 'dog', 'cat', 'dog']
    >>> bool(consensus.rater_quality_[2] < consensus.rater_quality_[0])
    True
    """

    _parameter_constraints = {
        "smoothing": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "auditor": [LabelAuditor, None],
    }

    def __init__(self, *, smoothing=20.0, max_iter=200, auditor=None):
        self.smoothing = smoothing
        self.max_iter = max_iter
        self.auditor = auditor

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, labels, X=None):
        """Find the consensus.

        Parameters
        ----------
        labels : array-like of shape (n_samples, n_raters)
            A column for each rater; None or NaN where a rater gave no label.
        X : DataFrame or array-like of shape (n_samples, n_features), default=None
            The columns of the table, as for `LabelAuditor`.

        Returns
        -------
        self
        """
        answers, self.classes_ = _encoded(labels)
        prior = None
        if X is not None:
            # A majority stands for the truth until the raters are known; the learners do not see a row's own label.
            first = self._em(answers)[0].argmax(axis=1)
            auditor = LabelAuditor(random_state=0) if self.auditor is None else clone(self.auditor)
            prior = _held_out(auditor, X, first, len(self.classes_))
        P, self.confusion_ = self._em(answers, prior)
        self.label_probability_ = P
        self.label_ = self.classes_[P.argmax(axis=1)]
        quality = []
        for codes in answers.T:
            rows = np.flatnonzero(codes >= 0)
            quality.append(P[rows, codes[rows]].mean() if len(rows) else np.nan)
        self.rater_quality_ = np.array(quality)
        self._open = answers < 0
        return self

    def _em(self, answers, prior=None):
        """Probabilities of the true labels from a ``prior`` or their shares, and the confusion of the raters."""
        n, K = len(answers), len(self.classes_)
        given = (answers[:, :, None] == np.arange(K)).astype(float)
        P = given.sum(axis=1) + 1e-3
        P /= P.sum(axis=1, keepdims=True)
        for step in range(1, self.max_iter + 1):
            self.n_iter_ = step
            counts = np.einsum("nj,nrz->rjz", P, given)
            right = np.trace(counts, axis1=1, axis2=2)
            right = ((right + 0.75 * self.smoothing) / (counts.sum(axis=(1, 2)) + self.smoothing))[
                :, None, None
            ]
            confusion = counts + self.smoothing * np.where(np.eye(K) > 0, right, (1 - right) / (K - 1))
            confusion /= confusion.sum(axis=2, keepdims=True)
            share = (P.sum(axis=0) + 1) / (n + K) if prior is None else prior
            logarithm = np.log(share) + np.einsum("nrz,rjz->nj", given, np.log(confusion))
            new = softmax(logarithm, axis=1)
            change = np.abs(new - P).max()
            P = new
            if change < 1e-6:
                break
        return P, confusion

    def next_rows(self, n):
        """Rows whose label is least certain, and whom to ask: the best rater who has not labelled the row.

        Parameters
        ----------
        n : int
            Number of rows.

        Returns
        -------
        list of (int, int)
            Row and rater; rows that all raters have labelled are left out.
        """
        check_is_fitted(self)
        quality = np.where(self._open, np.nan_to_num(self.rater_quality_), -1.0)
        doubt = np.where(self._open.any(axis=1), 1 - self.label_probability_.max(axis=1), -1.0)
        rows = np.argsort(-doubt, kind="stable")[:n]
        return [(int(row), int(quality[row].argmax())) for row in rows if doubt[row] >= 0]


def _encoded(labels):
    """Codes of the answers, -1 for none, and the classes."""
    frame = pandas.DataFrame(labels)
    values = frame.to_numpy(dtype=object)
    known = ~frame.isna().to_numpy()
    if not known.any(axis=1).all():
        raise ValueError(f"row {int(np.argmin(known.any(axis=1)))} has no label of any rater.")
    classes, codes = np.unique(np.array(values[known].tolist()), return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"labels have only one class, {str(classes[0])!r}; at least two are needed.")
    answers = np.full(values.shape, -1)
    answers[known] = codes
    return answers, classes


def _held_out(auditor, X, codes, n_classes):
    """Calibrated probabilities of the labels by learners that have not seen the row's; None if they cannot tell."""
    found = auditor.fit(X, codes)
    if not found.predictable_:
        return None
    own = np.searchsorted(found.classes_, codes)
    rows = np.arange(len(codes))

    def loss(slope):
        return -log_softmax(slope * found._S, axis=1)[rows, own].sum()

    slope = minimize_scalar(loss, bounds=(0, 20), method="bounded").x
    P = np.zeros((len(codes), n_classes))
    P[:, found.classes_] = softmax(slope * found._S, axis=1)
    return (P + 1e-3) / (1 + n_classes * 1e-3)
