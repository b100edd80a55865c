"""Identifiers as people and publishers write them, made one spelling each; what is none gives nothing."""

from __future__ import annotations

import re
from urllib.parse import unquote

from backedge.evidence.sources import Identifiers

_LONGEST = 2_000
_EDGES = " \t\r\n\f\v\u00a0\u200b\ufeff"
_OPENING = "<([{\"'“‘«"
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_STOPS = ".,;:!?\"'”’»…"
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_REFUSED_IN_DOI = frozenset('\\?%"`^|')
_SICI_END = re.compile(r";\d-(?:#|%23)$")  # the check character of an SICI may be a number sign

_URL = r"(?:https?://)?(?:www\.)?"
_DOI_BEFORE = re.compile(
    rf"(?:(?P<url>(?:{_URL}(?:dx\.)?doi\.org/))|info:doi/|urn:doi:|doi\s*:|doi\s+|doi(?=10\.))\s*", re.IGNORECASE
)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/(?P<suffix>.+)", re.DOTALL)
_IN_ADDRESS = re.compile(r"(?:https?:)?//[^/\s?#]+/(?:[^\s]{0,200}?[/=])?(10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s?#&]+)")
_PAGE_OF_IT = re.compile(
    r"(?:/(?:full|fulltext|abstract|pdf|epdf|epub|meta|summary|references|html))+/?$|\.(?:full|pdf|html?)$|/$",
    re.IGNORECASE,
)
_PATH_TRICK = re.compile(r"(?:^|/)\.{1,2}(?:/|$)")

_TAIL = r"(?:[/?#].*)?"
_PMID = re.compile(
    r"(?:pmid|pubmed\s*id|pubmed)\s*[:#]?\s*(?P<named>[0-9]{1,12})"
    rf"|{_URL}pubmed\.ncbi\.nlm\.nih\.gov/(?P<pubmed>[0-9]{{1,12}}){_TAIL}"
    rf"|{_URL}ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/(?P<old>[0-9]{{1,12}}){_TAIL}"
    rf"|{_URL}europepmc\.org/(?:article|abstract)/med/(?P<europe>[0-9]{{1,12}}){_TAIL}"
    r"|(?P<bare>[0-9]{1,12})",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"(?:pmcid\s*[:#]?\s*|pmc\s*id\s*[:#]?\s*)(?:pmc)?(?P<named>[0-9]{1,9})(?:\.[0-9]+)?"
    r"|pmc\s*:?\s*(?P<plain>[0-9]{1,9})(?:\.[0-9]+)?"
    rf"|{_URL}(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/(?:pmc)?(?P<pmc>[0-9]{{1,9}})"
    rf"(?:\.[0-9]+)?{_TAIL}"
    rf"|{_URL}europepmc\.org/(?:articles?/|article/pmc/|abstract/pmc/)pmc(?P<europe>[0-9]{{1,9}}){_TAIL}",
    re.IGNORECASE,
)
_ARCHIVES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga "
    "econ eess funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics "
    "plasm-ph q-alg q-bio q-fin quant-ph solv-int stat supr-con"
)
_OLD = rf"(?P<archive>{'|'.join(_ARCHIVES.split())})(?:\.[a-z]{{2,4}}(?:-[a-z]{{2,4}})?)?/(?P<old>[0-9]{{7}})"
_ARXIV = re.compile(
    r"(?:arxiv\s*:\s*|arxiv\s+|10\.48550/arxiv\.|(?P<url>"
    rf"{_URL}(?:export\.)?arxiv\.org/(?:abs|pdf|html|ps|format|src|e-print)/"
    rf"|{_URL}ar5iv\.(?:labs\.arxiv\.)?org/(?:abs|html)/))?"
    rf"(?:(?P<new>[0-9]{{4}}\.[0-9]{{4,5}})|{_OLD})(?P<version>v[1-9][0-9]{{0,2}})?"
    r"(?:\.pdf)?(?:\s*\[[a-z.-]+\](?:\s.*)?)?(?(url)(?:[?#].*)?)",
    re.IGNORECASE,
)


def doi(text: str) -> str:
    """The DOI that a text is, with ASCII letters small: bare, after `doi:`, or as an address of doi.org."""
    text = _cleaned(text)
    before, is_url = _DOI_BEFORE.match(text), False
    while before:
        is_url = is_url or bool(before["url"])
        text = text[before.end() :].lstrip(_EDGES + "<")
        before = _DOI_BEFORE.match(text)
    if is_url and not _SICI_END.search(text):
        text = re.split(r"[?#]", text, maxsplit=1)[0].rstrip("/")
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    decoded = _trimmed(_decoded(text))
    found = _DOI.fullmatch(decoded)
    if not found or not _is_sound(found["suffix"]):
        return ""
    return "".join(letter.lower() if letter.isascii() else letter for letter in decoded)


def doi_in(address: str) -> str:
    """The DOI that a publisher's address holds, such as `https://x.org/doi/full/10.1000/182`; else nothing."""
    found = _IN_ADDRESS.match(_decoded(_cleaned(address)))
    return doi(_PAGE_OF_IT.sub("", found[1])) if found else ""


def pmid(text: str) -> str:
    """The PubMed number that a text is: bare, after `PMID:`, or as an address of PubMed or Europe PMC."""
    found = _PMID.fullmatch(_trimmed(_cleaned(text)))
    number = next((part for part in found.groups() if part), "") if found else ""
    number = number.lstrip("0")
    return number if len(number) <= 8 else ""


def pmcid(text: str) -> str:
    """The PubMed Central id that a text is, such as `PMC123`; a version behind it (`PMC123.1`) is left out."""
    found = _PMCID.fullmatch(_trimmed(_cleaned(text)))
    number = next((part for part in found.groups() if part), "").lstrip("0") if found else ""
    return f"PMC{number}" if number else ""


def arxiv(text: str) -> tuple[str, str]:
    """The arXiv number that a text is, and its version (`v2`) or nothing: new (`2101.00001`) or old (`hep-th/9901001`).

    The subject class of an old number (`math.GT/…`) is left out, as arXiv does.
    """
    found = _ARXIV.fullmatch(_trimmed(_cleaned(text)))
    if not found:
        return "", ""
    version = (found["version"] or "").lower()
    if found["new"]:
        return (found["new"], version) if _is_new_number(found["new"]) else ("", "")
    is_month = "01" <= found["old"][2:4] <= "12"
    return (f"{found['archive'].lower()}/{found['old']}", version) if is_month else ("", "")


def identified(text: str) -> Identifiers:
    """What a text names, typed or pasted, as one identifier; several beside each other are none.

    A bare number is a PubMed number where it has five to eight digits. The DOI of an arXiv number names that one too.
    """
    named, number = doi(text), pmid(text)
    if len(_trimmed(_cleaned(text))) < 5:
        number = ""
    return Identifiers(doi=named, pmid=number, pmcid=pmcid(text), arxiv=arxiv(named or text)[0])


def _cleaned(text: str) -> str:
    """The text without white space around it; nothing where it holds what no identifier does."""
    text = text[: _LONGEST + 1].strip(_EDGES)
    if len(text) > _LONGEST or not all(letter.isprintable() or letter == "\u00a0" for letter in text):
        return ""
    return text.lstrip(_OPENING + _EDGES)


def _trimmed(text: str) -> str:
    """The text without punctuation behind it, and without brackets that close what is not open."""
    while text:
        last = text[-1]
        opens = _CLOSING.get(last)
        if last not in _STOPS and last not in _EDGES and (opens is None or text.count(opens) >= text.count(last)):
            break
        text = text[:-1]
    return text


def _decoded(text: str) -> str:
    """The text with its percent-encoding undone; nothing where it is encoded wrongly."""
    if "%" not in text:
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return ""


def _is_sound(suffix: str) -> bool:
    """Whether it can be the part of a DOI behind its slash, and no path to elsewhere."""
    readable = suffix.isprintable() and not any(letter.isspace() for letter in suffix)
    return readable and not _REFUSED_IN_DOI.intersection(suffix) and not _PATH_TRICK.search(suffix)


def _is_new_number(number: str) -> bool:
    """Numbers have four digits behind the point until 2014, and five from 2015."""
    month, digits = number.split(".")
    return "01" <= month[2:] <= "12" and month >= "0704" and len(digits) == (4 if month < "1501" else 5)
