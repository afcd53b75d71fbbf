"""The pages: the list of sessions, a new session, one session.

Every page works by plain forms; the script only swaps the main part of the page that the same form would have
given. A form carries the revision that it was made at, so it may be sent any number of times.
"""

import asyncio
import json
import math
import re
import secrets
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import DEFAULT_SAMPLER, Session, SessionChangedError, SessionFileError
from weaklearn.app import _wording
from weaklearn.app._api import ROOT, Api
from weaklearn.app._drawing import curve_drawing, posterior_drawing, trail_drawing
from weaklearn.app._folder import SessionFolder, without_folder
from weaklearn.app._openapi import OPERATIONS
from weaklearn.app._setup import FIELDS, MOST_LEVELS, FieldErrors, read_setup, samplers_here
from weaklearn.app._shell import FormError, page, read_form, refusal
from weaklearn.app._trail import Trails

__all__ = ["session_routes"]

_LONGEST_NOTE = 2000
_PER_PAGE = 100  # sessions in the list
_LIST_SECONDS = 0.2  # for estimates that are not known yet; the next look at the list computes more
_MORE_OPTIONS = (
    *("yes_label", "no_label", "yes_key", "no_key", "scale"),
    *("lapse", "cohort", "overdose_limit"),
)
_SEED = re.compile(r"[0-9]{1,15}")
_REVISION = re.compile(r"[0-9]{1,9}")
_WORDS = {name: getattr(_wording, name) for name in _wording.__all__} | {
    "percent": f"{_wording.CONFIDENCE:.0%}"
}


def session_routes(folder: SessionFolder) -> list[Route]:
    """The addresses of the sessions in ``folder``, pages and JSON interface."""
    pages = _Pages(folder)
    return [
        Route("/thresholds", pages.handle(pages.sessions)),
        Route("/new", pages.handle(pages.new)),
        Route("/new", pages.handle(pages.start), methods=["POST"]),
        Route("/s/{key}", pages.handle(pages.session)),
        Route("/s/{key}/answer", pages.handle(pages.answer), methods=["POST"]),
        Route("/s/{key}/undo", pages.handle(pages.undo), methods=["POST"]),
        Route("/s/{key}/note", pages.handle(pages.note), methods=["POST"]),
        Route("/s/{key}/answers.csv", pages.handle(pages.csv)),
        Route("/s/{key}/session.json", pages.handle(pages.json)),
        *Api(pages.folder, pages.in_turn).routes(),
        Route(ROOT, pages.handle(pages.api)),
    ]


def _page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    return page(template, status, **_WORDS, **values)


def _revision(form: dict[str, str]) -> int:
    text = form.get("revision", "")
    if not _REVISION.fullmatch(text):
        raise FormError("The form does not say which question it answers.")
    return int(text)


class _Pages:
    def __init__(self, folder: SessionFolder):
        self.folder = folder
        self.trails = Trails()
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
        return _page("api.html", operations=OPERATIONS)

    # --- the list, and new sessions ---------------------------------------------------------------

    def sessions(self, request: Request, form: dict[str, str]) -> Response:
        entries = self.folder.entries()
        wanted = {name: request.query_params.get(name, "") for name in ("subject", "condition")}
        for name, text in wanted.items():
            entries = [entry for entry in entries if not text or dict(entry.about).get(name) == text]
        first = request.query_params.get("from", "0")
        start = int(first) if _REVISION.fullmatch(first) else 0
        shown = self.folder.outcomes(entries[start : start + _PER_PAGE], _LIST_SECONDS)
        return _page(
            "sessions.html",
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
        return self._new_page(typed, {}, secrets.randbelow(10**15))

    def _new_page(
        self, typed: dict[str, str], errors: dict[str, str], seed: int, status: int = 200
    ) -> Response:
        return _page(
            "new.html",
            status,
            typed=typed,
            errors=errors,
            seed=seed,
            samplers=samplers_here(),
            most_levels=MOST_LEVELS,
            more_options=any(typed[name] or name in errors for name in _MORE_OPTIONS),
        )

    def start(self, request: Request, form: dict[str, str]) -> Response:
        seed = int(form["seed"]) if _SEED.fullmatch(form.get("seed", "")) else secrets.randbelow(10**15)
        typed = {field: form.get(field, "") for field in FIELDS}
        try:
            key = self.folder.start(read_setup(typed), seed)
        except SessionFileError:
            raise
        except FieldErrors as error:
            return self._new_page(typed, error.errors, seed, 422)
        except ValueError as error:  # what only the sampler itself can know
            return self._new_page(typed, {"sampler": str(error)}, seed, 422)
        return RedirectResponse(f"/s/{key}", 303)

    # --- one session --------------------------------------------------------------------------------

    def _open(self, request: Request) -> Session:
        session = self.folder.open(request.path_params["key"])
        if session is None:
            raise HTTPException(404)
        return session

    def session(self, request: Request, form: dict[str, str]) -> Response:
        return self._session_page(request, self._open(request), more="more" in request.query_params)

    def _session_page(self, request, session, *, more=False, problem="", note="", status=200) -> Response:
        state = session.to_dict(_wording.CONFIDENCE)
        trail = self.trails.of(session)
        answered, most = _wording.progress(session)
        estimates = state["estimates"] if answered else []
        blind = "blind" in session.about and "open" not in request.query_params
        drawn = answered and not blind
        return _page(
            "session.html",
            status,
            key=request.path_params["key"],
            state=state,
            question=_question(session, state["next_level"], blind),
            blind=blind,
            labels=_wording.answer_labels(session.about),
            keys=_wording.answer_keys(session.about),
            asking=more or not state["done"],
            answered=answered,
            most=most,
            stop_rule=_wording.stop_words(session.stop.describe()),
            sampler=type(session.sampler).__name__,
            file=session.path.name,
            estimates=estimates,
            rows=list(zip(state["history"], trail, strict=True)),
            curve=curve_drawing(session) if drawn else "",
            narrowing=trail_drawing(session, trail) if drawn else "",
            posterior=posterior_drawing(session) if drawn else "",
            problem=problem,
            typed_note=note,
            longest_note=_LONGEST_NOTE,
        )

    def _changed(self, request, session, what: str, note: str = "") -> Response:
        session.reload()
        problem = (
            f"{what} The session was changed in another window or tab after this page was shown. "
            "Below is where it stands now; please look at the question again."
        )
        return self._session_page(request, session, problem=problem, note=note, status=409)

    def answer(self, request: Request, form: dict[str, str]) -> Response:
        session = self._open(request)
        revision = _revision(form)
        outcome = {"yes": True, "no": False}.get(form.get("outcome", ""))
        if outcome is None:
            raise FormError("An answer is yes or no.")
        try:
            level = float(form.get("level", ""))
        except ValueError:
            level = math.nan
        low, high = session.levels[0], session.levels[-1]
        if not low <= level <= high:
            ends = f"{_wording.level_text(low)} to {_wording.level_text(high)}"
            problem = f"The answer was not recorded: the level must be a number from {ends}."
            return self._session_page(request, session, problem=problem, status=422)
        try:
            session.answer(level, outcome, revision=revision)
        except SessionChangedError:
            return self._changed(request, session, "Your answer was not recorded.")
        # Whoever asks on after the end keeps being asked.
        more = "?more=1" if form.get("more") == "1" else ""
        return RedirectResponse(f"/s/{request.path_params['key']}{more}", 303)

    def undo(self, request: Request, form: dict[str, str]) -> Response:
        session = self._open(request)
        revision = _revision(form)
        try:
            session.undo(revision=revision)
        except SessionChangedError:
            # Only undoing makes the answers fewer, so this very form, sent twice, is told apart exactly.
            session.reload()
            once_before = session.revision == revision + 1 and form.get("answers") == str(
                len(session.history) + 1
            )
            if not once_before:
                return self._changed(request, session, "Nothing was taken back.")
        except ValueError as error:
            if isinstance(error, SessionFileError):
                raise
            return self._session_page(request, session, problem="There is no answer to undo.", status=422)
        return RedirectResponse(f"/s/{request.path_params['key']}", 303)

    def note(self, request: Request, form: dict[str, str]) -> Response:
        session = self._open(request)
        revision = _revision(form)
        text = form.get("note", "").replace("\r\n", "\n").strip()
        if not text or len(text) > _LONGEST_NOTE:
            problem = (
                f"A note has 1 to {_LONGEST_NOTE} characters; this one has {len(text)}. It was not saved."
            )
            return self._session_page(request, session, problem=problem, note=text, status=422)
        try:
            session.note(text, revision=revision)
        except SessionChangedError:
            session.reload()
            notes = session.notes
            once_before = session.revision == revision + 1 and notes and notes[-1]["text"] == text
            if not once_before:
                return self._changed(request, session, "Your note was not saved yet.", note=text)
        return RedirectResponse(f"/s/{request.path_params['key']}", 303)

    # --- downloads --------------------------------------------------------------------------------------

    def csv(self, request: Request, form: dict[str, str]) -> Response:
        session = self._open(request)
        return _download(session.to_csv(), "text/csv", request.path_params["key"], "csv")

    def json(self, request: Request, form: dict[str, str]) -> Response:
        text = self._open(request).path.read_text(encoding="utf-8")
        json.loads(text)  # a session file is whole at any moment; what is sent is one
        return _download(text, "application/json", request.path_params["key"], "json")


def _question(session: Session, level: float, blind: bool) -> str:
    if blind and not session.question:
        labels = _wording.answer_labels(session.about)
        return f"{labels['yes']} or {labels['no'].lower()}?"
    return _wording.question_text(session, level)


def _download(text: str, kind: str, key: str, ending: str) -> Response:
    # The key was found among our own, so it is sixteen hexadecimal digits.
    name = f"threshold-{key}.{ending}"
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
