"""The JSON interface: what the pages do with forms, a program does with documents.

Every change carries the revision that its sender has seen, so a request that was not answered may be sent again
unchanged: it is obeyed once.
"""

import json
import math
import secrets
from typing import Any, TypeGuard

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.thresholds import _wording
from weaklearn.thresholds._blocks import block_of
from weaklearn.thresholds._folder import SessionFolder, without_folder
from weaklearn.thresholds._openapi import openapi_document
from weaklearn.thresholds._setup import FIELDS, FieldErrors, read_setup
from weaklearn.web import API_ROOT, json_refusal

__all__ = ["Api"]

_LONGEST_NOTE = 2000
_LARGEST_SEED = 10**15
_MOST_MORE = 9999


class ApiError(Exception):
    """A request that cannot be obeyed: status, message and further entries of the answer."""

    def __init__(self, status: int, message: str, **more: Any):
        super().__init__(message)
        self.status, self.more = status, more


class Api:
    """Endpoints over the sessions of ``folder``; ``run(work, request, body)`` lets one request in after another."""

    def __init__(self, folder: SessionFolder, run):
        self.folder, self.run = folder, run

    def routes(self) -> list[Route]:
        """All addresses below `API_ROOT` but the page that describes them."""
        one = f"{API_ROOT}/sessions/{{key}}"
        return [
            Route(f"{API_ROOT}/openapi.json", self._endpoint(self.openapi)),
            Route(f"{API_ROOT}/sessions", self._endpoint(self.listing)),
            Route(f"{API_ROOT}/sessions", self._endpoint(self.create), methods=["POST"]),
            Route(f"{API_ROOT}/blocks/{{name:path}}/question", self._endpoint(self.block)),
            Route(one, self._endpoint(self.state)),
            Route(f"{one}/question", self._endpoint(self.question)),
            Route(f"{one}/estimate", self._endpoint(self.estimate)),
            Route(f"{one}/answers", self._endpoint(self.answer), methods=["POST"]),
            Route(f"{one}/undo", self._endpoint(self.undo), methods=["POST"]),
            Route(f"{one}/notes", self._endpoint(self.note), methods=["POST"]),
            Route(f"{one}/import", self._endpoint(self.bring_in), methods=["POST"]),
            Route(f"{one}/extend", self._endpoint(self.extend), methods=["POST"]),
            Route(f"{one}/answers.csv", self._endpoint(self.csv)),
            Route(f"{one}/session.json", self._endpoint(self.file)),
        ]

    def _endpoint(self, work):
        async def endpoint(request: Request) -> Response:
            return await self.run(self._guarded, work, request, await request.body())

        return endpoint

    def _guarded(self, work, request: Request, body: bytes) -> Response:
        try:
            return work(request, _document(request, body) if request.method == "POST" else {})
        except ApiError as error:
            return json_refusal(error.status, str(error), **error.more)
        except FieldErrors as error:
            return json_refusal(422, "The session was not started.", fields=error.errors)
        except SessionFileError as error:
            return json_refusal(409, without_folder(str(error), self.folder.path))
        except ImportError as error:
            return json_refusal(409, str(error))
        except OSError as error:
            return json_refusal(507, f"The file cannot be used: {error.strerror or error}")

    def _open(self, request: Request) -> Session:
        session = self.folder.open(request.path_params["key"])
        if session is None:
            raise ApiError(404, "There is no such session.")
        return session

    # --- reading ----------------------------------------------------------------------------------------

    def openapi(self, request: Request, sent: dict) -> Response:
        return JSONResponse(openapi_document())

    def listing(self, request: Request, sent: dict) -> Response:
        entries = self.folder.entries()
        rows = [
            {
                "key": entry.key,
                "question": entry.question,
                "about": dict(entry.about),
                "n_answers": entry.n_answers,
                "changed": entry.changed.isoformat(timespec="seconds"),
            }
            for entry in entries
            if not entry.problem
        ]
        damaged = [{"file": entry.name, "problem": entry.problem} for entry in entries if entry.problem]
        return JSONResponse({"sessions": rows, "damaged": damaged})

    def state(self, request: Request, sent: dict) -> Response:
        return JSONResponse(self._state(request.path_params["key"], self._open(request)))

    def _state(self, key: str, session: Session) -> dict[str, Any]:
        return {"key": key, **session.to_dict(_wording.CONFIDENCE)}

    def question(self, request: Request, sent: dict) -> Response:
        return JSONResponse(_question(self._open(request)))

    def estimate(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        return JSONResponse(
            {
                "revision": session.revision,
                "n_answers": len(session.history),
                "confidence": _wording.CONFIDENCE,
                "estimates": session.estimate(_wording.CONFIDENCE),
                "warnings": session.warnings(),
            }
        )

    def csv(self, request: Request, sent: dict) -> Response:
        return Response(self._open(request).to_csv(), media_type="text/csv")

    def file(self, request: Request, sent: dict) -> Response:
        return JSONResponse(json.loads(self._open(request).path.read_text(encoding="utf-8")))

    # --- changing ---------------------------------------------------------------------------------------

    def create(self, request: Request, sent: dict) -> Response:
        seed = sent.pop("seed", None)
        if seed is None:
            seed = secrets.randbelow(_LARGEST_SEED)
        if not _is_whole(seed) or seed > _LARGEST_SEED:
            raise ApiError(422, f"seed must be a whole number from 0 to {_LARGEST_SEED}")
        unknown = sorted(set(sent) - set(FIELDS))
        if unknown:
            raise ApiError(422, f"unknown: {', '.join(unknown)}; known are {', '.join(FIELDS)}")
        setup = read_setup({name: _as_typed(name, value) for name, value in sent.items()})
        try:
            key = self.folder.start(setup, seed)
        except (SessionFileError, FieldErrors):
            raise
        except ValueError as error:  # what only the sampler itself can know
            raise ApiError(422, str(error)) from None
        session = self.folder.open(key)
        assert session is not None  # it was made just now, and requests take turns
        return JSONResponse(self._state(key, session), 201)

    def answer(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        revision = _revision(sent)
        outcome, level = sent.get("outcome"), sent.get("level")
        if not isinstance(outcome, bool):
            raise ApiError(422, "outcome must be true or false")
        low, high = session.levels[0], session.levels[-1]
        if not _is_number(level) or not low <= level <= high:
            raise ApiError(422, f"level must be a number from {low:g} to {high:g}")
        try:
            session.answer(level, outcome, revision=revision)
        except SessionChangedError:
            raise self._changed(session) from None
        return JSONResponse(_question(session))

    def undo(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        revision = _revision(sent)
        answers = sent.get("n_answers")
        if not _is_whole(answers):
            raise ApiError(422, "n_answers must be the number of answers before the undo")
        try:
            session.undo(revision=revision)
        except SessionChangedError:
            session.reload()
            # Only undoing makes the answers fewer, so this very request, sent twice, is told apart exactly.
            if session.revision != revision + 1 or len(session.history) + 1 != answers:
                raise self._changed(session) from None
        except SessionFileError:
            raise
        except ValueError as error:
            raise ApiError(422, str(error)) from None
        return JSONResponse(_question(session))

    def note(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        revision = _revision(sent)
        text = sent.get("text")
        if not isinstance(text, str) or not 1 <= len(text.strip()) <= _LONGEST_NOTE:
            raise ApiError(422, f"text must have 1 to {_LONGEST_NOTE} characters")
        try:
            session.note(text.strip(), revision=revision)
        except SessionChangedError:
            session.reload()
            notes = session.notes
            if session.revision != revision + 1 or not notes or notes[-1]["text"] != text.strip():
                raise self._changed(session) from None
        return JSONResponse(_question(session))

    def bring_in(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        revision = _revision(sent)
        text = sent.get("csv")
        if not isinstance(text, str):
            raise ApiError(422, "csv must be a text: a header with level and outcome, and the trials")
        try:
            session.import_csv(text, revision=revision)
        except SessionChangedError:
            raise self._changed(session) from None
        except SessionFileError:
            raise
        except ValueError as error:
            raise ApiError(422, f"Nothing was imported: {error}.") from None
        return JSONResponse(_question(session))

    def extend(self, request: Request, sent: dict) -> Response:
        session = self._open(request)
        revision = _revision(sent)
        more = sent.get("answers")
        if not _is_whole(more) or not 1 <= more <= _MOST_MORE:
            raise ApiError(422, f"answers must be a whole number from 1 to {_MOST_MORE}")
        try:
            session.extend(more, revision=revision)
        except SessionChangedError:
            raise self._changed(session) from None
        return JSONResponse(_question(session))

    def block(self, request: Request, sent: dict) -> Response:
        block = block_of(self.folder, request.path_params["name"])
        if block is None:
            raise ApiError(404, "There is no such block.")
        counts = {"n_sessions": block.n_sessions, "n_finished": block.n_finished}
        if block.next_key is None:
            return JSONResponse({"key": None, **counts, "done": True})
        session = self.folder.open(block.next_key)
        assert session is not None  # listed just now, and requests take turns
        return JSONResponse({"key": block.next_key, **counts, **_question(session)})

    def _changed(self, session: Session) -> ApiError:
        session.reload()
        message = "The session has changed since this revision. Nothing was recorded."
        return ApiError(409, message, now=_question(session))


def _question(session: Session) -> dict[str, Any]:
    """What to do next; every change answers with it."""
    level, reason = session.ask(), session.stop_reason
    return {
        "revision": session.revision,
        "n_answers": len(session.history),
        "level": level,
        "question": _wording.question_text(session, level),
        "labels": _wording.answer_labels(session.about),
        "done": reason is not None,
        "stop_reason": reason,
    }


def _document(request: Request, body: bytes) -> dict[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ApiError(415, "Send Content-Type: application/json.")
    try:
        sent = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ApiError(400, "The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise ApiError(400, "The body must be a JSON object.")
    return sent


def _no_constant(name: str):
    raise ValueError(f"{name} is no JSON")


def _as_typed(name: str, value: Any) -> str:
    """Numbers, lists of numbers and truth values as a person would type them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if _is_number(value):
        return repr(value)
    if isinstance(value, list) and all(_is_number(one) for one in value):
        return " ".join(map(repr, value))
    raise FieldErrors({name: "must be a text, a number or a list of numbers"})


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e308 and math.isfinite(value)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _revision(sent: dict[str, Any]) -> int:
    revision = sent.get("revision")
    if not _is_whole(revision):
        raise ApiError(422, "revision must be the one that came with the question")
    return revision
