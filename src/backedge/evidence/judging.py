"""Judges versions by all that is recorded of them, and finds those that what is said of them changes."""

from __future__ import annotations

import hashlib

from backedge.evidence import kinds
from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Policy
from backedge.evidence.library import Library, counting
from backedge.evidence.records import Judgement
from backedge.evidence.versions import Version
from backedge.kernel.defect import Defect

INELIGIBLE = "ineligible"  # the kind of the defect of what may not be used


async def judged(library: Library, version: Version, policy: Policy, current: str = "") -> Judgement:
    """The judgement of a version as things are now, numbered as its next. `current` as in `Library.facts`."""
    before = await library.judgement(version.content)
    eligible, reasons, warnings = judge(await library.facts(version, current=current), policy)
    number = before.number + 1 if before else 1
    return Judgement(version.content, number, eligible, reasons, warnings, name_of(policy))


def name_of(policy: Policy) -> str:
    """What a judgement calls the policy that it was made by."""
    return hashlib.sha256(repr(policy).encode()).hexdigest()[:12]


async def changed(library: Library, version: Version, policy: Policy, current: str = "") -> Judgement | None:
    """The new judgement of a version, where it is another than the one that counts, or that was by another policy."""
    before, now = await library.judgement(version.content), await judged(library, version, policy, current)
    return None if before and says_the_same(before, now) and before.policy == now.policy else now


def says_the_same(before: Judgement, now: Judgement) -> bool:
    """Whether two judgements of a version say the same, by whatever policy each was made."""
    return (before.eligible, before.reasons, before.warnings) == (now.eligible, now.reasons, now.warnings)


async def outdated(library: Library, policy: Policy) -> tuple[str, ...]:
    """The sources of which a version was judged by another policy than this one."""
    made: dict[str, list[Judgement]] = {}
    for judgement in await library.all(kinds.JUDGEMENT):
        made.setdefault(judgement.version, []).append(judgement)
    by = name_of(policy)
    old = {version for version, of_it in made.items() if (counts := counting(of_it)) and counts.policy != by}
    versions = await library.all(kinds.VERSION) if old else ()
    return tuple(dict.fromkeys(version.source for version in versions if version.content in old))


async def affected(library: Library, version: Version, policy: Policy) -> tuple[Judgement, ...]:
    """The judgements that change by what is recorded of a version: of others of its source, and of those it names.

    One that nobody has judged yet is judged too: its own run may have looked before the notice was there.
    """
    names = (await library.metadata(version)).relations
    sources = [source for relation in names for source in await library.sources_named(relation.other)]
    others = [v for source in dict.fromkeys(sources) for v in await library.versions(source)]
    its = await library.versions(version.source)
    found = {v.content: v for v in (*its, *others) if v.content != version.content}
    made = [await changed(library, other, policy) for other in found.values()]
    return tuple(judgement for judgement in made if judgement is not None)


async def judge_source(library: Library, source: str, policy: Policy, current: str = "") -> tuple[Judgement, ...]:
    """The judgements of a source's versions that have changed, or were made by another policy."""
    made = [await changed(library, version, policy, current) for version in await library.versions(source)]
    return tuple(judgement for judgement in made if judgement is not None)


async def forbids(library: Library, version: str) -> Judgement | None:
    """The judgement that forbids a version now, whatever was so when its run began; None where it may be used."""
    judgement = await library.judgement(version)
    return None if judgement is None or judgement.eligible else judgement


def refused(forbidden: Judgement | None) -> Defect | None:
    """The defect of going on with a version that this judgement forbids. No other attempt would change it."""
    if forbidden is None:
        return None
    said = "; ".join(f"{reason.kind} ({reason.by})" for reason in forbidden.reasons)
    return Defect(INELIGIBLE, f"version {forbidden.version[:12]} may not be used now: {said}", retryable=False)
