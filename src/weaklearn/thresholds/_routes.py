"""The pages of thresholds: the list of sessions and the form for a new one are here, the others beside."""

import asyncio
import re
import secrets
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import DEFAULT_SAMPLER, SessionFileError
from weaklearn.thresholds._api import Api
from weaklearn.thresholds._folder import SessionFolder, without_folder
from weaklearn.thresholds._openapi import OPERATIONS
from weaklearn.thresholds._plan_pages import PlanPages
from weaklearn.thresholds._session_pages import SessionPages, worded_page
from weaklearn.thresholds._setup import FIELDS, MOST_LEVELS, FieldErrors, read_setup, samplers_here
from weaklearn.web import API_ROOT, FormError, read_form, refusal

__all__ = ["session_routes"]

_PER_PAGE = 100  # sessions in the list
_LIST_SECONDS = 0.2  # for estimates that are not known yet; the next look at the list computes more
_MORE_OPTIONS = (
    *("yes_label", "no_label", "yes_key", "no_key", "scale", "block", "difference", "gain"),
    *("lapse", "cohort", "overdose_limit", "truth", "spread"),
)
_SEED = re.compile(r"[0-9]{1,15}")
_PLACE = re.compile(r"[0-9]{1,9}")


def session_routes(folder: SessionFolder) -> list[Route]:
    """The addresses of the sessions in ``folder``, pages and JSON interface."""
    pages = _Pages(folder)
    return [
        Route("/thresholds", pages.handle(pages.sessions)),
        Route("/new", pages.handle(pages.new)),
        Route("/new", pages.handle(pages.start), methods=["POST"]),
        *SessionPages(folder).routes(pages.handle),
        *PlanPages(pages.new_page).routes(pages.handle),
        *Api(pages.folder, pages.in_turn).routes(),
        Route(API_ROOT, pages.handle(pages.api)),
    ]


class _Pages:
    def __init__(self, folder: SessionFolder):
        self.folder = folder
        # One person at one page: taking turns is simpler than locks around every cache.
        self.turn = asyncio.Lock()

    def handle(self, work):
        """An endpoint that runs ``work(request, form)``, one request at a time, off the event loop."""

        async def endpoint(request: Request) -> Response:
            return await self.in_turn(self._guarded, work, request, await request.body())

        return endpoint

    async def in_turn(self, work, *arguments) -> Response:
        """Run ``work`` off the event loop, after those that came before."""
        async with self.turn:
            return await run_in_threadpool(work, *arguments)

    def _guarded(self, work, request: Request, body: bytes) -> Response:
        try:
            return work(request, read_form(body))
        except FormError as error:
            return refusal(400, str(error))
        except SessionFileError as error:
            reason = without_folder(str(error), self.folder.path)
            return refusal(409, f"{reason}. Nothing was recorded by this request.")
        except ImportError as error:  # a session for QuestPlus, without its package
            return refusal(409, str(error))
        except OSError as error:
            reason = error.strerror or str(error)
            return refusal(507, f"The file cannot be used: {reason}. Nothing was recorded by this request.")

    def api(self, request: Request, form: dict[str, str]) -> Response:
        return worded_page("thresholds/api.html", operations=OPERATIONS)

    # --- the list, and new sessions ---------------------------------------------------------------

    def sessions(self, request: Request, form: dict[str, str]) -> Response:
        entries = self.folder.entries()
        wanted = {name: request.query_params.get(name, "") for name in ("subject", "condition", "block")}
        for name, text in wanted.items():
            entries = [entry for entry in entries if not text or dict(entry.about).get(name) == text]
        first = request.query_params.get("from", "0")
        start = int(first) if _PLACE.fullmatch(first) else 0
        shown = self.folder.outcomes(entries[start : start + _PER_PAGE], _LIST_SECONDS)
        return worded_page(
            "thresholds/sessions.html",
            entries=shown,
            start=start,
            total=len(entries),
            wanted=wanted,
            later=urlencode({**wanted, "from": start + _PER_PAGE})
            if start + _PER_PAGE < len(entries)
            else "",
            folder=self.folder.path.name,
        )

    def new(self, request: Request, form: dict[str, str]) -> Response:
        typed = dict.fromkeys(FIELDS, "") | {
            "direction": "rising",
            "sampler": DEFAULT_SAMPLER,
        }
        return self.new_page(typed, {}, secrets.randbelow(10**15))

    def new_page(
        self, typed: dict[str, str], errors: dict[str, str], seed: int, status: int = 200
    ) -> Response:
        return worded_page(
            "thresholds/new.html",
            status,
            typed=typed,
            errors=errors,
            seed=seed,
            samplers=samplers_here(),
            most_levels=MOST_LEVELS,
            more_options=any(typed.get(name) or name in errors for name in _MORE_OPTIONS),
        )

    def start(self, request: Request, form: dict[str, str]) -> Response:
        seed = int(form["seed"]) if _SEED.fullmatch(form.get("seed", "")) else secrets.randbelow(10**15)
        typed = {field: form.get(field, "") for field in FIELDS}
        try:
            key = self.folder.start(read_setup(typed), seed)
        except SessionFileError:
            raise
        except FieldErrors as error:
            return self.new_page(typed, error.errors, seed, 422)
        except ValueError as error:  # what only the sampler itself can know
            return self.new_page(typed, {"sampler": str(error)}, seed, 422)
        return RedirectResponse(f"/s/{key}", 303)
