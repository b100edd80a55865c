"""What an agent file bounds: which values and files may reach a model's vendor, and what one run may spend."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from backedge.ask.prompted.privacy import Privacy, Sharing
from backedge.config.shape import Shape, Text
from backedge.kernel.budget import Limits

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
