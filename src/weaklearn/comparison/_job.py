"""The job: compare classifiers on a table, and save the one to use."""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

import weaklearn
from weaklearn._files import write_file
from weaklearn.comparison import Comparison, compare
from weaklearn.comparison._compare import announcement
from weaklearn.comparison._fits import Judged, Task
from weaklearn.comparison._models import default_models, save_choice
from weaklearn.comparison._report import differences, page_values
from weaklearn.engines import Outcome, Remembering, open_engine
from weaklearn.tables import LabelledTable, labelled
from weaklearn.web import Work, table_of


def run_comparison(work: Work) -> None:
    """Read, compare, write everything that the page shows or offers."""
    settings = work.settings
    with table_of(work) as given, open_engine("local", os.cpu_count() or 1) as inner:
        data = labelled(
            given, **{name: settings[name] for name in ("label", "merge_spellings", "least_rows")}
        )
        models = default_models(len(np.unique(data.y)), seed=0)
        names = [name for name, _, _ in models]
        news = _News(work, names)
        work.report(text=announcement(data, len(models)), done=0, total=1)
        found = compare(
            data,
            settings["label"],
            models=models,
            # Libraries may have changed since the last attempt, and with them the classifiers.
            engine=Remembering(
                inner,
                work.parts,
                [weaklearn.__version__, names],
                pack=_packed,
                unpack=_judged,
                told=news.told,
            ),
            progress=news.progress,
        )
    work.report(text="Writing the report")
    found.to_html(work.result / "report.html")
    saved = _save(work, found, data, models)
    page = {**page_values(found), "figure": str(differences(found)), **saved}
    write_file(work.result / "page.json", json.dumps(page, allow_nan=False))


def _packed(judged: Judged) -> dict[str, Any]:
    """The result of a task as arrays."""
    return {name: np.array(value) for name, value in judged._asdict().items() if value is not None}


def _judged(task: Task, kept: Mapping[str, np.ndarray]) -> Judged:
    return Judged(
        kept.get("wrong", None),
        kept.get("log_loss", None),
        float(kept["auc"]),
        float(kept["seconds"]),
        str(kept["failure"]),
    )


class _News:
    """Tells the page of the classifier at work, and after each fit of the error so far."""

    def __init__(self, work: Work, names: list[str]):
        self.work, self.names = work, names
        self.wrong: dict[int, list[np.ndarray]] = {}
        self.state: dict[str, Any] = {}

    def progress(self, name: str, done: int, total: int) -> None:
        """A classifier is at work."""
        self.state = {"text": f"Fitting {name}", "done": done, "total": total}
        self.work.report(**self.state)

    def told(self, task: Task, outcome: Outcome) -> None:
        """One more fit is done."""
        own, judged = self.wrong.setdefault(task.model, []), Judged.of(outcome)
        if judged.wrong is not None:
            own.append(judged.wrong)
        error = None if judged.wrong is None else round(float(np.concatenate(own).mean()), 4)
        self.work.report(**self.state, model=self.names[task.model], error=error, folds=len(own))


def _save(work: Work, found: Comparison, data: LabelledTable, models: list[Any]) -> dict[str, Any]:
    """Save the recommended classifier; what the page says of that."""
    if found.recommended is None:
        return {"saved": None, "unsaved": "No classifier is recommended, so none was saved."}
    name = found.recommended.name
    work.report(text=f"Fitting {name} to all rows")
    try:
        card = save_choice(found, data, models, work.result / "model.skops")
    except TypeError as error:
        return {"saved": None, "unsaved": f"{name} cannot be saved: {error}"}
    write_file(work.result / "card.json", json.dumps(card, indent=1, ensure_ascii=False))
    write_file(work.result / "predict.py", found.code)
    return {"saved": name, "unsaved": ""}
