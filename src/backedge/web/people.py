"""People as the server knows them: a name, what their roles allow, and how they were recognised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Role = Literal["viewer", "asker", "reviewer", "approver", "admin"]
Right = Literal["see", "ask", "review", "approve", "administer"]
How = Literal["local", "api-key", "oidc", "proxy"]
ROLES: tuple[Role, ...] = get_args(Role)
RIGHTS: dict[Role, frozenset[Right]] = {
    "viewer": frozenset({"see"}),
    "asker": frozenset({"see", "ask"}),
    "reviewer": frozenset({"see", "ask", "review"}),
    "approver": frozenset({"see", "ask", "review", "approve"}),
    "admin": frozenset({"see", "ask", "review", "approve", "administer"}),
}


@dataclass(frozen=True)
class Person:
    """Somebody who asks. `attributes` are for row policies; `scopes`, where given, narrow what the roles allow."""

    name: str
    roles: tuple[Role, ...]
    how: How
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: frozenset[Right] | None = None

    def may(self, right: Right) -> bool:
        """Whether one of the roles allows it, and the scopes do too."""
        allowed = any(right in RIGHTS[role] for role in self.roles)
        return allowed and (self.scopes is None or right in self.scopes)

    def may_see(self, owner: str) -> bool:
        """Whether a run of `owner` may be seen: one's own, all for an admin, and all where nobody logs in."""
        return self.may("see") and (self.how == "local" or owner == self.name or self.may("administer"))
