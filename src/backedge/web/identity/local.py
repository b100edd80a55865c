"""Who asks on one's own machine: nobody logs in; the name is chosen from the reviewers of the project."""

from __future__ import annotations

from fastapi import Request

from backedge.web.people import How, Person

COOKIE = "backedge_name"


class LocalIdentity:
    """Everybody who reaches this machine's loopback is the user, under the chosen name. `names` are the reviewers."""

    how: How = "local"

    def __init__(self, user: str, names: tuple[str, ...]) -> None:
        self._user = user
        self.names = names

    async def person(self, request: Request) -> Person | None:
        """The chosen reviewer, else the user of this machine; may do everything, since all of it is theirs."""
        chosen = request.cookies.get(COOKIE, "")
        name = chosen if chosen in self.names else self._user
        return Person(name, ("admin",), self.how)
