"""What every answer of the server carries, and which requests are refused before a page sees them."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backedge.web.problems import Problem

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN = frozenset({"same-origin", "none"})


def from_elsewhere(method: str, headers: Headers) -> bool:
    """Whether a request that changes something comes from a page of another site.

    The browser says so in Sec-Fetch-Site; where it does not (plain HTTP to another machine), Origin must be the host.
    A client that sends neither is no browser: nobody's cookies travel with it.
    """
    if method in SAFE:
        return False
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site not in OWN
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


class Guard:
    """An ASGI layer: refuses what another site sent, and a host that is not ours; puts the headers on every answer.

    `hosts` are the names under which the server may be called (without port); none: any. A name that an attacker's
    DNS points here is then refused, so that a web page cannot reach a server on this machine.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refused(scope["method"], Headers(scope=scope))
        if refused is not None:
            response = JSONResponse(refused.as_data(), refused.status, media_type="application/problem+json")
            await response(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _refused(self, method: str, headers: Headers) -> Problem | None:
        if self._hosts and _name(headers.get("host", "")) not in self._hosts:
            said = f"this server is not called {_name(headers.get('host', ''))!r}"
            return Problem(400, "unknown_host", said, f"use one of {', '.join(self._hosts)}")
        if from_elsewhere(method, headers):
            return Problem(403, "from_another_site", "a page of another site sent this", "use the pages of this server")
        return None


def _name(host: str) -> str:
    """The host without its port: `[::1]:8765` and `localhost:8765` too."""
    if host.startswith("["):
        return host.partition("]")[0].lstrip("[")
    return host.rpartition(":")[0] if ":" in host else host
