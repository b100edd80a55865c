"""Why a result is empty: the probes on real rows, and what is said of them; a zero is only said where it is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import backedge


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [
        ("order count for status open in region North", "answered", "0"),
        (
            "total amount for status open in region North",
            "cannot_answer",
            "no row fulfils all of the filters; without orders.status = open",
        ),
        ("order count in 2019", "cannot_answer", "2025-01-03"),
        ("order count for status paid in region South in 2025", "answered", "0"),
        ("total amount with id 7", "cannot_answer", "id = 7"),
    ],
)
def test_nothing_is_said_to_be_zero_unless_it_is(shop: Path, question: str, status: str, said: str) -> None:
    found: dict[str, Any] = backedge("ask", "--project", shop, "-q", question, "--json").json
    assert (found["status"], said in str(found["answer"])) == (status, True), found["answer"]


def test_an_empty_result_goes_back_once_and_never_through_interpreting(shop: Path) -> None:
    found = backedge("ask", "--project", shop, "-q", "total amount for status open in region North", "--json").json
    assert found["states"].count("Executing") == 2
    assert "Interpreting" not in found["states"]
    assert found["rows"] == []
