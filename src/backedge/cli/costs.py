"""What a call to a model was made with and what it used, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def who(model: Mapping[str, Any] | None) -> str:
    """The model, and how it was to think where that was set: "claude-haiku-4-5, adaptive"."""
    if not model:
        return ""
    return ", ".join(str(part) for part in (model.get("model"), model.get("thinking")) if part)


def spent(usage: Mapping[str, Any]) -> str:
    """Tokens and money: "1,200 in (800 cached), 85 out, $0.0012". An unknown price is said, and never shown as 0."""
    cached = f" ({usage['cached_tokens']:,} cached)" if usage["cached_tokens"] else ""
    cost = usage["cost"]
    money = "price unknown" if cost is None else f"${cost:.6f}".rstrip("0").rstrip(".")
    return f"{usage['input_tokens']:,} in{cached}, {usage['output_tokens']:,} out, {money}"
