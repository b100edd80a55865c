"""The same replies for a small model: fewer and shorter, each bounded in its schema, since it repeats itself else."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from backedge.evidence.prompted.replies import Checked, Item, Judged, Mended, Quoted, Reason, Taken, Text, Words

MOST_FEW = 3  # what fits into the tokens of one reply
ShortWords = Annotated[Words, Field(max_length=120)]
Short = Annotated[Text, Field(max_length=120)]
Sentence = Annotated[Reason, Field(max_length=240)]


class ShortQuoted(Quoted):
    """Words of a section, one sentence or two."""

    section: Annotated[Text, Field(max_length=6)]
    text: Annotated[Words, Field(max_length=500)]
    prefix: ShortWords = ""
    suffix: ShortWords = ""


class ShortItem(Item):
    """A finding or a claim with one quotation."""

    quotations: tuple[ShortQuoted, ...] = Field(min_length=1, max_length=1)
    statement: Sentence
    species: Annotated[Text, Field(max_length=40)] = "unknown"
    population: Short = "not stated"
    treatment: Short = "not stated"
    comparator: Short = "not stated"
    endpoint: Short = "not stated"
    effect: Short = ""
    units: Annotated[Text, Field(max_length=24)] = ""
    n: Annotated[Text, Field(max_length=24)] = ""


class FewTaken(Taken):
    """Extracting's reply."""

    records: tuple[ShortItem, ...] = Field((), max_length=MOST_FEW)
    nothing: Sentence = ""


class FewMended(Mended):
    """The reply to a record that is to be mended."""

    records: tuple[ShortItem, ...] = Field((), max_length=1)
    nothing: Sentence = ""


class ShortChecked(Checked):
    """One check."""

    reason: Short


class ShortJudged(Judged):
    """Verifying's reply."""

    reason: Sentence
    negation: ShortChecked
    scope: ShortChecked
    species: ShortChecked
    treatment: ShortChecked
    endpoint: ShortChecked
