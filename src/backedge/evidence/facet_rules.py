"""The rules of facets: explicit values placed in the request, what a command changes, and what is not settled yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from backedge.evidence.facets import (
    Facet,
    FacetChange,
    FacetCommand,
    FacetName,
    FacetRow,
    FacetValue,
    Importance,
    Origin,
    RequestSpan,
)
from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation
from backedge.evidence.spans import located
from backedge.evidence.tables import USUAL, Tables
from backedge.kernel.defect import Defect

REQUEST = "request"
SHORTEST_CITED = 3  # characters: a request says "rat", and that is all of the facet
SETTLED = ("confirmed", "assumed")


class SaidValue(Protocol):
    """A value as a model says it (`investigate.ports.SaidValue`)."""

    @property
    def text(self) -> str:
        """The value."""
        ...

    @property
    def origin(self) -> Origin:
        """Where it comes from."""
        ...

    @property
    def quote(self) -> str:
        """The words of the request that an explicit one cites."""
        ...

    @property
    def reason(self) -> str:
        """What an inferred one is inferred from."""
        ...


class SaidFacet(Protocol):
    """A facet as a model says it."""

    @property
    def name(self) -> FacetName:
        """Which of the eight."""
        ...

    @property
    def importance(self) -> Importance:
        """How important the model takes it to be."""
        ...

    @property
    def values(self) -> Sequence[SaidValue]:
        """Its values."""
        ...


def placed_facets(request: str, said: Sequence[SaidFacet], tables: Tables = USUAL) -> tuple[Facet, ...]:
    """The facets in the order of the table, with spans of the words that explicit values cite.

    What the table calls mandatory stays so, whatever a model says. A facet without a value is kept without one.
    """
    reading = Reading(request, (Section(REQUEST, "other", "", 0, len(request)),), REQUEST)
    text = LocatedText(reading, shortest=SHORTEST_CITED)
    order = [row.name for row in tables.facets]
    facets = [_placed(facet, text, tables.facet(facet.name)) for facet in said]
    return tuple(sorted(facets, key=lambda facet: order.index(facet.name)))


def _placed(said: SaidFacet, text: LocatedText, row: FacetRow) -> Facet:
    importance = row.importance if row.importance == "mandatory" else said.importance
    values = tuple(
        FacetValue(value.text, value.origin, _spans(value, text), value.reason) for value in said.values if value.text
    )
    return Facet(said.name, importance, values)


def _spans(value: SaidValue, text: LocatedText) -> tuple[RequestSpan, ...]:
    if value.origin != "explicit":
        return ()
    found = located(text, Quotation(REQUEST, value.quote), version="", text_hash="")
    if isinstance(found, Defect):
        return ()
    return tuple(RequestSpan(span.start, span.end, span.exact) for span in found)


def unsettled(facets: Sequence[Facet]) -> tuple[str, ...]:
    """Mandatory facets that are neither confirmed nor assumed, nor left unresolved and flagged."""
    return tuple(
        facet.name
        for facet in facets
        if facet.importance == "mandatory"
        and not (facet.confirmation in SETTLED and facet.values)
        and not (facet.confirmation == "unresolved" and facet.flagged)
    )


def misused(facets: Sequence[Facet], command: FacetCommand) -> Defect | None:
    """What keeps a command from being carried out: a facet or value that is not there, or texts that are missing."""
    if command.kind in ("confirm", "round_trip"):
        return None
    facet = next((facet for facet in facets if facet.name == command.facet), None)
    if facet is None:
        names = tuple(facet.name for facet in facets)
        return Defect("unknown_facet", f"there is no facet {command.facet!r}", "facet", near=names)
    texts = [text for text in command.texts if text.strip()]
    of_value = command.kind in ("split", "remove") or (command.kind == "edit" and texts)
    if of_value and not 1 <= command.value <= len(facet.values):
        said = f"{facet.name} has {len(facet.values)} values, and none is number {command.value}"
        return Defect("unknown_value", said, "value", "count its values from 1, or `add` one")
    if command.kind == "split" and len(texts) < 2:
        return Defect("texts_missing", "a split needs at least two texts", "texts", "give one text for each part")
    if command.kind == "add" and len(texts) != 1:
        return Defect("texts_missing", "adding needs one text", "texts", "give the value")
    if command.kind == "edit" and (len(texts) > 1 or (not texts and command.importance is None)):
        return Defect("texts_missing", "an edit needs one text, or an importance", "texts", "say what it becomes")
    if command.kind in ("confirm_facet", "assume") and not facet.values:
        hint = "add a value, or flag it as left unresolved"
        return Defect("nothing_to_confirm", f"{facet.name} has no value", "facet", hint)
    if command.kind in ("assume", "flag") and not command.reason.strip():
        return Defect("reason_missing", f"to {command.kind} a facet needs a reason", "reason", "say why")
    return None


def applied(facets: Sequence[Facet], command: FacetCommand, number: int) -> tuple[tuple[Facet, ...], FacetChange]:
    """The facets after a command that fits, and the change for their history. There are eight before and after."""
    before = next(facet for facet in facets if facet.name == command.facet)
    after = _changed(before, command)
    change = FacetChange(
        number, before.name, command.kind, command.by, described(before), described(after), command.reason
    )
    return tuple(after if facet.name == before.name else facet for facet in facets), change


def _changed(facet: Facet, command: FacetCommand) -> Facet:
    """What was confirmed, assumed or flagged is open again when its values change, and the note of that goes."""
    texts = tuple(text.strip() for text in command.texts if text.strip())
    new = tuple(FacetValue(text, "reviewer", reason=command.reason) for text in texts)
    at = command.value - 1
    match command.kind:
        case "edit" if not new:
            return replace(facet, importance=command.importance or facet.importance)
        case "edit":
            importance = command.importance or facet.importance
            return _reopened(replace(facet, importance=importance), (*facet.values[:at], *new, *facet.values[at + 1 :]))
        case "add":
            return _reopened(facet, (*facet.values, *new))
        case "split" | "remove":
            kept = new if command.kind == "split" else ()
            return _reopened(facet, (*facet.values[:at], *kept, *facet.values[at + 1 :]))
        case "confirm_facet":
            return replace(facet, confirmation="confirmed", flagged=False, note=command.reason)
        case "assume":
            return replace(facet, confirmation="assumed", flagged=False, note=command.reason)
        case "flag":
            return replace(facet, confirmation="unresolved", flagged=True, note=command.reason)
        case "round_trip" | "confirm":
            return facet


def _reopened(facet: Facet, values: tuple[FacetValue, ...]) -> Facet:
    return replace(facet, values=values, confirmation="open", flagged=False, note="")


def with_uninvestigated(facets: Sequence[Facet], named: Sequence[tuple[FacetName, str]]) -> tuple[Facet, ...]:
    """The facets, those that nothing investigates with the reason in their notes."""
    reasons = dict(named)
    told = []
    for facet in facets:
        said = f"not investigated: {reasons[facet.name]}" if facet.name in reasons else ""
        told.append(replace(facet, note="; ".join(part for part in (facet.note, said) if part)))
    return tuple(told)


def described(facet: Facet) -> str:
    """A facet in one line, for its history."""
    values = "; ".join(value.text for value in facet.values) or "not stated"
    flagged = ", flagged" if facet.flagged else ""
    return f"{values} ({facet.importance}, {facet.confirmation}{flagged})"
