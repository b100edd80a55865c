"""Keeps raised and lowered digits apart from those on the line: 10 with a raised 2 is written `10^2`, never `102`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from backedge.adapters.reading.building import Builder

_NUMBER = re.compile(r"[+\-\u2010-\u2015\u2212±]?\s*\d")  # a number, or a sign with one behind it
SCRIPTS = {"sup": "^", "sub": "_"}
"""Elements whose text is raised or lowered, and the sign that keeps a digit in them from one before them."""


def raised(text: str) -> bool:
    """Whether text would be taken as part of a number that it touches: it begins with a digit or a sign and a digit."""
    return bool(_NUMBER.match(text.lstrip()))


@dataclass
class Scripts:
    """Writes flowing text with raised and lowered parts.

    Letters, marks and charges stay as they are (`m2`, `CD4+`, `12.3a`). Only where a digit of one level would touch a
    digit of another a sign divides them: `^` before what is raised, `_` before what is lowered, a space behind it.
    """

    builder: Builder
    _sign: str = ""
    _ended: int = -1

    @contextmanager
    def script(self, sign: str) -> Iterator[None]:
        """What flows within is raised (`^`) or lowered (`_`)."""
        before, after_another = self._sign, self._ended == self.builder.length
        self._sign = "" if after_another else sign
        self._ended = -1
        yield
        self._sign = before
        self._ended = self.builder.length

    def flow(self, text: str) -> None:
        """Write text of the level that it stands on."""
        if not text.strip():
            self.builder.flow(text)
            return
        touches = self.builder.last().isdecimal()
        if self._sign and touches and raised(text):
            self.builder.add(self._sign)
        elif not self._sign and touches and self._ended == self.builder.length and text[0].isdecimal():
            self.builder.flow(" ")
        self._sign = ""
        self.builder.flow(text)
