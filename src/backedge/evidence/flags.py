"""What rules find between a record and its passages without a model: flags that only lower a label or call a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backedge.evidence.numerals import Number, mismatches
from backedge.evidence.opposition import (
    About,
    Turned,
    directions,
    doubtful,
    negation_added,
    negation_lost,
    opposed,
    swapped,
    unstated,
)
from backedge.evidence.polarity import content
from backedge.evidence.ports import Passage, Shown
from backedge.evidence.records import CheckName, Direction, Flag, Label, Proposal
from backedge.evidence.species import related, species_stated

FEWEST_WORDS = 5  # content words that all quotations of a record have together, below which they are thin
_NOT_TOLD = frozenset({"", "none", "not stated", "not_stated", "unknown", "n/a", "baseline", "before treatment"})
_MESSAGES = {
    "number_missing": "{} does not occur in the quotations",
    "number_sign": "{} occurs in the quotations only with the other sign",
    "number_comparison": "{} occurs in the quotations only with another of <, >, ≤, ≥ or without it",
    "number_unit": "{} occurs in the quotations only with another unit",
}
_OTHER_WAY: dict[Direction, Direction] = {"increase": "decrease", "decrease": "increase"}


def flags_of(proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...]) -> tuple[Flag, ...]:
    """All that speaks against a record. Empty: the rules find nothing, which proves nothing.

    What is quoted must say the statement and its numbers; what stands around may name groups, species and subjects.
    """
    quoted = "\n".join(passage.span.exact for passage in passages)
    near = "\n".join(f"{passage.before}{passage.span.exact}{passage.after}" for passage in passages)
    shown = "\n".join([near, *(section.text for section in around if section.role != "references")])
    return (
        *_negations(proposal, quoted),
        *_directions(proposal, quoted),
        *_numbers(proposal, quoted, shown),
        *_species(proposal, passages, around),
        *_comparator(proposal, quoted, shown),
        *_thin(proposal, passages, quoted),
    )


def _flag(kind: str, check: CheckName, message: str, at_most: Label = "ambiguous") -> Flag:
    return Flag(kind, check, message, at_most)


def _negations(proposal: Proposal, quoted: str) -> Iterator[Flag]:
    lost, added = negation_lost(proposal.statement, quoted), negation_added(proposal.statement, quoted)
    if lost:
        yield _flag("negation_lost", "negation", f"the quotation negates it: {_short(lost.text)}")
    if added:
        yield _flag("negation_added", "negation", f"no quotation negates it: {_short(added.said)}")
    left = doubtful(proposal.statement, quoted)
    if left:
        yield _flag("negation_doubtful", "negation", f"the quotation leaves it open: {_short(left.text)}")


def _directions(proposal: Proposal, quoted: str) -> Iterator[Flag]:
    """The statement's words against the quotations', then the field against the statement and the quotations."""
    found = opposed(proposal.statement, quoted) or _field_opposed(proposal, quoted)
    if found:
        yield _flag("direction_opposed", "negation", f"the record says {found.said}, the quotation {found.text}")
    lacking = unstated(proposal.statement, quoted)
    if lacking and not found:
        yield _flag("direction_unstated", "negation", f"no quotation says anything like {lacking}")
    own = directions(proposal.statement, _about(proposal))
    if proposal.direction in _OTHER_WAY and own == {_OTHER_WAY[proposal.direction]}:
        said = f"its direction is {proposal.direction}, its statement says {_OTHER_WAY[proposal.direction]}"
        yield _flag("direction_inconsistent", "negation", said)


def _about(proposal: Proposal) -> About:
    return About(content(proposal.endpoint), content(proposal.treatment), content(proposal.comparator))


def _field_opposed(proposal: Proposal, quoted: str) -> Turned | None:
    """A direction that the quotations' words about the endpoint do not have, where they have another."""
    found = directions(quoted, _about(proposal))
    if proposal.direction not in ("increase", "decrease", "no_difference") or not found:
        return None
    return None if proposal.direction in found else Turned(proposal.direction, " and ".join(sorted(found)))


def _numbers(proposal: Proposal, quoted: str, shown: str) -> Iterator[Flag]:
    """Numbers of statement and effect must be quoted; that of subjects may stand in what defines the groups."""
    said = f"{proposal.statement}\n{proposal.effect} {proposal.units}".strip()
    told: dict[tuple[str, str], Number] = {(kind, n.written): n for kind, n in mismatches(said, quoted)}
    told |= {(kind, n.written): n for kind, n in mismatches(proposal.n, shown)}
    for kind, written in told:
        yield _flag(kind, "scope", _MESSAGES[kind].format(written))


def _species(proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...]) -> Iterator[Flag]:
    """The record's species against what the quotations state, else their section, else the definitions."""
    mine = species_stated(f"{proposal.species}\n{proposal.statement}\n{proposal.population}")
    if not mine:
        return
    kept = [passage for passage in passages if passage.span.role != "references"]
    quoted = frozenset(name for passage in kept for name in species_stated(passage.span.exact))
    beside = frozenset(name for passage in kept for name in species_stated(f"{passage.before}\n{passage.after}"))
    defined = frozenset(
        name for section in around if section.role != "references" for name in species_stated(section.text)
    )
    stated = quoted or beside | defined
    if not stated:
        yield _flag("species_unstated", "species", f"nothing that was shown states {' or '.join(sorted(mine))}")
    elif not related(mine, stated):
        said = f"the record is about {', '.join(sorted(mine))}, what was shown about {', '.join(sorted(stated))}"
        yield _flag("species_other", "species", said)


def _comparator(proposal: Proposal, quoted: str, shown: str) -> Iterator[Flag]:
    """The comparator is named somewhere in what was shown, and does not stand where the treatment stands."""
    words = content(proposal.comparator)
    told = proposal.comparator.strip().casefold() not in _NOT_TOLD
    if told and words and not words & content(shown):
        yield _flag("comparator_missing", "treatment", f"nothing that was shown speaks of {proposal.comparator}")
    turned = swapped(proposal.statement, quoted)
    if turned:
        yield _flag("comparator_swapped", "treatment", f"the quotation compares the other way: {_short(turned.text)}")


def _thin(proposal: Proposal, passages: tuple[Passage, ...], quoted: str) -> Iterator[Flag]:
    """What is too little to be accepted without a person, though nothing in it is wrong."""
    words = len(content(quoted))
    if words < FEWEST_WORDS:
        said = f"all that is quoted has {words} words that carry meaning, at least {FEWEST_WORDS} are needed"
        yield _flag("thin_quotation", "scope", said, "entailed")
    if passages and all(passage.span.role == "title" for passage in passages):
        yield _flag("thin_place", "scope", "only the title is quoted", "entailed")
    if proposal.effect.strip().casefold() not in _NOT_TOLD and not re.search(r"\d", proposal.effect):
        yield _flag("thin_effect", "scope", f"an effect without a number: {_short(proposal.effect)}", "entailed")


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 160 else f"{one_line[:160]}…"
