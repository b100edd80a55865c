"""What is written is read back the same; what the journal holds already is written as its seq."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from backedge.kernel.codec import Codec, CodecError
from backedge.kernel.journal import Moved
from backedge.kernel.run import fold
from tests.kernel.letters import LETTERS, Verdict
from tests.kernel.scenes import Scene, go


class Colour(Enum):
    RED = "red"


class Box(BaseModel):
    model_config = ConfigDict(frozen=True)

    size: Decimal
    day: date


@dataclass(frozen=True)
class All:
    of: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Some:
    of: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Thing:
    part: All | Some | Box | Colour | None
    value: Any = None


CODEC = Codec([Thing, Box, Colour], {})


def nothing(seq: int) -> object:
    raise KeyError(seq)


@pytest.mark.parametrize(
    "value",
    [
        Thing(All((Some((1, "1", True, None)),))),
        Thing(Some()),
        Thing(Box(size=Decimal("1.10"), day=date(2020, 2, 29))),
        Thing(Colour.RED, (Decimal("0.1"), date(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC), timedelta(days=1))),
        Thing(None, 0.1),
        Thing(None, float("inf")),
        Thing(None, 2**70),
        Thing(None, {"$schema": "x", "$": [1, {"$entry": 2}]}),
        Thing(None, "tab\tnul\x00 emoji 🦊"),
        Box(size=Decimal("1.10"), day=date(2020, 2, 29)),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_value_comes_back_the_same(value: object) -> None:
    back = CODEC.read(json.loads(json.dumps(CODEC.write(value))), nothing)
    assert back == value
    assert type(back) is type(value)


def test_a_bool_does_not_become_a_number_and_an_exact_number_no_float() -> None:
    back = CODEC.read(json.loads(json.dumps(CODEC.write(Thing(None, (True, 1, Decimal("1")))))), nothing)
    assert [type(v) for v in back.value] == [bool, int, Decimal]


def test_what_is_known_is_written_as_its_entry_however_deep() -> None:
    inner = All((1,))
    assert CODEC.write(Thing(inner), {id(inner): 7}) == {"$": "Thing", "part": {"$entry": 7}, "value": None}
    assert CODEC.read({"$": "Thing", "part": {"$entry": 7}}, {7: inner}.__getitem__).part is inner


@pytest.mark.parametrize("value", [Thing(None, object()), Thing(None, [1]), Thing(None, b"x"), Verdict(True)])
def test_what_cannot_be_written_exactly_is_refused(value: object) -> None:
    with pytest.raises(CodecError):
        CODEC.write(value)


def test_a_type_that_is_gone_is_named_and_a_renamed_one_is_read() -> None:
    with pytest.raises(CodecError, match=r"unknown type Part.*formerly"):
        CODEC.read({"$": "Part", "of": []}, nothing)
    assert Codec([Thing], {"Part": All}).read({"$": "Part", "of": [1]}, nothing) == All((1,))


def test_a_former_name_that_is_still_in_use_is_refused() -> None:
    with pytest.raises(CodecError, match="still a declared type"):
        Codec([Thing], {"Thing": All})


def test_a_field_that_is_gone_is_said_and_one_that_is_new_takes_its_default() -> None:
    with pytest.raises(CodecError, match="cannot be read from"):
        CODEC.read({"$": "Thing", "part": None, "colour": 1}, nothing)
    assert CODEC.read({"$": "Thing", "part": None}, nothing) == Thing(None)


def test_a_journal_repeats_neither_states_nor_proposals() -> None:
    scene = Scene()
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(False, "too wet"))
    moves = [s.entry.state for s in scene.journal(run_id) if isinstance(s.entry, Moved)]
    assert moves == [{"$": "Approving", "came_from": {"$entry": 0}, "draft": {"$entry": 1}}, {"$entry": 0}]


def test_a_renamed_state_of_an_old_journal_still_folds() -> None:
    scene = Scene()
    run_id = scene.start()
    go(scene.driver.drive(run_id))
    text = [(seq, at, body.replace('"Approving"', '"Reading"')) for seq, at, body in scene.store.journals[run_id]]
    scene.store.journals[run_id] = text
    today = replace(LETTERS, formerly={"Reading": LETTERS.states[1]})
    assert type(fold(today, run_id, scene.journal(run_id)).state).__name__ == "Approving"
