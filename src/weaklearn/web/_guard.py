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
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

__all__ = ["BODY_LIMIT", "BodyError", "Guard", "Pass"]

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

Refuse = Callable[[int, str], Callable[..., Awaitable[None]]]


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
    """ASGI middleware around ``app``; ``refuse(status, message)`` makes the page that says no.

    ``uploads`` are the addresses that take files, with the most bytes that each of them takes.
    """

    def __init__(
        self,
        app: Any,
        key: Pass,
        refuse: Refuse,
        public: frozenset[str],
        uploads: Mapping[str, int] | None = None,
    ):
        self.app, self.key, self.refuse, self.public = app, key, refuse, public
        self.uploads = dict(uploads or {})

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

        answer = self._answer_to(scope)
        if answer is None:
            upload = self.uploads.get(scope["path"]) if scope["method"] == "POST" else None
            try:
                if upload is None:
                    receive = await _whole_body(scope, receive)
                else:
                    receive = _counted_body(scope, receive, upload)
                answer = self.app
            except BodyError as error:
                answer = self.refuse(*error.args)
        await answer(scope, receive, send_with_headers)

    def _answer_to(self, scope):
        """The refusal, or the exchange of token for cookie; None to let the request through."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts = [host.decode("latin-1") for host in headers.get(b"host", [])]
        if len(hosts) != 1 or hosts[0].lower() not in self.key.hosts:
            return self.refuse(421, f"This server answers only as {self.key.host}.")
        origins = [origin.decode("latin-1") for origin in headers.get(b"origin", [])]
        reading = scope["method"] in ("GET", "HEAD")
        own = f"http://{hosts[0].lower()}"
        program = scope["path"].startswith("/api/") and self._has_token(headers)
        unnamed = not reading and not program and len(origins) != 1
        if any(origin.lower() != own for origin in origins) or unnamed:
            return self.refuse(403, "This request does not come from a page of this server.")
        if program or (reading and scope["path"] in self.public):
            return None
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if reading and scope["path"] == "/" and tokens:
            if len(tokens) == 1 and _same(tokens[0], self.key.token):
                return _exchange(self.key)
            return self.refuse(403, "This address is from an earlier start of the server. " + _HOW)
        if not any(_same(value, self.key.secret) for value in self._cookies(headers)):
            return self.refuse(403, "This browser is not signed in, or the server was restarted. " + _HOW)
        return None

    def _has_token(self, headers):
        given = [value.decode("latin-1") for value in headers.get(b"authorization", [])]
        return len(given) == 1 and _same(given[0], f"Bearer {self.key.token}")

    def _cookies(self, headers):
        for line in headers.get(b"cookie", []):
            try:
                morsel = SimpleCookie(line.decode("latin-1")).get(self.key.cookie)
            except CookieError:
                continue
            if morsel is not None:
                yield morsel.value


class BodyError(Exception):
    """Status and message of a refusal; raised to the page that reads an upload, too."""


_HOW = "Open the address that “weaklearn serve” has printed. Nothing was recorded or lost."


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def _exchange(key: Pass):
    """Set the cookie and go to the first page, whose address does not show the token."""

    async def answer(scope, receive, send):
        cookie = f"{key.cookie}={key.secret}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return answer


def _too_large(limit: int) -> BodyError:
    size = f"{limit // 1024**2} MB" if limit >= 1024**2 else f"{limit // 1024} KB"
    return BodyError(413, f"A request may have {size} at most.")


def _check_length(scope, limit: int) -> None:
    lengths = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    if any(not value.isdigit() or int(value) > limit for value in lengths):
        raise _too_large(limit)


async def _next_piece(receive):
    try:
        message = await asyncio.wait_for(receive(), BODY_SECONDS)
    except TimeoutError:
        raise BodyError(408, "The request took too long to arrive.") from None
    if message["type"] == "http.disconnect":
        # Half a form must not be taken for a whole one.
        raise BodyError(400, "The request ended early.")
    return message


async def _whole_body(scope, receive):
    """A receive function that gives the body at once."""
    _check_length(scope, BODY_LIMIT)
    body = b""
    while True:
        message = await _next_piece(receive)
        body += message.get("body", b"")
        if len(body) > BODY_LIMIT:  # without a length, or with a wrong one
            raise _too_large(BODY_LIMIT)
        if not message.get("more_body", False):
            break
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again():
        return waiting.pop() if waiting else await receive()

    return receive_again


def _counted_body(scope, receive, limit: int):
    """A receive function that gives the body as it comes, and no more of it than the limit."""
    _check_length(scope, limit)
    size, whole = 0, False

    async def receive_counted():
        nonlocal size, whole
        if whole:
            return await receive()
        message = await _next_piece(receive)
        size += len(message.get("body", b""))
        if size > limit:
            raise _too_large(limit)
        whole = not message.get("more_body", False)
        return message

    return receive_counted
