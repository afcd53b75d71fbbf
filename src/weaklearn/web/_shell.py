"""What all pages of the application share: how a page is made, how a form is read, and how something is refused."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from weaklearn.reports import content_policy, render, script, style_sheet
from weaklearn.web._jobs import JobError

API_ROOT = "/api"  # where programs speak JSON
_STATIC = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript"}
# Address and name of every door of this process, for the navigation of every page, those of errors included.
_NAVIGATION: list[tuple[str, str]] = []


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template, named with its room: ``page("labels/review.html", ...)``."""
    # Names of files may hold bytes that are no characters.
    return HTMLResponse(render(template, navigation=_NAVIGATION, **values).encode("utf-8", "replace"), status)


def show_navigation(links: Iterable[tuple[str, str]]) -> None:
    """Set the addresses and names in the navigation of every page."""
    _NAVIGATION[:] = links


class FormError(Exception):
    """A form that no page of ours sends."""


Work = Callable[[Request, Mapping[str, str]], Response]


def handled(work: Work, most_fields: int = 40) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that runs ``work(request, form)`` off the event loop and answers errors with a message."""

    def answered(request: Request, body: bytes) -> Response:
        try:
            return work(request, _form(body, most_fields))
        except FormError as error:
            return refusal(400, str(error))
        except JobError as error:
            return refusal(422, str(error))
        except ImportError as error:
            return refusal(409, str(error))
        except OSError as error:
            reason = error.strerror or str(error)
            return refusal(507, f"A file cannot be used: {reason}. Nothing was recorded by this request.")

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answered, request, await request.body())

    return endpoint


def _form(body: bytes, most_fields: int) -> dict[str, str]:
    try:
        text = body.decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=most_fields))
    except ValueError:
        raise FormError("This form cannot be read.") from None


def refusal(status: int, message: str) -> HTMLResponse:
    """The page that says no."""
    return page("web/message.html", status, title="Request failed", message=message, again=status == 403)


def json_refusal(status: int, message: str, **more: Any) -> JSONResponse:
    """The one form of everything that is refused to a program."""
    return JSONResponse({"error": message, **more}, status)


class Refusal:
    """A refusal as a page, or as JSON where programs or scripts speak."""

    def __init__(self, status: int, message: str):
        self.status, self.message = status, message

    async def __call__(self, scope, receive, send) -> None:
        """Answer the request."""
        accepts = b"application/json" in dict(scope.get("headers", [])).get(b"accept", b"")
        chosen = json_refusal if accepts or scope["path"].startswith(f"{API_ROOT}/") else refusal
        await chosen(self.status, self.message)(scope, receive, send)


async def http_error(request: Request, error: Exception) -> Any:
    """For what is not there or not allowed, and for an upload that is too large, too slow or cut off."""
    assert isinstance(error, HTTPException)
    words = {404: "There is no such page here.", 405: "This address does not accept such requests."}
    return Refusal(error.status_code, words.get(error.status_code, error.detail))


async def own_error(request: Request, error: Exception) -> Any:
    """For faults of ours."""
    return Refusal(500, "The server failed; its terminal shows the error. What was recorded is safe.")


def download(content: bytes, name: str, kind: str = "application/octet-stream") -> Response:
    """A file to be saved; its name is plain in the old form of the header and exact in the new one."""
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(content, media_type=kind, headers={"content-disposition": disposition})


def report_page(content: bytes, save: bool) -> Response:
    """A standalone report of ours, shown under its own content policy (see `weaklearn.reports`) or saved."""
    headers = {"content-security-policy": f"{content_policy()}; frame-ancestors 'none'"}
    if save:
        headers["content-disposition"] = 'attachment; filename="report.html"'
    return HTMLResponse(content, headers=headers)


def static_routes(*scripts: Path) -> list[Route]:
    """Style sheets and scripts of all pages, and the scripts that doors bring."""
    # The first style sheet and script are those of all pages; what only the application needs is beside them.
    texts = {"page.css": style_sheet(), "page.js": script()}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in (*_STATIC.iterdir(), *scripts)}

    def endpoint(name: str, text: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            return Response(text, media_type=_TYPES[Path(name).suffix])

        return answer

    return [Route(f"/static/{name}", endpoint(name, text)) for name, text in texts.items()]
