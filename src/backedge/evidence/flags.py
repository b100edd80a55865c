"""What rules find between a record and its passages without a model: flags that only lower a label or call a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from backedge.evidence.governing import governing
from backedge.evidence.group_values import exchanged
from backedge.evidence.numerals import mismatches, uncounted
from backedge.evidence.opposition import (
    About,
    Turned,
    directions,
    doubtful,
    hedge_lost,
    negation_added,
    negation_lost,
    opposed,
    swapped,
    unstated,
)
from backedge.evidence.polarity import content, plain
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
_OUTSIDE = {
    "denied": "it is denied",
    "insignificant": "it is said not to be significant",
    "open": "it is left open",
    "hedged": "it is only said that it may be, or is expected",
}
# Fields whose numbers may stand in what is shown around, and the check that they belong to.
_NUMBERED: dict[str, CheckName] = {
    "n": "scope",
    "population": "scope",
    "treatment": "treatment",
    "comparator": "treatment",
    "endpoint": "endpoint",
}
# Words that every comparator may have, by which none is told from another.
_OF_GROUPS = content(
    "control controls arm arms cohort baseline treatment treated therapy alone only dose daily received"
)
_WRITTEN = ("statement", "population", "treatment", "comparator", "endpoint", "effect", "n")
_BRACKETED = re.compile(r"\[(?P<words>[^\[\]]{3,200})\]")
_LONG_WORD = re.compile(r"[^\W\d_]{2,}")
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
        *_outside(proposal, passages),
        *_directions(proposal, quoted),
        *_numbers(proposal, quoted, shown),
        *_species(proposal, passages, around),
        *_comparator(proposal, quoted, shown),
        *_inserted(proposal, shown),
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
    hedged = hedge_lost(proposal.statement, quoted)
    if hedged:
        yield _flag("hedge_lost", "scope", f"the quotation says only that it may be: {_short(hedged.text)}")


def _outside(proposal: Proposal, passages: tuple[Passage, ...]) -> Iterator[Flag]:
    """What the sentence of a quotation says of it and the quotation leaves out."""
    found = governing(proposal.statement, passages)
    if found is None:
        return
    said = f"{_OUTSIDE[found.how]} in words of its sentence that are not quoted: {_short(found.words)}"
    if found.how == "hedged":
        yield _flag("hedge_lost", "scope", said)
    elif found.how == "open":
        yield _flag("negation_doubtful", "negation", said)
    else:
        yield _flag("negation_outside", "negation", said)


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
    """Numbers of statement and effect must be quoted; what defines the groups may tell the others.

    Each is held against the words by itself: what a unit or a sign is of is not told by another field.
    """
    said = f"{proposal.statement}\n{proposal.effect} {proposal.units}".strip()
    told: dict[tuple[str, str], CheckName] = {(kind, n.written): "scope" for kind, n in mismatches(said, quoted)}
    for name, check in _NUMBERED.items():
        for kind, number in mismatches(getattr(proposal, name), shown):
            told.setdefault((kind, number.written), check)
    for (mismatch, written), check in told.items():
        yield _flag(mismatch, check, _MESSAGES[mismatch].format(written))
    for number in uncounted(proposal.n, shown):
        yield _flag("number_role", "scope", f"{number.written} is shown only as something that counts no subjects")
    turned = exchanged(proposal.statement, quoted)
    if turned:
        yield _flag("values_swapped", "treatment", f"{' and '.join(turned)} stand with each other's group")


def _species(proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...]) -> Iterator[Flag]:
    """Each field's species against what the quotations state, else their section, else the definitions."""
    fields = {name: species_stated(getattr(proposal, name)) for name in ("species", "population", "statement")}
    mine = {name: names for name, names in fields.items() if names}
    for (one, ones), (other, others) in combinations(mine.items(), 2):
        if not related(ones, others):
            said = f"its {one} says {', '.join(sorted(ones))}, its {other} {', '.join(sorted(others))}"
            yield _flag("species_inconsistent", "species", said)
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
        every = sorted(frozenset().union(*mine.values()))
        yield _flag("species_unstated", "species", f"nothing that was shown states {' or '.join(every)}")
    another = next((names for names in mine.values() if stated and not related(names, stated)), None)
    if another is not None:
        said = f"the record is about {', '.join(sorted(another))}, what was shown about {', '.join(sorted(stated))}"
        yield _flag("species_other", "species", said)


def _comparator(proposal: Proposal, quoted: str, shown: str) -> Iterator[Flag]:
    """Most of the comparator's words are in what was shown, and it does not stand where the treatment stands."""
    words = content(proposal.comparator)
    words = words - _OF_GROUPS or words
    told = proposal.comparator.strip().casefold() not in _NOT_TOLD
    missing = words - content(shown)
    if told and words and len(missing) * 2 >= len(words):
        yield _flag("comparator_missing", "treatment", f"what was shown does not speak of {proposal.comparator}")
    turned = swapped(proposal.statement, quoted)
    if turned:
        yield _flag("comparator_swapped", "treatment", f"the quotation compares the other way: {_short(turned.text)}")


def _inserted(proposal: Proposal, shown: str) -> Iterator[Flag]:
    """Words in square brackets that the source does not have: an editor's, of whom nobody knows who it was."""
    low = " ".join(plain(shown).split())
    for name in _WRITTEN:
        for found in _BRACKETED.finditer(getattr(proposal, name)):
            words = " ".join(plain(found["words"]).split())
            if len(_LONG_WORD.findall(words)) > 1 and words not in low:
                yield _flag("words_inserted", "scope", f"words in brackets that are not the source's: {_short(words)}")


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
