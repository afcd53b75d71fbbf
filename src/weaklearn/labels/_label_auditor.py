"""`LabelAuditor`: which labels are wrong, by the machine of `weaklearn.robust.machine`."""

from numbers import Integral, Real

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from weaklearn._callbacks import CallbackSupportMixin, fit_task
from weaklearn._docstrings import documented
from weaklearn._training import check_labels, encoded
from weaklearn.labels._sample_count import (
    CountEstimate,
    combined_count,
    draw,
    sample_count,
    shifted,
    surprise,
    with_systematic,
)
from weaklearn.robust.machine import Machine, merge_rows, wrong_labels
from weaklearn.tables import TableEncoder, TableInputMixin, encode_training_table

_N_LANDMARKS = 1500
# For more rows, few enough landmarks to be affordable add nothing to trees that see all rows.
_KERNEL_ROWS = 200_000
# Answers for a row that cannot be decided.
UNCLEAR = ("unclear", "skip")
# Random rows to review if no number is named.
_SAMPLE_ROWS = 20
# By how many standard errors the given label must be more probable than a random one. Shuffled labels gave 0 to 2.0 on
# eight small development tables; true labels, and those with up to 20% mistakes of seven kinds, 5.4 or more.
_LEAST_SKILL = 3.0
# Fewer answers than this at the beginning of a sample that was not asked for may be there by chance.
_LEAST_SAMPLE = 10
# Below this probability of the sample's answers by the model alone, the two disagree; and the prior probability of
# systematic mistakes when a sample is there to tell.
_DISAGREES, _SYSTEMATIC = 0.05, 0.1


@documented
class LabelAuditor(TableInputMixin, CallbackSupportMixin, BaseEstimator):
    r"""Estimates how many labels of a table are wrong, which ones, and what they should be.

    Each row is predicted by learners that have not seen its label (those of `weaklearn.robust.RobustClassifier`). A
    model of the mistakes (none, all classes alike, one class, one way) turns these predictions and the given labels
    into probabilities of the true labels. See ``docs/label_audit.md`` for the mathematics and measurements.

    Any number of classes; missing values (NaN) are allowed. Frames (pandas, polars) and arrays of objects may hold
    text, categories, booleans and dates, as for `RobustClassifier`.

    Parameters
    ----------
    n_trees : int, default=100
        Trees of each of the two forests among the learners; 0 leaves all trees out. Above 1,500 distinct rows, also
        rounds of the boosted trees that replace the random forest (two fifths of it for more than two classes) and,
        from 10,000 rows on, all forests.
    n_jobs : int, default=None
        Of the forests. The result does not depend on it.
    systematic : float, default=None
        Prior probability, from 0 to below 1, of systematic mistakes: a rule of the labellers that the learners take
        for the truth. It widens ``n_wrong_interval_``. None stands for 0 without a reviewed random sample (the interval
        is that of the model alone) and for 0.1 with one.
    random_state : int, RandomState or None, default=None
        Of forests, landmarks and the sample to review.

    Attributes
    ----------
    wrong_probability_ : ndarray of shape (n_samples,)
        Probability that the given label is wrong.
    label_probability_ : ndarray of shape (n_samples, n_classes)
        Probability of every label to be the true one.
    suggested_label_ : ndarray of shape (n_samples,)
        The most probable label: the given one unless another is more probable.
    alternative_label_ : ndarray of shape (n_samples,)
        The most probable label other than the given one.
    held_out_label_ : ndarray of shape (n_samples,)
        The label that the learners, which have not seen the row's own, predict.
    n_wrong_ : float
        Expected number of wrong labels.
    n_wrong_interval_ : tuple of float
        90% interval of that number, which contains ``n_wrong_``. Mistakes where the classes overlap cannot be counted
        from the labels; they enter by a prior assumption, which makes the interval wide for tables with much overlap.
    n_wrong_source_ : {"model", "both", "sample"}
        Where these come from: the model; model and reviewed random sample; or the sample alone, if the two disagree or
        the columns do not predict the label.
    n_wrong_estimates_ : dict of str to tuple of float
        Count, lower and upper end by "model" and, with a reviewed random sample, "sample" (unbiased whatever the model
        says) and "both".
    disagrees_ : bool
        Whether the reviewed random sample contradicts the model: a sign of systematic mistakes.
    n_sampled_, n_unclear_ : int
        Rows of the random sample that are answered, and how many of these are unclear.
    predictable_ : bool
        Whether the columns predict the label. If not, nothing can be said about single rows: ``flagged_`` is empty, and
        without a sample the interval contains every possible count.
    noise_matrix_ : ndarray of shape (n_classes, n_classes)
        Estimated P(given label | true label), a row for each true label.
    flagged_ : ndarray of int
        The rows to look at, most probably wrong first: the list with the greatest expected F1 score.
    expected_precision_ : float
        Expected share of ``flagged_`` that is wrong; NaN if it is empty.
    sample_weight_ : ndarray of shape (n_samples,)
        :math:`(1 - P)^2`, weights for training any other classifier on the same rows.

    Notes
    -----
    Up to 1,500 distinct rows, kernels use all of them. Above, at most 1,500 random rows stand for all in the kernels,
    and fewer for large tables, at least 300, so that the cost grows linearly with the rows. Above 200,000 rows, boosted
    trees and linear regression are the only learners.

    Examples
    --------
    >>> from weaklearn.labels import LabelAuditor
    >>> from weaklearn.datasets import make_twonorm
    >>> X, y = make_twonorm(300, random_state=0)
    >>> y[:30] *= -1
    >>> auditor = LabelAuditor(n_trees=0).fit(X, y)
    >>> low, high = auditor.n_wrong_interval_
    >>> bool(low < 30 < high)
    True
    >>> bool((auditor.flagged_ < 30).mean() > 0.9)
    True
    """

    _parameter_constraints = {
        "n_trees": [Interval(Integral, 0, None, closed="left")],
        "encoder": [TableEncoder, None],
        "systematic": [Interval(Real, 0, 1, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(self, *, n_trees=100, encoder=None, systematic=None, n_jobs=None, random_state=None):
        self.n_trees = n_trees
        self.encoder = encoder
        self.systematic = systematic
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    @documented
    def fit(self, X, y, *, pred_probs=None, reviewed=None):
        """Judge the labels of a table.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            NaN, None or an empty text for missing values. May be None if ``pred_probs`` are given.
        pred_probs : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the labels by a model of your own (of texts, images, anything) for rows that it was not
            trained on, as from ``cross_val_predict(..., method="predict_proba")``. Columns are in the order of the
            sorted labels, ``numpy.unique(y)``. They take the place of our learners, and X is not used.
        reviewed : dict of int to label, default=None
            As for `update`.
        """
        task = fit_task(self, "learner", None, X, y) if pred_probs is None else None
        if pred_probs is not None:
            self._fit_probabilities(y, pred_probs)
        elif task is None:
            self._fit(X, y)
        else:
            self._fit(X, y, callback=lambda done, total: task.step())
            task.end()
        return self.update(reviewed) if reviewed else self

    def _fit(self, X, y, **how):
        """Fit with options of `Machine.fit` (engine, callback, keep); the machine, fitted."""
        X, y = encode_training_table(self, X, y)
        data, self.classes_ = encoded(type(self).__name__, X, y)
        rows = merge_rows(data.X, data.codes, np.ones(len(X)))
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        # Without the second round, which a classifier gains from: here it doubled the time and changed nothing.
        machine = Machine(
            n_trees=self.n_trees,
            n_landmarks=_N_LANDMARKS,
            kernel_rows=_KERNEL_ROWS,
            refit=False,
            n_jobs=self.n_jobs,
        ).fit(rows, len(self.classes_), seed, **how)
        self._begin(machine.S[rows.inverse], data.codes, np.argsort(rows.inverse, kind="stable"), seed)
        return machine

    def _fit_probabilities(self, y, pred_probs):
        y = check_labels(y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        P = np.asarray(pred_probs, dtype=np.float64)
        expected = len(codes), len(self.classes_)
        if P.shape != expected:
            raise ValueError(
                f"pred_probs must have the shape {expected}: a row for each label and a column for each class, in the "
                f"order of the sorted labels; got {P.shape}."
            )
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {str(self.classes_[0])!r}; at least two are needed.")
        off = ~np.isfinite(P).all(axis=1) | (P < 0).any(axis=1) | (np.abs(P.sum(axis=1) - 1) > 1e-3)
        if off.any():
            raise ValueError(
                f"pred_probs must be probabilities that add up to 1 in each row; row {np.flatnonzero(off)[0]} is "
                f"{P[off][0].tolist()}."
            )
        S = np.log(np.clip(P, 1e-6, 1))
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self._begin(S - S.mean(axis=1, keepdims=True), codes, np.lexsort((codes, *S.T)), seed)

    def _begin(self, S, codes, order, seed):
        """Judge held-out log-odds without reviews, and draw the order of the sample from the result."""
        self._S, self._codes, self._order, self._seed = S, codes, order, seed
        self._known = np.full(len(codes), -1)
        self._unclear = np.zeros(len(codes), dtype=bool)
        self._asked = 0
        self._sample_rows = np.arange(0)
        self.predictable_ = _predicts(S, codes)
        self._judge()
        self._draw(np.random.RandomState(seed))

    def _draw(self, random):
        """Draw the order of the sample; as in `_found`, the result does not depend on the order of the table."""
        rows, self._sample_factor = draw(self.wrong_probability_[self._order], random)
        self._sample_rows = self._order[rows]

    def update(self, reviewed):
        """Add reviewed rows without fitting the learners again.

        Parameters
        ----------
        reviewed : dict of int to label
            True labels by row number, from 0 on, or "unclear" (or "skip") for rows that cannot be decided. They are
            added to those already known, taken as certain, and sharpen the estimate for the other rows. If the first
            rows of `review_sample` are among them, the count also follows from these alone.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self._note(reviewed)
        self._judge()
        return self

    def review_sample(self, n):
        """Rows of a random sample to review, in the order in which to look at them.

        From the answers follows a count of the wrong labels that does not depend on the model, see `update`. The sample
        is stratified by the probability of a wrong label and drawn once, at `fit`: a greater n adds rows at the end.
        Only the beginning without gaps counts: answer "unclear" instead of leaving a row out. Rows that you choose
        yourself, even at random, or take from the top of the list, do not count as a sample: only the rows proposed
        here give an interval to trust.

        Parameters
        ----------
        n : int
            Number of rows; at most all of them.

        Returns
        -------
        ndarray of int
        """
        check_is_fitted(self)
        if n < 1:
            raise ValueError(f"n must be at least 1; got {n}.")
        self._asked = max(self._asked, min(n, len(self._codes)))
        return self._sample_rows[:n].copy()

    def _note(self, reviewed):
        for row, label in (reviewed or {}).items():
            if not 0 <= row < len(self._known):
                raise ValueError(
                    f"reviewed names row {row}, but the table has rows 0 to {len(self._known) - 1}."
                )
            place = np.flatnonzero(self.classes_ == label)
            unclear = len(place) == 0 and isinstance(label, str) and label in UNCLEAR
            if len(place) == 0 and not unclear:
                raise ValueError(
                    f"reviewed gives row {row} the label {label!r}, which no row of y has. "
                    f"Known labels: {', '.join(map(str, self.classes_[:20]))}; or 'unclear'."
                )
            self._known[row], self._unclear[row] = (-1, True) if unclear else (place[0], False)

    def _found(self, known):
        """`wrong_labels` in the order of the merged rows, so that the result does not depend on that of the table."""
        order = self._order
        found = wrong_labels(self._S[order], self._codes[order], known[order], self._seed)
        P = np.empty_like(found.label_probability)
        P[order] = found.label_probability
        least, most = self._facts(known)
        return P, CountEstimate(found.n_wrong, *found.interval).within(least, most)

    def _facts(self, known):
        """The least and the greatest possible number of wrong labels."""
        wrong = int(np.sum((known >= 0) & (known != self._codes)))
        return wrong, len(known) - int(np.sum(known == self._codes))

    def _reviewed_sample(self):
        """The answered beginning of the sample."""
        rows = self._sample_rows[: self._asked or None]
        answered = (self._known[rows] >= 0) | self._unclear[rows]
        length = len(rows) if answered.all() else int(np.argmin(answered))
        return length if self._asked or length >= _LEAST_SAMPLE else 0

    def _judge(self):
        codes, known = self._codes, self._known
        P, model = self._found(known)
        least, most = self._facts(known)
        self.n_sampled_ = self._reviewed_sample()
        self.n_unclear_ = int(self._unclear[self._sample_rows[: self.n_sampled_]].sum())
        self.disagrees_ = False
        answer, self.n_wrong_source_ = model, "model"
        estimates = {"model": model}
        if self.n_sampled_ > self.n_unclear_:
            estimates, answer = self._with_sample()
            open_ = known < 0
            P[open_] = _with_sum(P[open_], codes[open_], answer.n_wrong - least)
        elif not self.predictable_:
            answer = estimates["model"] = CountEstimate(model.n_wrong, least, most)
        elif self.systematic:
            wrong = 1 - P[np.arange(len(codes)), codes][known < 0]
            wider = with_systematic(wrong, model.plus(-least), self.systematic)
            answer = estimates["model"] = wider.plus(least).within(least, most)
        self.n_wrong_, self.n_wrong_interval_ = answer.n_wrong, (answer.low, answer.high)
        self.n_wrong_estimates_ = {name: tuple(found) for name, found in estimates.items()}
        self._publish(P)

    def _with_sample(self):
        """Estimates by model, sample and both, and the one that is the answer."""
        codes, length = self._codes, self.n_sampled_
        rows, factor = self._sample_rows[:length], self._sample_factor[:length]
        clear = self._known[rows] >= 0
        rows, factor = rows[clear], factor[clear]
        wrong = self._known[rows] != codes[rows]
        bounds = self._facts(self._known)
        # The model must not have seen the answers by which it is corrected.
        chosen = self._known.copy()
        chosen[rows] = -1
        P, model = self._found(chosen)
        found = self._facts(chosen)[0]
        open_ = self._order[chosen[self._order] < 0]
        P = 1 - P[open_, codes[open_]]
        rest = model.plus(-found)
        place = np.full(len(codes), -1)
        place[open_] = np.arange(len(open_))
        places = place[rows]
        systematic = _SYSTEMATIC if self.systematic is None else self.systematic
        both = combined_count(P, rest, places, wrong, systematic).plus(found)
        if self.n_unclear_:  # as for the sample alone, either end counts them its way
            share = self.n_unclear_ / length * len(codes)
            both = both._replace(low=both.low - share, high=both.high + share)
        estimates = {
            "model": model,
            "sample": sample_count(wrong, factor, self.n_unclear_, len(codes)).within(*bounds),
            "both": both.within(*bounds),
        }
        self.disagrees_ = bool(surprise(P, rest, places, wrong) < _DISAGREES)
        self.n_wrong_source_ = "sample" if self.disagrees_ or not self.predictable_ else "both"
        return estimates, estimates[self.n_wrong_source_]

    def _publish(self, P):
        """Attributes by the probabilities of all labels."""
        codes, classes = self._codes, self.classes_
        n, K = P.shape
        rows = np.arange(n)
        self.label_probability_ = P
        self.held_out_label_ = classes[self._S.argmax(axis=1)]
        self.wrong_probability_ = np.clip(1 - P[rows, codes], 0, 1)
        self.suggested_label_ = classes[P.argmax(axis=1)]
        others = P.copy()
        others[rows, codes] = -1
        self.alternative_label_ = classes[others.argmax(axis=1)]
        joint = np.array([P[codes == z].sum(axis=0) for z in range(K)]).T
        total = joint.sum(axis=1, keepdims=True)
        self.noise_matrix_ = np.where(total > 0, joint / np.where(total > 0, total, 1), np.eye(K))
        self.sample_weight_ = (1 - self.wrong_probability_) ** 2
        self.flagged_ = _best_f1_list(self.wrong_probability_) if self.predictable_ else np.arange(0)
        listed = self.wrong_probability_[self.flagged_]
        self.expected_precision_ = float(listed.mean()) if len(listed) else float("nan")

    def list_for(self, *, budget=None, precision=None, by="wrong"):
        """Rows to look at next; reviewed ones are left out, and every `update` ranks the others anew.

        Parameters
        ----------
        budget : int, default=None
            At most this many rows.
        precision : float, default=None
            The longest list of which at least this share is expected to be wrong.
        by : {"wrong", "interval"}, default="wrong"
            What the next reviews are for: to find wrong labels (the most probably wrong rows first), or to narrow the
            interval of their number (the next rows of `review_sample`, 20 without a budget).

        Returns
        -------
        ndarray of int
            Row numbers; without budget and precision, those of ``flagged_``. By "wrong", empty if no row reaches the
            precision, or if the columns do not predict the label.
        """
        check_is_fitted(self)
        if by not in ("wrong", "interval"):
            raise ValueError(f'by must be "wrong" or "interval"; got {by!r}.')
        if precision is not None and not 0 < precision <= 1:
            raise ValueError(f"precision must be above 0 and at most 1; got {precision}.")
        if budget is not None and budget < 0:
            raise ValueError(f"budget must not be negative; got {budget}.")
        open_ = (self._known < 0) & ~self._unclear
        if by == "interval":
            places = np.flatnonzero(open_[self._sample_rows])[: _SAMPLE_ROWS if budget is None else budget]
            return self.review_sample(places[-1] + 1)[places] if len(places) else places
        if (budget is None and precision is None) or not self.predictable_:
            return self.flagged_[open_[self.flagged_]]
        order = np.argsort(-self.wrong_probability_, kind="stable")
        order = order[open_[order]]
        if precision is not None:
            mean = np.cumsum(self.wrong_probability_[order]) / np.arange(1, len(order) + 1)
            order = order[: int(np.sum(mean >= precision))]  # the mean of a falling sequence falls
        return order[:budget]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _predicts(S, codes):
    """Whether given labels have greater held-out probabilities than random ones would; overconfidence does no harm."""
    n = len(codes)
    share = np.bincount(codes, minlength=S.shape[1]) / n
    P = softmax(S, axis=1)
    gain = P[np.arange(n), codes] - P @ share
    return bool(gain.mean() > _LEAST_SKILL * gain.std() / np.sqrt(n))


def _with_sum(P, codes, count):
    """Label probabilities whose expected number of wrong labels is ``count``."""
    rows = np.arange(len(P))
    wrong = 1 - P[rows, codes]
    new = shifted(wrong, rows, np.array([count]))[0]
    even = np.ones_like(P) / max(P.shape[1] - 1, 1)
    others = np.where(wrong[:, None] > 0, P / np.maximum(wrong, 1e-300)[:, None], even) * new[:, None]
    others[rows, codes] = 1 - new
    return others


def _best_f1_list(wrong_probability):
    """Rows, most probably wrong first, cut where the expected F1, about 2 sum_k P / (k + sum P), is greatest."""
    order = np.argsort(-wrong_probability, kind="stable")
    ordered = wrong_probability[order]
    k = np.arange(1, len(order) + 1)
    score = 2 * np.cumsum(ordered) / (k + ordered.sum())
    return order[: int(np.argmax(score)) + 1]
