"""What every page and route works with: the services, who asks, and the renderer."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from backedge.web.identity.ports import Identity
from backedge.web.people import Person, Right
from backedge.web.problems import Refusal, not_permitted
from backedge.web.rendering import Renderer
from backedge.web.services import Services


@dataclass(frozen=True)
class Site:
    """What every page and route works with."""

    services: Services
    identity: Identity
    render: Renderer

    async def person(self, request: Request) -> Person | None:
        """Who asks; None where nobody is recognised."""
        return await self.identity.person(request)

    async def allowed(self, request: Request, right: Right) -> Person:
        """Who asks, if they may. Raises `Refusal`: 401 where nobody is recognised, 403 where they may not."""
        person = await self.person(request)
        if person is None:
            raise Refusal(401, "not_signed_in", "nobody is signed in", "sign in, or send an API key")
        if not person.may(right):
            raise not_permitted(f"{person.name} may not {right}: it needs another role")
        return person
