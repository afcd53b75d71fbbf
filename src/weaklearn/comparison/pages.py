"""Comparisons in the browser: classifiers as they finish, then what they show and the files to download."""

from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from weaklearn.web import Door, Job, JobPages, page

__all__ = ["DOOR"]


class _Pages(JobPages):
    kind, place = "comparison", "/comparisons"
    unfinished = "This comparison is not finished."
    progress = "comparison/running.html"
    page_shape = {"verdict": str, "figure": str}
    files = {
        "model.skops": "application/octet-stream",
        "card.json": "application/json",
        "predict.py": "text/x-python",
    }

    def news(self, news: list[dict[str, Any]]) -> dict[str, Any]:
        """What is known of each classifier so far."""
        return {"done": {line["model"]: line for line in news if "model" in line}}

    def headline(self, job: Job) -> str:
        """What to use."""
        return self.page_data(job)["verdict"]

    def shown(self, job: Job) -> Response:
        """What the classifiers show."""
        found = self.page_data(job)
        return page("comparison/comparison.html", job=job, found=found, figure=Markup(found["figure"]))


DOOR = Door(
    place=_Pages.place,
    title="Compare classifiers",
    about="Find out which classifier suits your table, and how far the differences can be trusted.",
    icon="M4 20V10h4v10 M10 20V4h4v16 M16 20v-7h4v7 M3 20h18",
    open=_Pages.open,
    word="comparison",
    kind=_Pages.kind,
    work="weaklearn.comparison._job:run_comparison",
    on_table="Compare classifiers",
    command="weaklearn compare TABLE --label COLUMN",
    scripts=(Path(__file__).parent / "static" / "comparison.js",),
)
