"""Whether a version may be used: every signal of its status, from every side, weighed by one table and the policy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from backedge.evidence.facts import Facts, Policy
from backedge.evidence.records import Reason
from backedge.evidence.sources import RelationKind, SignalKind

Kind = Literal[
    "retracted",
    "withdrawn",
    "concern",
    "corrected",
    "superseded",
    "published",
    "restricted",
    "notice",
    "quarantined",
    "failed_parse",
]
Weight = Literal["forbids", "warns", "concern", "superseded", "notice"]

WEIGHTS: dict[Kind, Weight] = {
    "retracted": "forbids",
    "withdrawn": "forbids",
    "restricted": "forbids",
    "quarantined": "forbids",
    "failed_parse": "forbids",
    "concern": "concern",
    "superseded": "superseded",
    "notice": "notice",
    "corrected": "warns",
    "published": "warns",
}
"""What a kind of reason does: concern, superseded and notice do what the policy says."""

OWN: dict[RelationKind, Kind] = {
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
"""What a source's own link says of it. Other links (an update of, a part of, a comment on) say nothing of its use."""

OTHERS: dict[RelationKind, Kind] = {
    "retraction_of": "retracted",
    "withdrawal_of": "withdrawn",
    "concern_about": "concern",
    "correction_of": "corrected",
    "update_of": "superseded",
    "retracted_by": "notice",
    "withdrawn_by": "notice",
    "concern_by": "notice",
    "corrected_by": "notice",
}
"""What another source's link to this one says of this one: the same facts, told from the other end."""

SIGNALS: dict[SignalKind, Kind] = {
    "retracted": "retracted",
    "withdrawn": "withdrawn",
    "concern": "concern",
    "corrected": "corrected",
    "superseded": "superseded",
    "restricted": "restricted",
    "notice": "notice",
}


@dataclass(frozen=True)
class TitleRow:
    """How a title says a status."""

    kind: Kind
    pattern: re.Pattern[str]


_MARK = r"(?:\s*[:.\u2013\u2014-]|\s*\])"
_TITLES: tuple[tuple[Kind, str], ...] = (
    ("retracted", rf"(?i)\A\W*retracted(?:\s+(?:article|paper|chapter|publication|manuscript))?{_MARK}"),
    ("retracted", r"\A\W*RETRACTED\s+(?:ARTICLE|PAPER|CHAPTER|PUBLICATION)\b"),
    ("retracted", r"(?i)[\[(]\s*retracted(?:\s+(?:article|paper|publication))?\s*[\])]\W*\Z"),
    ("withdrawn", rf"(?i)\A\W*withdrawn(?:\s+(?:article|paper|preprint|manuscript))?{_MARK}"),
    ("withdrawn", r"(?i)[\[(]\s*withdrawn\s*[\])]\W*\Z"),
    ("withdrawn", rf"(?i)\A\W*removed(?:\s+article)?{_MARK}"),
    ("notice", rf"(?i)\A\W*(?:partial\s+)?retraction(?:\s+(?:note|notice|statement))?(?:\s+(?:to|of|for))?{_MARK}"),
    ("notice", r"(?i)\A\W*(?:notice\s+of\s+(?:partial\s+)?retraction|retraction\s+(?:note|notice))\b"),
    ("notice", r"(?i)\A\W*retraction\W*\Z"),
    ("notice", rf"(?i)\A\W*(?:notice\s+of\s+)?withdrawal(?:\s+notice)?(?:\s+(?:to|of))?{_MARK}"),
    ("notice", r"(?i)\A\W*(?:an\s+)?(?:editorial\s+)?expression\s+of\s+concern\b"),
    ("notice", rf"(?i)\A\W*(?:correction|erratum|errata|corrigendum|addendum)(?:\s+(?:to|for))?{_MARK}"),
    ("notice", r"(?i)\A\W*(?:author|publisher)\s+correction\b"),
    ("notice", r"(?i)\A\W*(?:correction|erratum|corrigendum)\W*\Z"),
)
TITLES = tuple(TitleRow(kind, re.compile(pattern)) for kind, pattern in _TITLES)


def judge(facts: Facts, policy: Policy) -> tuple[bool, tuple[Reason, ...], tuple[Reason, ...]]:
    """Whether a version may be used; the reasons against it; and what is to be known of it all the same."""
    reasons: list[Reason] = []
    warnings: list[Reason] = []
    for kind, by, detail in dict.fromkeys(_told(facts, policy)):
        (reasons if _forbids(kind, policy) else warnings).append(Reason(kind, by, detail))
    return not reasons, tuple(reasons), tuple(warnings)


def _forbids(kind: Kind, policy: Policy) -> bool:
    match WEIGHTS[kind]:
        case "forbids":
            return True
        case "warns":
            return False
        case "concern":
            return policy.concern_forbids
        case "superseded":
            return policy.superseded_forbids
        case "notice":
            return policy.notices_forbid


def title_says(title: str) -> Kind | None:
    """What a title says of the status of its source by the words that it begins or ends with."""
    return next((row.kind for row in TITLES if row.pattern.search(title)), None)


def _told(facts: Facts, policy: Policy) -> Iterator[tuple[Kind, str, str]]:
    metadata = facts.metadata
    for signal in metadata.signals:
        yield SIGNALS[signal.kind], signal.by, signal.detail
    for relation in metadata.relations:
        if kind := OWN.get(relation.kind):
            named = ", ".join(relation.other.named())
            yield kind, f"link {relation.kind}", relation.note or named
    kinds = {relation.kind for relation in metadata.relations}
    kind = title_says(metadata.title)
    # A notice may bear the title of what it retracts, with "Retracted" before it.
    if kind and not (kind != "notice" and kinds & {"retraction_of", "withdrawal_of"}):
        yield kind, "title", metadata.title
    for notice in facts.notices:
        # PubMed calls an article an update of its preprint, which is no newer version of it.
        of_preprint = notice.kind == "update_of" and "published_as" in kinds
        if kind := "published" if of_preprint else OTHERS.get(notice.kind):
            yield kind, f"source {notice.by}", notice.title
    yield from _restrictions(facts, policy)
    if facts.superseded_by:
        yield "superseded", "version", facts.superseded_by
    if facts.unfit:
        kind = "failed_parse" if facts.unfit in ("too_slow", "hostile", "too_large") else "quarantined"
        yield kind, "reader", facts.unfit


def _restrictions(facts: Facts, policy: Policy) -> Iterator[tuple[Kind, str, str]]:
    metadata, mark = facts.metadata, facts.mark
    if mark is not None and not mark.lifted:
        yield "restricted", f"operator {mark.by}", mark.reason
    licence = metadata.licence.casefold()
    for refused in policy.licences_refused:
        if licence.startswith(refused.casefold()):
            yield "restricted", "licence", metadata.licence
    if policy.needs_open and metadata.access != "open":
        yield "restricted", "access", metadata.access
