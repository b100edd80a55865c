"""Whether a record is direct evidence for a question: rules without a model; of two verdicts the stricter counts."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.evidence.alike import other_population, same_comparator, same_endpoint, same_treatment
from backedge.evidence.inquiry import Applicability, Wants
from backedge.evidence.records import Proposal
from backedge.evidence.species import UNKNOWN, only_wider, same_species

# From what a question may rest on most to what it may rest on least.
ORDER: tuple[Applicability, ...] = ("direct", "indirect", "unknown", "not_applicable")
OPEN = UNKNOWN | {"", "any", "none", "n/a"}

Ruled = tuple[Applicability, str]


def ruled(wants: Wants, proposal: Proposal) -> Ruled:
    """The most that rules allow, and why: a mismatch is never direct; unknown species and endpoints are unknown."""
    found = [*_species(wants, proposal), *_endpoint(wants, proposal), *_treatment(wants, proposal)]
    found += [*_comparator(wants, proposal), *_population(wants, proposal)]
    verdict: Applicability = "direct"
    for each, _ in found:
        verdict = stricter(verdict, each)
    return verdict, "; ".join(reason for _, reason in found)


def stricter(one: Applicability, other: Applicability) -> Applicability:
    """Of two verdicts the one that allows less."""
    return max(one, other, key=ORDER.index)


def _species(wants: Wants, proposal: Proposal) -> Iterator[Ruled]:
    if _open(wants.species):
        return
    asked = f"and the question asks of {wants.species}"
    same = None if _open(proposal.species) else same_species(wants.species, proposal.species)
    if same is None and (_open(proposal.species) or _plain(wants.species) != _plain(proposal.species)):
        yield "unknown", f"the record's species is unknown, {asked}"
    elif same is False:
        yield "indirect", f"the record is of {proposal.species}, {asked}"
    elif only_wider(wants.species, proposal.species):
        yield "unknown", f"the record says only {proposal.species}, {asked}"


def _endpoint(wants: Wants, proposal: Proposal) -> Iterator[Ruled]:
    if _open(wants.endpoint):
        return
    if _open(proposal.endpoint):
        yield "unknown", f"the record names no endpoint, and the question asks of {wants.endpoint}"
    elif not same_endpoint(wants.endpoint, proposal.endpoint):
        yield "indirect", f"the record's endpoint is {proposal.endpoint}, and the question asks of {wants.endpoint}"


def _treatment(wants: Wants, proposal: Proposal) -> Iterator[Ruled]:
    if _open(wants.treatment):
        return
    same = None if _open(proposal.treatment) else same_treatment(wants.treatment, proposal.treatment)
    if same is None:
        yield "unknown", f"the record names no treatment, and the question asks of {wants.treatment}"
    elif not same:
        yield "indirect", f"the record's treatment is {proposal.treatment}, and the question asks of {wants.treatment}"


def _comparator(wants: Wants, proposal: Proposal) -> Iterator[Ruled]:
    """A record that names no comparator is no comparison with what is asked for: indirect, as a mismatch is."""
    if _open(wants.comparator):
        return
    if _open(proposal.comparator):
        yield "indirect", f"the record names no comparator, and the question asks of {wants.comparator}"
    elif not same_comparator(wants.comparator, proposal.comparator):
        said = f"the record compares with {proposal.comparator}, and the question asks of {wants.comparator}"
        yield "indirect", said


def _population(wants: Wants, proposal: Proposal) -> Iterator[Ruled]:
    if what := other_population(wants.population, f"{proposal.population} {proposal.species}"):
        yield "indirect", f"the record's population is of another {what} than {wants.population}"


def _open(text: str) -> bool:
    return _plain(text) in OPEN


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
