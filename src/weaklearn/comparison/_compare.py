"""An honest comparison of classifiers on one labelled table.

Every classifier sees the same splits and the same clones, and everything that is learned from the data, medians, scales
and categories included, is learned on the training part alone.

Conventions:

- The estimate is the mean error over repeated stratified cross-validation. Intervals and tests are those of `_paired`:
  over rows, not over splits.
- p-values are for the paired difference from the classifier with the lowest error (ties: the lower log loss), corrected
  by Holm's rule for their number. That one was picked by looking: its own error is a little too good.
- On clones, classifiers have a rank and a paired difference. The level of errors there is that of learning the cloner's
  function and says nothing about the table, so it is not shown.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold

from weaklearn._holm import holm
from weaklearn.cloning import RhoCloner, closeness
from weaklearn.comparison._fits import Judged, Shared, Task, first_failure, judge
from weaklearn.comparison._models import default_models
from weaklearn.comparison._paired import estimate, over_clones
from weaklearn.comparison._result import Comparison, ModelResult
from weaklearn.tables import Note, TableError, labelled


def compare(
    table: Any,
    label: str,
    *,
    models: list | None = None,
    n_folds: int = 5,
    n_repeats: int = 3,
    n_clones: int = 5,
    cloner: Any = None,
    seed: int = 0,
    engine: Any = None,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Compare classifiers on a labelled table.

    Ctrl-C ends the comparison; if a classifier is done, the result holds those that are.

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
    n_clones : int, default=5
        Clones for the second opinion; 0 leaves it out.
    cloner : AdaBoostCloner, RhoCloner or None, default=None
        None means ``RhoCloner()``.
    seed : int, default=0
    engine : Engine, default=None
        Where to fit: an engine that `weaklearn.engines.open_engine` has opened. None is this process. Results do not
        depend on it; times do.
    progress : callable, default=None
        Called with a sentence when a classifier is done.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from weaklearn.comparison import compare
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
    if not models:
        raise ValueError("models is empty: there is nothing to compare.")
    clones, closeness = _clones(data, cloner, n_clones, seed, progress)
    repeats = _repeats(data, n_folds, n_repeats, seed)
    shared = Shared(data.X, data.y, data.used, repeats, clones, [estimator for _, _, estimator in models])
    judged, interrupted = _all_judged(models, shared, engine, progress)
    results = _results([(name, ours) for name, ours, _ in models], judged, n_repeats)
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
        interrupted=interrupted,
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
        notes.append(Note(f"{fewest} folds instead of {n_folds}: class {rarest!r} has no more rows."))
    return min(int(n_folds), fewest)


def _repeats(data, n_folds, n_repeats, seed):
    """For each repeat its list of (training rows, test rows)."""
    splitter = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    splits = list(splitter.split(data.X, data.y))
    return [splits[start : start + n_folds] for start in range(0, len(splits), n_folds)]


def _clones(data, cloner, n_clones, seed, progress):
    """Pairs of a cloned training set and a cloned test set, and a word on how close they are."""
    if n_clones == 0:
        return [], ""

    cloner = RhoCloner(n_bins=min(10, len(data.y))) if cloner is None else clone(cloner)
    cloner.set_params(random_state=seed).fit(data.X, data.y)
    rng = np.random.RandomState(seed)
    pairs = []
    for _ in range(n_clones):
        training = cloner.sample(random_state=rng)
        pairs.append((training, cloner.sample(max(1000, len(data.y)), selection=False, random_state=rng)))
    if progress is not None:
        progress(f"{n_clones} clones of the table")
    return pairs, str(closeness(cloner, *pairs[0][0]))


def _all_judged(models, shared, engine, progress):
    """For each classifier that is done, by its number, the results of its tasks; and whether Ctrl-C stopped the run."""
    tasks = [
        task
        for m in range(len(models))
        for task in (
            *(Task(m, repeat=r) for r in range(len(shared.repeats))),
            *(Task(m, clone=c) for c in range(len(shared.clones))),
        )
    ]
    n_each = len(tasks) // len(models)
    found: dict[int, dict[Task, Judged]] = {}
    done: dict[int, list[Judged]] = {}
    started = time.perf_counter()
    try:
        for task, judged in _run(tasks, shared, engine):
            parts = found.setdefault(task.model, {})
            parts[task] = judged
            if len(parts) == n_each:
                done[task.model] = [parts[own] for own in tasks if own.model == task.model]
                if progress is not None:
                    progress(
                        _progress_line(models[task.model][0], done[task.model], time.perf_counter() - started)
                    )
    except KeyboardInterrupt:
        if not done:
            raise
        return done, True
    return done, False


def _run(tasks, shared, engine):
    if engine is None:
        for task in tasks:
            yield task, judge(task, shared)
        return
    for outcome in engine.run("weaklearn.comparison._fits:judge", tasks, shared=shared):
        yield tasks[outcome.index], Judged.of(outcome)


def _progress_line(name, parts, seconds):
    if failure := first_failure(parts):
        return f"{name}: failed ({failure})"
    wrong = [part.wrong for part in parts if part.seconds]  # of cross-validation: clones are not timed
    return f"{name}: error {100 * np.mean(wrong):.1f}% ({seconds:.0f} s since the start)"


def _results(names, judged, n_repeats):
    """The table, best first."""
    failures, losses = {}, {}
    for m, parts in judged.items():
        if failure := first_failure(parts):
            failures[m] = failure
        else:
            losses[m] = np.array([part.wrong for part in parts[:n_repeats]])
    log_losses = {
        m: np.array([part.log_loss for part in judged[m][:n_repeats]])
        for m in losses
        if all(part.log_loss is not None for part in judged[m][:n_repeats])
    }
    order = sorted(
        losses, key=lambda m: (losses[m].mean(), log_losses[m].mean() if m in log_losses else np.inf, m)
    )
    on_clones = {m: [part.fold_errors[0] for part in judged[m][n_repeats:]] for m in order}
    differences = {m: estimate(losses[m] - losses[order[0]]) for m in order[1:]}
    corrected = dict(zip(differences, holm([d.p_value for d in differences.values()]), strict=True))
    results = []
    for m in order:
        parts = judged[m][:n_repeats]
        level = estimate(losses[m])
        aucs = [auc for part in parts for auc in part.aucs]
        values: dict[str, Any] = {
            "error": level.mean,
            "low": max(0.0, level.low),
            "high": min(1.0, level.high),
            "log_loss": float(log_losses[m].mean()) if m in log_losses else None,
            "auc": None if np.isnan(aucs).all() else float(np.nanmean(aucs)),
            "seconds": float(np.mean([s for part in parts for s in part.seconds])),
            "fold_errors": tuple(error for part in parts for error in part.fold_errors),
        }
        if m in differences:
            d = differences[m]
            values |= {
                "difference": d.mean,
                "difference_standard_error": d.standard_error,
                "difference_low": d.low,
                "difference_high": d.high,
                "p_value": corrected[m],
            }
        if on_clones[m]:
            mean = np.mean(on_clones[m])
            values["clone_rank"] = 1 + sum(np.mean(other) < mean for other in on_clones.values())
            if m in differences:
                paired = over_clones(np.subtract(on_clones[m], on_clones[order[0]]))
                values["clone_difference"], values["clone_standard_error"] = paired
        name, ours = names[m]
        results.append(ModelResult(name=name, ours=ours, **values))
    results += [
        ModelResult(name=names[m][0], ours=names[m][1], failure=failure) for m, failure in failures.items()
    ]
    return results
