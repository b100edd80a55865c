"""What an agent file bounds: what may reach a model's vendor, what one run may spend, how long a question waits."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from backedge.ask.prompted.privacy import Privacy, Sharing
from backedge.config.shape import Shape, Text
from backedge.kernel.budget import Limits

_DURATION = re.compile(r"(\d{1,9})\s*(s|m|h|d)", re.ASCII)
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
LONGEST_WAIT = 366 * _UNITS["d"]
VendorName = Literal[
    "anthropic",
    "openai",
    "openai_compat",
    "azure",
    "google",
    "bedrock",
    "mistral",
    "ollama",
    "local",
    "recorded",
    "scripted",
]


class _Sharing(Shape):
    what: ClassVar[str] = "a vendor's `privacy`"
    samples: Annotated[int | None, Field(ge=0, le=100)] = None
    result_rows: Annotated[int | None, Field(ge=0, le=1000)] = None
    notes: bool | None = None
    examples: bool | None = None


class PrivacyKeys(Shape):
    """`privacy` of an agent file: what any vendor may see, and under `vendors` what differs for one."""

    what: ClassVar[str] = "`privacy`"
    samples: Annotated[int, Field(ge=0, le=100)] = Sharing().samples
    result_rows: Annotated[int, Field(ge=0, le=1000)] = Sharing().result_rows
    notes: bool = Sharing().notes
    examples: bool = Sharing().examples
    hidden: tuple[Text, ...] = ()
    vendors: dict[VendorName, _Sharing] = Field(default_factory=dict)

    def privacy(self) -> Privacy:
        """As the prompts take it."""
        usual = Sharing(self.samples, self.result_rows, self.notes, self.examples)
        return Privacy(usual, {name: _merged(usual, own) for name, own in self.vendors.items()}, self.hidden)


def _merged(usual: Sharing, own: _Sharing) -> Sharing:
    return Sharing(
        usual.samples if own.samples is None else own.samples,
        usual.result_rows if own.result_rows is None else own.result_rows,
        usual.notes if own.notes is None else own.notes,
        usual.examples if own.examples is None else own.examples,
    )


def _seconds(text: object) -> int:
    found = _DURATION.fullmatch(text) if isinstance(text, str) else None
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= LONGEST_WAIT:
        raise ValueError("must be a time such as `90s`, `30m`, `24h` or `7d`, at most 366 days")
    return seconds


class AskKeys(Shape):
    """`ask` of a stage that asks people: how long a question waits for an answer before its default."""

    what: ClassVar[str] = "`ask`"
    default_after: Annotated[int, BeforeValidator(_seconds)]


class BudgetKeys(Shape):
    """`budgets` of an agent file: what one run may spend before it stops. `cost` is in USD, `seconds` of work."""

    what: ClassVar[str] = "`budgets`"
    steps: Annotated[int, Field(ge=1)] = Limits().steps
    tokens: Annotated[int | None, Field(ge=1)] = None
    cost: Annotated[Decimal | None, Field(gt=0)] = None
    seconds: Annotated[float | None, Field(gt=0)] = None

    def limits(self) -> Limits:
        """As the kernel takes them."""
        return Limits(self.steps, self.tokens, self.cost, self.seconds)
