"""What a content that is a version already changes: a damaged text is mended, and what came back counts again."""

from __future__ import annotations

import hashlib

from backedge.evidence import kinds
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.library import Library
from backedge.evidence.reading import Unparsed
from backedge.evidence.sources import Fetched
from backedge.evidence.versions import Returned, Version
from backedge.kernel.defect import Permanent


async def came_back(version: Version, fetched: Fetched, library: Library) -> Returned | None:
    """That the version counts again: another one counted until now, and the same place brings this one.

    Two places, such as two files, may hold two versions of one source for as long as they like.
    """
    current, last = await library.current(version.source), await library.returned(version.source)
    if current is None or current.content == version.content:
        return None
    brought = last.fetched if last else current.fetched
    if (brought.adapter, brought.identifier) != (fetched.adapter, fetched.identifier):
        return None
    number = len(await library.all(kinds.RETURNED, f"{version.source}/")) + 1
    newest = max(each.number for each in await library.versions(version.source))
    return Returned(version.source, number, version.content, newest, fetched)


async def mended(version: Version, ports: IngestPorts) -> str:
    """Write the text of a version anew where what is kept of it is damaged or gone; says so.

    Raises `Permanent` where its content is read otherwise today: places in its text would be wrong.
    """
    kept = await ports.library.one(kinds.TEXT, version.content)
    if kept is None:
        return ""
    try:
        await ports.contents.get(kept.text)
    except Permanent as damage:
        fetched = version.fetched
        read = await ports.reader.read(await ports.contents.get(fetched.content), fetched.media_type, fetched.name)
        text = b"" if isinstance(read, Unparsed) else read.text.encode("utf-8")
        if hashlib.sha256(text).hexdigest() != kept.text:
            said = f"{damage.message}; it was read by {kept.reader}, and {ports.reader.version} reads it otherwise"
            raise Permanent(said, mend="restore the file from a backup") from damage
        await ports.contents.put(text)
        return "its text, which was damaged, is written anew"
    return ""
