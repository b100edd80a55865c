"""How CSV and TSV files become tables: types that fit every value, notes of what was assumed, reasons for refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from backedge.adapters.connectors.duckdb_csv import Loaded, NotLoadable, load_csv

Load = Callable[[str | bytes], Loaded]


class Files:
    """Writes one file after another, loads it, and reads the table back."""

    def __init__(self, folder: Path) -> None:
        self.connection = duckdb.connect()
        self.folder = folder
        self.loaded = Loaded(0, ())

    def load(self, content: str | bytes, name: str = "x.csv") -> None:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.loaded = load_csv(self.connection, path, self.folder / "scratch")

    def types(self, name: str = "x.csv") -> dict[str, str]:
        rows = self.connection.execute(f'describe "{name}"').fetchall()
        return {str(row[0]): str(row[1]) for row in rows}

    def rows(self, name: str = "x.csv") -> list[tuple[object, ...]]:
        return list(self.connection.execute(f'from "{name}"').fetchall())

    def column(self, *values: str) -> tuple[str, list[object]]:
        """The type and the values of a column that holds these texts."""
        self.connection.execute('drop table if exists "x.csv"')
        self.load("v\n" + "".join(f'"{value}"\n' for value in values))
        return self.types()["v"], [row[0] for row in self.rows()]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    made = Files(tmp_path)
    yield made
    made.connection.close()


@pytest.mark.parametrize(
    ("values", "kind", "first"),
    [
        (("1", "-2", "+3"), "BIGINT", 1),
        (("9223372036854775807",), "BIGINT", 9223372036854775807),
        (("9223372036854775808", "1"), "HUGEINT", 9223372036854775808),
        (("1" * 38,), "HUGEINT", int("1" * 38)),
        (("1" * 39,), "VARCHAR", "1" * 39),
        (("01234", "99999"), "VARCHAR", "01234"),
        (("0", "1"), "BIGINT", 0),
        (("1643690.9", "1641957.44", "2"), "DECIMAL(9,2)", Decimal("1643690.90")),
        (("0.123456789",), "DECIMAL(10,9)", Decimal("0.123456789")),
        ((".5", "1."), "DECIMAL(2,1)", Decimal("0.5")),
        (("0.1234567891",), "DOUBLE", 0.1234567891),
        (("1" * 36 + ".123",), "DOUBLE", float("1" * 36)),
        (("1e3", "2.5E-1"), "DOUBLE", 1000.0),
        (("1.5", "NA"), "VARCHAR", "1.5"),
        (("N/A",), "VARCHAR", "N/A"),
        (("nan", "1"), "VARCHAR", "nan"),
        (("10,000", "7", "-1,234,567"), "BIGINT", 10000),
        (("1,000.50", "2.25"), "DECIMAL(6,2)", Decimal("1000.50")),
        (("1,00", "2"), "VARCHAR", "1,00"),
        (("$5", "$6"), "VARCHAR", "$5"),
        (("5%",), "VARCHAR", "5%"),
        (("true", "FALSE"), "BOOLEAN", True),
        (("yes", "no"), "VARCHAR", "yes"),
        (("0", "1", ""), "BIGINT", 0),
        (("", ""), "VARCHAR", None),
        ((" 5", "6 "), "BIGINT", 5),
        (("09:30", "23:59:59.5"), "TIME", time(9, 30)),
        (("2024-02-29", "1969-1-5"), "DATE", date(2024, 2, 29)),
        (("2024-02-30",), "VARCHAR", "2024-02-30"),
        (("2024/02/29",), "DATE", date(2024, 2, 29)),
        (("2024.02.29",), "DATE", date(2024, 2, 29)),
        (("29.02.2024", "1.3.2024"), "DATE", date(2024, 2, 29)),
        (("05-02-2010", "26-02-2010"), "DATE", date(2010, 2, 5)),
        (("02/05/2010", "02/26/2010"), "DATE", date(2010, 2, 5)),
        (("26/02/10", "01/03/10"), "DATE", date(2010, 2, 26)),
        (("26-02-2010", "02-26-2010"), "VARCHAR", "26-02-2010"),
        (("5-Feb-2010", "26-Mar-2011"), "DATE", date(2010, 2, 5)),
        (("Feb 5, 2010",), "DATE", date(2010, 2, 5)),
        (("2024-02-29 10:11:12", "2024-02-29T10:11:12.5"), "TIMESTAMP", datetime(2024, 2, 29, 10, 11, 12)),
        (("26/02/2010 10:11", "27/02/2010 23:59"), "TIMESTAMP", datetime(2010, 2, 26, 10, 11)),
        (("2/26/2010 1:05 PM",), "TIMESTAMP", datetime(2010, 2, 26, 13, 5)),
        (("2024-02-29T10:00:00Z",), "TIMESTAMP WITH TIME ZONE", datetime(2024, 2, 29, 10, tzinfo=UTC)),
        (("2024-02-29T10:00:00+02:00",), "TIMESTAMP WITH TIME ZONE", datetime(2024, 2, 29, 8, tzinfo=UTC)),
        (("2024-01", "2024-02"), "VARCHAR", "2024-01"),
        (("1-2-3", "a"), "VARCHAR", "1-2-3"),
        (("555-123-4567",), "VARCHAR", "555-123-4567"),
        (("192.168.1.1",), "VARCHAR", "192.168.1.1"),
        (("1.2.3",), "VARCHAR", "1.2.3"),
    ],
)
def test_a_column_gets_the_type_that_every_value_fits(
    files: Files, values: tuple[str, ...], kind: str, first: object
) -> None:
    assert (files.column(*values)[0], files.column(*values)[1][0]) == (kind, first)


def test_one_late_value_decides(files: Files) -> None:
    assert files.column(*["1"] * 30_000, "x")[0] == "VARCHAR"
    assert files.column(*["01/02/2024"] * 30_000, "12/31/2024")[1][0] == date(2024, 1, 2)


def test_a_date_that_fits_two_formats_is_day_first_and_said(files: Files) -> None:
    assert files.column("03-04-2024", "05-06-2024")[1] == [date(2024, 4, 3), date(2024, 6, 5)]
    assert files.loaded.notes == (
        "`x.csv`.v: 03-04-2024 fits day-month-year and month-day-year; read as day-month-year",
    )


def test_the_other_dates_of_the_file_decide_what_fits_two_formats(files: Files) -> None:
    files.load("a,b\n03/04/2024,12/31/2024\n05/06/2024,01/02/2024\n")
    assert files.rows()[0] == (date(2024, 3, 4), date(2024, 12, 31))
    assert "read as month-day-year" in files.loaded.notes[0]


def test_a_date_that_reads_the_same_both_ways_needs_no_note(files: Files) -> None:
    assert files.column("01-01-2024", "02-02-2024")[0] == "DATE"
    assert files.loaded.notes == ()


def test_thousands_separators_are_said(files: Files) -> None:
    files.column("10,000", "7")
    assert files.loaded.notes == ("`x.csv`.v: commas were read as thousands separators",)


def test_only_nothing_is_null(files: Files) -> None:
    files.load('a,b\n,""\nNULL,x\n')
    assert files.rows() == [(None, None), ("NULL", "x")]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("a,b\n1,2\n", [(1, 2)]),
        ("a;b\n1;2\n", [(1, 2)]),
        ("a\tb\n1\t2\n", [(1, 2)]),
        ("a|b\n1|2\n", [(1, 2)]),
        ("a,b\r\n1,2\r\n", [(1, 2)]),
        ("\ufeffa,b\n1,2", [(1, 2)]),
        ("\n# a comment\na,b\n1,2\n\n", [(1, 2)]),
        ('a,b\n"x, ""y""","two\nlines"\n', [('x, "y"', "two\nlines")]),
        ('"a","b"\n"1;2|3","2"\n', [("1;2|3", 2)]),
        ('a,b\n1,5" pipe\n', [(1, '5" pipe')]),
        ("a,b\n", []),
    ],
)
def test_a_file_is_cut_into_cells(files: Files, content: str, rows: list[tuple[object, ...]]) -> None:
    files.load(content)
    assert (list(files.types()), files.rows()) == (["a", "b"], rows)


def test_a_tsv_may_hold_more_commas_than_tabs(files: Files) -> None:
    files.load("a\tb,c,d\nx\t1,2,3\n", "x.tsv")
    assert files.types("x.tsv") == {"a": "VARCHAR", "b,c,d": "VARCHAR"}


def test_a_file_of_text_alone_has_a_header(files: Files) -> None:
    files.load("name,city\nalice,paris\nbob,rome\n")
    assert files.rows()[0] == ("alice", "paris")


def test_a_file_without_a_header_gets_names_and_says_so(files: Files) -> None:
    files.load("1,alice\n2,bob\n")
    assert (list(files.types()), len(files.rows())) == (["column0", "column1"], 2)
    assert files.loaded.notes == ("`x.csv` has no header line; its columns are named column0, column1 …",)


def test_names_that_are_empty_or_there_twice_are_told_apart(files: Files) -> None:
    files.load(",a,A,a\n0,1,2,3\n")
    assert list(files.types()) == ["column0", "a", "A_1", "a_2"]
    assert files.loaded.notes[0] == "`x.csv` has two columns `A`; the later one is named `A_1`"


def test_names_that_are_keywords_or_hold_quotes_are_kept(files: Files) -> None:
    files.load('select,"a ""b""",order by\n1,2,3\n')
    assert list(files.types()) == ["select", 'a "b"', "order by"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("ä,b\nß€,1\n".encode("cp1252"), "Windows-1252"),
        ("ä,b\nß€,1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_another_encoding_is_read_and_said(files: Files, content: bytes, said: str) -> None:
    files.load(content)
    assert (list(files.types()), files.rows()) == (["ä", "b"], [("ß€", 1)])
    assert files.loaded.notes == (f"`x.csv` is not UTF-8; read as {said}",)
    assert not (files.folder / "scratch").exists()


def test_an_encoding_error_far_into_the_file_is_seen(files: Files) -> None:
    files.load(b"a,b\n" + b"1,x\n" * 400_000 + b"2,caf\xe9\n")
    assert files.rows()[-1] == (2, "café")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "`x.csv` is empty"),
        (b" \n\n", "`x.csv` is empty"),
        (b"# only\n# comments\n", "`x.csv` holds nothing but comments"),
        (b"a,b\n1,2\n3,\x004\n", "`x.csv` line 3 holds a NUL byte; it is not a text file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "`x.csv` line 3 holds a NUL byte; it is not a text file"),
        (b"a,b\n1,2\n3,4,5\n", "`x.csv` line 3 has 3 cells where the first line has 2"),
        (b"a,b\n1,2\n3\n4,5\n", "`x.csv` line 3 has 1 cells where the first line has 2"),
        (b'a,b\n"1,2\n3,4\n', "`x.csv` line 2 opens a quote that is never closed"),
    ],
)
def test_what_is_no_table_is_refused_with_file_and_line(files: Files, content: bytes, reason: str) -> None:
    with pytest.raises(NotLoadable) as raised:
        files.load(content)
    assert str(raised.value) == reason
