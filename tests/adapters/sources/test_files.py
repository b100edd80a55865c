"""Files of the user: what is read, what is refused and why, and what a folder, a set and a list hold."""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

import pytest

from backedge.adapters.reading import medline
from backedge.adapters.sources.files import MOST_BYTES, FileSource
from backedge.adapters.sources.listing import Listing, listed
from backedge.evidence.sources import Delivery, Metadata
from backedge.kernel.defect import Permanent

T = TypeVar("T")

RECORD = b"<PubmedArticle><MedlineCitation><PMID>%d</PMID></MedlineCitation></PubmedArticle>"
SET = b"<PubmedArticleSet>" + b"".join(RECORD % number for number in (11, 12, 13)) + b"</PubmedArticleSet>"


async def described(content: bytes, media_type: str, name: str) -> Metadata:
    return Metadata(title=f"{media_type} {name} {len(content)}")


async def unpacked(content: memoryview, into: BinaryIO) -> dict[str, tuple[int, int]]:
    found = {}
    for key, body in medline.records(bytes(content)):
        found[key] = (into.tell(), into.write(body))
    return found


def source(folder: Path, *, only: bool = False) -> FileSource:
    return FileSource(folder, described, unpacked, only=only)


def used(opened: FileSource, use: Callable[[FileSource], Awaitable[T]]) -> T:
    async def work() -> T:
        try:
            return await use(opened)
        finally:
            await opened.close()

    return asyncio.run(work())


def fetched(folder: Path, identifier: str, *, only: bool = False) -> Delivery:
    return used(source(folder, only=only), lambda opened: opened.fetch(identifier))


def refused(folder: Path, identifier: str, *, only: bool = False) -> Permanent:
    with pytest.raises(Permanent) as caught:
        fetched(folder, identifier, only=only)
    assert caught.value.mend
    return caught.value


def found(folder: Path, path: str, *, only: bool = False) -> Listing:
    return used(source(folder, only=only), lambda opened: listed(opened, path))


def names(listing: Listing) -> list[str]:
    return [entry.identifier for entry in listing.entries]


def test_a_file_is_brought_with_what_it_says_of_itself(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Mice and lamps.PDF").write_bytes(b"%PDF-1.7")
    brought = fetched(tmp_path, "sub/Mice and lamps.PDF")
    assert brought == Delivery(
        b"%PDF-1.7", "application/pdf", "Mice and lamps.PDF", Metadata(title="application/pdf Mice and lamps.PDF 8")
    )
    assert fetched(tmp_path, str(tmp_path / "sub/../sub/Mice and lamps.PDF")) == brought
    assert fetched(tmp_path / "sub", "../sub/Mice and lamps.PDF", only=True) == brought


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/hostname", "sub/../../secret.txt", "a\0b.txt", "a\nb.txt", "", "/proc/self/environ"]
)
def test_a_path_may_not_lead_out_of_a_folder_that_is_set(tmp_path: Path, path: str) -> None:
    (tmp_path / "papers" / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    refused(tmp_path / "papers", path, only=True)


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "papers" / "a.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "papers" / "up").symlink_to(tmp_path)
    (tmp_path / "papers" / "loop.txt").symlink_to("loop.txt")
    assert "symbolic link" in refused(tmp_path / "papers", "a.txt").message
    assert "symbolic link" in refused(tmp_path / "papers", "up/secret.txt", only=True).message
    assert "symbolic link" in refused(tmp_path / "papers", "loop.txt").message


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert "pipe" in refused(tmp_path, "pipe.txt").message
    assert "pipe, socket or device" in refused(tmp_path, "/dev/zero").message
    assert "folder" in refused(tmp_path, ".").message
    assert "no such file" in refused(tmp_path, "none.txt").message
    assert "too long" in refused(tmp_path, "a" * 300).message


def test_a_file_that_is_too_large_is_never_read(tmp_path: Path) -> None:
    with (tmp_path / "large.pdf").open("wb") as file:
        file.truncate(200 << 20)
    message = refused(tmp_path, "large.pdf").message
    assert ("too_large" in message, "209,715,200 bytes" in message) == (True, True)  # its size, not what was read of it
    with (tmp_path / "large.pdf").open("r+b") as file:
        file.truncate(MOST_BYTES + 1)
    assert "too_large" in refused(tmp_path, "large.pdf").message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "a.txt").chmod(0)
    assert "may not be read" in refused(tmp_path, "a.txt").message


def test_an_error_of_the_system_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("text")

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    assert "may not be read" in refused(tmp_path, "a.txt").message


def test_a_folder_gives_its_files_and_says_what_it_passes_over(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    for path in ("b.pdf", "a/2.XML", "a/1.nxml", "c.txt.bak", ".hidden/x.pdf", ".x.pdf", "d.xml.gz"):
        (papers / path).parent.mkdir(parents=True, exist_ok=True)
        (papers / path).write_bytes(b"<article/>")
    (papers / "in.pdf").symlink_to("b.pdf")
    (papers / "out.pdf").symlink_to(tmp_path / "secret.pdf")
    (papers / "round").symlink_to(papers)
    os.mkfifo(papers / "pipe.pdf")
    (papers / "new\nline.pdf").write_bytes(b"")
    listing = found(tmp_path, "papers")
    assert names(listing) == ["papers/a/1.nxml", "papers/a/2.XML", "papers/b.pdf", "papers/d.xml.gz"]
    why = {skipped.where: skipped.why for skipped in listing.skipped}
    assert {name.removeprefix("papers/"): said.split(";")[0] for name, said in why.items()} == {
        ".hidden": "it is hidden",
        ".x.pdf": "it is hidden",
        "c.txt.bak": "its kind is not known",
        "in.pdf": "it is a link within the folder",
        "out.pdf": "it is a link out of the folder",
        "round": "it is a link within the folder",
        "pipe.pdf": "it is a pipe, socket or device",
        "new\nline.pdf": "its name has characters that are no text",
    }
    assert all(fetched(tmp_path, name).content for name in names(listing))


def test_who_types_a_link_means_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "link").symlink_to("papers")
    assert names(found(tmp_path, "link")) == ["papers/a.pdf"]
    assert names(found(tmp_path, "link/a.pdf")) == ["papers/a.pdf"]
    with pytest.raises(Permanent, match="outside"):
        found(tmp_path / "papers", "../link", only=True)


@pytest.mark.parametrize("packed", [False, True])
def test_a_set_gives_its_records(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("set.xml.gz" if packed else "set.xml")
    path.write_bytes(gzip.compress(SET) if packed else SET)
    listing = found(tmp_path, ".")
    assert names(listing) == [f"{path.name}#pmid={number}" for number in (11, 12, 13)]

    async def each(opened: FileSource) -> list[Delivery]:
        brought = [await opened.fetch(name) for name in names(listing)]
        path.write_bytes(b"<PubmedArticleSet>" + RECORD % 14 + b"</PubmedArticleSet>")
        brought.append(await opened.fetch(f"{path.name}#pmid=14"))
        with pytest.raises(Permanent, match="no record of PMID 11"):
            await opened.fetch(f"{path.name}#pmid=11")
        return brought

    brought = used(source(tmp_path), each)
    assert [b"<PMID>%d</PMID>" % number in one.content for number, one in zip((11, 12, 13, 14), brought, strict=True)]
    assert all(one.content.count(b"<PubmedArticle>") == 1 for one in brought)
    assert (brought[0].name, brought[0].media_type) == (f"{path.name}#pmid=11", "application/xml")


def test_a_damaged_set_in_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "set.xml").write_bytes(SET[:-30])

    async def failing(content: memoryview, into: BinaryIO) -> dict[str, tuple[int, int]]:
        raise Permanent("the set cannot be read to its end", mend="export it again")

    listing = used(FileSource(tmp_path, described, failing), lambda opened: listed(opened, "."))
    assert (names(listing), listing.skipped[0].where) == (["a.txt"], "set.xml")


LIST = """title;Identifier
one;10.1000/ABC
two;PMID: 123
three;https://www.nature.com/articles/x
four;papers/a.pdf
five;../secret.pdf
six;
seven;what is this
eight;10.1000/ABC
nine;arXiv:2101.00001v2
"""


def test_a_list_gives_its_lines_and_names_the_bad_ones(tmp_path: Path) -> None:
    (tmp_path / "in" / "papers").mkdir(parents=True)
    (tmp_path / "in" / "papers" / "a.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "in" / "list.csv").write_text(LIST, encoding="utf-8-sig")
    listing = found(tmp_path, "in/list.csv")
    assert [(entry.identifier, entry.is_file) for entry in listing.entries] == [
        ("10.1000/ABC", False),
        ("PMID: 123", False),
        ("https://www.nature.com/articles/x", False),
        ("in/papers/a.pdf", True),
        ("arXiv:2101.00001v2", False),
    ]
    why = {skipped.where: skipped.why for skipped in listing.skipped}
    assert list(why) == ["list.csv:6", "list.csv:7", "list.csv:8", "list.csv:9"]
    assert why["list.csv:9"] == "it is the same as line 2"


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("10.1000/a\n10.1000/b\n", ["10.1000/a", "10.1000/b"]),
        ("doi\n10.1000/a\n", ["10.1000/a"]),
        ("12345\n67890\n", ["12345", "67890"]),
        ("pmid\n12345\n", ["12345"]),
        ("animal,weight\n100001,20.1\n100002,19.5\n", ["x.csv"]),
        ("10.1000/a,first\n10.1000/b,second\n", ["10.1000/a", "10.1000/b"]),
        ("group,weight (g)\nlit,20.1\ndark,10.1\n", ["x.csv"]),
    ],
)
def test_rows_of_values_are_no_list(tmp_path: Path, text: str, identifiers: list[str]) -> None:
    (tmp_path / "x.csv").write_text(text)
    assert names(found(tmp_path, "x.csv")) == identifiers
