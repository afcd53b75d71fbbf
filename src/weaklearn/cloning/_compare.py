"""An honest comparison of classifiers on one labelled table.

Every classifier sees the same splits and the same clones, and everything that is learned from the data, medians, scales
and categories included, is learned on the training part alone.

Conventions:

- The estimate is the mean error over repeated stratified cross-validation. Its interval, and the test of a difference,
  use the variance of Nadeau and Bengio (2003), ``s^2 (1/J + n_test/n_train)`` over J splits: splits share examples, and
  the plain standard error would be far too small.
- p-values are for the paired difference from the classifier with the least error, corrected by Holm's rule for their
  number. That one was picked by looking: its own error is a little too good.
- Errors on clones tell how hard it is to learn something like this table from as many examples. They have the cloner's
  function for a target, and so are levels of another scale: compare classifiers by them, not numbers with the first
  column.
"""

import json
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from weaklearn.tables import Column, Note, NoteCode, TableEncoder, TableError, describe, labelled

__all__ = ["Comparison", "ModelResult", "compare", "default_models"]


@dataclass(frozen=True)
class ModelResult:
    """One classifier. Errors are shares.

    Attributes
    ----------
    name : str
    ours : bool
        Whether it is one of this package.
    error, low, high : float
        Mean error over repeated cross-validation and its 95% interval.
    clone_error, clone_standard_error : float or None
        Mean error over clones; None without clones.
    seconds : float
        Mean time of a fit, preprocessing included.
    difference, difference_low, difference_high, p_value : float or None
        From the classifier with the least error, paired; None for that one itself.
    fold_errors : list of float
    failure : str
        The error of a classifier that could not be fitted; its numbers are NaN then.
    """

    name: str
    ours: bool
    error: float
    low: float
    high: float
    clone_error: float | None
    clone_standard_error: float | None
    seconds: float
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p_value: float | None
    fold_errors: list
    failure: str = ""


@dataclass(frozen=True)
class Comparison:
    """What `compare` found, the best classifier first.

    Attributes
    ----------
    label : str
    n_rows : int
    class_counts : dict
    models : list of ModelResult
    columns : tuple of Column
    notes : list of Note
    n_folds, n_repeats, n_clones : int
    clone : str
        How close the clones are; empty without clones.
    """

    label: str
    n_rows: int
    class_counts: dict
    models: list
    columns: tuple[Column, ...]
    notes: list
    n_folds: int
    n_repeats: int
    n_clones: int
    clone: str = ""
    seed: int = 0

    @property
    def best(self):
        """The classifier with the least error."""
        return self.models[0]

    @property
    def treatments(self):
        """For people: the name of each column, and a sentence on what was done with it."""
        return [(column.name, describe(column)) for column in self.columns]

    def to_json(self):
        """All numbers as a JSON text; NaN, of classifiers that failed, as null."""
        said = {"columns": dict(self.treatments), "notes": [str(note) for note in self.notes]}
        return json.dumps({**_without_nan(asdict(self)), **said}, allow_nan=False)

    def to_html(self, path=None):
        """The report as one self-contained page; written to ``path`` if it is given, and returned."""
        from weaklearn.cloning._compare_html import page

        text = page(self)
        if path is not None:
            from weaklearn.reports import write_page

            write_page(path, text)
        return text


def _without_nan(value):
    if isinstance(value, dict):
        return {str(name): _without_nan(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def default_models(n_classes, seed=0):
    """The classifiers that are compared: (name, whether it is ours, estimator)."""
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    from weaklearn.boosting import AdaBoostClassifier, LogitBoostClassifier
    from weaklearn.kernel import KernelSVC
    from weaklearn.linear import RCDPerceptron
    from weaklearn.multiclass import AdaBoostECCClassifier, SAMMEClassifier

    if n_classes == 2:
        boosted = [
            ("AdaBoost of stumps", True, AdaBoostClassifier(n_estimators=200)),
            ("LogitBoost of stumps", True, LogitBoostClassifier(n_estimators=100)),
        ]
    else:
        boosted = [
            ("SAMME of stumps", True, SAMMEClassifier(n_estimators=200, random_state=seed)),
            ("AdaBoost.ECC of stumps", True, AdaBoostECCClassifier(n_estimators=200, random_state=seed)),
        ]
    return [
        *boosted,
        ("RCD perceptron", True, RCDPerceptron(max_iter=500, random_state=seed)),
        ("SVM, perceptron kernel", True, KernelSVC(kernel="perceptron")),
        ("logistic regression", False, LogisticRegression(max_iter=1000)),
        ("SVM, Gaussian kernel", False, SVC()),
        ("random forest", False, RandomForestClassifier(n_estimators=100, random_state=seed)),
        ("gradient boosting", False, HistGradientBoostingClassifier(random_state=seed)),
        ("majority class", False, DummyClassifier()),
    ]


def compare(
    table: Any,
    label: str,
    *,
    models: list | None = None,
    n_folds: int = 5,
    n_repeats: int = 3,
    n_clones: int = 3,
    cloner: Any = None,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Compare classifiers on a labelled table.

    Parameters
    ----------
    table : path, DataFrame, dict of columns, or Table
        Anything that `weaklearn.tables.read_table` reads; read it yourself to set its options.
    label : str
        The column that holds the classes.
    models : list of (name, ours, estimator), default=None
        None means `default_models`.
    n_folds, n_repeats : int
        Of repeated stratified cross-validation. Classes with fewer rows than folds lower the number of folds.
    n_clones : int, default=3
        Clones for the second estimate; 0 leaves it out.
    cloner : AdaBoostCloner, RhoCloner or None, default=None
        None means ``RhoCloner()``.
    seed : int, default=0
    progress : callable, default=None
        Told what is being done.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from weaklearn.cloning import compare
    >>> from weaklearn.stumps import DecisionStump
    >>> table = {"x": [1, 2, 3, 4] * 10, "y": ["a", "a", "b", "b"] * 10}
    >>> models = [("stump", True, DecisionStump()), ("majority class", False, DummyClassifier())]
    >>> result = compare(table, "y", models=models, n_clones=0)
    >>> result.best.name, result.best.error
    ('stump', 0.0)
    """
    data = labelled(table, label)
    notes = list(data.notes)
    classes, counts = np.unique(data.y, return_counts=True)
    n_folds = _checked_folds(n_folds, n_repeats, n_clones, classes, counts, notes)
    models = default_models(len(classes), seed) if models is None else models
    splits = _splits(data, n_folds, n_repeats, seed)
    clones, closeness = _clones(data, cloner, n_clones, seed, progress)
    found = []
    for name, ours, estimator in models:
        if progress is not None:
            progress(name)
        found.append((name, ours, *_judged(_pipeline(data, estimator), data, splits, clones)))
    ratio = float(np.mean([len(test) / len(train) for train, test in splits]))
    results = _results(found, ratio)
    if all(result.failure for result in results):
        raise ValueError(f"no classifier could be fitted: {results[0].failure}")
    return Comparison(
        label=data.label,
        n_rows=len(data.y),
        class_counts=dict(zip(classes.tolist(), counts.tolist(), strict=True)),
        models=results,
        columns=data.columns,
        notes=notes,
        n_folds=n_folds,
        n_repeats=n_repeats,
        n_clones=len(clones),
        clone=closeness,
        seed=seed,
    )


def _checked_folds(n_folds, n_repeats, n_clones, classes, counts, notes):
    for name, value, least in (
        ("n_folds", n_folds, 2),
        ("n_repeats", n_repeats, 1),
        ("n_clones", n_clones, 0),
    ):
        if not isinstance(value, int | np.integer) or value < least:
            raise ValueError(f"{name} must be an integer of at least {least}; got {value!r}.")
    fewest, rarest = int(counts.min()), str(classes[counts.argmin()])
    if fewest < 2:
        raise TableError(
            f"class {rarest!r} has a single row: it cannot be in a training and in a test part. "
            "Leave it out or join it with another class."
        )
    if fewest < n_folds:
        sentence = f"{fewest} folds instead of {n_folds}: class {rarest!r} has no more rows."
        notes.append(Note(NoteCode.FEWER_FOLDS, sentence, {"folds": fewest, "class": rarest}))
    return min(int(n_folds), fewest)


def _pipeline(data, estimator):
    """The estimator behind the encoder, which learns medians, scales and categories where it is fitted."""
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TableEncoder(columns=data.used), clone(estimator))


def _splits(data, n_folds, n_repeats, seed):
    from sklearn.model_selection import RepeatedStratifiedKFold

    splitter = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    return list(splitter.split(data.X, data.y))


def _clones(data, cloner, n_clones, seed, progress):
    """Pairs of a cloned training set and a cloned test set, and a word on how close they are."""
    if n_clones == 0:
        return [], ""
    from sklearn.base import clone

    from weaklearn.cloning._clone import closeness
    from weaklearn.cloning._rho import RhoCloner

    if progress is not None:
        progress("clones of the table")
    cloner = RhoCloner(n_bins=min(10, len(data.y))) if cloner is None else clone(cloner)
    cloner.set_params(random_state=seed).fit(data.X, data.y)
    rng = np.random.RandomState(seed)
    pairs = []
    for _ in range(n_clones):
        training = cloner.sample(random_state=rng)
        pairs.append((training, cloner.sample(max(1000, len(data.y)), selection=False, random_state=rng)))
    return pairs, str(closeness(cloner, *pairs[0][0]))


def _judged(pipeline, data, splits, clones):
    """Errors over splits, errors over clones, seconds per fit, and the error message if it failed."""
    from sklearn.base import clone

    errors, seconds = [], []
    with warnings.catch_warnings():
        # A table brings out warnings (a category unseen in training, a solver at its limit) that are no news here.
        warnings.simplefilter("ignore")
        try:
            for train, test in splits:
                started = time.perf_counter()
                model = clone(pipeline).fit(data.X[train], data.y[train])
                seconds.append(time.perf_counter() - started)
                errors.append(float(np.mean(model.predict(data.X[test]) != data.y[test])))
            on_clones = [
                float(np.mean(clone(pipeline).fit(X, y).predict(X_test) != y_test))
                for (X, y), (X_test, y_test) in clones
            ]
        except (ValueError, RuntimeError, np.linalg.LinAlgError) as error:
            return [], [], 0.0, f"{type(error).__name__}: {error}"
    return errors, on_clones, float(np.mean(seconds)), ""


def _interval(values, ratio):
    """Mean, half width of the 95% interval and the standard error, by the corrected variance."""
    from scipy.stats import t

    values = np.asarray(values)
    n = len(values)
    error = float(np.sqrt(values.var(ddof=1) * (1 / n + ratio)))
    return float(values.mean()), float(t.ppf(0.975, n - 1) * error), error


def _results(found, ratio):
    from scipy.stats import t

    means = [np.mean(errors) if errors else np.inf for _, _, errors, _, _, _ in found]
    best = int(np.argmin(means))
    results, p_values = [], []
    for i, (name, ours, errors, on_clones, seconds, failure) in enumerate(found):
        if failure:
            numbers = {"error": np.nan, "low": np.nan, "high": np.nan}
        else:
            mean, half, _ = _interval(errors, ratio)
            numbers = {"error": mean, "low": max(0.0, mean - half), "high": min(1.0, mean + half)}
        paired: dict[str, Any] = dict.fromkeys(("difference", "difference_low", "difference_high"))
        p_value = None
        if i != best and not failure:
            mean, half, error = _interval(np.subtract(errors, found[best][2]), ratio)
            paired = {"difference": mean, "difference_low": mean - half, "difference_high": mean + half}
            # No spread at all: the same errors on every split, or the same lead on every split.
            p_value = float(2 * t.sf(abs(mean) / error, len(errors) - 1)) if error > 0 else float(mean == 0)
        p_values.append(p_value)
        spread = np.std(on_clones, ddof=1) / np.sqrt(len(on_clones)) if len(on_clones) > 1 else None
        results.append(
            {
                "name": name,
                "ours": ours,
                **numbers,
                **paired,
                "clone_error": float(np.mean(on_clones)) if on_clones else None,
                "clone_standard_error": None if spread is None else float(spread),
                "seconds": seconds,
                "fold_errors": errors,
                "failure": failure,
            }
        )
    for result, p_value in zip(results, _holm(p_values), strict=True):
        result["p_value"] = p_value
    order = sorted(range(len(results)), key=lambda i: (means[i], i))
    return [ModelResult(**results[i]) for i in order]


def _holm(p_values):
    """Holm's correction, leaving None where there was no test."""
    tested = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, i) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - rank)))
        corrected[i] = largest
    return corrected
