"""Asks services of the web politely: as often as each allows, saying who asks, within bounds of size and time."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

import httpx2

from backedge.adapters.addresses import Resolve, addresses, is_public
from backedge.adapters.sources.pace import LONGEST_REST, Pace
from backedge.adapters.sources.unpacking import beginning, said_in, unpacked
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.ports import Clock

MOST_REDIRECTS = 5
_AGAIN = frozenset({206, 408, 425})
_GONE = frozenset({404, 410})
_WORDS = 200


@dataclass(frozen=True)
class Service:
    """A service, by what it is called. `apart`: seconds between two requests; `at_once`: requests under way.

    `contact` names the query parameter that takes the e-mail address; `key` the one that takes the key, `header` the
    header that does. `limits` are further statuses by which it says that there were too many requests.
    """

    name: str
    url: str
    apart: float
    at_once: int = 2
    contact: str = ""
    key: str = ""
    header: str = ""
    limits: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Answer:
    """What a server sent: its bytes, its media type, and the address at which they were found in the end.

    The address is one without keys; it is kept of downloads only.
    """

    content: bytes
    media_type: str
    url: str


@dataclass(frozen=True)
class Key:
    """The key of a service. `variable` is what its environment variable is called, which is all that is ever shown."""

    variable: str
    value: str = field(repr=False)


@dataclass(frozen=True)
class Bounds:
    """Of one answer: its bytes when unpacked, and the seconds until it is whole."""

    size: int = 64 << 20
    seconds: float = 60.0


class Polite:
    """One client for all services. It asks public servers over https only, at an address that it has looked up.

    `contact` is an e-mail address that services are told, `keys` are by the name of the service. `loopback` lets
    tests serve by http on this machine, and allows nothing else.
    """

    def __init__(
        self,
        clock: Clock,
        contact: str = "",
        keys: Mapping[str, Key] | None = None,
        *,
        bounds: Bounds = Bounds(),
        resolve: Resolve = addresses,
        loopback: bool = False,
    ) -> None:
        self.contact = contact
        self._clock = clock
        self._keys = dict(keys or {})
        self._bounds = bounds
        self._resolve = resolve
        self._loopback = loopback
        self._paces: dict[str, Pace] = {}
        self._hosts: dict[str, Service] = {}
        self._context: Any = None

    def known(self, service: Service) -> Service:
        """Note a service, so that downloads from its host keep its pace, too."""
        self._hosts[httpx2.URL(service.url).netloc.decode()] = service
        return service

    async def ask(self, service: Service, path: str, params: Mapping[str, str] | None = None) -> Answer | None:
        """What a service answers at a path (its parts quoted by `part`); None where there is nothing there.

        Raises `Transient`, `RateLimited` or `Permanent`; no key, no e-mail address and no query is in any message.
        """
        url, headers = httpx2.URL(service.url + path, params=dict(params or {})), {}
        if service.contact and self.contact:
            url = url.copy_merge_params({service.contact: self.contact})
        if key := self._key(service):
            if service.header:
                headers[service.header] = f"Bearer {key}"
            else:
                url = url.copy_merge_params({service.key: key})
        return await self._followed(service, url, headers)

    async def download(self, url: str) -> Answer | None:
        """What is at a public address; None where there is nothing. Raises as `ask` does."""
        try:
            target = httpx2.URL(url)
        except (httpx2.InvalidURL, ValueError) as error:
            raise Permanent(f"{url[:200]!r} is no URL", mend="give the whole address, as https://…") from error
        self._check(target)
        netloc = target.netloc.decode()
        return await self._followed(self._hosts.get(netloc) or Service(target.host, "", 1.0), target, {})

    def _key(self, service: Service) -> str:
        key = self._keys.get(service.name)
        if key is None or not (service.key or service.header):
            return ""
        if not key.value.strip():
            mend = f"set {key.variable}, or take it out of `keys` in evidence.yml"
            raise Permanent(f"the key of {service.name} is in no variable {key.variable}", mend=mend)
        return key.value.strip()

    async def _followed(self, service: Service, url: httpx2.URL, headers: Mapping[str, str]) -> Answer | None:
        pace = self._paces.setdefault(service.name, Pace(self._clock, service.apart, service.at_once))
        first = url
        for _ in range(MOST_REDIRECTS + 1):
            async with pace.turn(service.name):
                said = await self._asked(service, pace, url, headers)
            if not isinstance(said, httpx2.URL):
                return said
            self._check(said)
            url = said
            if url.netloc != first.netloc:
                headers = {}
                if self._without(str(url), [key.value for key in self._keys.values()]) != str(url):
                    mend = "give the address that it leads to"
                    raise Permanent(f"{first.host} leads to {url.host} with a key in the address", mend=mend)
        raise Permanent(f"{first.host} leads from place to place without end", mend="give the address of the file")

    def _check(self, url: httpx2.URL) -> None:
        """Whether an address may be asked at all, before it is looked up."""
        if url.userinfo:
            raise Permanent(f"the address at {url.host} holds a name or password", mend="give it without them")
        if not url.host or (url.scheme != "https" and not (self._loopback and url.scheme == "http")):
            where = url.host or "the address"
            raise Permanent(
                f"{where} is not asked by {url.scheme or 'nothing'}: only https is", mend="give an https URL"
            )

    async def _asked(
        self, service: Service, pace: Pace, url: httpx2.URL, headers: Mapping[str, str]
    ) -> Answer | httpx2.URL | None:
        """One request: what was answered, or where it leads."""
        try:
            async with asyncio.timeout(self._bounds.seconds):
                address = await self._address(url)
                return await self._sent(service, pace, url, address, headers)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise Transient(f"{url.host} did not answer within {self._bounds.seconds:g} s") from error
        except httpx2.DecodingError as error:
            raise Transient(f"{url.host} sent what cannot be unpacked") from error
        except httpx2.TransportError as error:
            if _is_of_certificates(error):
                mend = "download the file where you trust it, and add it"
                raise Permanent(f"the certificate of {url.host} cannot be verified", mend=mend) from error
            raise Transient(f"the connection to {url.host} was lost ({type(error).__name__})") from error

    async def _address(self, url: httpx2.URL) -> str:
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = await asyncio.to_thread(self._resolve, url.host, port)
        except UnicodeError as error:
            raise Permanent(f"{url.host[:100]!r} is no name of a server", mend="check the address") from error
        except OSError as error:
            raise Transient(f"{url.host} is not found: {error.strerror or 'no such name'}") from error
        if not found or not all(self._may_ask(address) for address in found):
            mend = "give a public address, or download the file and add it"
            raise Permanent(f"{url.host} is at a private or local address: only public servers are asked", mend=mend)
        return found[0]

    def _may_ask(self, address: str) -> bool:
        return is_public(address) or (self._loopback and ipaddress.ip_address(address.partition("%")[0]).is_loopback)

    async def _sent(
        self, service: Service, pace: Pace, url: httpx2.URL, address: str, headers: Mapping[str, str]
    ) -> Answer | httpx2.URL | None:
        if self._context is None:
            self._context = await asyncio.to_thread(httpx2.create_ssl_context)
        pinned = url.copy_with(host=f"[{address}]" if ":" in address else address)
        told = {"user-agent": self._agent(), "accept-encoding": "gzip", **headers, "host": url.netloc.decode()}
        # a connection of its own each time: kept ones are told apart by address, and several hosts share one
        client = httpx2.AsyncClient(
            follow_redirects=False, timeout=self._bounds.seconds, trust_env=False, verify=self._context
        )
        extensions = {"sni_hostname": url.host}
        async with client, client.stream("GET", pinned, headers=told, extensions=extensions) as said:
            if said.has_redirect_location:
                return _led(url, said)
            content = (
                await unpacked(said, url.host, self._bounds.size) if said.status_code < 400 else await beginning(said)
            )
        return self._judged(service, pace, url, said, content)

    def _agent(self) -> str:
        return f"backedge/{_version()}" + (f" (mailto:{self.contact})" if self.contact else "")

    def _judged(
        self, service: Service, pace: Pace, url: httpx2.URL, said: httpx2.Response, content: bytes
    ) -> Answer | None:
        status = said.status_code
        if status in _GONE:
            return None
        if status == 429 or status in service.limits:
            wait = self._wait(said)
            if wait:
                pace.rest(wait)
            raise RateLimited(f"{url.host} takes no more requests now ({status})", wait)
        if status in _AGAIN or status >= 500:
            raise Transient(f"{url.host} answered {status}", self._wait(said))
        if status in (401, 403):
            raise Permanent(f"{url.host} answered {status}: it does not give this", mend=self._mend(service))
        if status != 200:
            words = self.without_secrets(said_in(content))[:_WORDS]
            mend = "check the identifier, or the words of the search"
            raise Permanent(f"{url.host} answered {status}{': ' if words else ''}{words}", mend=mend)
        if not content.strip():
            raise Transient(f"{url.host} sent an empty answer")
        media_type = said.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Answer(content, media_type, self.without_secrets(str(url)))

    def _mend(self, service: Service) -> str:
        if key := self._keys.get(service.name):
            return f"check the key in {key.variable}"
        if service.key or service.header:
            return f"set a key of {service.name} under `keys` in evidence.yml, or wait some hours"
        return "it may need a subscription: download the file where you may, and add it"

    def without_secrets(self, text: str) -> str:
        """A text in which each key and the e-mail address, quoted or not, is `…`."""
        return self._without(text, [self.contact, *(key.value for key in self._keys.values())])

    def _without(self, text: str, secrets: Sequence[str]) -> str:
        for secret in filter(None, (each.strip() for each in secrets)):
            signs = ("|".join(map(re.escape, {sign, quote(sign, safe=""), _quoted(sign)})) for sign in secret)
            text = re.sub("".join(f"(?:{sign})" for sign in signs), "…", text, flags=re.IGNORECASE)
        return text

    def _wait(self, said: httpx2.Response) -> float | None:
        """Seconds that a server asked to wait, at most a day; None where it said nothing that can be read."""
        written = said.headers.get("retry-after", "").strip()
        if written.isascii() and written.isdecimal():
            return min(float(written[:12]), LONGEST_REST)
        try:
            until = parsedate_to_datetime(written)
            return min(max(0.0, (until - self._clock.now()).total_seconds()), LONGEST_REST)
        except (TypeError, ValueError, OverflowError):
            return None


@cache
def _version() -> str:
    return version("backedge")


def _quoted(sign: str) -> str:
    """A sign as a percent-encoding, also where none is needed."""
    return "".join(f"%{byte:02X}" for byte in sign.encode())


def _is_of_certificates(error: BaseException | None) -> bool:
    """Whether a connection was refused because of the certificate of the server."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _led(url: httpx2.URL, said: httpx2.Response) -> httpx2.URL:
    try:
        return url.join(said.headers["location"])
    except (httpx2.InvalidURL, ValueError) as error:
        raise Permanent(f"{url.host} leads to what is no address", mend="give the address of the file") from error


def part(text: str, *, slashes: bool = False) -> str:
    """A piece of a path, quoted, so that it can lead nowhere else. Raises `Permanent` for what could.

    With `slashes` they stay, and no piece between them may be empty or dots.
    """
    pieces = text.split("/") if slashes else [text]
    if any(piece.strip() in ("", ".", "..") for piece in pieces) or not text.isprintable():
        raise Permanent(f"{text[:200]!r} is no name of a source", mend="give a DOI, PMID, PMCID or arXiv number")
    return quote(text, safe="/" if slashes else "")
