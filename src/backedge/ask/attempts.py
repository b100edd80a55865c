"""The attempts of a run as data: what each was made with, what it cost, what it was told, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import JsonValue

from backedge.kernel.budget import Usage
from backedge.kernel.provenance import Activity

Data = dict[str, Any]
_TOLD_APART = frozenset({"vendor", "model", "thinking", "prompt", "prompt_text", "reply", "lesson", "sent", "catalog"})


def attempt_of(activity: Activity) -> Data:
    """One attempt. Keys that say nothing are left out; the texts of prompt and reply are apart (`prompts_of`)."""
    asked, details = _asks_a_model(activity), activity.details
    found: Data = {
        "stage": activity.stage,
        "attempt": activity.attempt,
        "outcome": activity.outcome,
        "ms": activity.ms,
        "by": activity.by,
        "model": _model(details) if asked else None,
        "usage": _used(activity.usage) if activity.usage else None,
        "lesson": details.get("lesson") if asked else None,
        "sent": details.get("sent") if asked else None,
        "reused": f"{activity.reused.run_id}:{activity.reused.seq}" if activity.reused else None,
        "defects": [{"kind": d.kind, "message": d.message} for d in activity.defects],
        "message": activity.message,
        "details": {k: v for k, v in details.items() if not asked or k not in _TOLD_APART},
    }
    return {key: value for key, value in found.items() if value or key in ("attempt", "ms")}


def prompts_of(done: Iterable[Activity]) -> list[Data]:
    """What each attempt that asked a model sent, and what came back; the system prompt is named by its version."""
    return [
        {
            "stage": activity.stage,
            "attempt": activity.attempt,
            "outcome": activity.outcome,
            "model": _model(activity.details),
            "system": activity.details.get("prompt"),
            "prompt": activity.details["prompt_text"],
            "reply": activity.details.get("reply"),
        }
        for activity in done
        if _asks_a_model(activity)
    ]


def usage_of(done: Iterable[Activity]) -> Data:
    """What all attempts used together, also those that failed or were refused."""
    used = [activity.usage for activity in done if activity.usage is not None]
    return {
        "calls": sum(usage.calls for usage in used),
        "input_tokens": sum(usage.input_tokens for usage in used),
        "output_tokens": sum(usage.output_tokens for usage in used),
        "cached_tokens": sum(usage.cached_tokens for usage in used),
        "cost": _cost(used),
    }


def catalog_hash(done: Iterable[Activity]) -> JsonValue:
    """The hash of the semantic model that was read last, as the stage noted it: files may have changed since."""
    found = [a.details.get("catalog" if _asks_a_model(a) else "model") for a in done]
    return next((value for value in reversed(found) if value), None)


def _asks_a_model(activity: Activity) -> bool:
    """Whether a language model was asked. Rules note the semantic model under the same key as vendors their model."""
    return "prompt_text" in activity.details


def _model(details: dict[str, JsonValue]) -> Data:
    return {name: details.get(name) for name in ("vendor", "model", "thinking", "prompt")}


def _used(usage: Usage) -> Data:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "cost": _cost([usage]),
    }


def _cost(used: list[Usage]) -> float | None:
    """USD, or None where the price of any call is unknown: a part of a sum would pass for the whole."""
    known = [usage.cost for usage in used if usage.cost is not None]
    return float(sum(known)) if len(known) == len(used) else None
