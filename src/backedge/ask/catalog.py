"""What one agent may answer from: its semantic model, its verified queries, its examples and notes, and their hash."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.semantic.model import Model
from backedge.semantic.saved_queries import SavedQuery


@dataclass(frozen=True)
class Verified:
    """A SQL file with an `oxy:` header: run as written (guarded), found by its description and `embed` questions."""

    name: str
    sql: str
    database: str = ""
    description: str = ""
    embed: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True)
class Catalog:
    """Everything of one agent. `examples` are SQL files without a header, `notes` Markdown files: (name, text) each.

    `hash` changes when any file that the agent was built from changes.
    """

    model: Model
    verified: tuple[Verified, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    hash: str = ""
    queries: tuple[SavedQuery, ...] = ()

    def query(self, name: str) -> Verified | None:
        """The verified query of that name, or None."""
        return next((v for v in self.verified if v.name == name), None)
