"""The page of one session: its question, what its answers say, and everything a person does with it.

Every page works by plain forms; the script only swaps the main part of the page that the same form would have
given. A form carries the revision that it was made at, so it may be sent any number of times.
"""

import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.thresholds import _wording
from weaklearn.thresholds._blocks import Block, block_of, last_answered
from weaklearn.thresholds._drawing import drawings
from weaklearn.thresholds._folder import SessionFolder
from weaklearn.thresholds._lab_book import report_settings
from weaklearn.thresholds._options import LONGEST_NOTE, MOST_MORE
from weaklearn.thresholds._trail import Trails
from weaklearn.web import FormError, download, page

__all__ = ["SessionPages", "worded_page"]

_REVISION = re.compile(r"[0-9]{1,9}")
_WORDS = {name: getattr(_wording, name) for name in _wording.__all__} | {
    "percent": f"{_wording.CONFIDENCE:.0%}"
}


def worded_page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page whose template may use everything of `_wording`."""
    return page(template, status, **_WORDS, **values)


def _revision(form: Mapping[str, str]) -> int:
    text = form.get("revision", "")
    if not _REVISION.fullmatch(text):
        raise FormError("The form does not say which question it answers.")
    return int(text)


class SessionPages:
    """The addresses of one session, over the sessions of ``folder``."""

    def __init__(self, folder: SessionFolder):
        self.folder = folder
        self.trails = Trails()

    def routes(self, handle) -> list[Route]:
        """``handle(work)`` makes an endpoint of ``work(request, form)``."""
        reading = {
            "": self.session,
            "/report": self.report,
            "/answers.csv": self.csv,
            "/session.json": self.json,
        }
        changing = {
            "/answer": self.answer,
            "/undo": self.undo,
            "/note": self.note,
            "/import": self.bring_in,
            "/extend": self.extend,
        }
        return [
            Route("/block", handle(self.block)),
            *(Route(f"/s/{{key}}{end}", handle(work)) for end, work in reading.items()),
            *(Route(f"/s/{{key}}{end}", handle(work), methods=["POST"]) for end, work in changing.items()),
        ]

    def _open(self, request: Request) -> Session:
        session = self.folder.open(request.path_params["key"])
        if session is None:
            raise HTTPException(404)
        return session

    def session(self, request: Request, form: Mapping[str, str]) -> Response:
        return self._shown(request, self._open(request))

    def _shown(self, request, session, *, problem="", note="", csv="", status=200) -> Response:
        state = session.to_dict(_wording.CONFIDENCE)
        trail = self.trails.of(session)
        answered, most = _wording.progress(session)
        estimates = state["estimates"] if answered else []
        blind = "blind" in session.about and "open" not in request.query_params
        drawn = answered and not blind
        return worded_page(
            "thresholds/session.html",
            status,
            key=request.path_params["key"],
            state=state,
            block=self._block(session),
            undo=self._undo_of(request, session),
            question=_question(session, state["next_level"], blind),
            blind=blind,
            labels=_wording.answer_labels(session.about),
            keys=_wording.answer_keys(session.about),
            asking=not state["done"],
            answered=answered,
            most=most,
            stop_rule=_wording.stop_words(session.stop.describe()),
            sampler=type(session.sampler).__name__,
            file=session.path.name,
            estimates=estimates,
            rows=list(zip(state["history"], trail, strict=True)),
            drawings=drawings(session, trail) if drawn else {},
            problem=problem,
            typed_note=note,
            typed_csv=csv,
            longest_note=LONGEST_NOTE,
        )

    def _block(self, session: Session) -> Block | None:
        return block_of(self.folder, session.about["block"]) if "block" in session.about else None

    def _undo_of(self, request: Request, session: Session) -> dict[str, Any]:
        """What the undo button undoes: the last answer; in a block, that of any of its sessions."""
        key, last = last_answered(self.folder, session) or (request.path_params["key"], session)
        history = last.history
        words = ""
        if history:
            word = _wording.answer_word(history[-1]["outcome"], last.about)
            words = f"{word} at {_wording.level_text(history[-1]['level'])}"
        return {"key": key, "revision": last.revision, "answers": len(history), "words": words}

    def _change(self, request, session, change, undone: str, **typed: str) -> Response:
        """Make a change and show the page again; ``undone`` says what did not happen if it was refused."""
        try:
            change()
        except SessionChangedError:
            session.reload()
            problem = (
                f"{undone} The session was changed in another window or tab after this page was shown. "
                "Below is where it stands now; please look at the question again."
            )
            return self._shown(request, session, problem=problem, status=409, **typed)
        except SessionFileError:
            raise
        except ValueError as error:
            return self._refused(request, session, f"{undone[:-1]}: {error}.", **typed)
        return RedirectResponse(f"/s/{request.path_params['key']}", 303)

    def _refused(self, request, session, problem: str, **typed: str) -> Response:
        return self._shown(request, session, problem=problem, status=422, **typed)

    def answer(self, request: Request, form: Mapping[str, str]) -> Response:
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
            return self._refused(request, session, problem)
        reply = self._change(
            request,
            session,
            lambda: session.answer(level, outcome, revision=revision),
            "Your answer was not recorded.",
        )
        block = self._block(session) if reply.status_code == 303 else None
        if block is not None and block.next_key is not None:
            return RedirectResponse(f"/s/{block.next_key}", 303)
        return reply

    def undo(self, request: Request, form: Mapping[str, str]) -> Response:
        session = self._open(request)
        revision, answers = _revision(form), form.get("answers", "")
        n_answers = int(answers) if _REVISION.fullmatch(answers) else None
        return self._change(
            request,
            session,
            lambda: session.undo(revision=revision, n_answers=n_answers),
            "Nothing was undone.",
        )

    def note(self, request: Request, form: Mapping[str, str]) -> Response:
        session = self._open(request)
        revision = _revision(form)
        text = form.get("note", "").replace("\r\n", "\n").strip()
        if not text or len(text) > LONGEST_NOTE:
            problem = f"The note was not saved: it must have 1 to {LONGEST_NOTE} characters, not {len(text)}."
            return self._refused(request, session, problem, note=text)
        return self._change(
            request,
            session,
            lambda: session.note(text, revision=revision),
            "Your note was not saved.",
            note=text,
        )

    def bring_in(self, request: Request, form: Mapping[str, str]) -> Response:
        """Trials made elsewhere, from CSV."""
        session = self._open(request)
        revision, text = _revision(form), form.get("csv", "")
        return self._change(
            request,
            session,
            lambda: session.import_csv(text, revision=revision),
            "Nothing was imported.",
            csv=text,
        )

    def extend(self, request: Request, form: Mapping[str, str]) -> Response:
        """More answers than the stopping rule allowed."""
        session = self._open(request)
        revision, text = _revision(form), form.get("answers", "")
        if not _REVISION.fullmatch(text) or not 1 <= int(text) <= MOST_MORE:
            problem = f"The session was not extended: say how many more answers, from 1 to {MOST_MORE}."
            return self._refused(request, session, problem)
        return self._change(
            request,
            session,
            lambda: session.extend(int(text), revision=revision),
            "The session was not extended.",
        )

    def block(self, request: Request, form: Mapping[str, str]) -> Response:
        """The next question of a block."""
        found = block_of(self.folder, request.query_params.get("name", ""))
        if found is None:
            raise HTTPException(404)
        query = urlencode({"block": found.name})
        return RedirectResponse(f"/s/{found.next_key}" if found.next_key else f"/thresholds?{query}", 303)

    def report(self, request: Request, form: Mapping[str, str]) -> Response:
        """Everything about a session on one page that prints well."""
        session = self._open(request)
        state = session.to_dict(_wording.CONFIDENCE)
        trail = self.trails.of(session)
        drawn = bool(state["history"])
        return worded_page(
            "thresholds/report.html",
            state=state,
            key=request.path_params["key"],
            settings=report_settings(session),
            rows=list(zip(state["history"], trail, strict=True)),
            drawings=drawings(session, trail) if drawn else {},
        )

    # --- downloads --------------------------------------------------------------------------------------

    def csv(self, request: Request, form: Mapping[str, str]) -> Response:
        return _download(self._open(request).to_csv(), request, "csv")

    def json(self, request: Request, form: Mapping[str, str]) -> Response:
        return _download(self._open(request).path.read_text(encoding="utf-8"), request, "json")


def _question(session: Session, level: float, blind: bool) -> str:
    if blind and not session.question:
        labels = _wording.answer_labels(session.about)
        return f"{labels['yes']} or {labels['no'].lower()}?"
    return _wording.question_text(session, level)


def _download(text: str, request: Request, ending: str) -> Response:
    kind = "text/csv" if ending == "csv" else "application/json"
    # The key was found among our own, so it is sixteen hexadecimal digits.
    return download(text.encode(), f"threshold-{request.path_params['key']}.{ending}", kind)
