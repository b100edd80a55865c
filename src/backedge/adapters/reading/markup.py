"""Opens XML of strangers: no entity is expanded, nothing is fetched, what cannot be read is refused with a reason."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from lxml import etree

from backedge.adapters.reading.scripts import SCRIPTS, raised
from backedge.evidence.reading import Unparsed

_LIMITS = {etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_NAME_TOO_LONG, etree.ErrorTypes.ERR_ENTITY_LOOP}
_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_WHERE = re.compile(r" \(<string>, line \d+\)$")
_GREEK_NAMES = (
    "agr bgr ggr dgr egr zgr eegr thgr igr kgr lgr mgr ngr xgr ogr pgr rgr sfgr sgr tgr ugr phgr khgr psgr ohgr"
)
_GREEK = dict(zip(_GREEK_NAMES.split(), "αβγδεζηθικλμνξοπρςστυφχψω", strict=True))  # ISO 8879 Greek, not among HTML's
XLINK = "{http://www.w3.org/1999/xlink}href"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def opened(content: bytes, reader: str) -> etree._Element | Unparsed:
    """The root element of an XML document, or why there is none.

    Entities that the document declares itself are refused (`hostile`) rather than expanded, but for those that name
    pictures (NDATA). Named characters such as `&alpha;` stay in the tree as entities: `named_character` reads them.
    White space before the document is no damage.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content.lstrip(), parser)
    except etree.XMLSyntaxError as error:
        return _refused(error, reader)
    declared: Any = root.getroottree().docinfo.internalDTD
    for entity in () if declared is None else declared.iterentities():
        if not (entity.system_url and entity.content):
            message = f"Its DOCTYPE declares the entity {entity.name!r}: entities of a document are never expanded."
            return Unparsed("hostile", message, reader)
    if next(root.iter(_INCLUDE), None) is not None:
        return Unparsed(
            "hostile", "It includes other files (XInclude): nothing is ever fetched for a document.", reader
        )
    return root


def _refused(error: Any, reader: str) -> Unparsed:
    """What a syntax error of the parser means; its type does not declare the `code` that it has."""
    said = _WHERE.sub("", " ".join(str(error).split()))
    if error.code in _LIMITS:
        return Unparsed("hostile", f"It is beyond what an honest document needs: {said}.", reader)
    return Unparsed("corrupt", f"It is no well-formed XML: {said}. Fetch or export the file again.", reader)


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments, instructions and entities."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first element at a path of local names."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def children(element: etree._Element | None, *names: str) -> list[etree._Element]:
    """The child elements of these local names, in their order."""
    return [] if element is None else [inner for inner in element if local(inner) in names]


def plain(element: etree._Element | None) -> str:
    """All text within an element on one line; empty where there is no element. Raised digits stay apart, as `10^2`."""
    pieces: list[str] = []
    if element is not None:
        _gather(element, pieces)
    return " ".join("".join(pieces).split())


def _gather(element: etree._Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for inner in element:
        tag: object = inner.tag
        if isinstance(tag, str):
            before = "".join(pieces[-2:])[-1:]
            if before.isdecimal() and raised(inner.text or ""):
                pieces.append(SCRIPTS.get(local(inner), ""))
            _gather(inner, pieces)
        elif tag is etree.Entity:
            pieces.append(named_entity(inner))
        pieces.append(inner.tail or "")


def named_entity(entity: etree._Element) -> str:
    """What an entity of the tree stands for; where that is not known, the entity as it is written."""
    return named_character(str(getattr(entity, "name", ""))) or (entity.text or "")


def named_character(name: str | None) -> str:
    """What a named character of HTML and ISO sets stands for (`alpha`, `nbsp`, `mgr`), empty where it is not known."""
    return html5.get(f"{name};", "") or _GREEK.get(name or "", "")
