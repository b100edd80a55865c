"""Whether a record is direct evidence for a question: rules without a model; of two verdicts the stricter counts."""

from __future__ import annotations

import re

from backedge.evidence.inquiry import Applicability, Wants
from backedge.evidence.records import Proposal
from backedge.evidence.species import same_species

# From what a question may rest on most to what it may rest on least.
ORDER: tuple[Applicability, ...] = ("direct", "indirect", "unknown", "not_applicable")
OPEN = frozenset({"", "unknown", "not stated", "none", "any", "n/a"})
_WORD = re.compile(r"[^\W_]{3,}")
_EMPTY = frozenset(
    {"the", "and", "for", "with", "from", "level", "levels", "rate", "score", "measured", "change", "mean"}
)


def ruled(wants: Wants, proposal: Proposal) -> tuple[Applicability, str]:
    """The most that rules allow, and why: a mismatch of species or endpoint is never direct, unknown is unknown."""
    verdict: Applicability = "direct"
    reasons: list[str] = []
    if not _open(wants.species):
        same = same_species(wants.species, proposal.species)
        if same is None:
            verdict = stricter(verdict, "unknown")
            reasons.append(f"the record's species is unknown, and the question asks of {wants.species}")
        elif not same:
            verdict = stricter(verdict, "indirect")
            reasons.append(f"the record is of {proposal.species}, and the question asks of {wants.species}")
    if not _open(wants.endpoint):
        if _open(proposal.endpoint):
            verdict = stricter(verdict, "unknown")
            reasons.append(f"the record names no endpoint, and the question asks of {wants.endpoint}")
        elif not _shares(wants.endpoint, proposal.endpoint):
            verdict = stricter(verdict, "indirect")
            reasons.append(f"the record's endpoint is {proposal.endpoint}, and the question asks of {wants.endpoint}")
    return verdict, "; ".join(reasons)


def stricter(one: Applicability, other: Applicability) -> Applicability:
    """Of two verdicts the one that allows less."""
    return max(one, other, key=ORDER.index)


def _open(text: str) -> bool:
    return text.strip().casefold() in OPEN


def _shares(wanted: str, stated: str) -> bool:
    """Whether two endpoints have a telling word in common; where neither has one they must be alike."""
    ones, others = _words(wanted), _words(stated)
    if not ones or not others:
        return wanted.strip().casefold() == stated.strip().casefold()
    return any(one.startswith(other[:5]) or other.startswith(one[:5]) for one in ones for other in others)


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if word not in _EMPTY}
