"""Which source a new content belongs to, how sources stand to each other, and which of them are one study."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from backedge.evidence.sources import Identifiers, Metadata, Relation, RelationKind

_INVERSE: dict[RelationKind, RelationKind] = {
    "retraction_of": "retracted_by",
    "withdrawal_of": "withdrawn_by",
    "concern_about": "concern_by",
    "correction_of": "corrected_by",
    "update_of": "updated_by",
}
_INVERSE |= {other: kind for kind, other in _INVERSE.items()}
_INVERSE["published_as"] = "update_of"  # an article takes the place of its preprint
_ONE_STUDY = frozenset({*_INVERSE, "part_of"})
_MOST_REGISTRATIONS = 3  # whoever names more of them is a review of trials, no report of one
_ALIKE = 0.3  # share of common words, of those in either title, from which two titles are of one work

_REGISTRATION = re.compile(
    r"\b(?:NCT ?\d{8}|ISRCTN ?\d{8}|ACTRN ?\d{14}|ChiCTR[ -]?(?:[A-Z]{2,4}-)?\d{8,10}|DRKS ?\d{8}|UMIN ?\d{9}"
    r"|jRCTs? ?\d{9,12}|PACTR ?\d{15,16}|IRCT ?\d{8,20}(?:N\d{1,3})?|KCT ?\d{7}|TCTR ?\d{11}|NTR ?\d{3,5}"
    r"|CRD ?42\d{9,12}|RBR-\w{6,7}|RPCEC ?\d{8}|SLCTR/\d{4}/\d{3}|U1111-\d{4}-\d{4}"
    r"|CTRI/\d{4}/\d{2,3}/\d{6}|EudraCT(?: (?:number|no\.?))?:? ?\d{4}-\d{6}-\d{2})\b",
    re.IGNORECASE,
)
_EUDRACT = re.compile(r"EudraCT(?: (?:number|no\.?))?:?", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_STATUS_WORDS = frozenset({"retracted", "withdrawn", "article", "retraction", "correction", "to"})


@dataclass(frozen=True)
class Chosen:
    """The source that a content belongs to: its id, what the id is made of, and why, in one sentence."""

    id: str
    named: str
    why: str


def source_id(named: str) -> str:
    """The id of a source by what names it, such as `doi:10.1000/x` or `file:papers/a.pdf`."""
    return "s_" + hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def source_of(
    adapter: str,
    identifier: str,
    identifiers: Identifiers,
    known: Mapping[str, Identifiers],
    *,
    title: str = "",
    titles: Mapping[str, str] | None = None,
) -> Chosen:
    """The source of a content: a known one that it shares an identifier with, or a new one.

    `known` are stored sources by id that share an identifier with it. One that has another DOI (or PMID, PMCID, arXiv
    number) is never taken, nor one that shares the DOI alone and has an unlike title in `titles`: parts, chapters and
    preprints share numbers with what they are not.
    """
    apart: list[str] = []
    for name in identifiers.named():
        for source in sorted(source for source, its in known.items() if name in its.named()):
            against = _against(identifiers, known[source]) or _unlike(name, title, (titles or {}).get(source, ""))
            if not against:
                return Chosen(source, name, f"it is a version of source {source}: both are {name}")
            apart.append(f"it shares {name} with source {source} but {against}, so that it is kept apart")
    taken = {name for its in known.values() for name in its.named()}
    own = (name for name in identifiers.named() if name not in taken)
    named = next(own, f"{adapter}:{identifier}")
    return Chosen(source_id(named), named, apart[0] if apart else f"no other source is {named}")


def relations_between(one: Metadata, other: Metadata) -> tuple[RelationKind, ...]:
    """How the first stands to the second, by what either says of the other; each kind once."""
    said = [relation.kind for relation in one.relations if _names(relation, other.identifiers)]
    heard = [relation.kind for relation in other.relations if _names(relation, one.identifiers)]
    said += [_INVERSE[kind] for kind in heard if kind in _INVERSE]
    return tuple(dict.fromkeys(said))


def registrations_in(text: str) -> frozenset[str]:
    """Registrations of trials that a text names, such as `NCT00000001`, capital and without spaces."""
    found = (_EUDRACT.sub("EUDRACT", name[0]) for name in _REGISTRATION.finditer(text))
    return frozenset(name.upper().replace(" ", "") for name in found)


def independent_groups(
    sources: Mapping[str, Identifiers],
    relations: Iterable[tuple[str, Relation]],
    registrations: Mapping[str, Collection[str]],
) -> dict[str, str]:
    """The study of each source, by the id of its first source: sources of one study are not independent.

    One study are sources that share an identifier, that stand to each other as preprint, version, part, correction or
    notice (`relations` with the id of who states it, also by way of a third work), or that report one trial or cohort
    (`registrations` by source; whoever names more than three is a review of trials and joins none).
    """
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        while parent.setdefault(node, node) != node:
            parent[node] = node = parent[parent[node]]
        return node

    def join(source: str, name: str) -> None:
        parent[root(f"name {name}")] = root(f"source {source}")

    for source, identifiers in sources.items():
        for name in identifiers.named():
            join(source, name)
    for source, relation in relations:
        for name in relation.other.named() if relation.kind in _ONE_STUDY and source in sources else ():
            join(source, name)
    for source, named in registrations.items():
        for name in sorted(named) if source in sources and len(named) <= _MOST_REGISTRATIONS else ():
            join(source, f"registered {name}")
    groups: dict[str, str] = {}
    return {source: groups.setdefault(root(f"source {source}"), source) for source in sorted(sources)}


def _against(one: Identifiers, other: Identifiers) -> str:
    """The identifiers that both have and that differ, the most telling first; empty where there are none."""
    theirs = dict(name.split(":", 1) for name in other.named())
    for name in one.named():
        kind, value = name.split(":", 1)
        if theirs.get(kind, value) != value:
            return f"is {name} where that is {kind}:{theirs[kind]}"
    return ""


def _unlike(name: str, title: str, other: str) -> str:
    """Why a shared DOI alone does not make one work: a book's chapters have titles of their own."""
    one, two = _words(title), _words(other)
    if not name.startswith("doi:") or not one or not two or len(one & two) / len(one | two) >= _ALIKE:
        return ""
    return f'is titled "{title}" where that is titled "{other}"'


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold())) - _STATUS_WORDS


def _names(relation: Relation, identifiers: Identifiers) -> bool:
    shared = set(relation.other.named()) & set(identifiers.named())
    return bool(shared) and not _against(relation.other, identifiers)
