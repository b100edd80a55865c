"""Europe PMC: open full texts as JATS, else abstracts; preprints; searches; how records stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from backedge.adapters.sources.abstract_record import record_of, without_marks
from backedge.adapters.sources.answers import Found, json_object, moved, number, objects, text, texts, year
from backedge.adapters.sources.full_texts import Copy, Looked, best, either
from backedge.adapters.sources.licences import licence
from backedge.adapters.sources.polite import Polite, Service, part
from backedge.evidence.identifiers import doi, identified, pmcid, pmid
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Access, Delivery, Identifiers, Metadata, Relation, RelationKind, Signal
from backedge.evidence.standing import PUBMED_LINKS, PUBMED_TYPES
from backedge.kernel.defect import Permanent, RateLimited, Transient

SERVICE = Service(
    "Europe PMC", "https://www.ebi.ac.uk/europepmc/webservices/rest", apart=0.1, at_once=4, contact="email"
)
TOGETHER = 25
"""Records that one request asks for; the query stands in the address, which has its bounds."""
MOST_FOUND = 1_000

_PREPRINT = re.compile(r"(?:PPR:)?\s*(PPR\d{1,9})", re.IGNORECASE)
_LINKS: dict[str, RelationKind] = {
    **{name.lower(): kind for name, kind in PUBMED_LINKS.items()},
    "preprintof": "published_as",
    "preprintin": "update_of",
}
"""Kinds of links, in small letters without spaces: PubMed's, and the two of preprints."""
_REMOVED = {"preprint-withdrawal": "withdrawn", "preprint-removal": "withdrawn"}
_CITED_DOI = re.compile(r"\bdoi:\s*(10\.\S+)", re.IGNORECASE)
_ACCESS: dict[str, Access] = {"Y": "open", "N": "restricted"}


class EuropePmc:
    """A source adapter, searchable, and a registry of status. It takes PMIDs, PMCIDs, DOIs and ids of preprints."""

    name = "europepmc"

    def __init__(self, client: Polite, service: Service = SERVICE) -> None:
        self._client = client
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: the full text where it is open, else title and abstract."""
        preprint = _PREPRINT.fullmatch(identifier.strip())
        query = f"EXT_ID:{preprint[1].upper()} AND SRC:PPR" if preprint else _query(identified(identifier))
        if not query:
            mend = "give a PMID, PMCID, DOI, or the id of a preprint such as PPR123456"
            raise Permanent(f"{identifier[:200]!r} is no identifier that Europe PMC takes", mend=mend)
        found = await self._results(query, 25)
        wanted = Identifiers() if preprint else identified(identifier)
        result = next((each for each in found if preprint or either(wanted, identifiers_of(each))), None)
        if result is None:
            raise Permanent(f"Europe PMC does not know {identifier[:200]}", mend="check the identifier")
        looked = self._looked(result)
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`."""
        return bool(_query(identifiers))

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`."""
        found = await self._results(_query(identifiers), 25)
        result = next((each for each in found if either(identifiers, identifiers_of(each))), None)
        return None if result is None else self._looked(result)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`. The query is in the words of Europe PMC."""
        hits: list[External] = []
        mark, total, limit = "*", None, min(limit, MOST_FOUND)
        while len(hits) < limit:
            said = await self._said({"query": query, "pageSize": str(min(limit - len(hits), 100)), "cursorMark": mark})
            page = _records(said)
            hits += [External(_name(record), metadata_of(record)) for record in page]
            total = number(said, "hitCount")
            following = text(said, "nextCursorMark")
            if not page or not following or following == mark:
                break
            mark = following
        return ExternalFound(query, total, tuple(hits[:limit]))

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`."""
        queries = list(dict.fromkeys(query for source in sources if (query := _query(source))))
        known: list[Metadata] = []
        for start in range(0, len(queries), TOGETHER):
            some = " OR ".join(f"({query})" for query in queries[start : start + TOGETHER])
            known += [metadata_of(record) for record in await self._results(some, 4 * TOGETHER)]
        return tuple(next((said for said in known if either(source, said.identifiers)), None) for source in sources)

    def _looked(self, result: Found) -> Looked:
        metadata = metadata_of(result)
        central = metadata.identifiers.pmcid
        held = central or next(iter(texts(result, "fullTextIdList", "fullTextId")), "")
        copies: tuple[Copy, ...] = ()
        if metadata.access == "open" and held:
            copies = (Copy("jats", f"Europe PMC ({held})", lambda: self._full_text(held)),)
        abstract = text(result, "abstractText")
        name = f"{text(result, 'source')}-{text(result, 'id')}.xml"
        # a record without an abstract is one all the same: notices have none, and say how others stand
        record = record_of(metadata.title, abstract, name, metadata) if metadata.title else None
        return Looked(metadata, copies, record)

    async def _full_text(self, held: str) -> Delivery | None:
        answer = await self._client.ask(self._service, f"/{part(held)}/fullTextXML")
        if answer is None:
            return None
        head = answer.content[:4_000].lower()
        if b"<article" not in head or b"<html" in head:
            raise Transient("Europe PMC answered with something else than the article: it has trouble")
        return Delivery(answer.content, "application/xml", f"{held}.xml")

    async def _results(self, query: str, size: int) -> tuple[Found, ...]:
        records = _records(await self._said({"query": query, "pageSize": str(size)}))
        return tuple(sorted(records, key=lambda record: text(record, "source") != "MED"))

    async def _said(self, asked: dict[str, str]) -> Found:
        answer = await self._client.ask(self._service, "/search", {**asked, "resultType": "core", "format": "json"})
        if answer is None:
            raise moved("Europe PMC")
        said = json_object(answer, "Europe PMC")
        code, words = number(said, "errCode"), self._client.without_secrets(text(said, "errMsg"))[:200]
        if code is not None or (words and "resultList" not in said):
            if code == 429:
                raise RateLimited("Europe PMC takes no more requests now")
            if code is None or code >= 500:
                raise Transient(f"Europe PMC has trouble: {words}")
            raise Permanent(f"Europe PMC refuses the search: {words}", mend="mend the words of the search")
        if "resultList" not in said:
            raise Transient("Europe PMC answered without results")
        return said


def _records(said: Found) -> tuple[Found, ...]:
    return objects(said, "resultList", "result")


def _query(identifiers: Identifiers) -> str:
    """How a record is asked for; empty where it cannot be."""
    if identifiers.pmid:
        return f"EXT_ID:{identifiers.pmid} AND SRC:MED"
    if identifiers.pmcid:
        return f"PMCID:{identifiers.pmcid}"
    return f'DOI:"{identifiers.doi}"' if identifiers.doi else ""


def _name(record: Found) -> str:
    """What `fetch` takes for a record."""
    found = identifiers_of(record)
    if text(record, "source") == "PPR":
        return text(record, "id")
    return f"PMID:{found.pmid}" if found.pmid else found.pmcid or found.doi or text(record, "id")


def identifiers_of(record: Found) -> Identifiers:
    """What a record is called elsewhere."""
    return Identifiers(doi(text(record, "doi")), pmid(text(record, "pmid")), pmcid(text(record, "pmcid")))


def metadata_of(record: Found) -> Metadata:
    """What a record of a `core` result says of its article."""
    kinds = texts(record, "pubTypeList", "pubType")
    version = number(record, "versionNumber")
    return Metadata(
        title=without_marks(text(record, "title")),
        authors=_authors(record),
        journal=text(record, "journalInfo", "journal", "title") or text(record, "bookOrReportDetails", "publisher"),
        year=year(record, "pubYear"),
        kind="; ".join(kinds),
        language=text(record, "language"),
        licence=licence(text(record, "license")),
        access=_ACCESS.get(text(record, "isOpenAccess"), "unknown"),
        version_label=f"v{version}" if version and text(record, "source") == "PPR" else "",
        identifiers=identifiers_of(record),
        relations=tuple(dict.fromkeys(_relations(record))),
        signals=tuple(dict.fromkeys(_signals(kinds))),
        headings=tuple(
            name
            for heading in objects(record, "meshHeadingList", "meshHeading")
            if (name := text(heading, "descriptorName"))
        ),
    )


def _authors(record: Found) -> tuple[str, ...]:
    named = []
    for author in objects(record, "authorList", "author"):
        pieces = (text(author, "firstName"), text(author, "lastName"))
        whole = " ".join(piece for piece in pieces if piece) if all(pieces) else ""
        named.append(whole or text(author, "fullName") or text(author, "collectiveName"))
    return tuple(name for name in named if name)


def _signals(kinds: Sequence[str]) -> Iterator[Signal]:
    types = {name.lower(): kind for name, kind in PUBMED_TYPES.items()}
    for said in kinds:
        if kind := types.get(said.lower()):
            yield Signal(kind, "Europe PMC: publication type", said)
        elif said.lower() in _REMOVED:
            yield Signal("withdrawn", "Europe PMC: publication type", said)


def _relations(record: Found) -> Iterator[Relation]:
    is_preprint = text(record, "source") == "PPR"
    for link in objects(record, "commentCorrectionList", "commentCorrection"):
        said, reference = text(link, "type"), text(link, "reference")
        kind = _LINKS.get("".join(said.lower().split()))
        if kind is None:
            continue
        if kind == "updated_by" and is_preprint:
            kind = "published_as"
        cited = _CITED_DOI.search(reference)
        number_there = text(link, "id")
        other = Identifiers(
            doi=doi(cited[1]) if cited else "", pmid=pmid(number_there) if text(link, "source") == "MED" else ""
        )
        words = (reference, "" if other.pmid else number_there, text(link, "note"))
        yield Relation(kind, other, f"Europe PMC, {said}: {'; '.join(word for word in words if word)}")
