"""Text as Markdown that renders to that text and nothing else, whatever stands in it."""

from __future__ import annotations

import re

# What is markup anywhere in a line. `:` opens an address, an emoji or a directive only where something follows it.
_ANYWHERE = re.compile(r"[\\`*_\[\]{}<>&~|$@!^]|:(?=[^\s\d])|(?<!\d):(?=\d)|(?<=\b[wW]{3})\.")
_AT_START = re.compile(r"[#+\-=:](?!\\)|\d{1,9}(?P<mark>[.)])")
_BLANK_LINES = re.compile(r"\n\s*\n")
# What CommonMark folds, strips or ends lines at is written as an entity, which it hands on as it is.
_ENTITIES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_SPACE_AT_END = re.compile(r"\A[^\S\x0b\x1c-\x1f\x85]+|[^\S\x0b\x1c-\x1f\x85]+\Z")


def escaped(text: str) -> str:
    """One line of Markdown that renders to the text, letter for letter (NUL, which none can hold, as U+FFFD)."""
    found = _ANYWHERE.sub(lambda sign: f"\\{sign[0]}", text.replace("\0", "\ufffd"))
    if start := _AT_START.match(found):
        at = start.start("mark") if start["mark"] else 0
        found = f"{found[:at]}\\{found[at:]}"
    for sign, entity in _ENTITIES.items():
        found = found.replace(sign, entity)
    return _SPACE_AT_END.sub(lambda spaces: "".join(f"&#{ord(sign)};" for sign in spaces[0]), found)


def paragraphs(text: str) -> str:
    """Prose as Markdown: its paragraphs, and its line breaks within them."""
    found = []
    for paragraph in _BLANK_LINES.split(text.strip()):
        lines = [escaped(line.strip()) for line in paragraph.splitlines() if line.strip()]
        found.append("\\\n".join(lines))
    return "\n\n".join(each for each in found if each)
