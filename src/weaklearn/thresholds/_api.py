"""The JSON interface: what the pages do with forms, a program does with documents.

Every change carries the revision that its sender has seen, so a request that was not answered may be sent again
unchanged: it is obeyed once. `OPERATIONS` declares all operations: routes, checks of bodies, the OpenAPI document and
the page at `API_ROOT` are made from it.
"""

import json
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from weaklearn import __version__
from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.thresholds import _wording
from weaklearn.thresholds._blocks import block_of
from weaklearn.thresholds._folder import SessionFolder, without_folder
from weaklearn.thresholds._options import (
    FIELDS,
    LARGEST_SEED,
    LONGEST_NOTE,
    MOST_MORE,
    OPTIONS,
    FieldErrors,
    as_typed,
    is_number,
)
from weaklearn.thresholds._setup import read_setup
from weaklearn.web import API_ROOT, json_refusal

__all__ = ["OPERATIONS", "Api", "openapi_document"]


class ApiError(Exception):
    """A request that cannot be obeyed: status, message and further entries of the answer."""

    def __init__(self, status: int, message: str, **more: Any):
        super().__init__(message)
        self.status, self.more = status, more


# --- bodies -------------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """An entry of a body: its JSON schema, which values are right, and what is said of others."""

    schema: dict[str, Any]
    is_right: Callable[[Any], bool]
    must: str


def _text(least: int, most: int, must: str) -> _Entry:
    def is_right(value: Any) -> bool:
        return isinstance(value, str) and least <= len(value.strip()) <= most

    return _Entry({"type": "string"}, is_right, must)


def _whole(least: int, most: float, must: str) -> _Entry:
    def is_right(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return _Entry({"type": "integer"}, is_right, must)


_ANY = float("inf")
_ENTRIES = {
    "revision": _whole(0, _ANY, "must be the one that came with the question"),
    "level": _Entry({"type": "number"}, is_number, "must be a number"),
    "outcome": _Entry({"type": "boolean"}, lambda value: isinstance(value, bool), "must be true or false"),
    "n_answers": _whole(0, _ANY, "must be the number of answers before the undo"),
    "text": _text(1, LONGEST_NOTE, f"must have 1 to {LONGEST_NOTE} characters"),
    "csv": _text(0, 10**9, "must be a text: a header with level and outcome, and the trials"),
    "answers": _whole(1, MOST_MORE, f"must be a whole number from 1 to {MOST_MORE}"),
    "seed": _whole(0, LARGEST_SEED, f"must be a whole number from 0 to {LARGEST_SEED}"),
}


def _check(sent: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if not _ENTRIES[name].is_right(sent.get(name)):
            raise ApiError(422, f"{name} {_ENTRIES[name].must}")


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
    raise ValueError(f"{name} is not JSON")


# --- operations ---------------------------------------------------------------------------------------------------


class Operation(NamedTuple):
    """One address and method; ``sends`` names the entries of the body, ``work`` is the method of `Api` that answers."""

    method: str
    path: str
    sends: tuple[str, ...]
    work: Callable[..., Any]

    @property
    def summary(self) -> str:
        """What it does, for people."""
        said = " ".join((self.work.__doc__ or "").split())
        if "revision" in self.sends:
            said += " Answers with the next question; 409 if the session has changed since the revision."
        return said


_ONE = f"{API_ROOT}/sessions/{{key}}"
OPERATIONS: list[Operation] = []


def _operation(method: str, path: str, *sends: str):
    """Declare a method of `Api`; its docstring says what the operation does."""

    def declared(work):
        OPERATIONS.append(Operation(method, path, sends, work))
        return work

    return declared


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 description."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
    error = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "weaklearn thresholds",
            "version": __version__,
            "description": "Send the token of the start-up address as “Authorization: Bearer TOKEN”.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": error},
        },
        "security": [{"token": []}],
    }


def _described(operation: Operation) -> dict[str, Any]:
    starts = "levels" in operation.sends
    media, schema = "application/json", {"type": "object"}
    if operation.path.endswith(".csv"):
        media, schema = "text/csv", {"type": "string"}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        "summary": operation.summary,
        "responses": {
            "201" if starts else "200": {"description": "Done.", "content": {media: {"schema": schema}}},
            "default": {"description": "Refused, with the reason.", "content": error},
        },
    }
    named = [name for name in ("key", "name") if f"{{{name}}}" in operation.path]
    if named:
        found["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
        ]
    if operation.sends:
        schemas = {name: option.schema() for name, option in OPTIONS.items()}
        schemas |= {name: entry.schema for name, entry in _ENTRIES.items()}
        body = {
            "type": "object",
            "required": ["levels"] if starts else list(operation.sends),
            "properties": {name: schemas[name] for name in operation.sends},
        }
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return found


# --- what they do -------------------------------------------------------------------------------------------------


class Api:
    """The operations over the sessions of ``folder``; ``turn`` is a lock: one request after another."""

    def __init__(self, folder: SessionFolder, turn):
        self.folder, self.turn = folder, turn

    def routes(self) -> list[Route]:
        """All addresses below `API_ROOT` but the page that describes them."""
        document = Operation("get", f"{API_ROOT}/openapi.json", (), lambda *_: openapi_document())
        return [
            Route(
                one.path.replace("{name}", "{name:path}"), self._endpoint(one), methods=[one.method.upper()]
            )
            for one in (document, *OPERATIONS)
        ]

    def _endpoint(self, operation: Operation):
        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(self._obeyed, operation, request, await request.body())

        return endpoint

    def _obeyed(self, operation: Operation, request: Request, body: bytes) -> Response:
        try:
            with self.turn:
                sent = _document(request, body) if operation.method == "post" else {}
                if "revision" in operation.sends:
                    _check(sent, operation.sends)
                    sent = {name: sent[name] for name in operation.sends}
                found = operation.work(self, request, sent)
        except ApiError as error:
            return json_refusal(error.status, str(error), **error.more)
        except FieldErrors as error:
            return json_refusal(422, "The session was not started.", fields=error.errors)
        except SessionFileError as error:
            return json_refusal(409, without_folder(str(error), self.folder.path))
        except OSError as error:
            return json_refusal(507, f"The file cannot be used: {error.strerror or error}")
        return found if isinstance(found, Response) else JSONResponse(found)

    def _open(self, request: Request) -> Session:
        session = self.folder.open(request.path_params["key"])
        if session is None:
            raise ApiError(404, "There is no such session.")
        return session

    def _change(self, request: Request, change: Callable[[Session], Any]) -> dict:
        session = self._open(request)
        try:
            change(session)
        except SessionChangedError:
            message = "The session has changed since this revision. Nothing was recorded."
            raise ApiError(409, message, now=_question(session.reload())) from None
        except SessionFileError:
            raise
        except ValueError as error:
            raise ApiError(422, str(error)) from None
        return _question(session)

    @_operation("get", f"{API_ROOT}/sessions")
    def listing(self, request: Request, sent: dict) -> dict:
        """All sessions, the last changed first, and damaged files."""
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
        return {"sessions": rows, "damaged": damaged}

    @_operation("post", f"{API_ROOT}/sessions", *FIELDS, "seed")
    def create(self, request: Request, sent: dict) -> Response:
        """Start a session. With a seed, the same request sent again leads to the session that it made."""
        if sent.get("seed") is None:
            sent["seed"] = secrets.randbelow(LARGEST_SEED)
        _check(sent, ("seed",))
        seed = sent.pop("seed")
        unknown = sorted(set(sent) - set(FIELDS))
        if unknown:
            raise ApiError(422, f"unknown: {', '.join(unknown)}; known are {', '.join(FIELDS)}")
        setup = read_setup({name: as_typed(name, value) for name, value in sent.items()})
        try:
            key = self.folder.start(setup, seed)
        except SessionFileError:
            raise
        except ValueError as error:  # what only the sampler itself can know
            raise ApiError(422, str(error)) from None
        session = self.folder.open(key)
        assert session is not None  # it was made just now, and requests take turns
        return JSONResponse({"key": key, **session.to_dict(_wording.CONFIDENCE)}, 201)

    @_operation("get", _ONE)
    def state(self, request: Request, sent: dict) -> dict:
        """Everything about a session: question, estimates, history, notes."""
        return {"key": request.path_params["key"], **self._open(request).to_dict(_wording.CONFIDENCE)}

    @_operation("get", f"{_ONE}/question")
    def question(self, request: Request, sent: dict) -> dict:
        """The next level to try, and the revision to send back."""
        return _question(self._open(request))

    @_operation("post", f"{_ONE}/answers", "level", "outcome", "revision")
    def answer(self, request: Request, sent: dict) -> dict:
        """Record an answer, on disk before the reply; sent twice, it counts once."""

        def answer(session: Session) -> None:
            low, high = session.levels[0], session.levels[-1]
            if not low <= sent["level"] <= high:
                raise ValueError(f"level must be a number from {low:g} to {high:g}")
            session.answer(**sent)

        return self._change(request, answer)

    @_operation("post", f"{_ONE}/undo", "n_answers", "revision")
    def undo(self, request: Request, sent: dict) -> dict:
        """Undo the last answer; n_answers is the number before."""
        return self._change(request, lambda session: session.undo(**sent))

    @_operation("post", f"{_ONE}/notes", "text", "revision")
    def note(self, request: Request, sent: dict) -> dict:
        """Write a note beside the answers."""
        text, revision = sent["text"].strip(), sent["revision"]
        return self._change(request, lambda session: session.note(text, revision=revision))

    @_operation("post", f"{_ONE}/import", "csv", "revision")
    def bring_in(self, request: Request, sent: dict) -> dict:
        """Add trials made elsewhere, all or none: CSV with a header, columns level and outcome."""
        return self._change(
            request, lambda session: session.import_csv(sent["csv"], revision=sent["revision"])
        )

    @_operation("post", f"{_ONE}/extend", "answers", "revision")
    def extend(self, request: Request, sent: dict) -> dict:
        """Allow this many more answers than there are."""
        return self._change(
            request, lambda session: session.extend(sent["answers"], revision=sent["revision"])
        )

    @_operation("get", f"{API_ROOT}/blocks/{{name}}/question")
    def block(self, request: Request, sent: dict) -> dict:
        """The next question of a block of interleaved sessions and its session's key; null when all are finished."""
        block = block_of(self.folder, request.path_params["name"])
        if block is None:
            raise ApiError(404, "There is no such block.")
        counts = {"n_sessions": block.n_sessions, "n_finished": block.n_finished}
        if block.next_key is None:
            return {"key": None, **counts, "done": True}
        session = self.folder.open(block.next_key)
        assert session is not None  # listed just now, and requests take turns
        return {"key": block.next_key, **counts, **_question(session)}

    @_operation("get", f"{_ONE}/estimate")
    def estimate(self, request: Request, sent: dict) -> dict:
        """Thresholds with their 90% intervals, and warnings."""
        session = self._open(request)
        return {
            "revision": session.revision,
            "n_answers": len(session.history),
            "confidence": _wording.CONFIDENCE,
            "estimates": session.estimate(_wording.CONFIDENCE),
            "warnings": session.warnings(),
        }

    @_operation("get", f"{_ONE}/answers.csv")
    def csv(self, request: Request, sent: dict) -> Response:
        """The answers as CSV."""
        return Response(self._open(request).to_csv(), media_type="text/csv")

    @_operation("get", f"{_ONE}/session.json")
    def file(self, request: Request, sent: dict) -> dict:
        """The session's file."""
        return self._open(request).record


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
