"""Tables of measurements are read as rows of texts: delimiters, encodings, ragged lines, Parquet, refusals."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from backedge.adapters.reading import rows
from backedge.evidence.measuring import measured
from backedge.evidence.reading import Reading, Unparsed


def read(content: bytes | str, name: str = "x.csv") -> Reading:
    found = rows.read(content.encode() if isinstance(content, str) else content, name)
    assert isinstance(found, Reading), found
    return found


def refused(content: bytes | str, name: str = "x.csv") -> Unparsed:
    found = rows.read(content.encode() if isinstance(content, str) else content, name)
    assert isinstance(found, Unparsed), found
    return found


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("group,weight (g)\nA,5.1\nB,6\n", "x.csv"),
        ("group;weight (g)\nA;5.1\nB;6\n", "x.csv"),
        ("group\tweight (g)\nA\t5.1\nB\t6\n", "x.tsv"),
        ("group|weight (g)\nA|5.1\nB|6\n", "x.csv"),
        ('# made by hand\n\ngroup,weight (g)\r\nA, 5.1 \r\n\r\n"B",6', "x.csv"),
    ],
)
def test_a_table_is_rows_of_names_and_texts(content: str, name: str) -> None:
    found = read(content, name)
    assert [row.cells for row in found.rows] == [
        (("group", "A"), ("weight (g)", "5.1")),
        (("group", "B"), ("weight (g)", "6")),
    ]
    assert ([row.number for row in found.rows], found.sections, found.issues) == ([1, 2], (), ())
    assert (found.reader, found.text) == ("rows/1", content)
    assert read(content, name) == found


def test_commas_of_decimals_do_not_part_cells() -> None:
    found = read("group;weight (g)\nA;5,1\nB;6,2\n")
    assert [one.number for one in measured(found.rows, "v")] == ["5.1", "6.2"]


def test_a_quoted_cell_holds_signs_and_line_ends() -> None:
    found = read('group,note\n"A, first","two\nlines"\n')
    assert found.rows[0].cells == (("group", "A, first"), ("note", "two\nlines"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings(encoding: str) -> None:
    found = read("dose (µg),weight (g)\n5,6\n".encode(encoding))
    assert (found.rows[0].cells, found.issues) == ((("dose (µg)", "5"), ("weight (g)", "6")), ())


def test_an_encoding_that_was_guessed_is_an_issue() -> None:
    found = read("dose (µg)\n5\n".encode("latin-1"))
    assert (found.rows[0].cells[0][0], [issue.kind for issue in found.issues]) == ("dose (µg)", ["encoding"])


def test_ragged_lines_lose_nothing() -> None:
    found = read("a,b\n1,2,3\n4\n5,6,7\n")
    assert [row.cells for row in found.rows] == [
        (("a", "1"), ("b", "2"), ("column 3", "3")),
        (("a", "4"), ("b", "")),
        (("a", "5"), ("b", "6"), ("column 3", "7")),
    ]
    assert [(issue.kind, "Line 2" in issue.message, issue.count) for issue in found.issues] == [("damaged", True, 2)]


def test_nul_is_replaced_and_told_and_a_column_without_name_gets_one() -> None:
    found = read(b"a,\n1\x00,2\n")
    assert found.rows[0].cells == (("a", "1\ufffd"), ("column 2", "2"))
    assert [(issue.kind, issue.start, issue.count) for issue in found.issues] == [("nul_replaced", 4, 1)]


@pytest.mark.parametrize(
    ("content", "why", "said"),
    [
        ("1,2\n3,4\n", "unknown_format", "names of columns"),
        ("a,b\n", "no_text", "no rows"),
        ("\n\n", "no_text", "no rows"),
        ("a,b\n" + "x" * 200_000 + ",1\n", "corrupt", "Line 2"),
        (b"PAR1 and no more", "corrupt", "Parquet"),
        (b"PAR1" + b"x" * rows.LARGEST_PARQUET, "too_large", "CSV"),
    ],
)
def test_what_is_no_table_is_refused_with_its_reason(content: bytes | str, why: str, said: str) -> None:
    found = refused(content)
    assert (found.why, said in found.message, found.reader) == (why, True, "rows/1")
    assert refused(content) == found


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_CELLS", 4)
    assert len(read("a,b\n1,2\n3,4\n").rows) == 2
    assert refused("a,b\n1,2\n3,4\n5,6\n").why == "too_large"


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path: Path = tmp_path_factory.mktemp("parquet") / "x.parquet"
    one = "select 'A, x' as grp, 1.5::decimal(5,2) as \"weight (g)\", null as x, timestamp '2020-01-01' as t"
    duckdb.sql(f"copy ({one} union all by name select 'B' as grp, 2.25 as \"weight (g)\", 3 as x) to '{path}'")
    return path.read_bytes()


def test_parquet_is_read_as_texts(parquet: bytes) -> None:
    found = read(parquet, "x.parquet")
    assert [row.cells for row in found.rows] == [
        (("grp", "A, x"), ("weight (g)", "1.50"), ("x", ""), ("t", "2020-01-01 00:00:00")),
        (("grp", "B"), ("weight (g)", "2.25"), ("x", "3"), ("t", "")),
    ]
    assert found.text == 'grp,weight (g),x,t\n"A, x",1.50,,2020-01-01 00:00:00\nB,2.25,3,\n'
    assert read(parquet, "x.parquet") == found


def test_a_damaged_parquet_file_is_refused_the_same_way_each_time(parquet: bytes) -> None:
    found = refused(parquet[:-30], "x.parquet")
    assert (found.why, "/tmp" in found.message, refused(parquet[:-30])) == ("corrupt", False, found)
