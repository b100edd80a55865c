"""Measurements of rows and of tables: what belongs together is together, and what is unclear is invalid and kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.evidence.column_heads import KINDS, SYNONYMS, headed, stated
from backedge.evidence.measuring import measured, measured_in_tables
from backedge.evidence.reading import Cell, Row, Table
from backedge.evidence.records import Measurement
from backedge.evidence.units import STANDARD, Unit, UnitTable


def rows(head: str, *lines: str) -> tuple[Row, ...]:
    names = head.split("|")
    return tuple(Row(at, tuple(zip(names, line.split("|"), strict=True))) for at, line in enumerate(lines, 1))


def table(caption: str, *lines: str, heads: int = 1) -> Table:
    """A table of lines `a|b`; its cells stand behind each other in a text."""
    at = 0
    made = []
    for line in lines:
        cells = []
        for text in line.split("|"):
            cells.append(Cell(text, at, at + len(text)))
            at += len(text) + 1
        made.append(tuple(cells))
    return Table("s1", "Table 1", caption, tuple(made[:heads]), tuple(made[heads:]))


def told(found: tuple[Measurement, ...], *names: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(one, name) for name in names) for one in found]


def test_long_form_takes_everything_from_its_row() -> None:
    found = measured(
        rows(
            "endpoint|value|unit|SD|n|group|time point|animal id",
            "glucose|5.6|mmol/L|0.4|12|vehicle|day 7|a1",
            "glucose|NA|mmol/L|0.1|12|drug|day 7|a2",
        ),
        "v1",
    )
    assert found == (
        Measurement(
            "v1",
            "glucose",
            "5.6",
            "5.6",
            "mmol/L",
            True,
            "",
            "0.4",
            "sd",
            "12",
            "vehicle",
            "day 7",
            "row 1, column 2",
            table=STANDARD.version,
        ),
    )


@pytest.mark.parametrize(
    ("head", "line", "field", "expected"),
    [
        ("Outcome|Result|Units", "x|5|mg", "name", "x"),
        ("analyte|measured_value|uom", "x|5|mg", "unit", "mg"),
        ("Parameter|Mean|Unit|Std. Dev.", "x|5|mg|1", "uncertainty_kind", "sd"),
        ("name|value|unit|S.E.M.", "x|5|mg|1", "uncertainty_kind", "sem"),
        ("name|value|unit|standard error", "x|5|mg|± 1", "uncertainty", "1"),
        ("name|value|unit|uncertainty|uncertainty_kind", "x|5|mg|1|SEM", "uncertainty_kind", "SEM"),
        ("name|value|unit|95% CI", "x|5|mg|4–6", "uncertainty", "4–6"),
        ("name|mean|unit|CI lower|CI upper", "x|5|mg|4|6", "uncertainty", "4 to 6"),
        ("name|value|unit|Sample size", "x|5|mg|8", "n", "8"),
        ("name|value|unit|treatment group", "x|5|mg|drug", "group", "drug"),
        ("name|value|unit|dose (mg/kg)", "x|5|mg|10", "group", "10 mg/kg"),
        ("name|value|unit|arm|genotype", "x|5|mg|drug|wt", "group", "drug; wt"),
        ("name|value|unit|day", "x|5|mg|7", "time_point", "day 7"),
        ("name|value|unit|time (h)", "x|5|mg|24", "time_point", "24 h"),
        ("name|value (mg)", "x|5", "unit", "mg"),
        ("name|value", "x|5 mg", "unit", "mg"),
    ],
)
def test_heads_have_synonyms(head: str, line: str, field: str, expected: str) -> None:
    (found,) = measured(rows(head, line), "v1")
    assert (getattr(found, field), found.valid, found.number) == (expected, True, "5")


def test_wide_form_has_a_unit_and_an_uncertainty_for_each_column() -> None:
    found = measured(
        rows(
            "animal id|group|day|weight (g)|SD|glucose [mmol/L] mean|glucose [mmol/L] SD|n",
            "a1|A|0|25.1|1.2|5.5|0.3|10",
        ),
        "v1",
    )
    assert told(
        found, "name", "value", "unit", "uncertainty", "uncertainty_kind", "n", "group", "time_point", "place"
    ) == [
        ("weight", "25.1", "g", "1.2", "sd", "10", "A", "day 0", "row 1, column 4"),
        ("glucose", "5.5", "mmol/L", "0.3", "sd", "10", "A", "day 0", "row 1, column 6"),
    ]
    assert all(one.valid for one in found)


@pytest.mark.parametrize(
    ("head", "line", "reason"),
    [
        ("weight", "25", "no unit is given"),
        ("weight (Kg)", "25", "the unit table does not have `Kg`"),
        ("weight (g)", "25 kg", "it has two units, `kg` and `g`"),
        ("weight (g)", "heavy", "`heavy` is no number"),
        ("weight (g)", "1,234", "may be read in several ways"),
        ("weight (g)", "25 (3)", "nothing says what `(3)` is"),
        ("weight (g) (95% CI)", "25 (3)", "nothing says what `(3)` is"),
        ("name|value|unit", "x|5|furlong", "the unit table does not have `furlong`"),
        ("name|value|unit", "x|5|", "no unit is given"),
        ("name|value|unit", "x|about five|mg", "`about five` is no number"),
        ("name|value|unit|sd", "x|5 ± 1|mg|2", "it has two uncertainties"),
        ("name|value|unit|sd", "x|5|mg|wide", "the uncertainty `wide` is not understood"),
        ("weight (g)|weight SD (kg)", "5|1", "its uncertainty has another unit"),
    ],
)
def test_what_is_unclear_is_kept_and_invalid(head: str, line: str, reason: str) -> None:
    found = measured(rows(head, line), "v1")
    assert (len(found), found[0].valid, reason in found[0].reason) == (1, False, True)
    assert found[0].value


def test_an_uncertainty_that_may_be_of_several_columns_is_of_none() -> None:
    found = measured(rows("group|weight (g)|glucose (mmol/L)|SD", "A|25.1|5.5|0.3"), "v1")
    assert told(found, "name", "uncertainty", "valid") == [
        ("weight", "", True),
        ("glucose", "", True),
        ("SD", "", False),
    ]
    assert "whose uncertainty" in found[2].reason


def test_a_count_with_its_share_is_two_measurements() -> None:
    found = measured(rows("outcome|result|unit", "died|12 (34%)|"), "v1")
    assert told(found, "value", "unit", "valid") == [("12", "", False), ("34", "%", True)]


def test_bounds_and_ranges_are_valid_and_have_no_number() -> None:
    found = measured(rows("outcome|result|unit", "x|<0.05|mg/L", "x|10–14|mg/L"), "v1")
    assert told(found, "value", "number", "valid", "reason") == [
        ("<0.05", "", True, "a bound, no value"),
        ("10–14", "", True, "a range, no value"),
    ]


def test_all_rows_together_tell_which_sign_parts_decimals() -> None:
    german = measured(rows("Gewicht (g)", "25,1", "1.234"), "v1")
    assert told(german, "number", "value") == [("25.1", "25,1"), ("1234", "1.234")]
    mixed = measured(rows("weight (g)", "25,1", "1.234", "7.5"), "v1")
    assert told(mixed, "number", "valid") == [("", False), ("", False), ("7.5", True)]


def test_rows_of_other_columns_are_read_by_their_own_heads() -> None:
    found = measured((*rows("weight (g)", "5"), *rows("name|value|unit", "x|7|mg")), "v1")
    assert told(found, "name", "value", "unit") == [("weight", "5", "g"), ("x", "7", "mg")]


def test_no_rows_have_no_measurements() -> None:
    assert (measured((), "v1"), measured_in_tables((), "v1"), measured(rows("sex|id", "f|1"), "v1")) == ((), (), ())


def test_a_table_with_units_in_its_labels() -> None:
    found = measured_in_tables(
        (
            table(
                "Values are mean ± SD.",
                "|Control (n = 12)|Drug, 10 mg/kg (n = 11)",
                "Body weight (g)|25.1 ± 1.2|24.0 ± 1.1",
                "Glucose, mmol/L|5.5 ± 0.3|-",
            ),
        ),
        "v1",
    )
    assert told(found, "name", "value", "unit", "uncertainty", "uncertainty_kind", "n", "group") == [
        ("Body weight", "25.1", "g", "1.2", "sd", "12", "Control"),
        ("Body weight", "24.0", "g", "1.1", "sd", "11", "Drug, 10 mg/kg"),
        ("Glucose", "5.5", "mmol/L", "0.3", "sd", "12", "Control"),
    ]
    assert all(one.valid for one in found)
    assert found[0].place == "Table 1, row 1, column 2"


def test_a_table_with_units_in_its_heads() -> None:
    found = measured_in_tables(
        (
            table(
                "Effects",
                "Group|n|Weight (g)|Weight (g)|Survival",
                "|| mean|SEM|",
                "Vehicle|8|25.1|1.2|34%",
                heads=2,
            ),
        ),
        "v1",
    )
    assert told(found, "name", "value", "unit", "uncertainty", "uncertainty_kind", "n", "group", "valid") == [
        ("Weight", "25.1", "g", "1.2", "sem", "8", "Vehicle", True),
        ("Vehicle", "34", "%", "", "", "8", "Survival", True),
    ]


def test_the_unit_of_a_dose_above_is_none_of_the_values() -> None:
    lines = ("|Dose (mg/kg)|Dose (mg/kg)", "|low|10", "Weight (g)|25|26")
    found = measured_in_tables((table("", *lines, heads=2),), "v1")
    assert told(found, "unit", "group", "valid") == [("g", "Dose, low", True), ("g", "10 mg/kg", True)]


def test_cells_keep_their_stretch_of_the_text() -> None:
    lines = ("|A|B", "Weight (g)|12.5 (1.5)|<3")
    text = "\n".join(lines).replace("|", "\t")
    found = measured_in_tables((table("Median (IQR)", *lines),), "v1")
    assert [text[one.start : one.end] for one in found] == ["12.5 (1.5)", "<3"]
    assert told(found, "uncertainty", "uncertainty_kind", "valid") == [("1.5", "iqr", True), ("", "", True)]


@pytest.mark.parametrize(
    ("caption", "lines", "expected"),
    [
        # the unit of the caption where nothing else has one
        ("Body weight (g) of rats", ("|Day 0|Day 7", "Vehicle|25|26"), [("25", "g", "Vehicle", "Day 0", True)]),
        # not where the table has units of its own
        ("After STZ (mg)", ("|A", "Weight (g)|25", "Score|3"), [("25", "g", "A", "", True), ("3", "", "A", "", False)]),
        # times above, and a head within
        ("", ("|24 h", "Liver|Liver", "ALT (U/L)|25"), [("25", "U/L", "", "24 h", True)]),
        # a head and a label that disagree
        ("", ("|Weight (g)", "Dose given (mg)|25"), [("25", "g", "Weight", "", False)]),
        # a share of a count
        ("", ("|A, n (%)", "Died|12 (34.5)"), [("12", "", "A", "", False), ("34.5", "%", "A", "", True)]),
        # a letter that may be the mark of a footnote is no unit
        ("", ("|% inhibition", "EGFR|94 ± 2h"), [("94 ± 2h", "", "% inhibition", "", False)]),
        # numbers in a column of doses are labels
        ("", ("Dose (mg/kg)|Weight (g)", "10|25"), [("25", "g", "10 mg/kg", "", True)]),
    ],
)
def test_units_groups_and_times_of_a_table(
    caption: str, lines: tuple[str, ...], expected: list[tuple[object, ...]]
) -> None:
    found = measured_in_tables((table(caption, *lines),), "v1")
    assert told(found, "value", "unit", "group", "time_point", "valid")[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean ± SD", ("sd", "")),
        ("mean (SD)", ("sd", "sd")),
        ("mean ± SEM", ("sem", "")),
        ("mean ± S.E.M.", ("sem", "")),
        ("mean ± SE", ("se", "")),
        ("median (IQR)", ("", "iqr")),
        ("median (interquartile range)", ("", "iqr")),
        ("OR (95% CI)", ("", "ci")),
        ("median (range)", ("", "range")),
        ("mean ± SD or median (IQR)", ("sd", "iqr")),
        ("mean ± SD or ± SEM", ("", "")),
        ("SD or SEM", ("", "")),
        ("the mouse's E. coli", ("", "")),
        ("Assessed by SDS-PAGE", ("", "")),
    ],
)
def test_kinds_of_uncertainty_are_told_by_words(text: str, expected: tuple[str, str]) -> None:
    assert stated(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Walking speed cm/s", ("Walking speed", "cm/s")),
        ("Drug 10 mg/kg", ("Drug 10 mg/kg", "")),
        ("Drug, 10 mg/kg", ("Drug, 10 mg/kg", "")),
        ("AST/ALT", ("AST/ALT", "")),
        ("uptake (mg/(kg·d))", ("uptake", "mg/(kg·d)")),
        ("weight (g, mean ± SD)", ("weight", "g")),
        ("Glucose, mmol/L, mean", ("Glucose", "mmol/L")),
        ("Mean glucose [mmol/L]", ("glucose", "mmol/L")),
        ("weight (body)", ("weight (body)", "")),
        ("%", ("", "%")),
        ("day", ("day", "")),
        ("Age (years)", ("Age", "years")),
    ],
)
def test_a_head_is_parted_into_name_and_unit(text: str, expected: tuple[str, str]) -> None:
    head = headed(text)
    assert (head.name, head.unit) == expected


def test_each_synonym_has_one_role_and_its_head_takes_it() -> None:
    names = [name for group in SYNONYMS.values() for name in group]
    assert len(names) == len(set(names)) > 100
    assert {
        (name, headed(name).role) for role, group in SYNONYMS.items() for name in group if headed(name).role != role
    } == set()
    assert set(KINDS) == {"sd", "sem", "se", "ci", "iqr", "range"}


CELLS = st.sampled_from(
    ["5", "5.5", "1,234", "5 ± 1", "5 (1–9)", "NA", "", "x", "5 mg", "<3", "12 (3%)", "5a", "10 000"]
)
HEADS = st.sampled_from(
    ["value", "unit", "SD", "weight (g)", "n", "group", "day", "glucose [mmol/L] mean", "x", "", "(", "p", "CI lower"]
)


@given(
    st.lists(HEADS, min_size=1, max_size=6).flatmap(
        lambda heads: st.tuples(
            st.just(heads), st.lists(st.lists(CELLS, min_size=len(heads), max_size=len(heads)), max_size=4)
        )
    )
)
def test_whatever_rows_hold_is_measured_without_a_crash_and_without_a_guess(
    made: tuple[list[str], list[list[str]]],
) -> None:
    heads, lines = made
    given_rows = tuple(Row(at, tuple(zip(heads, line, strict=True))) for at, line in enumerate(lines, 1))
    for one in measured(given_rows, "v1"):
        number, column = (int(part.split()[1]) for part in one.place.split(", "))
        assert one.value in lines[number - 1][column - 1]
        assert not (one.valid and not one.unit)
        assert one.valid or one.reason


@given(st.lists(st.lists(CELLS | HEADS, min_size=1, max_size=5), min_size=1, max_size=5), st.integers(0, 2))
def test_whatever_a_table_holds_is_measured_within_its_cells(lines: list[list[str]], heads: int) -> None:
    given_table = table("Weight (g)", *("|".join(line) for line in lines), heads=heads)
    text = "\n".join("\t".join(line) for line in lines)
    for one in measured_in_tables((given_table,), "v1"):
        assert one.value in text[one.start : one.end]
        assert not (one.valid and not one.unit)
        assert one.valid or one.reason


LONG, ODD = "blobs seen on a single dish of agar", "blobs (all, live)/vial"
MINE = UnitTable(
    tuple(Unit(spelling, "cells/µL", "number concentration") for spelling in ("blobs/vial", "#/vial", LONG, ODD))
)


@pytest.mark.parametrize(
    "lines",
    [
        ("value", "5 blobs/vial"),
        ("value", "5blobs/vial"),
        ("value", "<5 blobs/vial"),
        ("value", "5–7 blobs/vial"),
        ("value", "5 blobs/vial ± 1"),
        ("value", "5 ± 1 blobs/vial"),
        ("value", "5 #/vial"),
        ("value", f"5 {LONG}"),
        ("value", f"<5 {LONG}"),
        ("value", f"5–7 {LONG}"),
        ("value", f"5 ± 1 {LONG}"),
        ("value", f"5 {ODD}"),
        ("name|value|unit", "cells|5|blobs/vial"),
        ("cells (blobs/vial)", "5"),
        ("cells, blobs/vial", "5"),
        ("cells [mean, blobs/vial]", "5"),
        ("cells blobs/vial", "5"),
        ("blobs/vial", "5"),
        (f"cells [{ODD}]", "5"),
    ],
)
def test_a_spelling_of_a_project_counts_wherever_a_unit_may_stand(lines: tuple[str, ...]) -> None:
    given = rows(*lines)
    ((valid, unit, version),) = told(measured(given, "v1", MINE), "valid", "unit", "table")
    assert (valid, unit in ("blobs/vial", "#/vial", LONG, ODD), version) == (True, True, MINE.version)
    assert [one.valid for one in measured(given, "v1")] in ([False], [])


@pytest.mark.parametrize(
    ("caption", "lines"),
    [
        ("", ("|drug", "liver (blobs/vial)|5")),
        ("", ("|drug (blobs/vial)", "liver|5")),
        ("", ("|drug", "liver|5 blobs/vial")),
        ("", ("|drug, blobs/vial", "liver|5")),
        ("", ("|drug", "liver, blobs/vial|5")),
        ("", ("|drug", f"liver|5 {LONG}")),
        ("Number (blobs/vial)", ("|drug", "liver|5")),
    ],
)
def test_it_counts_in_tables_of_articles_too(caption: str, lines: tuple[str, ...]) -> None:
    tables = (table(caption, *lines),)
    ((valid, version),) = told(measured_in_tables(tables, "v1", MINE), "valid", "table")
    assert (valid, version) == (True, MINE.version)
    assert [(o.valid, o.table) for o in measured_in_tables(tables, "v1")] in ([(False, STANDARD.version)], [])


def test_a_unit_of_a_caption_holds_only_where_none_stands_in_the_table_with_those_of_the_project() -> None:
    given = (table("Mass (mg)", "|A, blobs/vial|B", "liver|5|6"),)
    assert told(measured_in_tables(given, "v1", MINE), "unit", "valid") == [("blobs/vial", True), ("", False)]
    assert told(measured_in_tables(given, "v1"), "unit", "valid") == [("mg", True), ("mg", True)]


def test_a_count_and_its_share_keep_the_version_of_the_table_too() -> None:
    assert told(measured(rows("cells, n (%)", "12 (34%)"), "v1", MINE), "table") == [(MINE.version,)] * 2
