"""How much a model is to reason before it replies, as data that every vendor's adapter maps to its own setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Effort = Literal["low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True)
class Thinking:
    """How much a model reasons: `adaptive`, `disabled`, an `effort`, or a budget in tokens."""

    mode: Literal["adaptive", "disabled", "effort", "budget"]
    effort: Effort | None = None
    budget_tokens: int | None = None

    def __str__(self) -> str:
        """As it is written in an agent file."""
        match self.mode:
            case "effort":
                return f"effort:{self.effort}"
            case "budget":
                return f"budget_tokens: {self.budget_tokens}"
            case _:
                return self.mode
