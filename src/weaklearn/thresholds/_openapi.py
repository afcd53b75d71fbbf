"""The JSON interface described: one table of operations, from which document and page are made."""

from typing import Any, NamedTuple

from weaklearn import __version__
from weaklearn.thresholds._setup import FIELDS

__all__ = ["OPERATIONS", "openapi_document"]


class Operation(NamedTuple):
    """One address and method; ``sends`` names the entries of the body and their JSON types."""

    method: str
    path: str
    summary: str
    sends: dict[str, str] = {}
    required: tuple[str, ...] = ()
    status: int = 200
    answers: str = "application/json"


_ONE = "/api/sessions/{key}"
_CHANGE = "Answers with the next question; 409 if the session has changed since the revision."
OPERATIONS = (
    Operation("get", "/api/sessions", "All sessions, the last changed first, and damaged files."),
    Operation(
        "post",
        "/api/sessions",
        "Start a session. With a seed, the same request sent again leads to the session that it made.",
        dict.fromkeys(FIELDS, "string") | {"seed": "integer"},
        ("levels",),
        201,
    ),
    Operation("get", _ONE, "Everything about a session: question, estimates, history, notes."),
    Operation("get", f"{_ONE}/question", "The next level to try, and the revision to send back."),
    Operation(
        "post",
        f"{_ONE}/answers",
        f"Record an answer, on disk before the reply; sent twice, it counts once. {_CHANGE}",
        {"level": "number", "outcome": "boolean", "revision": "integer"},
        ("level", "outcome", "revision"),
    ),
    Operation(
        "post",
        f"{_ONE}/undo",
        f"Take the last answer back; n_answers is the number before. {_CHANGE}",
        {"n_answers": "integer", "revision": "integer"},
        ("n_answers", "revision"),
    ),
    Operation(
        "post",
        f"{_ONE}/notes",
        f"Write a note beside the answers. {_CHANGE}",
        {"text": "string", "revision": "integer"},
        ("text", "revision"),
    ),
    Operation(
        "post",
        f"{_ONE}/import",
        f"Add trials made elsewhere, all or none: CSV with a header, columns level and outcome. {_CHANGE}",
        {"csv": "string", "revision": "integer"},
        ("csv", "revision"),
    ),
    Operation(
        "post",
        f"{_ONE}/extend",
        f"Allow this many more answers than there are. {_CHANGE}",
        {"answers": "integer", "revision": "integer"},
        ("answers", "revision"),
    ),
    Operation(
        "get",
        "/api/blocks/{name}/question",
        "The next question of a block of interleaved sessions, and the key of its session; null when all are finished.",
    ),
    Operation("get", f"{_ONE}/estimate", "Thresholds with their 90% intervals, and warnings in words."),
    Operation("get", f"{_ONE}/answers.csv", "The answers as CSV.", answers="text/csv"),
    Operation("get", f"{_ONE}/session.json", "The session's file."),
)


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 description."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
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
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {"error": {"type": "string"}},
                }
            },
        },
        "security": [{"token": []}],
    }


def _described(operation: Operation) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        "summary": operation.summary,
        "responses": {
            str(operation.status): {
                "description": "Done.",
                "content": {operation.answers: {"schema": {"type": "object"}}}
                if operation.answers == "application/json"
                else {operation.answers: {"schema": {"type": "string"}}},
            },
            "default": {"description": "Refused; the reason in words.", "content": error},
        },
    }
    named = [name for name in ("key", "name") if f"{{{name}}}" in operation.path]
    if named:
        found["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
        ]
    if operation.sends:
        schema = {
            "type": "object",
            "required": list(operation.required),
            "properties": {name: _schema(name, kind) for name, kind in operation.sends.items()},
        }
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


def _schema(name: str, kind: str) -> dict[str, Any]:
    if name in ("levels", "target"):
        numbers = {"type": "array", "items": {"type": "number"}}
        return {"anyOf": [{"type": "string"}, {"type": "number"}, numbers]}
    if kind == "string" and name in ("budget", "width", "lapse", "cohort", "overdose_limit", "difference"):
        return {"type": ["string", "number"]}
    if name == "blind":
        return {"type": ["string", "boolean"]}
    return {"type": kind}
