"""Threshold sessions in the browser. Light: the pages themselves (`_routes`) are imported when they are asked for."""

import sys
from functools import partial

from weaklearn._compilations import announcing_compilation
from weaklearn.thresholds._folder import SessionFolder
from weaklearn.thresholds._wording import title_text
from weaklearn.web import API_ROOT, Building, Deferred, Door, Opened, Recent

__all__ = ["DOOR"]

# Where sessions and their JSON interface live.
_PLACES = ("/thresholds", "/new", "/s", "/block", "/plan", API_ROOT)


def _open(building: Building) -> Opened:
    folder = SessionFolder(building.folder)

    def routes():
        from weaklearn.thresholds._routes import session_routes  # a second or two

        # Samplers run in this process, and the first one of an installation compiles.
        building.ending.enter_context(announcing_compilation(partial(print, file=sys.stderr, flush=True)))
        return session_routes(folder, building)

    def recent() -> list[Recent]:
        return [
            Recent("threshold", title_text(entry.question, entry.name), f"/s/{entry.key}", entry.changed)
            for entry in folder.entries()
            if entry.key
        ]

    return Opened([Deferred(_PLACES, routes)], recent)


DOOR = Door(
    place="/thresholds",
    title="Find a threshold",
    about="Ask few questions to find the dose, loudness or price at which people start saying yes.",
    icon="M3 19c9 0 9-14 18-14 M12 3v18",
    open=_open,
    word="threshold",
    kind="plan",
    work="weaklearn.thresholds._plan:run_plan",
    shortcut=("/new", "New session"),
)
