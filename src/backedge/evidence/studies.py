"""Which stored sources are one study: a preprint and its article, two reports of one trial."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence import kinds
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.reading import Section
from backedge.evidence.sources import Identifiers
from backedge.evidence.works import independent_groups, registrations_in


async def independent_of(library: Library, contents: Contents, sources: Sequence[str]) -> dict[str, str]:
    """The study of each source: the same name for sources that are not independent of each other."""
    identifiers: dict[str, Identifiers] = {}
    relations = []
    registrations: dict[str, frozenset[str]] = {}
    for source in dict.fromkeys(sources):
        identifiers[source] = await library.identifiers(source)
        relations += [(source, kept.relation) for kept in await library.all(kinds.RELATED, f"{source}/")]
        registrations[source] = await _registrations(library, contents, source)
    return independent_groups(identifiers, relations, registrations)


def trials_named(text: str, sections: Sequence[Section]) -> frozenset[str]:
    """The trials that a text names outside its references, wherever in another section those stand."""
    own, at = [], 0
    for start, end in sorted((section.start, section.end) for section in sections if section.role == "references"):
        own.append(text[at:start])
        at = max(at, end)
    return registrations_in("\n".join([*own, text[at:]]))


async def _registrations(library: Library, contents: Contents, source: str) -> frozenset[str]:
    """The trials that the versions of a source name, references left out: those are of others."""
    found: set[str] = set()
    for version in await library.versions(source):
        if (kept := await library.one(kinds.TEXT, version.content)) is None:
            continue
        found |= trials_named((await contents.get(kept.text)).decode("utf-8"), kept.sections)
    return frozenset(found)
