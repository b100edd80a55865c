"""Crossref: metadata of DOIs, with retractions and corrections told from both ends; abstracts where they are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backedge.adapters.sources.abstract_record import record_of, without_marks
from backedge.adapters.sources.answers import Found, at, json_object, moved, number, objects, text
from backedge.adapters.sources.full_texts import Looked, best, either
from backedge.adapters.sources.licences import licence
from backedge.adapters.sources.polite import Polite, Service, part
from backedge.evidence.identifiers import doi, identified
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Delivery, Identifiers, Metadata, Relation, RelationKind, Signal, SignalKind
from backedge.kernel.defect import Permanent, Transient

SERVICE = Service(
    "Crossref",
    "https://api.crossref.org",
    apart=0.2,
    at_once=2,
    contact="mailto",
    header="Crossref-Plus-API-Token",
)
TOGETHER = 40
"""DOIs that one request asks for; they stand in the address, which has its bounds."""
MOST_FOUND = 1_000

UPDATES: dict[str, tuple[RelationKind, RelationKind]] = {
    "retraction": ("retraction_of", "retracted_by"),
    "partial_retraction": ("retraction_of", "retracted_by"),
    "withdrawal": ("withdrawal_of", "withdrawn_by"),
    "removal": ("withdrawal_of", "withdrawn_by"),
    "expression_of_concern": ("concern_about", "concern_by"),
    "correction": ("correction_of", "corrected_by"),
    "corrigendum": ("correction_of", "corrected_by"),
    "erratum": ("correction_of", "corrected_by"),
    "addendum": ("correction_of", "corrected_by"),
    "clarification": ("correction_of", "corrected_by"),
    "new_version": ("update_of", "updated_by"),
    "new_edition": ("update_of", "updated_by"),
}
"""Types of updates by what they make of the notice (`update-to`) and of the original (`updated-by`).

Publishers may write others: such a one counts by the word in it (`_WORDS`), the gravest first, else as a correction.
"""
_WORDS = (
    ("retract", "retraction"),
    ("withdr", "withdrawal"),
    ("remov", "removal"),
    ("concern", "expression_of_concern"),
)
LINKS: dict[str, RelationKind] = {
    "is-preprint-of": "published_as",
    "has-preprint": "update_of",
    "is-version-of": "update_of",
    "has-version": "updated_by",
    "replaces": "update_of",
    "is-replaced-by": "updated_by",
    "is-part-of": "part_of",
    "is-comment-on": "comment_on",
    "is-review-of": "comment_on",
    "is-reply-to": "comment_on",
}
"""Kinds of `relation` by how they make the work stand to the other; what is not here says nothing of standing."""
_NOTICES: frozenset[RelationKind] = frozenset({"retraction_of", "withdrawal_of", "concern_about", "correction_of"})
_SAID: dict[RelationKind, SignalKind] = {
    "retracted_by": "retracted",
    "withdrawn_by": "withdrawn",
    "concern_by": "concern",
}
_VERSIONS = ("vor", "am", "unspecified", "tdm")


class Crossref:
    """A source adapter, searchable, and a registry of status. It takes DOIs."""

    name = "crossref"

    def __init__(self, client: Polite, service: Service = SERVICE) -> None:
        self._client = client
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: title, abstract where there is one, and how the work stands."""
        wanted = identified(identifier)
        if not wanted.doi:
            raise Permanent(f"{identifier[:200]!r} is no DOI, and Crossref takes no other", mend="give a DOI")
        looked = await self.look(wanted)
        if looked is None:
            raise Permanent(f"Crossref does not know {wanted.doi}", mend="check the DOI; others register DOIs, too")
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`. DOIs of arXiv are of another registry."""
        return bool(identifiers.doi) and not identifiers.doi.startswith("10.48550/")

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`."""
        answer = await self._client.ask(self._service, f"/works/{part(identifiers.doi)}")
        if answer is None:
            return None
        work = at(json_object(answer, "Crossref"), "message")
        if not isinstance(work, dict) or not text(work, "DOI"):
            raise Transient("Crossref answered without a work")
        metadata = metadata_of(work)
        if not either(identifiers, metadata.identifiers):
            return None
        name = f"{metadata.identifiers.doi.replace('/', '_')}.xml"
        record = record_of(metadata.title, text(work, "abstract"), name, metadata) if metadata.title else None
        return Looked(metadata, (), record)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        said = await self._works({"query": query, "rows": str(min(limit, MOST_FOUND))})
        found = [metadata_of(work) for work in objects(said, "items")]
        hits = tuple(External(metadata.identifiers.doi, metadata) for metadata in found if metadata.identifiers.doi)
        return ExternalFound(query, number(said, "total-results"), hits[:limit])

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: those with a DOI, many in one request."""
        wanted = dict.fromkeys(source.doi for source in sources if self.takes(source))
        # a comma parts filters from each other, so that a DOI with one is asked for alone
        alone = [name for name in wanted if "," in name]
        many = [name for name in wanted if "," not in name]
        known: dict[str, Metadata] = {}
        for start in range(0, len(many), TOGETHER):
            some = many[start : start + TOGETHER]
            said = await self._works({"filter": ",".join(f"doi:{name}" for name in some), "rows": str(len(some))})
            known |= {(made := metadata_of(work)).identifiers.doi: made for work in objects(said, "items")}
        for name in alone:
            if (looked := await self.look(Identifiers(doi=name))) is not None:
                known[name] = looked.metadata
        return tuple(known.get(source.doi) if source.doi else None for source in sources)

    async def _works(self, asked: dict[str, str]) -> Found:
        answer = await self._client.ask(self._service, "/works", asked)
        if answer is None:
            raise moved("Crossref")
        message = at(json_object(answer, "Crossref"), "message")
        if not isinstance(message, dict) or not isinstance(message.get("items"), list):
            raise Transient("Crossref answered without works")
        return message


def metadata_of(work: Found) -> Metadata:
    """What a work says of itself, and what others say of it."""
    told = [*_updates(work, "update-to", 0), *_updates(work, "updated-by", 1)]
    relations = [relation for relation, _ in told] + list(_links(work))
    return Metadata(
        title=without_marks(text(work, "title")),
        authors=tuple(name for author in objects(work, "author") if (name := _author(author))),
        journal=without_marks(text(work, "container-title")),
        year=next((found for name in ("published", "issued", "created") if (found := _date(work, name)[:1])), (0,))[0],
        kind="; ".join(kind for kind in (text(work, "type"), text(work, "subtype")) if kind),
        language=text(work, "language"),
        licence=_licence(work),
        url=text(work, "resource", "primary", "URL") or text(work, "URL"),
        identifiers=Identifiers(doi=doi(text(work, "DOI"))),
        relations=tuple(dict.fromkeys(relations)),
        signals=tuple(dict.fromkeys(signal for _, signal in told if signal is not None)),
    )


def _updates(work: Found, side: str, side_told: int) -> Iterator[tuple[Relation, Signal | None]]:
    for update in objects(work, side):
        said = text(update, "type").lower().replace(" ", "_").replace("-", "_")
        other = Identifiers(doi=doi(text(update, "DOI")))
        # a work that updates itself is no notice: its notice has no DOI of its own
        place = 1 if other.doi and other.doi == doi(text(work, "DOI")) else side_told
        kind = _kinds(said)[place]
        when = "-".join(f"{piece:02}" for piece in _date(update, "updated"))
        by = text(update, "source")
        detail = ", ".join(word for word in (said, f"by {by}" if by else "", when, other.doi) if word)
        signal: SignalKind | None = "notice" if kind in _NOTICES else _SAID.get(kind)
        yield (
            Relation(kind, other, f"Crossref {side}: {detail}", when),
            (Signal(signal, f"Crossref: {side}", detail, when) if signal else None),
        )


def _kinds(said: str) -> tuple[RelationKind, RelationKind]:
    word = next((kind for word, kind in _WORDS if word in said), "correction")
    return UPDATES.get(said) or UPDATES[word]


def _links(work: Found) -> Iterator[Relation]:
    links = at(work, "relation")
    for name in sorted(links) if isinstance(links, dict) else ():
        kind = LINKS.get(name)
        for link in objects(links, name) if kind else ():
            other = identified(text(link, "id"))
            if kind and other:
                yield Relation(kind, other, f"Crossref relation: {name}")


def _author(author: Found) -> str:
    pieces = (text(author, "given"), text(author, "family"), text(author, "suffix"))
    return " ".join(piece for piece in pieces if piece) or text(author, "name")


def _licence(work: Found) -> str:
    """Of several licences that of the published version."""
    found = {text(each, "content-version"): text(each, "URL") for each in reversed(objects(work, "license"))}
    return licence(next((found[version] for version in _VERSIONS if version in found), next(iter(found.values()), "")))


def _date(found: Found, name: str) -> tuple[int, ...]:
    """Year, month and day, as far as they are given."""
    parts = at(found, name, "date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    pieces = first if isinstance(first, list) else []
    return tuple(piece for piece in pieces if isinstance(piece, int) and not isinstance(piece, bool))
