"""Sends an automation's HTTP requests: only to public addresses, which are looked up once and then used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
from pydantic import JsonValue

from backedge.adapters.addresses import Allows, Resolve, addresses, is_public
from backedge.automations.ports import Answered, Forbidden
from backedge.automations.tasks import HttpTask
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.ports import Clock

MOST_BYTES = 4_000_000


class HttpWeb:
    """One request at a time, without redirects. Secrets are read from `environment` when a request is sent."""

    def __init__(
        self,
        environment: Mapping[str, str],
        clock: Clock,
        *,
        resolve: Resolve = addresses,
        allows: Allows = is_public,
    ) -> None:
        self._environment = environment
        self._clock = clock
        self._resolve = resolve
        self._allows = allows

    async def send(self, task: HttpTask) -> Answered | Forbidden:
        """What the server said; or why it is not asked."""
        try:
            url = httpx2.URL(task.url)
        except httpx2.InvalidURL as error:
            return Forbidden(f"{task.url!r} is no URL: {error}")
        if why := _unusable(url, task):
            return Forbidden(why)
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = await asyncio.to_thread(self._resolve, url.host, port)
        except OSError as error:
            raise Transient(f"{url.host} is not found: {error.strerror or error}") from error
        if not found or not all(self._allows(address) for address in found):
            return Forbidden(f"{url.host} is a private or local address: only public servers are asked")
        return await self._sent(task, url, found[0])

    async def _sent(self, task: HttpTask, url: httpx2.URL, address: str) -> Answered:
        headers = {**{k: str(v) for k, v in task.headers.items()}, **self._secrets(task), "host": url.netloc.decode()}
        pinned = url.copy_with(host=f"[{address}]" if ":" in address else address)
        body: dict[str, Any] = {}
        if task.form:
            body = {"data": {k: str(v) for k, v in task.form.items()}}
        elif task.body is not None:
            body = {"content": task.body} if isinstance(task.body, str) else {"json": task.body}
        client = httpx2.AsyncClient(follow_redirects=False, timeout=task.seconds, trust_env=False)
        try:
            async with (
                client,
                client.stream(
                    task.method, pinned, headers=headers, extensions={"sni_hostname": url.host}, **body
                ) as said,
            ):
                text = await _text(said, url)
        except httpx2.TimeoutException as error:
            raise Transient(f"{url.host} did not answer within {task.seconds} s") from error
        except httpx2.TransportError as error:
            raise Transient(f"{url.host} cannot be reached: {type(error).__name__}") from error
        return self._judged(task, url, said, text)

    def _secrets(self, task: HttpTask) -> dict[str, str]:
        found = {}
        for header, variable in task.secrets.items():
            name = str(variable)
            if name not in self._environment:
                raise Permanent(f"the header {header} needs the variable {name}, which is not set", mend=f"set {name}")
            found[header] = self._environment[name]
        return found

    def _judged(self, task: HttpTask, url: httpx2.URL, said: httpx2.Response, text: str) -> Answered:
        status = said.status_code
        if status in task.expected:
            return Answered(status, text, _json(text))
        if status == 429:
            raise RateLimited(f"{url.host} takes no more requests now", self._wait(said.headers.get("retry-after")))
        if status in (408, 425, 500, 502, 503, 504, 529):
            raise Transient(f"{url.host} answered {status}")
        return Answered(status, text, _json(text))

    def _wait(self, said: str | None) -> float | None:
        if said is None:
            return None
        if said.strip().isdigit():
            return float(said)
        try:
            return max(0.0, (parsedate_to_datetime(said) - self._clock.now()).total_seconds())
        except (TypeError, ValueError):
            return None


def _unusable(url: httpx2.URL, task: HttpTask) -> str:
    if url.scheme not in ("http", "https") or not url.host:
        return f"{task.url!r} is no address of the web"
    if url.userinfo:
        return "the URL holds credentials: name their variable under `secrets`"
    if task.allow_hosts and url.host not in task.allow_hosts:
        return f"{url.host} is not among `allow_hosts` ({', '.join(task.allow_hosts)})"
    return ""


async def _text(said: httpx2.Response, url: httpx2.URL) -> str:
    held = bytearray()
    async for piece in said.aiter_bytes():
        held += piece
        if len(held) > MOST_BYTES:
            raise Permanent(f"{url.host} sent more than {MOST_BYTES:,} bytes", mend="ask for less")
    return held.decode(said.encoding or "utf-8", "replace")


def _json(text: str) -> dict[str, JsonValue] | None:
    try:
        return {"value": json.loads(text)}
    except ValueError:
        return None
