"""The job: compare classifiers on a table, and save the one to use."""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import weaklearn
from weaklearn._files import write_file
from weaklearn.comparison import Comparison, compare
from weaklearn.comparison._fits import Judged, Task, first_failure
from weaklearn.comparison._models import default_models
from weaklearn.comparison._report import differences, page_values
from weaklearn.engines import Outcome, Remembering, open_engine
from weaklearn.persistence import save
from weaklearn.tables import LabelledTable, TableEncoder, labelled
from weaklearn.web import Work, table_of

# Tables up to these numbers of rows: repeats of cross-validation, and clones for a second opinion.
_EFFORT = ((2000, 3, 5), (10_000, 1, 2))
_LEAST_EFFORT = (1, 0)
_SCRIPT = """import numpy, weaklearn.persistence, weaklearn.tables
model = weaklearn.persistence.load("model.skops")
cells = weaklearn.tables.read_table("new_rows.csv").cells
rows = numpy.array([cells[name].texts() for name in {columns!r}], dtype=object).T
print(*model.predict(rows), sep="\\n")
"""


def run_comparison(work: Work) -> None:
    """Read, compare, write everything that the page shows or offers."""
    settings = work.settings
    with table_of(work) as given, open_engine("local", os.cpu_count() or 1) as inner:
        data = labelled(given, settings["label"])
        models = default_models(len(np.unique(data.y)), seed=0)
        repeats, clones = next((effort for rows, *effort in _EFFORT if len(data) <= rows), _LEAST_EFFORT)
        news = _News(work, [(name, ours) for name, ours, _ in models], repeats + clones)
        work.report(text=f"Fitting {len(models)} classifiers to {len(data):,} rows", done=0, total=news.total)
        # Libraries may have changed since the last attempt, and with them the classifiers.
        plan = [weaklearn.__version__, [name for name, _, _ in models], repeats, clones]
        found = compare(
            data,
            settings["label"],
            models=models,
            n_repeats=repeats,
            n_clones=clones,
            engine=Remembering(inner, work.parts, plan, pack=_packed, unpack=_judged, told=news.told),
        )
    work.report(text="Writing the report")
    found.to_html(work.result / "report.html")
    saved = _save(work, found, data, {name: model for name, _, model in models})
    page = {
        **page_values(found),
        "best": found.best.name,
        "recommended": None if found.recommended is None else found.recommended.name,
        "figure": str(differences(found)),
        **saved,
    }
    write_file(work.result / "page.json", json.dumps(page, allow_nan=False))


def _packed(judged: Judged) -> dict[str, Any]:
    """The result of a task as arrays."""
    return {name: np.array(value) for name, value in judged._asdict().items() if value is not None}


def _judged(task: Task, kept: Mapping[str, np.ndarray]) -> Judged:
    return Judged(
        wrong=kept.get("wrong", None),
        log_loss=kept.get("log_loss", None),
        failure=str(kept["failure"]),
        **{name: tuple(kept[name].tolist()) for name in ("fold_errors", "aucs", "seconds")},
    )


class _News:
    """Tells the page of each fit, and of each classifier when all its fits are done."""

    def __init__(self, work: Work, names: list[tuple[str, bool]], n_each: int):
        self.work, self.names, self.n_each = work, names, n_each
        self.total = n_each * len(names)
        self.judged: dict[int, list[Judged]] = {}

    def told(self, task: Task, outcome: Outcome) -> None:
        """One more task is done."""
        own = self.judged.setdefault(task.model, [])
        own.append(Judged.of(outcome))
        done = sum(map(len, self.judged.values()))
        news: dict[str, Any] = {"done": done, "total": self.total}
        if len(own) == self.n_each:
            name, ours = self.names[task.model]
            failure = first_failure(own)
            errors = [error for part in own if part.seconds for error in part.fold_errors]
            news |= {
                "model": name,
                "ours": ours,
                "failure": failure[:200],
                "error": None if failure or not errors else round(float(np.mean(errors)), 4),
            }
        self.work.report(text=f"{done} of {self.total} runs are done", **news)


def _save(work: Work, found: Comparison, data: LabelledTable, models: dict[str, Any]) -> dict[str, Any]:
    """Fit the recommended classifier on all rows and save it; what the page says of that."""
    if found.recommended is None:
        return {"saved": None, "unsaved": "No classifier is recommended, so none was saved."}
    name = found.recommended.name
    work.report(text=f"Fitting {name} to all rows")
    columns = [column.name for column in data.used]
    model = make_pipeline(TableEncoder(columns=data.used), clone(models[name]))
    # Texts as they are in a file: the encoder knows how each column is to be read.
    model.fit(np.array([data.cells[column].texts() for column in columns], dtype=object).T, data.y)
    description = (
        f"{name}, fitted on {len(data)} rows to tell {data.label}; error in cross-validation "
        f"{100 * found.recommended.error:.1f}% (95% interval {100 * found.recommended.low:.1f} to "
        f"{100 * found.recommended.high:.1f}%)"
    )
    try:
        card = save(model, work.result / "model.skops", description=description)
    except TypeError as error:
        return {"saved": None, "unsaved": f"{name} cannot be saved: {error}"}
    write_file(work.result / "card.json", json.dumps(card, indent=1, ensure_ascii=False))
    write_file(work.result / "predict.py", _SCRIPT.format(columns=columns))
    return {"saved": name, "unsaved": ""}
