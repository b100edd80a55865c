"""Reads answers of services: JSON and XML that may hold anything, taken apart without a surprise."""

from __future__ import annotations

import json
from typing import TypeAlias

from lxml import etree

from backedge.adapters.sources.polite import Answer
from backedge.kernel.defect import Permanent, Transient

Found: TypeAlias = dict[str, object]
"""An object of JSON whose members may be of any kind, or not there."""

MARKUP = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_pis=True)


def json_object(answer: Answer, name: str) -> Found:
    """The object that an answer is. Raises `Transient` where it is none: half an answer, or a page about an error."""
    try:
        said = json.loads(answer.content)
    except (ValueError, RecursionError) as error:
        raise Transient(f"{name} did not answer in JSON: it has trouble, or the answer was cut") from error
    if not isinstance(said, dict):
        raise Transient(f"{name} answered with JSON that is no answer")
    return said


def xml_root(answer: Answer, name: str) -> etree._Element:
    """The root element of an answer; nothing in it is expanded or fetched. Raises `Transient` where it is none."""
    try:
        root = etree.fromstring(answer.content.strip(), MARKUP)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Transient(f"{name} did not answer in XML: it has trouble, or the answer was cut") from error
    if local(root).lower() == "html":
        raise Transient(f"{name} answered with a page instead of XML: it has trouble")
    return root


def moved(name: str) -> Permanent:
    """The failure of a service that has nothing at the address of its list."""
    return Permanent(f"{name} has nothing where its list was: it has moved", mend="look for a newer backedge")


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def at(found: object, *path: str) -> object:
    """What is at a path of names; None where a step of it is missing or no object."""
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def text(found: object, *path: str) -> str:
    """A text or number at a path, on one line; empty where there is neither. Of several texts it is the first."""
    value = at(found, *path)
    if isinstance(value, list):
        value = next((each for each in value if isinstance(each, str) and each.strip()), "")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return " ".join("".join(sign for sign in str(value) if sign.isprintable() or sign.isspace()).split())


def texts(found: object, *path: str) -> tuple[str, ...]:
    """All texts of a list at a path, those that say something; a single text counts as one of them."""
    value = at(found, *path)
    values = value if isinstance(value, list) else [value]
    return tuple(said for each in values if isinstance(each, str) and (said := text({"": each}, "")))


def objects(found: object, *path: str) -> tuple[Found, ...]:
    """All objects of a list at a path; a single object counts as one of them."""
    value = at(found, *path)
    values = value if isinstance(value, list) else [value]
    return tuple(each for each in values if isinstance(each, dict))


def number(found: object, *path: str) -> int | None:
    """A whole number at a path, written as one or as a text; None where there is none."""
    value = text(found, *path)
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 16 else None


def year(found: object, *path: str) -> int:
    """A year at a path; 0 where there is none that can be."""
    value = text(found, *path)[:4]
    return int(value) if len(value) == 4 and value.isascii() and value.isdecimal() else 0
