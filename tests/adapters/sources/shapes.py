"""Answers of the services in the shapes that they document, cut to what matters; written by hand."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

DOI = "10.1371/journal.pone.0000217"
PMID = "17299597"
PMCID = "PMC1790863"
PAPER = "2301.00001"

Shape = dict[str, Any]


def europe(**instead: Any) -> Shape:
    """A record of Europe PMC's `core` results."""
    return {
        "id": PMID,
        "source": "MED",
        "pmid": PMID,
        "pmcid": PMCID,
        "fullTextIdList": {"fullTextId": [PMCID]},
        "doi": DOI,
        "title": "Impact of <i>statins</i> on risk &amp; recovery.",
        "authorString": "Ray WA, Example Group.",
        "authorList": {
            "author": [
                {"fullName": "Ray WA", "firstName": "Wayne A", "lastName": "Ray", "initials": "WA"},
                {"collectiveName": "Example Group"},
            ]
        },
        "journalInfo": {"volume": "2", "journal": {"title": "PloS one", "issn": "1932-6203"}},
        "pubYear": "2007",
        "abstractText": "<h4>Background</h4>Statins may help.<h4>Results</h4>They did, by 10<sup>2</sup> units.",
        "language": "eng",
        "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
        "meshHeadingList": {"meshHeading": [{"majorTopic_YN": "N", "descriptorName": "Humans"}]},
        "isOpenAccess": "Y",
        "inEPMC": "Y",
        "hasPDF": "Y",
        "license": "cc by",
        **instead,
    }


def europe_found(*records: Shape, **instead: Any) -> Shape:
    """Results of a search of Europe PMC."""
    return {
        "version": "6.9",
        "hitCount": len(records),
        "nextCursorMark": "*",
        "request": {"resultType": "CORE", "pageSize": 25},
        "resultList": {"result": list(records)},
        **instead,
    }


def links(*entries: tuple[str, str, str]) -> Shape:
    """A `commentCorrectionList` of (type, source, id)."""
    made = [{"type": kind, "source": source, "id": name, "reference": "J. 2010;1:2."} for kind, source, name in entries]
    return {"commentCorrection": made}


def article(body: str = "<body><sec><title>Results</title><p>They did.</p></sec></body>") -> str:
    """A full text of Europe PMC, or of PubMed Central."""
    return (
        '<article article-type="research-article"><front><article-meta>'
        f'<article-id pub-id-type="pmid">{PMID}</article-id>'
        f'<article-id pub-id-type="doi">{DOI}</article-id><title-group><article-title>Impact of statins</article-title>'
        f"</title-group><abstract><p>Statins may help.</p></abstract></article-meta></front>{body}</article>"
    )


def central(*articles: str) -> str:
    """What `efetch` gives of PubMed Central."""
    return f'<?xml version="1.0" ?><pmc-articleset>{"".join(articles)}</pmc-articleset>'


CLOSED = "<!--The publisher of this article does not allow downloading of the full text in XML form.-->"


def record(pmid: str = PMID, *, links: str = "", types: str = "", pmcid: str = "", doi: str = DOI) -> str:
    """A record of PubMed."""
    ids = f'<ArticleId IdType="pubmed">{pmid}</ArticleId><ArticleId IdType="doi">{doi}</ArticleId>'
    ids += f'<ArticleId IdType="pmc">{pmcid}</ArticleId>' if pmcid else ""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{pmid}</PMID><Article>'
        "<Journal><Title>PloS one</Title><JournalIssue><PubDate><Year>2007</Year></PubDate></JournalIssue></Journal>"
        f"<ArticleTitle>Impact of statins {pmid}</ArticleTitle><Abstract><AbstractText>Statins may help.</AbstractText>"
        "</Abstract><PublicationTypeList><PublicationType>Journal Article</PublicationType>"
        f"{types}</PublicationTypeList>"
        f"</Article><CommentsCorrectionsList>{links}</CommentsCorrectionsList></MedlineCitation><PubmedData>"
        f"<ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>"
    )


def records(*made: str) -> str:
    """What `efetch` gives of PubMed."""
    return (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
        f"<PubmedArticleSet>{''.join(made)}</PubmedArticleSet>"
    )


def pubmed_error(words: str) -> str:
    """What `efetch` gives instead, with the status of a success."""
    return f'<?xml version="1.0" encoding="UTF-8" ?>\n<eFetchResult>\n\t<ERROR>{escape(words)}</ERROR>\n</eFetchResult>'


def searched(*ids: str, count: int | None = None) -> Shape:
    """What `esearch` gives with its history."""
    return {
        "header": {"type": "esearch", "version": "0.3"},
        "esearchresult": {
            "count": str(len(ids) if count is None else count),
            "retmax": str(len(ids)),
            "retstart": "0",
            "querykey": "1",
            "webenv": "MCID_0123456789",
            "idlist": list(ids),
            "querytranslation": "statins[All Fields]",
        },
    }


def work(**instead: Any) -> Shape:
    """A work of Crossref."""
    return {
        "DOI": DOI,
        "type": "journal-article",
        "title": ["Impact of <i>Statins</i> on risk &amp; recovery"],
        "container-title": ["PLoS ONE"],
        "author": [{"given": "Wayne A", "family": "Ray", "sequence": "first"}, {"name": "Example Group"}],
        "published": {"date-parts": [[2007, 2, 14]]},
        "language": "en",
        "license": [
            {"content-version": "tdm", "URL": "https://www.elsevier.com/tdm/userlicense/1.0/"},
            {"content-version": "vor", "URL": "https://creativecommons.org/licenses/by/4.0/"},
        ],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>Statins <jats:italic>may</jats:italic> help.</jats:p>",
        "resource": {"primary": {"URL": "https://dx.plos.org/10.1371/journal.pone.0000217"}},
        "URL": "https://doi.org/10.1371/journal.pone.0000217",
        "relation": {},
        **instead,
    }


def crossref_one(made: Shape) -> Shape:
    """Crossref's answer about one work."""
    return {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": made}


def crossref_many(*made: Shape) -> Shape:
    """Crossref's list of works."""
    message = {"total-results": len(made), "items": list(made), "items-per-page": 20}
    return {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}


def update(kind: str, doi: str, source: str = "retraction-watch") -> Shape:
    """An entry of `update-to` or `updated-by`."""
    when = {"date-parts": [[2010, 2, 6]], "date-time": "2010-02-06T00:00:00Z"}
    return {"DOI": doi, "type": kind, "label": kind.title(), "source": source, "updated": when, "record-id": "4036"}


def entry(paper: str = f"{PAPER}v1", *, comment: str = "", doi: str = "", summary: str = "We study rats.") -> str:
    """An entry of arXiv's feed."""
    told = f"<arxiv:comment>{escape(comment)}</arxiv:comment>" if comment else ""
    told += f"<arxiv:doi>{doi}</arxiv:doi>" if doi else ""
    return (
        f"<entry><id>http://arxiv.org/abs/{paper}</id><updated>2023-01-02T00:00:00Z</updated>"
        "<published>2023-01-01T00:00:00Z</published><title>On  rats,\n  and x &lt; y</title>"
        f"<summary>  {escape(summary)}\n</summary><author><name>Ann Example</name></author>{told}"
        f'<link title="pdf" href="http://arxiv.org/pdf/{paper}" rel="related" type="application/pdf"/></entry>'
    )


def feed(*entries: str, total: int | None = None) -> str:
    """A feed of arXiv."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{len(entries) if total is None else total}</opensearch:totalResults>"
        f"{''.join(entries)}</feed>"
    )


def arxiv_error(fragment: str, words: str) -> str:
    """What arXiv answers instead: a feed whose only entry is the error."""
    return feed(
        f"<entry><id>http://arxiv.org/api/errors{fragment}</id><title>Error</title><summary>{words}</summary></entry>"
    )


def openalex(**instead: Any) -> Shape:
    """A work of OpenAlex."""
    return {
        "id": "https://openalex.org/W2000000001",
        "doi": f"https://doi.org/{DOI}",
        "title": "Impact of Statins",
        "display_name": "Impact of Statins",
        "publication_year": 2007,
        "type": "article",
        "language": "en",
        "is_retracted": False,
        "ids": {"doi": f"https://doi.org/{DOI}", "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{PMID}"},
        "open_access": {"is_oa": True, "oa_status": "gold"},
        "primary_location": {
            "is_oa": True,
            "landing_page_url": f"https://doi.org/{DOI}",
            "pdf_url": None,
            "license": "cc-by",
            "source": {"display_name": "PLoS ONE", "type": "journal"},
        },
        "best_oa_location": None,
        "locations": [],
        "authorships": [{"author": {"display_name": "Wayne A. Ray"}}],
        "mesh": [{"descriptor_name": "Humans", "is_major_topic": False}],
        "abstract_inverted_index": {"may": [1], "Statins": [0, 3], "help": [2], "do": [4], "p<0.05": [5]},
        **instead,
    }


def unpaywall(pdf: str, **instead: Any) -> Shape:
    """What Unpaywall says of a DOI."""
    place = {
        "url": pdf,
        "url_for_pdf": pdf,
        "url_for_landing_page": f"https://doi.org/{DOI}",
        "license": "cc-by",
        "version": "publishedVersion",
        "host_type": "publisher",
    }
    return {
        "doi": DOI,
        "doi_url": f"https://doi.org/{DOI}",
        "title": "Impact of Statins",
        "genre": "journal-article",
        "year": 2007,
        "journal_name": "PLoS ONE",
        "is_oa": True,
        "best_oa_location": place,
        "oa_locations": [place],
        **instead,
    }


PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
PAGE = (
    b"<!DOCTYPE html><html><head><title>Down</title></head><body><h1>We are sorry</h1><p>Maintenance</p></body></html>"
)
