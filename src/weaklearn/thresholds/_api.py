"""The JSON interface: what the pages do with forms, a program does with documents.

`OPERATIONS` declares all operations: routes, the OpenAPI document and the page at `API_ROOT` are made from it.
"""

import json
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from weaklearn import __version__
from weaklearn.adaptive import Session, SessionChangedError, SessionFileError
from weaklearn.thresholds import _wording
from weaklearn.thresholds._changes import CHANGES, ENTRIES, LARGEST_SEED, Change, check
from weaklearn.thresholds._folder import SessionFolder, block_of, without_folder
from weaklearn.thresholds._options import FIELDS, OPTIONS, FieldErrors, as_typed
from weaklearn.thresholds._setup import read_setup
from weaklearn.web import API_ROOT, json_refusal


def _document(request: Request, body: bytes) -> dict[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send Content-Type: application/json.")
    try:
        sent = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise HTTPException(400, "The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise HTTPException(400, "The body must be a JSON object.")
    return sent


def _no_constant(name: str):
    raise ValueError(f"{name} is not JSON")


# --- operations ---------------------------------------------------------------------------------------------------


class Operation(NamedTuple):
    """One address and method; ``sends`` names the entries of the body, ``work(api, request, sent)`` answers."""

    method: str
    path: str
    sends: tuple[str, ...]
    about: str
    work: Callable[..., Any]


_ONE = f"{API_ROOT}/sessions/{{key}}"
OPERATIONS: list[Operation] = []


def _operation(method: str, path: str, *sends: str):
    """Declare a method of `Api`; its docstring says what the operation does."""

    def declared(work):
        OPERATIONS.append(Operation(method, path, sends, " ".join((work.__doc__ or "").split()), work))
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
        "summary": operation.about,
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
        schemas |= {name: {"type": entry.type} for name, entry in ENTRIES.items()}
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
        document = Operation("get", f"{API_ROOT}/openapi.json", (), "", lambda *_: openapi_document())
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
                found = operation.work(self, request, sent)
        except HTTPException as error:
            return json_refusal(error.status_code, error.detail)
        except FieldErrors as error:
            return json_refusal(422, "The session was not started.", fields=error.errors)
        except SessionFileError as error:
            return json_refusal(409, without_folder(str(error), self.folder.path))
        except ValueError as error:  # a wrong entry, or what only the sampler itself can know
            return json_refusal(422, str(error))
        except OSError as error:
            return json_refusal(507, f"The file cannot be used: {error.strerror or error}")
        return found if isinstance(found, Response) else JSONResponse(found)

    def _open(self, request: Request) -> Session:
        return self.folder.open(request.path_params["key"])

    def change(self, request: Request, sent: dict, change: Change) -> dict | Response:
        """Make a change; the answer is the next question."""
        session = self._open(request)
        try:
            change.apply(session, sent)
        except SessionChangedError:
            message = "The session has changed since this revision. Nothing was recorded."
            return json_refusal(409, message, now=_question(session.reload()))
        return _question(session)

    @_operation("get", f"{API_ROOT}/sessions")
    def listing(self, request: Request, sent: dict) -> dict:
        """All sessions, the last changed first, and damaged files."""
        entries = self.folder.entries()
        rows = [
            {
                "key": entry.key,
                "question": entry.question,
                "about": entry.about,
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
        (seed,) = check(sent, "seed")
        del sent["seed"]
        unknown = sorted(set(sent) - set(FIELDS))
        if unknown:
            raise HTTPException(422, f"unknown: {', '.join(unknown)}; known are {', '.join(FIELDS)}")
        setup = read_setup({name: as_typed(name, value) for name, value in sent.items()})
        key = self.folder.start(setup, seed)
        return JSONResponse({"key": key, **self.folder.open(key).to_dict(_wording.CONFIDENCE)}, 201)

    @_operation("get", _ONE)
    def state(self, request: Request, sent: dict) -> dict:
        """Everything about a session: question, estimates, history, notes."""
        return {"key": request.path_params["key"], **self._open(request).to_dict(_wording.CONFIDENCE)}

    @_operation("get", f"{_ONE}/question")
    def question(self, request: Request, sent: dict) -> dict:
        """The next level to try, and the revision to send back."""
        return _question(self._open(request))

    @_operation("get", f"{API_ROOT}/blocks/{{name}}/question")
    def block(self, request: Request, sent: dict) -> dict:
        """The next question of a block of interleaved sessions and its session's key; null when all are finished."""
        block = block_of(self.folder, request.path_params["name"])
        counts = {"n_sessions": block.n_sessions, "n_finished": block.n_finished}
        if block.next_key is None:
            return {"key": None, **counts, "done": True}
        return {"key": block.next_key, **counts, **_question(self.folder.open(block.next_key))}

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


_NEXT = "Answers with the next question; 409 if the session has changed since the revision."
OPERATIONS += [
    Operation(
        "post",
        f"{_ONE}/{change.place}",
        (*change.takes, "revision"),
        f"{change.about} {_NEXT}",
        partial(Api.change, change=change),
    )
    for change in CHANGES.values()
]


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
