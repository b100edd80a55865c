"""Statements of licences, of which each registry has its own spelling, as one: `CC BY-NC-ND 4.0`."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:licen[sc]es/(?P<kind>[a-z-]+)|publicdomain/(?P<public>zero|mark))"
    r"(?:/(?P<version>\d(?:\.\d)?))?(?:/.*)?",
    re.IGNORECASE,
)
_SHORT = re.compile(r"cc[ -](?P<kind>by(?:[ -](?:nc|nd|sa))*)(?:[ -/]v?(?P<version>\d\.\d))?", re.IGNORECASE)
_PUBLIC = {"cc0": "CC0", "cc 0": "CC0", "cc-0": "CC0", "public-domain": "public domain", "pd": "public domain"}


def licence(statement: str) -> str:
    """The statement, spelled in one way where it is a licence of Creative Commons; else as it is."""
    said = " ".join(statement.split())
    if found := _ADDRESS.fullmatch(said):
        if found["public"]:
            name = "CC0" if found["public"].lower() == "zero" else "public domain"
        else:
            name = f"CC {found['kind'].upper()}"
        return f"{name} {found['version']}" if found["version"] else name
    if found := _SHORT.fullmatch(said):
        name = f"CC {found['kind'].upper().replace(' ', '-')}"
        return f"{name} {found['version']}" if found["version"] else name
    return _PUBLIC.get(said.lower(), said)


def is_open(statement: str) -> bool:
    """Whether a statement lets everybody read: a licence of Creative Commons, or the public domain."""
    return licence(statement).startswith(("CC ", "CC0", "public domain"))
