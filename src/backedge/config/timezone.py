"""Time zones of projects and agents: names of the IANA database."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from backedge.config.problem import Problem, nearest
from backedge.config.yaml_file import Block


def check_timezone(file: str, tree: Block) -> Iterator[Problem]:
    """An error where the file's `timezone` is no name of the IANA database."""
    name = str(tree.get("timezone") or "")
    if not name:
        return
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = available_timezones()
        message = f"unknown time zone `{name}`: write an IANA name such as `Europe/Paris`, or `UTC`"
        yield Problem(file, tree.lines["timezone"], message, near=nearest(name, known))
