"""How a server knows who asks."""

from __future__ import annotations

from typing import Protocol

from fastapi import Request

from backedge.web.people import How, Person


class Identity(Protocol):
    """One mode of recognising people."""

    @property
    def how(self) -> How:
        """Its name."""
        ...

    async def person(self, request: Request) -> Person | None:
        """Who sends a request; None where nobody is recognised. Raises `Refusal` for a key that is no longer valid."""
        ...
