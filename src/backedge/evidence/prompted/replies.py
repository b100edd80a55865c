"""What the evidence agent replies: a closed form for each of its calls, such that every vendor can be held to it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from backedge.evidence.records import CHECKS, Check, Direction, Label, Outcome, Proposal, Quotation, RecordKind

MOST_RECORDS = 12
MOST_QUOTATIONS = 4
LONGEST_QUOTATION = 2_000  # characters
LONGEST_STATEMENT = 600
LONGEST_FIELD = 300
LONGEST_REASON = 1_200


def _at_most(longest: int) -> AfterValidator:
    """A bound that stands in no schema: OpenAI holds a model strictly only to schemas without lengths of texts."""

    def check(text: str) -> str:
        if "\x00" in text:
            raise ValueError("holds a NUL character: write plain text")
        if len(text) > longest:
            raise ValueError(f"has {len(text)} characters: write at most {longest}")
        return text

    return AfterValidator(check)


def _all_told(schema: dict[str, Any]) -> None:
    """Every key is asked for in the schema, though a reply that leaves one out is read: strict schemas need it so."""
    schema["required"] = list(schema.get("properties", {}))
    for told in schema.get("properties", {}).values():
        told.pop("default", None)


_TRIMMED = AfterValidator(str.strip)
Words = Annotated[str, _at_most(LONGEST_QUOTATION)]
Text = Annotated[str, _at_most(LONGEST_FIELD), _TRIMMED]
Reason = Annotated[str, _at_most(LONGEST_REASON), _TRIMMED]


class Shape(BaseModel):
    """A reply, or a part of one. Keys that it does not have are an error, never ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_all_told)


class Quoted(Shape):
    """Words of a section."""

    section: Text = Field(description="the key of the section, such as s4")
    text: Words = Field(description="its words, letter by letter")
    prefix: Words = Field("", description="the words just before, where the text stands there twice; else empty")
    suffix: Words = Field("", description="the words just behind, where the text stands there twice; else empty")

    def quotation(self) -> Quotation:
        """As the rest of the program has it."""
        return Quotation(self.section, self.text, self.prefix, self.suffix)


class Item(Shape):
    """A finding or a claim. What it rests on comes first: the fields are told of what is quoted."""

    quotations: tuple[Quoted, ...] = Field(min_length=1, max_length=MOST_QUOTATIONS)
    kind: RecordKind
    statement: Annotated[str, _at_most(LONGEST_STATEMENT), _TRIMMED] = Field(
        description="one sentence that stands by itself"
    )
    species: Text = Field("unknown", description="as it is stated, else unknown")
    population: Text = Field("not stated", description="who or what was studied")
    treatment: Text = Field("not stated", description="what was given, done or present; none where nothing was")
    comparator: Text = Field("not stated", description="what it is compared with")
    endpoint: Text = Field("not stated", description="what was measured")
    direction: Direction = "not_stated"
    effect: Text = Field("", description="the size of the effect as written, with its interval and p value")
    units: Text = Field("", description="the unit of the effect as written")
    n: Text = Field("", description="the number of subjects as written")

    def proposal(self) -> Proposal:
        """The record that is proposed; its status is nobody's to say."""
        told = self.model_dump(exclude={"quotations"})
        return Proposal(quotations=tuple(quoted.quotation() for quoted in self.quotations), **told)


class Taken(Shape):
    """Extracting's reply: records, or the reason why there are none."""

    records: tuple[Item, ...] = Field((), max_length=MOST_RECORDS)
    nothing: Reason = Field("", description="why there is no record; empty where there is one")


class Mended(Taken):
    """The reply to a record that is to be mended: that one anew, or the reason why it cannot be."""

    records: tuple[Item, ...] = Field((), max_length=1)


class Checked(Shape):
    """One check: the reason first, then what it comes to."""

    reason: Reason = Field(description="one sentence")
    outcome: Outcome


class Judged(Shape):
    """Verifying's reply: the reasons come before what follows from them."""

    reason: Reason = Field(description="what the passages say, held against the record: one to three sentences")
    negation: Checked
    scope: Checked
    species: Checked
    treatment: Checked
    endpoint: Checked
    label: Label

    def checks(self) -> tuple[Check, ...]:
        """The five checks in their order."""
        named: dict[str, Checked] = {name: getattr(self, name) for name in CHECKS}
        return tuple(Check(name, named[name].outcome, named[name].reason) for name in CHECKS)
