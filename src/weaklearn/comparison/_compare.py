"""An honest comparison of classifiers on one labelled table, as a race.

Every classifier sees the same splits, and everything that is learned from the data, medians, scales and categories
included, is learned on the training part alone. After every two folds, classifiers that cannot win any more are
dropped; the rule, and what it may cost, is in `_choice`.

Conventions:

- The error of a classifier is that over the folds it was in. Differences are paired, from the classifier with the
  lowest expected error, on the folds both were in; their intervals and tests are those of `_paired`: over rows, not
  over splits.
- p-values are corrected by Holm's rule for their number. The first classifier was picked by looking, and others were
  dropped by looking: their errors are a little too good and too bad.
- The majority class is never dropped: it costs nothing, and says whether anything can be learned.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from weaklearn._holm import holm
from weaklearn.comparison._choice import LEAST_GAIN, beliefs, worth
from weaklearn.comparison._fits import Judged, Shared, Task, judge
from weaklearn.comparison._models import default_models
from weaklearn.comparison._paired import estimate
from weaklearn.comparison._result import MAJORITY, Comparison, ModelResult
from weaklearn.tables import Note, TableError, labelled

_FOLDS_A_LOOK = 2
# Tables of up to this many rows have ten folds, others five.
_MANY_ROWS = 2000


def compare(
    table: Any,
    label: str,
    *,
    models: list | None = None,
    n_folds: int | None = None,
    n_repeats: int = 1,
    merge_spellings: bool = True,
    seed: int = 0,
    engine: Any = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Compare classifiers on a labelled table, and choose one.

    Ctrl-C ends the comparison; the result holds the folds that are done for all classifiers or, before, the classifiers
    that are done.

    Parameters
    ----------
    table : path, DataFrame, dict of columns, or Table
        Anything that `weaklearn.tables.read_table` reads; read it yourself to set its options.
    label : str
        The column that holds the classes.
    models : list of (name, ours, estimator), default=None
        None means `default_models`.
    n_folds, n_repeats : int
        Of repeated stratified cross-validation, at most: classifiers that cannot win any more are dropped. By default
        10 folds, 5 for more than 2,000 rows. Classes with fewer rows than folds lower the number of folds.
    merge_spellings : bool, default=True
        Whether labels that differ only in case or spaces ("Yes", "yes ") are one class.
    seed : int, default=0
    engine : Engine, default=None
        Where to fit: an engine that `weaklearn.engines.open_engine` has opened. None is this process. Results do not
        depend on it; times do.
    progress : callable, default=None
        Called with the name of the classifier at work, how many fits are done, and how many there are at most.

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
    >>> result = compare(table, "y", models=models)
    >>> result.best.name, result.best.error
    ('stump', 0.0)
    """
    data = labelled(table, label, merge_spellings=merge_spellings)
    notes = list(data.notes)
    classes, counts = np.unique(data.y, return_counts=True)
    n_folds = _checked_folds(
        _usual_folds(len(data)) if n_folds is None else n_folds, n_repeats, classes, counts, notes
    )
    models = default_models(len(classes), seed) if models is None else models
    if not models:
        raise ValueError("models is empty: there is nothing to compare.")
    splitter = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
    splits = list(splitter.split(data.X, data.y))
    shared = Shared(data.X, data.y, data.used, splits, [estimator for _, _, estimator in models])
    race = _Race([name for name, _, _ in models], len(data), n_folds, n_repeats, progress)
    race.run(shared, engine)
    results, regret, most = race.results([ours for _, ours, _ in models])
    if all(result.failure for result in results):
        raise ValueError(f"no classifier could be fitted: {results[0].failure}")
    return Comparison(
        label=data.label,
        n_rows=len(data),
        class_counts=dict(zip(classes.tolist(), counts.tolist(), strict=True)),
        models=results,
        columns=data.columns,
        notes=notes,
        n_folds=n_folds,
        n_repeats=n_repeats,
        regret=regret,
        most_regret=most,
        seed=seed,
        interrupted=race.interrupted,
        reader=data.table.reader,
    )


def _usual_folds(n_rows: int) -> int:
    """The number of folds where none is given."""
    return 10 if n_rows <= _MANY_ROWS else 5


def announcement(data, n_models, n_folds=None, n_repeats=1):
    """What a comparison will do."""
    folds = n_repeats * (_usual_folds(len(data)) if n_folds is None else n_folds)
    return (
        f"Comparing {n_models} classifiers on {len(data):,} rows and {len(data.used)} columns: up to {folds} folds "
        f"each; those that cannot win any more leave early. {_about(len(data), folds)}"
    )


def _about(n_rows, folds):
    """A rough time for the default classifiers, as measured on one core."""
    seconds = folds * (0.8 + 0.0015 * n_rows)
    return (
        f"About {10 * round(seconds / 10 + 0.5)} seconds."
        if seconds < 100
        else f"About {seconds / 60:.0f} minutes."
    )


def _checked_folds(n_folds, n_repeats, classes, counts, notes):
    for name, value, least in (("n_folds", n_folds, 2), ("n_repeats", n_repeats, 1)):
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


class _Race:
    """What is known of each classifier, fold by fold; ``racing`` has those that may still win."""

    def __init__(self, names, n_rows, n_folds, n_repeats, progress):
        self.names, self.n_rows, self.n_repeats, self.n_splits = names, n_rows, n_repeats, n_folds * n_repeats
        self.progress = progress or (lambda *said: None)
        self.judged: dict[int, list[Judged]] = {m: [] for m in range(len(names))}
        self.failures: dict[int, str] = {}
        self.racing = list(self.judged)
        self.interrupted = False

    def run(self, shared, engine):
        """Fit fold by fold; the last one left does all folds, for its error."""
        for start in range(0, self.n_splits, _FOLDS_A_LOOK):
            folds = range(start, min(start + _FOLDS_A_LOOK, self.n_splits))
            found: dict[Task, Judged] = {}
            try:
                for task, judged in self._outcomes(
                    [Task(m, s) for m in self.racing for s in folds], shared, engine
                ):
                    found[task] = judged
            except KeyboardInterrupt:
                self.interrupted = True
                if start > 0:
                    return  # the folds before are done for all
                self.racing = [m for m in self.racing if all(Task(m, s) in found for s in folds)]
                if not self.racing:
                    raise
            for m in self.racing:
                self.judged[m] += [found[Task(m, s)] for s in folds]
                if failure := next((part.failure for part in self.judged[m] if part.failure), ""):
                    self.failures[m] = failure
                    self.judged[m] = []
            self.racing = [m for m in self.racing if m not in self.failures]
            if not self.interrupted:
                self._drop(folds.stop)
            if self.interrupted or not self.racing:
                return

    def _outcomes(self, tasks, shared, engine) -> Iterator[tuple[Task, Judged]]:
        if engine is None:
            outcomes = ((i, judge(task, shared)) for i, task in enumerate(tasks))
        else:
            run = engine.run("weaklearn.comparison._fits:judge", tasks, shared=shared)
            outcomes = ((outcome.index, Judged.of(outcome)) for outcome in run)
        waiting = dict(enumerate(tasks))
        # Fits of those that left count as done.
        most, total = len(self.names) * (tasks[-1].split + 1), len(self.names) * self.n_splits
        while waiting:
            self.progress(self.names[next(iter(waiting.values())).model], most - len(waiting), total)
            i, judged = next(outcomes)
            yield waiting.pop(i), judged

    def _drop(self, n_folds):
        """Leave out those that cannot win any more after ``n_folds``."""
        if len(self.racing) < 2 or n_folds == self.n_splits:
            return
        known, wrong = self._beliefs()
        places = [self._fitted().index(m) for m in self.racing]
        n_left = self.n_rows * self.n_repeats * (1 - n_folds / self.n_splits)
        gains = worth(known, wrong, places, n_left, self.n_repeats)
        self.racing = [
            m
            for m, gain in zip(self.racing, gains, strict=True)
            if gain >= LEAST_GAIN or self.names[m] == MAJORITY
        ]

    def _fitted(self):
        return [m for m, parts in self.judged.items() if parts]

    def _losses(self, m, n=None):
        """Wrong or not, for the test rows of the first n folds that a classifier was in."""
        return np.concatenate([part.wrong for part in self.judged[m][:n]])

    def _beliefs(self):
        """The posterior of the errors of those that are fitted, and their losses, with NaN where one was not tested."""
        losses = [self._losses(m) for m in self._fitted()]
        wrong = np.full((len(losses), max(map(len, losses))), np.nan)
        for row, own in zip(wrong, losses, strict=True):
            row[: len(own)] = own
        return beliefs([self.names[m] for m in self._fitted()], wrong, self.n_repeats), wrong

    def results(self, ours):
        """The table, the choice first; and the expected regret of the choice with its 95th percentile."""
        failed = [ModelResult(name=self.names[m], ours=ours[m], failure=f) for m, f in self.failures.items()]
        if not self._fitted():
            return failed, 0.0, 0.0
        known, _ = self._beliefs()
        best = self._fitted()[known.best]
        found = {m: self._numbers(m, best) for m in self._fitted()}
        others = sorted((m for m in found if m != best), key=lambda m: (found[m]["difference"], m))
        for m, p_value in zip(others, holm([found[m]["p_value"] for m in others]), strict=True):
            found[m]["p_value"] = p_value
        fitted = [ModelResult(name=self.names[m], ours=ours[m], **found[m]) for m in (best, *others)]
        return fitted + failed, *known.regret()

    def _numbers(self, m, best):
        parts, wrong = self.judged[m], self._losses(m)
        level = estimate(wrong, min(len(wrong), self.n_rows))
        # Early folds may have been easy ones: an error is that of all folds as far as those of the choice can tell.
        of_best = self._losses(best)
        easier = float(of_best.mean() - of_best[: len(wrong)].mean())
        aucs = [part.auc for part in parts]
        known = [part.log_loss for part in parts if part.log_loss is not None]
        values: dict[str, Any] = {
            **{
                name: min(max(end + easier, 0.0), 1.0)
                for name, end in (("error", level.mean), ("low", level.low), ("high", level.high))
            },
            "log_loss": float(np.concatenate(known).mean()) if len(known) == len(parts) else None,
            "auc": None if np.isnan(aucs).all() else float(np.nanmean(aucs)),
            # The first fit may have compiled and imported.
            "seconds": float(np.median([part.seconds for part in parts][1:] or parts[0].seconds)),
            "n_folds": len(parts),
        }
        if m != best:
            common = min(len(parts), len(self.judged[best]))
            difference = self._losses(m, common) - self._losses(best, common)
            d = estimate(difference, min(len(difference), self.n_rows))
            values |= {
                "difference": d.mean,
                "difference_standard_error": d.standard_error,
                "difference_low": d.low,
                "difference_high": d.high,
                "p_value": d.p_value,
            }
        return values
