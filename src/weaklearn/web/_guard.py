"""Who may speak to the local server: only the browser that was given the start-up address.

A server on 127.0.0.1 is reachable by every page that the same browser has open, and by every program of the machine.
So, before any page's code runs:

- Host must be this server's own. A foreign name that was made to point to 127.0.0.1 is refused.
- Origin, if sent, must be this server's own, and a request that changes something must send it.
- The cookie must be the one that was set for a browser with the token of the start-up address. A program that uses the
  JSON interface sends the token itself, in a header that no foreign page can make a browser send.
- The body is read here, and no further than the limit. Uploads, which are larger, pass piece by piece, counted.
"""

import asyncio
import hmac
import secrets
from collections.abc import Collection, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse

from weaklearn.web._shell import API_ROOT, Refusal

BODY_LIMIT = 64 * 1024
BODY_SECONDS = 20.0  # between two pieces of a body

_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Not "no-referrer": with it browsers send "Origin: null" with our own forms, too.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

_HOW = "Open the address that “weaklearn serve” has printed. Nothing was recorded or lost."


class Pass:
    """What one run of the server knows its browser by; ``host`` is the address that it listens on."""

    def __init__(self, port: int, host: str = "127.0.0.1"):
        self.port, self.host = port, host
        self.token = secrets.token_urlsafe(24)
        self.secret = secrets.token_urlsafe(24)
        # Cookies do not tell ports apart: two servers on one machine need two names.
        self.cookie = f"weaklearn-{port}"
        self.hosts = {f"{host}:{port}"} | ({f"localhost:{port}"} if host == "127.0.0.1" else set())

    @property
    def url(self) -> str:
        """The address to print."""
        return f"http://{self.host}:{self.port}/?token={self.token}"


class Guard:
    """ASGI middleware around ``app``.

    Addresses in ``public`` need no cookie; ``uploads`` are those that take files, with the most bytes of each.
    """

    def __init__(self, app: Any, key: Pass, public: Collection[str], uploads: Mapping[str, int]):
        self.app, self.key, self.public, self.uploads = app, key, public, uploads

    async def __call__(self, scope, receive, send):
        """Let the request through or answer it with a refusal."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message.get("headers", [])}
                extra = [pair for pair in _HEADERS if pair[0] not in given]
                if answer is not self.app:
                    # The rest of the request is not waited for.
                    extra.append((b"connection", b"close"))
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        answer = self._answer_to(Request(scope))
        if answer is None:
            upload = self.uploads.get(scope["path"]) if scope["method"] == "POST" else None
            try:
                receive = _counted(scope, receive, upload or BODY_LIMIT)
                if upload is None:
                    receive = await _whole(receive)
                answer = self.app
            except HTTPException as error:
                answer = Refusal(error.status_code, error.detail)
        await answer(scope, receive, send_with_headers)

    def _answer_to(self, request: Request) -> Any:
        """The refusal, or the exchange of token for cookie; None to let the request through."""
        path, key = request.scope["path"], self.key
        hosts = [host.lower() for host in request.headers.getlist("host")]
        if len(hosts) != 1 or hosts[0] not in key.hosts:
            return Refusal(421, f"This server answers only as {key.host}.")
        origins = [origin.lower() for origin in request.headers.getlist("origin")]
        reading = request.method in ("GET", "HEAD")
        tickets = request.headers.getlist("authorization")
        program = path.startswith(f"{API_ROOT}/") and len(tickets) == 1
        program = program and _same(tickets[0], f"Bearer {key.token}")
        unnamed = not reading and not program and len(origins) != 1
        if any(origin != f"http://{hosts[0]}" for origin in origins) or unnamed:
            return Refusal(403, "This request does not come from a page of this server.")
        if program or (reading and path in self.public):
            return None
        tokens = request.query_params.getlist("token")
        if reading and path == "/" and tokens:
            if len(tokens) == 1 and _same(tokens[0], key.token):
                # The address of the first page does not show the token.
                cookie = f"{key.cookie}={key.secret}; Path=/; HttpOnly; SameSite=Strict"
                return RedirectResponse("/", 303, {"set-cookie": cookie})
            return Refusal(403, f"This address is from an earlier start of the server. {_HOW}")
        if not _same(request.cookies.get(key.cookie, ""), key.secret):
            return Refusal(403, f"This browser is not signed in, or the server was restarted. {_HOW}")
        return None


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def _counted(scope, receive, limit: int):
    """A receive function that gives the body as it comes, and no more of it than the limit."""
    kind = f"{limit // 1024**2} MB" if limit >= 1024**2 else f"{limit // 1024} KB"
    too_large = HTTPException(413, f"A request may have {kind} at most.")
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    if any(not value.isdigit() or int(value) > limit for value in lengths):
        raise too_large
    size, whole = 0, False

    async def receive_counted():
        nonlocal size, whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), BODY_SECONDS)
        except TimeoutError:
            raise HTTPException(408, "The request took too long to arrive.") from None
        if message["type"] == "http.disconnect":
            # Half a form must not be taken for a whole one.
            raise HTTPException(400, "The request ended early.")
        size += len(message.get("body", b""))
        if size > limit:  # without a length, or with a wrong one
            raise too_large
        whole = not message.get("more_body", False)
        return message

    return receive_counted


async def _whole(receive):
    """A receive function that gives the body at once."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again():
        return waiting.pop() if waiting else await receive()

    return receive_again
