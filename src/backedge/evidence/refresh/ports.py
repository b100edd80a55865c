"""What a refresh needs of the outside."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.facts import Policy
from backedge.evidence.library import Library
from backedge.evidence.ports import StatusSource


@dataclass(frozen=True)
class RefreshPorts:
    """The registries that are asked, and the policy by which sources are judged anew."""

    library: Library
    registries: tuple[StatusSource, ...]
    policy: Policy
