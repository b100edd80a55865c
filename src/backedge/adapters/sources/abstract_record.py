"""Writes title and abstract, as registries give them with their marks of HTML or JATS, as a small JATS article."""

from __future__ import annotations

import html
import re
from xml.sax.saxutils import escape

from backedge.evidence.sources import Delivery, Metadata

_TAG = re.compile(
    r"<(?P<end>/?)(?:jats:|mml:)?(?P<name>[a-zA-Z][a-zA-Z0-9-]*)"
    r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))*\s*/?>"
)
_HEADS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "title"})
_BLOCKS = frozenset({"p", "sec", "div", "br", "break", "list", "list-item", "ul", "ol", "li", "section", "abstract"})
_RAISED = frozenset({"sup", "sub"})
_INLINE = frozenset(
    {"i", "b", "em", "strong", "u", "span", "italic", "bold", "underline", "sc", "scp", "small", "tt", "font", "a"}
    | {"inline-formula", "tex-math", "math", "mrow", "mi", "mo", "mn", "msub", "msup", "mtext", "mstyle"}
    | {"alternatives", "ext-link", "xref", "named-content", "styled-content", "monospace"}
)
_KNOWN = _HEADS | _BLOCKS | _RAISED | _INLINE
_ABSTRACT = frozenset({"abstract", "summary"})


def without_marks(text: str) -> str:
    """A title on one line: known marks taken out, entities undone. What only looks like a mark (`p <a`) stays."""
    plain = _TAG.sub(lambda tag: "" if tag["name"].lower() in _KNOWN else tag[0], text)
    return " ".join(_readable(html.unescape(html.unescape(plain))).split())


def record_of(title: str, abstract: str, name: str, metadata: Metadata) -> Delivery:
    """The delivery of a record that has no more than that: the same title and abstract give the same bytes."""
    parts = "".join(_section(label, paragraphs) for label, paragraphs in _parts(abstract))
    content = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article><front><article-meta><title-group><article-title>'
        f"{escape(without_marks(title))}</article-title></title-group>"
        + (f"<abstract>{parts}</abstract>" if parts else "")
        + "</article-meta></front></article>\n"
    )
    return Delivery(content.encode(), "application/xml", name, metadata)


def _section(label: str, paragraphs: list[str]) -> str:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<sec><title>{escape(label)}</title>{body}</sec>" if label else body


def _parts(abstract: str) -> list[tuple[str, list[str]]]:
    """The paragraphs of an abstract below their labels; what stands before the first label has none."""
    found: list[tuple[str, list[str]]] = [("", [])]
    pieces: list[str] = []
    heading = False
    for text, name, ends in _tokens(abstract):
        pieces.append(escape(_readable(text)))
        if name in _RAISED:
            pieces.append(f"</{name}>" if ends else f"<{name}>")
        elif name in _HEADS or name in _BLOCKS or not name:
            said = _balanced(" ".join("".join(pieces).split()))
            pieces = []
            if said and heading:
                label = html.unescape(re.sub(r"<[^<>]*>", "", said)).rstrip(":")
                found.append(("" if label.lower() in _ABSTRACT else label, []))
            elif said:
                found[-1][1].append(said)
            heading = name in _HEADS and not ends
    return [(label, paragraphs) for label, paragraphs in found if paragraphs]


def _tokens(abstract: str) -> list[tuple[str, str, bool]]:
    """The text before each known mark, with the mark's name and whether it ends; the last has no name."""
    found, start, text = [], 0, ""
    for tag in _TAG.finditer(abstract):
        name = tag["name"].lower()
        text += html.unescape(abstract[start : tag.start()])
        start = tag.end()
        if name in _KNOWN:
            found.append((text, name, bool(tag["end"])))
            text = ""
        else:
            text += tag[0]
    return [*found, (text + html.unescape(abstract[start:]), "", False)]


def _balanced(paragraph: str) -> str:
    """A paragraph in which raised and lowered text is marked only where the mark begins and ends."""
    kept = re.sub(r"<(su[bp])>([^<>]*)</\1>", "\\g<1>\x00\\g<2>\x01\\g<1>\x02", paragraph)
    kept = re.sub(r"</?su[bp]>", "", kept)
    return re.sub(r"(su[bp])\x00([^\x00-\x02]*)\x01\1\x02", r"<\1>\2</\1>", kept)


def _readable(text: str) -> str:
    """A text without what no XML may hold."""
    return "".join(
        sign
        for sign in text
        if sign in "\t\n\r" or ("\x20" <= sign < "\ud800") or "\ue000" <= sign < "\ufffe" or sign > "\uffff"
    )
