"""Asks registries politely: as often as each host allows, saying who asks, within bounds of size and time."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any

import httpx2

from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.ports import Clock

MOST_BYTES = 64_000_000
MOST_REDIRECTS = 5
SECONDS = 60.0
AGAIN = (408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
Resolve = Callable[[str, int], list[str]]
_SECRET = re.compile(r"(?i)\b(api_key|apikey|key|token|email|mailto|tool)=[^&\s]*")


@dataclass(frozen=True)
class Rate:
    """How often a host may be asked: at least `apart` seconds between two requests."""

    apart: float


@dataclass(frozen=True)
class Answer:
    """What a server sent: where it was found in the end, its media type, and its bytes."""

    url: str
    media_type: str
    content: bytes

    def text(self) -> str:
        """The bytes as UTF-8."""
        return self.content.decode("utf-8", "replace")

    def json(self, host: str) -> Any:
        """The bytes as JSON. Raises `Transient` where they are none: a page of an error, or half an answer."""
        try:
            return json.loads(self.content)
        except ValueError:
            raise Transient(f"{host} did not answer with JSON: {_beginning(self.content)}") from None


def addresses(host: str, port: int) -> list[str]:
    """The IP addresses of a host. Raises `OSError` where it has none."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    return ip.is_global and not ip.is_multicast and (mapped is None or is_public(str(mapped)))


@dataclass
class Polite:
    """One client for all registries. `contact` is an e-mail address that is told to them, or empty.

    `rates` are by host; others are asked once a second. Addresses that `allows` refuses are never asked.
    """

    clock: Clock
    contact: str = ""
    rates: Mapping[str, Rate] = field(default_factory=dict)
    resolve: Resolve = addresses
    allows: Callable[[str], bool] = is_public
    _next: dict[str, float] = field(default_factory=dict)
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def get(
        self, url: str, params: Mapping[str, str] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """What is at a URL, redirects followed. Raises one of the three failures; no key is in any message."""
        target = httpx2.URL(url, params=params) if params else httpx2.URL(url)
        for _ in range(MOST_REDIRECTS + 1):
            address = await self._address(target)
            await self._turn(target.host)
            said = await self._asked(target, address, headers or {})
            if isinstance(said, Answer):
                return said
            target = said
        raise Permanent(f"{shown(url)} leads from one place to another without end")

    async def _address(self, url: httpx2.URL) -> str:
        if url.scheme not in ("http", "https") or not url.host or url.userinfo:
            raise Permanent(f"{shown(str(url))} is no address of the public web")
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = await asyncio.to_thread(self.resolve, url.host, port)
        except OSError as error:
            raise Transient(f"{url.host} is not found: {error.strerror or error}") from error
        if not found or not all(self.allows(address) for address in found):
            raise Permanent(f"{url.host} is a private or local address: only public servers are asked")
        return found[0]

    async def _turn(self, host: str) -> None:
        """Wait until the host may be asked again."""
        rate = self.rates.get(host, Rate(1.0))
        async with self._locks.setdefault(host, asyncio.Lock()):
            now = self.clock.now().timestamp()
            wait = self._next.get(host, now) - now
            if wait > 0:
                await self.clock.sleep(wait)
            self._next[host] = max(now, self._next.get(host, now)) + rate.apart

    async def _asked(self, url: httpx2.URL, address: str, headers: Mapping[str, str]) -> Answer | httpx2.URL:
        pinned = url.copy_with(host=f"[{address}]" if ":" in address else address)
        told = {"user-agent": self._agent(), "host": url.netloc.decode(), "accept-encoding": "gzip", **headers}
        client = httpx2.AsyncClient(follow_redirects=False, timeout=SECONDS, trust_env=False)
        try:
            async with (
                asyncio.timeout(SECONDS),
                client,
                client.stream("GET", pinned, headers=told, extensions={"sni_hostname": url.host}) as said,
            ):
                if said.is_redirect:
                    return self._led(url, said)
                self._judge(url, said, _beginning(await _some(said)) if said.status_code >= 400 else "")
                content = await _bytes(said, url)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise Transient(f"{url.host} did not answer within {SECONDS:g} s") from error
        except httpx2.DecodingError as error:
            raise Transient(f"{url.host} sent what cannot be unpacked") from error
        except httpx2.TransportError as error:
            raise Transient(f"the connection to {url.host} was lost: {type(error).__name__}") from error
        if not content.strip():
            raise Transient(f"{url.host} sent an empty answer")
        return Answer(str(url), said.headers.get("content-type", "").partition(";")[0].strip().lower(), content)

    def _agent(self) -> str:
        contact = f" (mailto:{self.contact})" if self.contact else ""
        return f"backedge/{version('backedge')}{contact}"

    def _led(self, url: httpx2.URL, said: httpx2.Response) -> httpx2.URL:
        location = said.headers.get("location", "")
        try:
            target = url.join(location)
        except httpx2.InvalidURL:
            raise Permanent(f"{url.host} leads to {location[:100]!r}, which is no address") from None
        if url.scheme == "https" and target.scheme != "https":
            raise Permanent(f"{url.host} leads from https to {target.scheme}, which is not followed")
        return target

    def _judge(self, url: httpx2.URL, said: httpx2.Response, beginning: str) -> None:
        status = said.status_code
        if status < 400:
            return
        if status == 429 or (status == 503 and "retry-after" in said.headers):
            raise RateLimited(f"{url.host} takes no more requests now", self._wait(said.headers.get("retry-after")))
        if status in AGAIN:
            raise Transient(f"{url.host} answered {status}")
        if status in (401, 403):
            mend = "check the key and the contact e-mail in evidence.yml, or whether the source is open"
            raise Permanent(f"{url.host} answered {status}: it does not give this", mend=mend)
        if status in (404, 410):
            raise Permanent(f"{url.host} has nothing there ({status})")
        raise Permanent(f"{url.host} answered {status}: {beginning}")

    def _wait(self, said: str | None) -> float | None:
        if said is None:
            return None
        if said.strip().isdigit():
            return float(said)
        try:
            return max(0.0, (parsedate_to_datetime(said) - self.clock.now()).total_seconds())
        except (TypeError, ValueError):
            return None


async def _bytes(said: httpx2.Response, url: httpx2.URL) -> bytes:
    held = bytearray()
    async for piece in said.aiter_bytes():
        held += piece
        if len(held) > MOST_BYTES:
            raise Permanent(f"{url.host} sent more than {MOST_BYTES:,} bytes")
    return bytes(held)


async def _some(said: httpx2.Response) -> bytes:
    held = bytearray()
    async for piece in said.aiter_bytes():
        held += piece
        if len(held) > 2_000:
            break
    return bytes(held)


def _beginning(content: bytes) -> str:
    return " ".join(content[:200].decode("utf-8", "replace").split())


def shown(url: str) -> str:
    """A URL without what is nobody's to see: keys and e-mail addresses."""
    return _SECRET.sub(lambda found: f"{found[1]}=…", url)
