"""The builder: white space, offsets, sections that fill gaps, what is cleaned, tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backedge.adapters.reading.building import Builder
from backedge.adapters.reading.grids import Grid
from backedge.evidence.reading import Part, Reading, Unparsed
from tests.adapters.reading.readings import holds, leaves, outline


def finished(builder: Builder) -> Reading:
    found = builder.finish()
    assert isinstance(found, Reading)
    holds(found)
    return found


def test_white_space_of_a_markup_is_one_space_and_none_at_the_ends_of_lines() -> None:
    builder = Builder("x/1")
    for text in ("  a\n\t b ", " c", "d  ", "\n"):
        builder.flow(text)
    builder.line()
    builder.flow("  e ")
    builder.paragraph()
    builder.line()
    builder.flow("f\u00a0 g")
    assert finished(builder).text == "a b cd\ne\n\nf\u00a0 g"


def test_a_verbatim_text_is_what_was_added() -> None:
    builder = Builder("x/1", verbatim=True)
    with builder.section("methods", "M"):
        builder.add("one \r\n")
        builder.paragraph()
        builder.add("\r\ntwo")
    builder.add("  three")
    assert finished(builder).text == "one \r\n\r\ntwo  three"


def test_text_beside_sub_sections_and_outside_all_gets_sections_of_its_own() -> None:
    builder = Builder("x/1")
    builder.flow("before")
    with builder.section("methods", "Methods"):
        builder.heading("Methods")
        builder.flow("own")
        with builder.section("methods", "Animals"):
            builder.heading("Animals")
            builder.flow("mice")
        builder.flow("own again")
    builder.flow("behind")
    reading = finished(builder)
    assert outline(reading) == [
        ("other", "", "before"),
        ("methods", "Methods", "Methods\nown"),
        ("methods", "Animals", "Animals\nmice"),
        ("methods", "Methods", "own again"),
        ("other", "", "behind"),
    ]
    assert [section.parent for section in leaves(reading)] == ["", "s2", "s2", "s2", ""]


def test_a_heading_alone_makes_no_section_beside_sub_sections_and_an_empty_section_is_dropped() -> None:
    builder = Builder("x/1")
    with builder.section("results", "Results"):
        builder.heading("Results")
        with builder.section("results", "Nothing"):
            builder.flow(" \n ")
        with builder.section("results", "Weight"):
            builder.flow("12 g")
    reading = finished(builder)
    assert [(section.key, section.title, section.parent) for section in reading.sections] == [
        ("s1", "Results", ""),
        ("s2", "Weight", "s1"),
    ]


def test_a_section_that_is_closed_twice_closes_no_other() -> None:
    builder = Builder("x/1")
    outer = builder.opened("methods", "outer")
    inner = builder.opened("methods", "inner")
    builder.flow("a")
    builder.closed(inner)
    builder.closed(inner)
    builder.flow("b")
    builder.closed(outer)
    first, *_ = finished(builder).sections
    assert (first.title, first.start, first.end) == ("outer", 0, 4)


def test_what_may_not_stand_in_a_text_is_replaced_before_any_offset_exists_and_counted() -> None:
    builder = Builder("x/1")
    with builder.section("other"):
        builder.flow("a\x00b\x00 \ud800c")
    builder.flow("\ufffd\udfff")
    reading = finished(builder)
    assert reading.text == "a\ufffdb\ufffd \ufffdc\n\n\ufffd\ufffd"
    assert [(issue.kind, issue.start, issue.count) for issue in reading.issues] == [
        ("nul_replaced", 1, 2),
        ("surrogate_replaced", 5, 2),
        ("replacement_character", 9, 1),
    ]


def test_a_text_of_white_space_only_is_no_text() -> None:
    builder = Builder("x/1", verbatim=True)
    builder.add(" \n\u00a0\u2003")
    found = builder.finish()
    assert isinstance(found, Unparsed)
    assert (found.why, found.reader) == ("no_text", "x/1")


def test_completeness_is_the_product_of_its_parts() -> None:
    builder = Builder("x/1")
    builder.flow("a")
    found = builder.finish(parts=(Part("pages", 0.5), Part("glyphs", 0.9)))
    assert isinstance(found, Reading)
    assert found.completeness.value == 0.45


def rows_of(cells: list[list[tuple[str, str, str]]]) -> tuple[Reading, list[list[str]], list[list[str]]]:
    """A table of texts with column and row spans: the reading, its head and its body."""
    builder = Builder("x/1")
    with builder.section("table") as draft:
        grid = Grid(builder)
        for number, row in enumerate(cells):
            grid.begin_row()
            for text, across, down in row:
                start = grid.begin_cell()
                builder.flow(text)
                grid.end_cell(start, across, down)
            grid.end_row(heading=number == 0)
        builder.table(draft, "Table 1", "c", grid.head, grid.body)
    reading = finished(builder)
    head, body = (
        [[cell.text for cell in row] for row in part] for part in (reading.tables[0].head, reading.tables[0].rows)
    )
    return reading, head, body


def test_cells_that_span_are_written_once_and_given_at_each_place() -> None:
    reading, head, body = rows_of(
        [
            [("", "1", "1"), ("Dose", "2", "1")],
            [("mice", "1", "2"), ("1", "1", "1"), ("2", "1", "3")],
            [("3", "1", "1")],
            [("rats", "1", "1"), ("4", "", "x"), ("\u00a0", "1", "1")],
        ]
    )
    assert (head, body) == (
        [["", "Dose", "Dose"]],
        [["mice", "1", "2"], ["mice", "3", "2"], ["rats", "4", "2", ""]],
    )
    assert reading.text == "\tDose\nmice\t1\t2\n3\nrats\t4\t\u00a0"


def test_a_span_that_no_reader_could_see_is_cut() -> None:
    _, _, body = rows_of([[("h", "1", "1")], [("x", "1000000000", "999999"), ("y", "99999999999999999999", "2")]])
    assert len(body[0]) <= 502
    assert body[0][-1] == "y"


@given(st.lists(st.tuples(st.sampled_from("ahslpo>"), st.text(max_size=8)), max_size=30))
def test_whatever_is_built_holds(steps: list[tuple[str, str]]) -> None:
    builder = Builder("x/1")
    written = []
    for step, text in steps:
        if step in "ah" and text:
            builder.add(text) if step == "a" else builder.heading(text)
            written.append(text)
        elif step == "s":
            builder.opened("results", text)
        elif step in "lp":
            builder.line() if step == "l" else builder.paragraph()
        elif step == ">":
            builder.tab()
    found = builder.finish()
    if isinstance(found, Reading):
        holds(found)
        squeezed = "".join(found.text.split()).replace("\ufffd", "")
        assert squeezed == "".join("".join(written).split()).replace("\x00", "").replace("\ufffd", "")
