"""The forms of the replies are such that every vendor can be held to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from backedge.ask.prompted.replies import Specification, Sql, Triage, Words


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


@pytest.mark.parametrize("form", [Triage, Specification, Sql, Words])
def test_no_form_has_free_keys_or_a_list_of_unlike_things(form: type[BaseModel]) -> None:
    """Claude gives `{}` for the former, and is told nothing of the items of the latter."""
    for part in parts(form.model_json_schema()):
        assert part.get("additionalProperties", False) is False
        assert "prefixItems" not in part
