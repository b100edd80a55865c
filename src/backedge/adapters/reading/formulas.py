"""Formulas as plain text on one line: MathML, and TeX without its frame."""

from __future__ import annotations

import re

from lxml import etree

from backedge.adapters.reading.markup import local, plain

_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_SIGNS = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "", "munder": ""}
_DROPPED = frozenset({"annotation", "annotation-xml", "maction", "none", "mprescripts", "mphantom"})
_SIMPLE = re.compile(r"[\w.∞′*]*")


def math_text(element: etree._Element) -> str:
    """A MathML element on one line: `x^2`, `(a+b)/c`, `√(x)`, `x_i^2`; its letters and signs as they are."""
    name = local(element)
    if name in _DROPPED:
        return ""
    inner = [math_text(part) for part in element if local(part)]
    if name in _SIGNS and len(inner) == 2:
        return _joined(_SIGNS[name], *inner)
    if name == "msubsup" and len(inner) == 3:
        return f"{inner[0]}_{_held(inner[1])}^{_held(inner[2])}"
    if name in ("msqrt", "mroot"):
        return "√" + _held("".join(inner))
    if name == "mfenced":
        separator = element.get("separators", ",").strip()[:1]
        return element.get("open", "(") + separator.join(inner) + element.get("close", ")")
    if name == "mtr":
        return " ".join(inner) + " "
    return "".join(inner) if inner else plain(element)


def tex_text(element: etree._Element) -> str:
    """A TeX formula without the document that it is wrapped in."""
    source = "".join(str(piece) for piece in element.itertext())
    framed = _DOCUMENT.search(source)
    return " ".join((framed[1] if framed else source).replace("$$", " ").split())


def _joined(sign: str, first: str, second: str) -> str:
    if sign == "/":
        return f"{_held(first)}/{_held(second)}"
    return first + sign + (_held(second) if sign else second)


def _held(text: str) -> str:
    """In brackets, where what stands behind it could be taken as part of it."""
    return text if _SIMPLE.fullmatch(text) else f"({text})"
