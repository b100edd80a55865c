"""Whether a version may be used, and why not: what its own words, links, registries, notices and operators say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from backedge.evidence.facts import Facts, Notice, Policy
from backedge.evidence.reading import Unfit
from backedge.evidence.records import Reason
from backedge.evidence.sources import Metadata, Relation, RelationKind, Signal
from backedge.evidence.title_marks import marked

_SAYS_OF_ITSELF: dict[RelationKind, str] = {
    "retracted_by": "retracted",
    "withdrawn_by": "withdrawn",
    "concern_by": "concern",
    "corrected_by": "corrected",
    "updated_by": "superseded",
    "published_as": "published",
    "retraction_of": "notice",
    "withdrawal_of": "notice",
    "concern_about": "notice",
    "correction_of": "notice",
}
_SAID_OF_IT: dict[RelationKind, str] = {
    "retraction_of": "retracted",
    "withdrawal_of": "withdrawn",
    "concern_about": "concern",
    "correction_of": "corrected",
    "update_of": "superseded",
    "retracted_by": "notice",
    "withdrawn_by": "notice",
    "concern_by": "notice",
}
_FAILED: frozenset[Unfit] = frozenset({"corrupt", "too_slow"})
_LIFTED = frozenset({"retracted", "withdrawn"})
_HEADLINES = frozenset({"title", "first line", "heading", "page title"})
_OF_VERSION = re.compile(r"(v\d+):\s")


class _Said(NamedTuple):
    """Something that speaks about a version. `forbids` None: the policy decides by its kind. `at`: its day."""

    reason: Reason
    forbids: bool | None = None
    at: str = ""


def judge(facts: Facts, policy: Policy) -> tuple[bool, tuple[Reason, ...], tuple[Reason, ...]]:
    """Whether it may be used, the reasons why not, and the warnings; each names what speaks (`by`).

    Corrections only warn. Where a registry says that it was reinstated, what retracted or withdrew it before that only
    warns; what did so later, or nobody knows when, forbids.
    """
    said = [*_signals(facts.metadata), *_links(facts.metadata), *_noticed(facts), *_restricted(facts, policy)]
    said += _unusable(facts)
    reinstated = [one.at for one in said if one.reason.kind == "reinstated"]
    reasons: dict[Reason, None] = {}
    warnings: dict[Reason, None] = {}
    for one in said:
        lifted = one.reason.kind in _LIFTED and any(_before(one.at, day) for day in reinstated)
        forbids = _forbids(one.reason.kind, policy) if one.forbids is None else one.forbids
        (reasons if forbids and not lifted else warnings)[one.reason] = None
    return not reasons, tuple(reasons), tuple(warnings)


def _before(one: str, other: str) -> bool:
    """Whether a day, month or year lies surely before another; where either is not known, it does not."""
    known = min(len(one), len(other))
    return one[:known] < other[:known]


def _forbids(kind: str, policy: Policy) -> bool:
    by_policy = {
        "concern": policy.concern_forbids,
        "superseded": policy.superseded_forbids,
        "notice": policy.notices_forbid,
    }
    return by_policy.get(kind, kind in ("retracted", "withdrawn", "restricted", "quarantined", "failed_parse"))


def _signals(metadata: Metadata) -> Iterator[_Said]:
    """The signals, and that of the title. `Retracted: …` over a notice is the title of what it retracts.

    A signal of another version (`v2: withdrawn by …`) only warns; that another one is superseded says nothing of this.
    """
    title = marked(metadata.title)
    about = _is_notice(metadata)
    told = [signal for signal in metadata.signals if signal.by not in _HEADLINES or signal.detail != metadata.title]
    for signal in (*told, *([title] if title else [])):
        other = _is_of_another_version(signal, metadata)
        if other and signal.kind == "superseded":
            continue
        if signal.by in _HEADLINES and about and signal.kind in _LIFTED:
            continue
        yield _Said(Reason(signal.kind, signal.by, signal.detail), False if other else None, signal.at)


def _is_of_another_version(signal: Signal, metadata: Metadata) -> bool:
    version = _OF_VERSION.match(signal.detail)
    return version is not None and metadata.version_label not in ("", version[1])


def _links(metadata: Metadata) -> Iterator[_Said]:
    for relation in metadata.relations:
        kind = _SAYS_OF_ITSELF.get(relation.kind)
        if kind == "superseded" and relation.note.startswith("RepublishedIn"):
            kind = "published"  # the same words again in another journal
        if kind:
            yield _Said(Reason(kind, f"link: {relation.kind}", _named(relation)), at=relation.at)


def _noticed(facts: Facts) -> Iterator[_Said]:
    for notice in facts.notices:
        kind = _SAID_OF_IT.get(notice.kind)
        if kind == "superseded" and _is_preprint(facts.metadata):
            kind = "published"
        if kind == "notice" and _takes_the_place(facts.metadata):
            continue  # named as what retracts the other, because it is its new version
        if kind:
            yield _Said(Reason(kind, f"source {notice.by}: {notice.kind}", _titled(notice)), at=notice.at)


def _restricted(facts: Facts, policy: Policy) -> Iterator[_Said]:
    metadata, mark = facts.metadata, facts.mark
    if mark:
        kind = "restriction_lifted" if mark.lifted else "restricted"
        yield _Said(Reason(kind, mark.by, mark.reason))
    licence = " ".join(metadata.licence.casefold().split())
    for beginning in policy.licences_refused:
        if licence.startswith(" ".join(beginning.casefold().split())):
            yield _Said(Reason("restricted", "licence", metadata.licence))
    if metadata.access == "restricted":
        yield _Said(Reason("restricted", "access flag", "restricted"), policy.needs_open)
    if metadata.access == "unknown" and policy.needs_open:
        yield _Said(Reason("access_unknown", "access flag", "nothing says whether it is open"), forbids=False)


def _unusable(facts: Facts) -> Iterator[_Said]:
    if facts.superseded_by:
        yield _Said(Reason("superseded", "a newer version of the source", facts.superseded_by))
    if facts.unfit:
        yield _Said(Reason("failed_parse" if facts.unfit in _FAILED else "quarantined", "reading", facts.unfit))


def _is_notice(metadata: Metadata) -> bool:
    """Whether its own types or links, its title aside, make it a notice about another."""
    linked = any(_SAYS_OF_ITSELF.get(relation.kind) == "notice" for relation in metadata.relations)
    return linked or any(signal.kind == "notice" for signal in metadata.signals)


def _is_preprint(metadata: Metadata) -> bool:
    linked = any(relation.kind == "published_as" for relation in metadata.relations)
    return linked or "preprint" in metadata.kind.casefold() or metadata.identifiers.doi.startswith("10.48550/arxiv.")


def _takes_the_place(metadata: Metadata) -> bool:
    return any(relation.kind == "update_of" for relation in metadata.relations)


def _named(relation: Relation) -> str:
    return "; ".join((*relation.other.named(), *([relation.note] if relation.note else [])))


def _titled(notice: Notice) -> str:
    return notice.title or "; ".join(notice.other.named())
