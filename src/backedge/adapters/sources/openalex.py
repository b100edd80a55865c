"""OpenAlex: metadata of works, whether they are retracted, where open copies are; abstracts from its index of words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backedge.adapters.sources.abstract_record import record_of, without_marks
from backedge.adapters.sources.answers import Found, at, json_object, moved, number, objects, text, year
from backedge.adapters.sources.full_texts import Copy, Looked, best, either, open_copy
from backedge.adapters.sources.licences import is_open, licence
from backedge.adapters.sources.polite import Polite, Service, part
from backedge.evidence.identifiers import doi, identified, pmcid, pmid
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Access, Delivery, Identifiers, Metadata, Signal, SignalKind
from backedge.kernel.defect import Permanent, Transient

SERVICE = Service(
    "OpenAlex",
    "https://api.openalex.org",
    apart=0.1,
    at_once=4,
    contact="mailto",
    key="api_key",
    limits=frozenset({403}),
)
TOGETHER = 50
MOST_FOUND = 1_000
_PAGE = 100
_LONGEST_ABSTRACT = 20_000  # words
_NOTICES: dict[str, SignalKind] = {"retraction": "notice", "erratum": "notice"}


class OpenAlex:
    """A source adapter, searchable, and a registry of status. It takes DOIs, PMIDs and PMCIDs."""

    name = "openalex"

    def __init__(self, client: Polite, service: Service = SERVICE) -> None:
        self._client = client
        self._service = client.known(service)

    async def fetch(self, identifier: str) -> Delivery:
        """See `evidence.ports.SourceAdapter`: an open PDF where there is one, else title and abstract."""
        wanted = identified(identifier)
        if not self.takes(wanted):
            mend = "give a DOI, a PMID or a PMCID"
            raise Permanent(f"{identifier[:200]!r} is no identifier that OpenAlex takes", mend=mend)
        looked = await self.look(wanted)
        if looked is None:
            raise Permanent(f"OpenAlex does not know {identifier[:200]}", mend="check the identifier")
        return await best([looked], looked.metadata, identifier)

    def takes(self, identifiers: Identifiers) -> bool:
        """See `full_texts.Registry`."""
        return bool(_path(identifiers))

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """See `full_texts.Registry`. It keeps preprint and article as one work: another DOI than asked for is none."""
        answer = await self._client.ask(self._service, f"/works/{part(_path(identifiers), slashes=True)}")
        if answer is None:
            return None
        work = json_object(answer, "OpenAlex")
        if not text(work, "id"):
            raise Transient("OpenAlex answered without a work")
        metadata = metadata_of(work)
        if not either(identifiers, metadata.identifiers):
            return None
        name = f"{text(work, 'id').rpartition('/')[2]}.xml"
        record = record_of(metadata.title, _escaped(abstract_of(work)), name, metadata) if metadata.title else None
        return Looked(metadata, tuple(_copies(self._client, work)), record)

    async def search(self, query: str, limit: int) -> ExternalFound:
        """See `evidence.ports.SearchableSource`."""
        hits: list[External] = []
        total, limit, page = None, min(limit, MOST_FOUND), 1
        while len(hits) < limit:
            said = await self._works({"search": query, "per-page": str(min(limit, _PAGE)), "page": str(page)})
            total = number(said, "meta", "count")
            works = objects(said, "results")
            found = [metadata_of(work) for work in works]
            hits += [External(made.identifiers.named()[0], made) for made in found if made.identifiers]
            if len(works) < min(limit, _PAGE):
                break
            page += 1
        return ExternalFound(query, total, tuple(hits[:limit]))

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`: by DOI, and by PMID where there is none; many in one request."""
        dois = list(dict.fromkeys(s.doi for s in sources if s.doi and not set("|,") & set(s.doi)))
        pmids = list(dict.fromkeys(s.pmid for s in sources if s.pmid and not s.doi))
        known: list[Metadata] = []
        for kind, names in (("doi", dois), ("pmid", pmids)):
            for start in range(0, len(names), TOGETHER):
                some = names[start : start + TOGETHER]
                said = await self._works({"filter": f"{kind}:{'|'.join(some)}", "per-page": str(_PAGE)})
                known += [metadata_of(work) for work in objects(said, "results")]
        for name in dict.fromkeys(
            s.doi for s in sources if set("|,") & set(s.doi)
        ):  # these two part what is filtered by
            if (looked := await self.look(Identifiers(doi=name))) is not None:
                known.append(looked.metadata)
        return tuple(next((said for said in known if either(source, said.identifiers)), None) for source in sources)

    async def _works(self, asked: dict[str, str]) -> Found:
        answer = await self._client.ask(self._service, "/works", asked)
        if answer is None:
            raise moved("OpenAlex")
        said = json_object(answer, "OpenAlex")
        if not isinstance(said.get("results"), list):
            raise Transient("OpenAlex answered without works")
        return said


def _path(identifiers: Identifiers) -> str:
    if identifiers.doi:
        return f"doi:{identifiers.doi}"
    if identifiers.pmid:
        return f"pmid:{identifiers.pmid}"
    return f"pmcid:{identifiers.pmcid}" if identifiers.pmcid else ""


def _copies(client: Polite, work: Found) -> Iterator[Copy]:
    """Open places of a work, the best first: PDFs, and pages of publishers that an open licence covers."""
    title = without_marks(text(work, "title") or text(work, "display_name"))
    places = (*objects(work, "best_oa_location"), *objects(work, "locations"))
    for place in places:
        if at(place, "is_oa") is not True:
            continue
        pdf, page = text(place, "pdf_url"), text(place, "landing_page_url")
        if pdf:
            yield open_copy(client, pdf, "pdf", title)
        elif page and is_open(text(place, "license")) and text(place, "source", "type") == "journal":
            yield open_copy(client, page, "page", title)


def metadata_of(work: Found) -> Metadata:
    """What a work says of itself."""
    is_oa = at(work, "open_access", "is_oa")
    access: Access = "open" if is_oa is True else "restricted" if is_oa is False else "unknown"
    kind = text(work, "type")
    return Metadata(
        title=without_marks(text(work, "title") or text(work, "display_name")),
        authors=tuple(name for each in objects(work, "authorships") if (name := text(each, "author", "display_name"))),
        journal=text(work, "primary_location", "source", "display_name"),
        year=year(work, "publication_year"),
        kind=kind,
        language=text(work, "language"),
        licence=licence(text(work, "best_oa_location", "license") or text(work, "primary_location", "license")),
        access=access,
        url=text(work, "primary_location", "landing_page_url") or text(work, "id"),
        identifiers=Identifiers(
            doi(text(work, "doi")), pmid(text(work, "ids", "pmid")), pmcid(text(work, "ids", "pmcid"))
        ),
        signals=tuple(_signals(work, kind)),
        headings=tuple(name for heading in objects(work, "mesh") if (name := text(heading, "descriptor_name"))),
    )


def _signals(work: Found, kind: str) -> Iterator[Signal]:
    if at(work, "is_retracted") is True:
        yield Signal("retracted", "OpenAlex: is_retracted", text(work, "id"))
    if kind in _NOTICES:
        yield Signal(_NOTICES[kind], "OpenAlex: type", kind)


def abstract_of(work: Found) -> str:
    """The abstract, its words put back where the index says that they stand."""
    index = at(work, "abstract_inverted_index")
    placed: dict[int, str] = {}
    for word, places in index.items() if isinstance(index, Mapping) else ():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < _LONGEST_ABSTRACT:
                placed[place] = str(word)
    return " ".join(word for _, word in sorted(placed.items()))


def _escaped(words: str) -> str:
    """Words are no marks, whatever signs they hold."""
    return words.replace("&", "&amp;").replace("<", "&lt;")
