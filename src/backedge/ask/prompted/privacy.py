"""Which values, cells and files may reach which vendor's model."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Sharing:
    """What one vendor may see beside names, types and descriptions.

    `samples` is how many values of a column, `result_rows` how many rows of a result (0: none, and templates write the
    answer), `notes` and `examples` whether Markdown and SQL files of the context are sent.
    """

    samples: int = 5
    result_rows: int = 50
    notes: bool = True
    examples: bool = True


@dataclass(frozen=True)
class Privacy:
    """An agent's `privacy`. The values of `hidden` members (`view.member`, where `*` is any text) never leave."""

    usual: Sharing = field(default_factory=Sharing)
    vendors: dict[str, Sharing] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    def of(self, vendor: str) -> Sharing:
        """What that vendor may see."""
        return self.vendors.get(vendor, self.usual)

    def hides(self, member: str) -> bool:
        """Whether the values of a member never leave."""
        return any(fnmatchcase(member, pattern) for pattern in self.hidden)
