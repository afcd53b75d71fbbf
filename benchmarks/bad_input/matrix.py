"""Run cells of the matrix in worker processes, each with a time limit, and judge them."""

import multiprocessing
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import psutil
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError

from benchmarks.bad_input.kinds import CLEAN, CLEAN_MANY, FIT_KINDS, PREDICT_KINDS, Given, Kind
from benchmarks.bad_input.parameter_kinds import parameter_kinds
from benchmarks.bad_input.session_kinds import CLEAN_SESSION, SESSION_KINDS
from benchmarks.bad_input.subjects import SUBJECTS, Subject, answer

__all__ = ["FAULTS", "Cell", "kinds_for", "run", "run_cell"]

FAULTS = ("raw", "wrong", "hang")
#: CPU seconds for a cell. Until a subject has answered once it may compile, and gets more.
CELL_SECONDS, FIRST_SECONDS = 10, 180
_NOT_FOR_NAN = {
    "NaN in X",
    "None in X",
    "predict: NaN",
    "predict: None",
    "masked cell in X",
    "predict: masked cell",
    "pandas.NA in X",
    "predict: pandas.NA",
}
_NOT_FOR_TEXT = {
    "a word in X", "words in X", "predict: a word", "dates in X", "a dictionary in X", "NaN in X", "None in X",
    "predict: NaN", "predict: None", "masked cell in X", "predict: masked cell", "pandas.NA in X", "predict: pandas.NA",
    "pandas with words", "pandas with dates", "predict: words", "predict: dates", "predict: a dictionary",
    "words that are numbers", "predict: words that are numbers",
}  # fmt: skip
# A table has rows, columns and names: these never reach the function, or are how tables come.
_NOT_FOR_TABLES = re.compile(
    "dimension|ragged|as X|no columns|too few|too many|two columns|as y|nested|masked|sparse|complex|polars|memory map"
    "|pandas|swapped|nullable|categories|in one column|words that are numbers"
)
_FINE_IN_TABLES = {
    "NaN label", "None label", "None among word labels", "NaN among word labels", "pandas.NA label",
    "only None as labels", "a number among words as label", "a tuple as label", "words and numbers as labels",
    "infinite label", "infinity in X", "minus infinity in X",
    "integers beyond float in X", "objects that are numbers", "float labels", "boolean labels",
    "integer labels that are objects", "continuous labels", "dates as labels", "an empty word as label",
    "labels of minus zero", "labels in float16",
}  # fmt: skip
_NOT_LEARNED = "right on separated classes"
_ABOUT_LABELS = re.compile("label|class|as y|contradictory")


def _input_of(kind):
    """The name of a kind, with any method as `predict`."""
    return f"predict: {kind.name.partition(': ')[2]}" if kind.method else kind.name


class Cell(NamedTuple):
    """The outcome of one kind of input for one subject."""

    subject: str
    kind: str
    outcome: str
    detail: str = ""


def kinds_for(subject: Subject) -> list[Kind]:
    """The kinds that mean something for a subject; a curve has one column, a cloner may take NaN on purpose."""
    if subject.is_session:
        return [*SESSION_KINDS, *parameter_kinds(subject.parameters)]
    found = parameter_kinds(subject.parameters) if subject.parameters else []
    for kind in [
        *FIT_KINDS,
        *(kind for kind in PREDICT_KINDS if subject.make and hasattr(subject.make(), kind.method)),
    ]:
        if "weight" in kind.name and not subject.takes_weights:
            continue
        if not subject.takes_labels and _ABOUT_LABELS.search(kind.name):
            continue
        if subject.is_table and _NOT_FOR_TABLES.search(kind.name):
            continue
        if subject.is_table and kind.name in _FINE_IN_TABLES:
            kind = kind._replace(oracle="finite", may_refuse=True, pattern=f"{kind.pattern}|single row")
        if subject.many_classes and kind.name in (
            "boolean labels",
            "two rows",
            "one row of a class",
            "one column",
        ):
            continue  # not three classes any more, or not three that can be told apart
        if subject.name.startswith("RobustClassifier") and kind.name == "10 rows, 5000 columns":
            # Ten rows cannot show which of 5,000 columns tells: who doubts labels may doubt all of them.
            kind = kind._replace(oracle="finite")
        if subject.is_curve and _input_of(kind) in (
            "predict: fewer columns", "predict: one dimension", "constant column", "column twice",
            "more columns than rows", "10 rows, 5000 columns", "words as labels", "unicode labels", "40 classes",
            "a number among words as label", "a tuple as label", "labels that differ in case and space",
            "continuous labels", "X and y swapped",
        ):  # fmt: skip
            continue
        if (subject.allows_nan and _input_of(kind) in _NOT_FOR_NAN) or (
            subject.allows_text and _input_of(kind) in _NOT_FOR_TEXT
        ):
            kind = kind._replace(oracle="finite", may_refuse=True)
        found.append(kind)
    return found


def _clean(subject):
    if subject.is_session:
        return CLEAN_SESSION
    if subject.many_classes:
        return CLEAN_MANY
    return CLEAN._replace(X=CLEAN.X[:, :1]) if subject.is_curve else CLEAN


def _learn(subject: Subject, given: Given, probe: Any) -> np.ndarray:
    if subject.call is not None:
        return np.asarray(subject.call(given.X, given.y, given.sample_weight, **given.params))
    model = subject.make().set_params(**given.params)
    if not subject.takes_labels:
        model.fit(given.X)
    elif given.sample_weight is not None:
        model.fit(given.X, given.y, sample_weight=given.sample_weight)
    else:
        model.fit(given.X, given.y)
    return answer(model, probe)


def _answer_of(subject: Subject, kind: Kind, made: Given) -> np.ndarray:
    if kind.method:
        model = subject.make()
        clean = _clean(subject)
        model.fit(clean.X, clean.y) if subject.takes_labels else model.fit(clean.X)
        return np.asarray(getattr(model, kind.method)(made.X))
    return _learn(subject, made, made.X)


def run_cell(subject: Subject, kind: Kind) -> Cell:
    """Run one cell here and now."""
    made = kind.make(_clean(subject))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        warnings.simplefilter("always", ConvergenceWarning)
        try:
            found = _answer_of(subject, kind, made)
        except (ValueError, TypeError, NotFittedError) as error:
            if isinstance(error, np.linalg.LinAlgError):
                return Cell(subject.name, kind.name, "raw", repr(error)[:200])
            return Cell(subject.name, kind.name, *_judge_refusal(kind, error))
        except Exception as error:
            return Cell(subject.name, kind.name, "raw", repr(error)[:200])
        warned = [str(one.message) for one in said]  # what did not converge, and was not told so, is wrong
        outcome, detail = _judge_answer(subject, kind, made, found)
        if detail.endswith(_NOT_LEARNED) and warned:
            outcome, detail = "refused", f"warned: {warned[0]}"
        return Cell(subject.name, kind.name, outcome, detail)


def _judge_refusal(kind, error):
    message = str(error)
    if kind.oracle == "refuse":
        named = re.search(kind.pattern, message)
        return ("refused", "") if named else ("raw", f"does not name the problem: {message[:150]}")
    if kind.may_refuse and not re.search(kind.pattern, message):
        return "raw", f"does not name the problem: {message[:150]}"
    return ("refused", message[:150]) if kind.may_refuse else ("wrong", f"refused: {message[:150]}")


def _judge_answer(subject, kind, made, found):
    if kind.oracle == "refuse":
        return "wrong", f"answered {np.ravel(found)[:3]}"
    values = np.asarray(found)
    # New rows have gaps where the old ones have.
    gaps = subject.allows_nan and not subject.takes_labels and _input_of(kind) in _NOT_FOR_NAN
    if values.dtype.kind == "f" and not np.isfinite(values).all() and not gaps:
        return "wrong", f"not finite: {values.ravel()[:3]}"
    if kind.oracle == "same":
        clean = _clean(subject)
        expected = _answer_of(subject, kind, (kind.like or (lambda given: given))(clean))
        if len(found) != len(expected):
            return "wrong", "another number of answers"
        if found.dtype.kind not in "biuf":
            same = (found.astype(str) == expected.astype(str)).all()
        else:
            same = np.allclose(found.astype(float), expected.astype(float), rtol=1e-5, atol=1e-6)
        return ("right", "") if same else ("wrong", "another answer than on the equivalent input")
    if subject.is_session:
        estimate, low, high, asked = values
        levels = np.asarray(made.X, dtype=float)
        if not (levels.min() <= estimate <= levels.max() and low <= high and asked in levels):
            return "wrong", f"estimate {estimate}, interval {low} to {high}, next {asked}"
    if subject.is_classifier and kind.method in ("", "predict"):
        labels = np.asarray(made.y)
        if not kind.method and not np.isin(found, labels).all():
            return "wrong", "classes that are not in y"
        if kind.oracle == "learned" and made.sample_weight is None and (found == labels).mean() < 0.95:
            return "wrong", f"{(found == labels).mean():.0%} {_NOT_LEARNED}"
        if kind.oracle == "learned" and made.sample_weight is not None:
            share = (found == labels)[np.asarray(made.sample_weight) > 0].mean()
            if share < 0.95:
                return "wrong", f"{share:.0%} {_NOT_LEARNED}"
    return "right", ""


def _work(names, pipe):
    subjects = {subject.name: subject for subject in SUBJECTS}
    for subject_name, kind_name in names:
        subject = subjects[subject_name]
        kind = next(kind for kind in kinds_for(subject) if kind.name == kind_name)
        pipe.send(run_cell(subject, kind))
    pipe.close()


def run(cells: Iterable[tuple[str, str]]) -> Iterator[Cell]:
    """Run cells (subject, kind) one after the other in a worker process, which is replaced when it hangs or dies."""
    waiting = list(cells)
    # Not forked from here: OpenMP, once used in this process, would hang in a copy of it.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.bad_input.subjects"])
    while waiting:
        receiver, sender = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(waiting, sender), daemon=True)
        worker.start()
        sender.close()
        seen: set[str] = set()
        while waiting:
            subject, kind = waiting[0]
            limit = CELL_SECONDS if subject in seen else FIRST_SECONDS
            try:
                answered = _wait(receiver, worker.pid, limit)
                found = receiver.recv() if answered else Cell(subject, kind, "hang", f"{limit} s")
            except EOFError:
                found = Cell(subject, kind, "raw", "the process died")
            waiting.pop(0)
            if found.outcome == "right":
                seen.add(subject)
            yield found
            if found.outcome == "hang" or found.detail == "the process died":
                break
        worker.kill()
        worker.join()


def _wait(receiver, pid, limit):
    """Whether an answer comes before the worker has used `limit` CPU seconds, or ten times as many by the clock."""
    process = psutil.Process(pid)
    start = sum(process.cpu_times()[:2])
    for _ in range(10 * limit):
        if receiver.poll(1.0):
            return True
        if sum(process.cpu_times()[:2]) - start > limit:
            return False
    return False
