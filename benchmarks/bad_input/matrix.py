"""Run cells of the matrix in worker processes, each with a time limit, and judge them."""

import multiprocessing
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError

from benchmarks.bad_input.kinds import CLEAN, FIT_KINDS, PREDICT_KINDS, Given, Kind
from benchmarks.bad_input.subjects import SUBJECTS, Subject, answer

__all__ = ["FAULTS", "Cell", "kinds_for", "run", "run_cell"]

FAULTS = ("raw", "wrong", "hang")
#: Seconds for a cell. The first of a subject may compile, and gets more.
CELL_SECONDS, FIRST_SECONDS = 40, 240
_NOT_FOR_NAN = {
    "NaN in X",
    "None in X",
    "predict: NaN",
    "predict: None",
    "masked cell in X",
    "predict: masked cell",
}
_NOT_FOR_TEXT = {
    "a word in X", "words in X", "predict: a word", "dates in X", "a dictionary in X", "NaN in X", "None in X",
    "predict: NaN", "predict: None", "masked cell in X", "predict: masked cell",
}  # fmt: skip
_ABOUT_LABELS = re.compile("label|class|as y|contradictory")


class Cell(NamedTuple):
    """The outcome of one kind of input for one subject."""

    subject: str
    kind: str
    outcome: str
    detail: str = ""


def kinds_for(subject: Subject) -> list[Kind]:
    """The kinds that mean something for a subject; a curve has one column, a cloner may take NaN on purpose."""
    found = []
    for kind in [*FIT_KINDS, *(PREDICT_KINDS if subject.make and _has_predict(subject) else [])]:
        if "weight" in kind.name and not subject.takes_weights:
            continue
        if not subject.takes_labels and _ABOUT_LABELS.search(kind.name):
            continue
        if subject.name == "complexity()" and kind.name == "no rows":
            kind = kind._replace(oracle="finite")  # 0, by definition
        if subject.is_curve and kind.name in (
            "predict: fewer columns", "predict: one dimension", "constant column", "column twice",
            "more columns than rows", "10 rows, 5000 columns", "words as labels", "unicode labels", "40 classes",
        ):  # fmt: skip
            continue
        if (subject.allows_nan and kind.name in _NOT_FOR_NAN) or (
            subject.allows_text and kind.name in _NOT_FOR_TEXT
        ):
            kind = kind._replace(oracle="finite", may_refuse=True)
        found.append(kind)
    return found


def _has_predict(subject):
    return hasattr(subject.make(), "predict") or hasattr(subject.make(), "transform")


def _clean(subject):
    return CLEAN._replace(X=CLEAN.X[:, :1]) if subject.is_curve else CLEAN


def _learn(subject: Subject, given: Given, probe: Any) -> np.ndarray:
    if subject.call is not None:
        return np.asarray(subject.call(given.X, given.y, given.sample_weight))
    model = subject.make()
    if not subject.takes_labels:
        model.fit(given.X)
    elif given.sample_weight is not None:
        model.fit(given.X, given.y, sample_weight=given.sample_weight)
    else:
        model.fit(given.X, given.y)
    return answer(model, probe)


def _answer_of(subject: Subject, kind: Kind, made: Given) -> np.ndarray:
    if kind.name.startswith("predict: "):
        model = subject.make()
        clean = _clean(subject)
        model.fit(clean.X, clean.y) if subject.takes_labels else model.fit(clean.X)
        return answer(model, made.X)
    return _learn(subject, made, made.X)


def run_cell(subject: Subject, kind: Kind) -> Cell:
    """Run one cell here and now."""
    made = kind.make(_clean(subject))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        for fine in (ConvergenceWarning, DataConversionWarning):
            warnings.simplefilter("ignore", fine)
        try:
            found = _answer_of(subject, kind, made)
        except (ValueError, TypeError, NotFittedError) as error:
            if isinstance(error, np.linalg.LinAlgError):
                return Cell(subject.name, kind.name, "raw", repr(error)[:200])
            return Cell(subject.name, kind.name, *_judge_refusal(kind, error))
        except Exception as error:
            return Cell(subject.name, kind.name, "raw", repr(error)[:200])
        return Cell(subject.name, kind.name, *_judge_answer(subject, kind, made, found))


def _judge_refusal(kind, error):
    message = str(error)
    if kind.oracle == "refuse":
        named = re.search(kind.pattern, message)
        return ("refused", "") if named else ("raw", f"does not name the problem: {message[:150]}")
    return ("refused", message[:150]) if kind.may_refuse else ("wrong", f"refused: {message[:150]}")


def _judge_answer(subject, kind, made, found):
    if kind.oracle == "refuse":
        return "wrong", f"answered {np.ravel(found)[:3]}"
    values = np.asarray(found)
    if values.dtype.kind == "f" and not np.isfinite(values).all():
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
    if subject.is_classifier:
        labels = np.asarray(made.y)
        if not kind.name.startswith("predict: ") and not np.isin(found, labels).all():
            return "wrong", "classes that are not in y"
        if kind.oracle == "learned" and made.sample_weight is None and (found == labels).mean() < 0.95:
            return "wrong", f"{(found == labels).mean():.0%} right on separated classes"
        if kind.oracle == "learned" and made.sample_weight is not None:
            share = (found == labels)[np.asarray(made.sample_weight) > 0].mean()
            if share < 0.95:
                return "wrong", f"{share:.0%} right on separated classes"
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
    context = multiprocessing.get_context("fork")
    while waiting:
        receiver, sender = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(waiting, sender), daemon=True)
        worker.start()
        sender.close()
        seen: set[str] = set()
        while waiting:
            subject, kind = waiting[0]
            limit = CELL_SECONDS if subject in seen else FIRST_SECONDS
            seen.add(subject)
            try:
                found = receiver.recv() if receiver.poll(limit) else Cell(subject, kind, "hang", f"{limit} s")
            except EOFError:
                found = Cell(subject, kind, "raw", "the process died")
            waiting.pop(0)
            yield found
            if found.outcome == "hang" or found.detail == "the process died":
                break
        worker.kill()
        worker.join()
