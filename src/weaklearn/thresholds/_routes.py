"""The pages of thresholds: the list of sessions and the form for a new one are here, the others beside."""

import secrets
import threading
from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import DEFAULT_SAMPLER, SAMPLERS, Session, SessionFileError
from weaklearn.adaptive.sessions import long_csv
from weaklearn.thresholds._api import OPERATIONS, Api
from weaklearn.thresholds._changes import LARGEST_SEED, count_of
from weaklearn.thresholds._folder import Entry, SessionFolder, without_folder
from weaklearn.thresholds._options import FIELDS, GROUPS, OPTIONS, TEMPLATES, errors_of
from weaklearn.thresholds._plan import preview
from weaklearn.thresholds._plan_pages import PlanPages
from weaklearn.thresholds._session_pages import SessionPages, worded_page
from weaklearn.thresholds._setup import read_setup
from weaklearn.thresholds._summary import summary_of
from weaklearn.web import API_ROOT, Building, download, handled, refusal

_PER_PAGE = 100  # sessions in the list
_MOST_SUMMARISED = 200
_LIST_SECONDS = 0.2  # for estimates that are not known yet; the next look at the list computes more
# What the fields of the form for a new session say at first.
_FORM = {"direction": "rising", "task": "yes/no", "sampler": DEFAULT_SAMPLER, "budget": "40"}


def session_routes(folder: SessionFolder, building: Building) -> list[Route]:
    """The addresses of the sessions in ``folder``, pages and JSON interface."""
    pages = _Pages(folder)
    return [
        Route("/thresholds", pages.handle(pages.sessions)),
        Route("/thresholds/summary", pages.handle(pages.summary)),
        Route("/thresholds/answers.csv", pages.handle(pages.answers)),
        Route("/new", pages.handle(pages.new)),
        Route("/new", pages.handle(pages.start), methods=["POST"]),
        *SessionPages(folder).routes(pages.handle),
        *PlanPages(building, pages.new_page).routes(),
        *Api(folder, pages.turn).routes(),
        Route(API_ROOT, pages.handle(pages.api)),
    ]


class _Pages:
    def __init__(self, folder: SessionFolder):
        self.folder = folder
        # One person at one page: taking turns is simpler than locks around every cache.
        self.turn = threading.Lock()

    def handle(self, work):
        """An endpoint that runs ``work(request, form)``, one request at a time."""

        def in_turn(request: Request, form: Mapping[str, str]) -> Response:
            try:
                with self.turn:
                    return work(request, form)
            except SessionFileError as error:
                reason = without_folder(str(error), self.folder.path)
                return refusal(409, f"{reason}. Nothing was recorded by this request.")

        return handled(in_turn)

    def api(self, request: Request, form: Mapping[str, str]) -> Response:
        return worded_page(
            "thresholds/api.html", operations=OPERATIONS, options=[OPTIONS[name] for name in FIELDS]
        )

    # --- the list, and new sessions ---------------------------------------------------------------

    def _wanted(self, request: Request) -> tuple[dict[str, str], list[Entry]]:
        """The labels that the address asks for, and the entries that have them."""
        entries = self.folder.entries()
        wanted = {name: request.query_params.get(name, "") for name in ("subject", "condition", "block")}
        for name, text in wanted.items():
            entries = [entry for entry in entries if not text or entry.about.get(name) == text]
        return wanted, entries

    def _opened(self, entries: list[Entry]) -> list[Session]:
        found = [self.folder.open(entry.key) for entry in entries[:_MOST_SUMMARISED] if entry.key]
        return [session for session in found if "blind" not in session.about]

    def summary(self, request: Request, form: Mapping[str, str]) -> Response:
        """Each threshold, and the mean and spread of the population."""
        wanted, entries = self._wanted(request)
        found = summary_of(self._opened(entries))
        return worded_page("thresholds/summary.html", found=found, wanted=wanted, query=urlencode(wanted))

    def answers(self, request: Request, form: Mapping[str, str]) -> Response:
        """All answers of these sessions as CSV, a line each."""
        text = long_csv(self._opened(self._wanted(request)[1]))
        return download(text.encode(), "answers.csv", "text/csv")

    def sessions(self, request: Request, form: Mapping[str, str]) -> Response:
        wanted, entries = self._wanted(request)
        start = count_of(request.query_params.get("from", "")) or 0
        end = start + _PER_PAGE
        return worded_page(
            "thresholds/sessions.html",
            entries=self.folder.outcomes(entries[start:end], _LIST_SECONDS),
            start=start,
            total=len(entries),
            wanted=wanted,
            query=urlencode(wanted),
            later=urlencode({**wanted, "from": end}) if end < len(entries) else "",
            folder=self.folder.path.name,
        )

    def new(self, request: Request, form: Mapping[str, str]) -> Response:
        return self.new_page(TEMPLATES.get(request.query_params.get("template", ""), {}), {})

    def new_page(
        self, typed: Mapping[str, str], errors: dict[str, str], status: int = 200, buys: str = ""
    ) -> Response:
        """The form with what was typed, and what is wrong with it; ``buys`` says what answers buy."""
        return worded_page(
            "thresholds/new.html",
            status,
            typed={**_FORM, **typed},
            errors=errors,
            seed=_seed(typed),
            groups=GROUPS,
            used=[
                name for name in OPTIONS if typed.get(name, "") not in ("", _FORM.get(name)) or name in errors
            ],
            samplers={name: f"{name}: {known.words}" for name, known in SAMPLERS.items()},
            notice=SAMPLERS[typed["sampler"]].cls.notice if typed.get("sampler") in SAMPLERS else "",
            templates=TEMPLATES,
            buys=buys,
        )

    def start(self, request: Request, form: Mapping[str, str]) -> Response:
        try:
            setup = read_setup(dict(form))
            if "preview" in form:
                return self.new_page(form, {}, buys=preview(setup))
            key = self.folder.start(setup, _seed(form))
        except SessionFileError:
            raise
        except ValueError as error:
            return self.new_page(form, errors_of(error), 422)
        return RedirectResponse(f"/s/{key}", 303)


def _seed(form: Mapping[str, str]) -> int:
    """The seed that a form carries, so that it starts one session however often it is sent; a new one without."""
    seed = count_of(form.get("seed", ""), most_digits=15)
    return secrets.randbelow(LARGEST_SEED) if seed is None else seed
