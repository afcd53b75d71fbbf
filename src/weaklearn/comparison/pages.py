"""Comparisons in the browser: classifiers as they finish, then what they show and the files to download."""

from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from weaklearn.web import MOST_COLUMNS, Building, Door, Job, JobPages, Opened, handled, page

__all__ = ["DOOR"]


class _Pages(JobPages):
    kind, place = "comparison", "/comparisons"
    unfinished = "This comparison is not finished."
    progress = "comparison/running.html"
    files = {
        "model.skops": "application/octet-stream",
        "card.json": "application/json",
        "predict.py": "text/x-python",
    }

    def routes(self) -> list[Route]:
        """All addresses below /comparisons but the door itself."""
        one = f"{self.place}/{{key}}"
        return [
            Route(self.place, handled(self.start_on_table, MOST_COLUMNS + 10), methods=["POST"]),
            Route(one, handled(self.page)),
            Route(f"{one}/report.html", handled(self.report)),
            Route(f"{one}/{{name}}", handled(self.file)),
        ]

    def news(self, news: list[dict[str, Any]]) -> dict[str, Any]:
        """The classifiers that are finished."""
        return {"done": {line["model"]: line for line in news if "model" in line}}

    def shown(self, job: Job) -> Response:
        """What the classifiers show."""
        found = self.page_data(job)
        script = (job.result / "predict.py").read_text(encoding="utf-8") if found["saved"] else ""
        return page(
            "comparison/comparison.html", job=job, found=found, figure=Markup(found["figure"]), script=script
        )


def _open(building: Building) -> Opened:
    return Opened(_Pages(building).routes())


DOOR = Door(
    place=_Pages.place,
    title="Compare classifiers",
    about="Find out which classifier suits your table, and how far the differences can be trusted.",
    open=_open,
    word="comparison",
    kind=_Pages.kind,
    work="weaklearn.comparison._job:run_comparison",
    on_table="Compare classifiers",
    command="weaklearn compare TABLE --label COLUMN",
    scripts=(Path(__file__).parent / "static" / "comparison.js",),
)
