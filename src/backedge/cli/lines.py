"""Text of sources and models as a terminal may be given it: nothing in it moves the cursor or turns a line round."""

from __future__ import annotations

import re

# Control characters but for tabs and new lines, and the marks that turn the direction of what follows them.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """The text with what a terminal would obey replaced; its lines stay."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str, most: int) -> str:
    """The text in one line of at most `most` characters; what is left out is shown as ….

    Arabic, Chinese and other letters count as one each.
    """
    line = plain(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"
