"""Values as tables write them: each form has one reading, and what has several has none."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.evidence.values import Decimals, Written, decimals_of, plain_number, written

FORMS: dict[str, tuple[str, str, str, str, str]] = {  # value, number, unit, uncertainty, form
    "12.3": ("12.3", "12.3", "", "", ""),
    "-5": ("-5", "-5", "", "", ""),
    "−5.2": ("−5.2", "-5.2", "", "", ""),
    "–5.2": ("–5.2", "-5.2", "", "", ""),
    "+5": ("+5", "5", "", "", ""),
    ".5": (".5", "0.5", "", "", ""),
    "12·3": ("12·3", "12.3", "", "", ""),
    "007": ("007", "007", "", "", ""),
    "12.30": ("12.30", "12.30", "", "", ""),
    "12.3*": ("12.3", "12.3", "", "", ""),
    "12.3 mg": ("12.3", "12.3", "mg", "", ""),
    "12.3mg/kg": ("12.3", "12.3", "mg/kg", "", ""),
    "24 h": ("24", "24", "h", "", ""),
    "34%": ("34", "34", "%", "", ""),
    "7 mg/(kg·d)": ("7", "7", "mg/(kg·d)", "", ""),
    "12 mice": ("12", "12", "mice", "", ""),
    "12.3 ± 1.2": ("12.3", "12.3", "", "1.2", "±"),
    "12.3±1.2": ("12.3", "12.3", "", "1.2", "±"),
    "12.3 +/- 1.2": ("12.3", "12.3", "", "1.2", "±"),
    "12.3 ± 1.2 mg": ("12.3", "12.3", "mg", "1.2", "±"),
    "12.3 mg ± 1.2": ("12.3", "12.3", "mg", "1.2", "±"),
    "12.3 mg ± 1.2 mg": ("12.3", "12.3", "mg", "1.2", "±"),
    "12.3 (±1.2)": ("12.3", "12.3", "", "1.2", "±"),
    "12.3 (1.2)": ("12.3", "12.3", "", "1.2", "()"),
    "12.3 [1.2] mg": ("12.3", "12.3", "mg", "1.2", "()"),
    "12 (34%)": ("12", "12", "", "34", "%"),
    "12 (34 %)": ("12", "12", "", "34", "%"),
    "12.3 (10.1–14.5)": ("12.3", "12.3", "", "10.1–14.5", "interval"),
    "12.3 (10.1-14.5)": ("12.3", "12.3", "", "10.1-14.5", "interval"),
    "12.3 (10.1 to 14.5)": ("12.3", "12.3", "", "10.1 to 14.5", "interval"),
    "12.3 [10.1, 14.5]": ("12.3", "12.3", "", "10.1, 14.5", "interval"),
    "12.3 (95% CI 10.1–14.5)": ("12.3", "12.3", "", "10.1–14.5", "interval"),
    "0.5 (-1.2 to 3.4)": ("0.5", "0.5", "", "-1.2 to 3.4", "interval"),
    "0.5 (−1.2–3.4)": ("0.5", "0.5", "", "−1.2–3.4", "interval"),
    "1,234.5": ("1,234.5", "1234.5", "", "", ""),
    "1.234,5": ("1.234,5", "1234.5", "", "", ""),
    "1,234,567": ("1,234,567", "1234567", "", "", ""),
    "1\u2009234": ("1\u2009234", "1234", "", "", ""),
    "1\u00a0234.5": ("1\u00a0234.5", "1234.5", "", "", ""),
    "1'234": ("1'234", "1234", "", "", ""),
    "1.2e-3": ("1.2e-3", "0.0012", "", "", ""),
    "1.2E3": ("1.2E3", "1200", "", "", ""),
    "1.2 × 10^3": ("1.2 × 10^3", "1200", "", "", ""),
    "1.2×10⁻³": ("1.2×10⁻³", "0.0012", "", "", ""),
    "1.2 × 10−3": ("1.2 × 10−3", "0.0012", "", "", ""),
    "1.2 × 10⁵ cells/mL": ("1.2 × 10⁵", "120000", "cells/mL", "", ""),
    "1.5 × 10^3/µL": ("1.5", "1.5", "× 10^3/µL", "", ""),
}
NO_VALUE = {
    "<0.05": "bound",
    "< 0.05 mg/L": "bound",
    "≥10": "bound",
    "~5": "bound",
    "10–14": "range",
    "10 to 14 mg": "range",
}
DOUBTED = (
    "1,234", "12,3", "1 234", "10 000", "1.2 × 103", "12/15", "2020-01-05", "1e500", "5.", "12.3 ± 1.2 (5)",
    "1.5 (n = 4)",
    "12.3 (14.5–10.1)", "12.3 mg ± 1.2 g", "12 (a)", "12.3 (1,2)", "1,23,4", "1..2", "12.3 ± x", "1.2.3", "5 (3 (2))",
)  # fmt: skip
TEXTS = (
    "", "-", "NA", "n/a", "–", "nan", "not reported", "mice", "5-HT (ng/g)", "3rd", "2-year survival", "12.3a",
    "p<0.05",
    "1:200", "12:30", "C57BL/6", "12 mice were used in each of the groups", "٣", "１２", "±5", "α2", "v2",
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FORMS.items())
def test_a_form_is_read(text: str, expected: tuple[str, str, str, str, str]) -> None:
    found = written(text, "unsaid")
    assert found is not None
    assert (found.value, found.number, found.unit, found.uncertainty, found.form) == expected
    assert (found.doubt, found.note) == ("", "")


@pytest.mark.parametrize(("text", "said"), NO_VALUE.items())
def test_bounds_and_ranges_have_no_number_and_say_so(text: str, said: str) -> None:
    found = written(text, "unsaid")
    assert found is not None
    assert (found.number, said in found.note, found.doubt) == ("", True, "")
    assert text.startswith(found.value)


@pytest.mark.parametrize("text", DOUBTED)
def test_what_has_several_readings_is_kept_as_written(text: str) -> None:
    found = written(text, "unsaid")
    assert found is not None
    assert (found.value, found.number, found.uncertainty) == (text, "", "")
    assert found.doubt


@pytest.mark.parametrize("text", TEXTS)
def test_texts_and_missing_values_are_none(text: str) -> None:
    assert written(text, "unsaid") is None


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["12.3", "1,234"], "point"),
        (["12,3", "1.234"], "comma"),
        (["0,5"], "comma"),
        (["12.3", "12,3"], "mixed"),
        (["1,234", "1.234", "5"], "unsaid"),
        (["1,234,567"], "point"),
        (["1.234.567,8"], "comma"),
        (["12·3"], "point"),
        ([], "unsaid"),
    ],
)
def test_numbers_of_one_reading_tell_how_the_others_are_read(texts: list[str], expected: Decimals) -> None:
    assert decimals_of(texts) == expected


@pytest.mark.parametrize(
    ("text", "decimals", "number"),
    [
        ("1,234", "point", "1234"),
        ("1,234", "comma", "1.234"),
        ("1,234", "unsaid", ""),
        ("1,234", "mixed", ""),
        ("1.234", "point", "1.234"),
        ("1.234", "comma", "1234"),
        ("1.234", "unsaid", "1.234"),
        ("1.234", "mixed", ""),
        ("12,3", "point", ""),
        ("12,3", "comma", "12.3"),
        ("12,3", "mixed", ""),
        ("12.3", "mixed", "12.3"),
        ("0,234", "comma", "0.234"),
        ("1,234.5", "comma", "1234.5"),
    ],
)
def test_a_comma_is_read_as_the_others_say(text: str, decimals: Decimals, number: str) -> None:
    found, doubt = plain_number(text, decimals)
    assert (found, bool(doubt)) == (number, not number)


@given(
    st.decimals(-(10**9), 10**9, places=3),
    st.sampled_from(["{}", "{} mg", "{} ± 0.5", "{} (0.5)", " {} "]),
)
def test_a_plain_decimal_is_itself_in_every_form(value: Decimal, form: str) -> None:
    found = written(form.format(f"{value:f}"), "point")
    assert found is not None
    assert Decimal(found.number) == value


@given(
    st.text("0123456789.,·-−±()[]%<> egmkx×^⁻³/nNA'\u00a0\u2009", max_size=24),
    st.sampled_from(["point", "comma", "unsaid"]),
)
def test_whatever_stands_there_is_kept_or_read_once(text: str, decimals: Decimals) -> None:
    found = written(text, decimals)
    if found is None:
        return
    assert found.value in text
    assert not (found.doubt and (found.number or found.uncertainty))
    if found.number:
        assert Decimal(found.number).is_finite()
        assert set(found.number) <= set("-0123456789.")
        assert _digits(found) <= set(text.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) | {"0"}


def _digits(found: Written) -> set[str]:
    return {letter for letter in found.number if letter.isdecimal()}
