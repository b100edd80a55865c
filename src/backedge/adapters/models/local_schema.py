"""Bounds the form of a reply for a small model, which else repeats itself until no token is left."""

from __future__ import annotations

from typing import Any

from pydantic_ai import JsonSchemaTransformer

MOST_ITEMS = 6
LONGEST = 600  # characters: SQL needs them


class Bounded(JsonSchemaTransformer):
    """A form whose lists and texts end, and whose objects have no other keys; what it bounds itself stays so."""

    def transform(self, schema: dict[str, Any]) -> dict[str, Any]:
        """One node of the form."""
        match schema.get("type"):
            case "array":
                schema.setdefault("maxItems", MOST_ITEMS)
            case "string" if not {"enum", "const"} & schema.keys():
                schema.setdefault("maxLength", LONGEST)
            case "object":
                schema.setdefault("additionalProperties", False)
        for told in ("title", "default"):
            schema.pop(told, None)
        return schema
