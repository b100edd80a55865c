"""The table of verdicts: every label, check, flag and defect has its row, and the strictest one counts."""

from __future__ import annotations

import ast
import re
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

import backedge.evidence
from backedge.evidence.judging import INELIGIBLE
from backedge.evidence.records import CHECKS, Check, CheckName, Flag, Label, Outcome, Verification
from backedge.evidence.verdicts import LABELS, ROWS, STRICTEST, TABLE, Action, lowered, verdict
from backedge.evidence.verify.stages.verify import SMALL

HERE = Path(backedge.evidence.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "verification.md"
PASSED = tuple(Check(name, "passed", "so it is") for name in CHECKS)


def checks(**outcomes: Outcome) -> tuple[Check, ...]:
    return tuple(Check(name, outcomes.get(name, "passed"), "so it is") for name in CHECKS)


def verification(said: Label = "entailed", flags: tuple[Flag, ...] = (), **outcomes: Outcome) -> Verification:
    told = checks(**outcomes)
    return Verification(lowered(said, told, flags), told, "the reason", said, flags)


def flag(kind: str = "number_missing", at_most: Label = "ambiguous") -> Flag:
    return Flag(kind, "scope", "what was found", at_most)


def said_kinds(path: Path) -> set[str]:
    """The kinds of defects and flags that a file makes: the first words of `Defect(…)`, `_flag(…)` and `kind = …`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Defect", "_flag"):
            found |= {
                c.value for c in ast.walk(node.args[0]) if isinstance(c, ast.Constant) and isinstance(c.value, str)
            }
        if isinstance(node, ast.Assign) and [t.id for t in node.targets if isinstance(t, ast.Name)] == ["kind"]:
            found |= {c.value for c in ast.walk(node.value) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
    return {kind for kind in found if re.fullmatch(r"[a-z]+(?:_[a-z]+)*", kind)}


def test_every_label_and_every_outcome_of_every_check_has_its_row() -> None:
    outcomes = {f"{name}_{outcome}" for name, outcome in product(CHECKS, get_args(Outcome))}
    assert set(get_args(Label)) | outcomes == {row.kind for row in TABLE if row.gate in ("label", "check")}
    assert set(LABELS) == set(get_args(Label))
    assert set(STRICTEST) == set(get_args(Action))


GATES: dict[str, set[str]] = {
    "spans.py": {"extract", "validate"},
    "extract/stages/extract.py": {"extract"},
    "validation.py": {"validate"},
    "flags.py": {"flag"},
    "verify/stages/verify.py": {"verify"},
    "verify/stages/reextract.py": {"retry"},
}


@pytest.mark.parametrize(("file", "gates"), list(GATES.items()))
def test_every_kind_that_a_gate_makes_has_its_row(file: str, gates: set[str]) -> None:
    kinds = said_kinds(HERE / file)
    assert kinds
    assert {kind: _gate(kind) for kind in kinds if _gate(kind) not in gates} == {}


def _gate(kind: str) -> str:
    return ROWS[kind].gate if kind in ROWS else "no row"


def test_every_row_of_a_defect_is_made_somewhere() -> None:
    made = {kind for file in GATES for kind in said_kinds(HERE / file)}
    numbers = {"number_missing", "number_sign", "number_comparison", "number_unit"}
    rows = {row.kind for row in TABLE if row.gate not in ("label", "check")}
    assert (rows - made - numbers - {SMALL[0].kind, INELIGIBLE}, len(rows) > 30) == (set(), True)


def test_what_a_small_model_calls_entailed_goes_to_a_person() -> None:
    label = lowered("entailed", (), SMALL)
    assert (label, verdict(Verification(label, (), "it says so", "entailed", SMALL))[0]) == ("ambiguous", "review")


def test_no_kind_has_two_rows_and_each_has_a_reason() -> None:
    assert len(ROWS) == len(TABLE)
    assert all(row.reason and row.action in STRICTEST for row in TABLE)


def test_validation_always_quarantines() -> None:
    assert {row.action for row in TABLE if row.gate == "validate"} == {"quarantine"}


def test_no_flag_accepts_or_rejects_by_itself() -> None:
    assert {row.action for row in TABLE if row.gate == "flag"} == {"review"}


def test_the_table_in_the_docs_is_the_one_in_the_code() -> None:
    text = DOCS.read_text(encoding="utf-8").split("## The verdict\n")[1].split("\n## ")[0]
    shown = [line for line in text.splitlines() if line.startswith("| `")]
    assert shown == [f"| `{row.kind}` | {row.gate} | {row.action} | {row.reason} |" for row in TABLE]


@pytest.mark.parametrize("said", LABELS)
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_a_check_that_did_not_pass_forbids_entailed(said: Label, name: CheckName, outcome: Outcome) -> None:
    label = lowered(said, checks(**{name: outcome}), ())
    most = {"passed": "entailed", "unclear": "ambiguous", "failed": "partly"}[outcome]
    assert label == min(said, most, key=lambda each: LABELS.index(each))


@pytest.mark.parametrize(("said", "at_most"), list(product(LABELS, LABELS)))
def test_a_flag_lowers_and_never_raises(said: Label, at_most: Label) -> None:
    label = lowered(said, PASSED, (flag(at_most=at_most), flag(at_most="entailed")))
    assert LABELS.index(label) == min(LABELS.index(said), LABELS.index(at_most))


CASES: list[tuple[Verification, Action, str]] = [
    (verification(), "accept", ""),
    (verification("partly"), "retry", "partly"),
    (verification("contradicted"), "reject", "contradicted"),
    (verification("not_enough"), "retry", "not_enough"),
    (verification("ambiguous"), "review", "ambiguous"),
    (verification(negation="failed"), "reject", "negation_failed"),
    (verification(negation="unclear"), "review", "negation_unclear"),
    (verification("partly", scope="failed"), "retry", "scope_failed"),
    (verification(species="failed"), "retry", "species_failed"),
    (verification(species="unclear"), "review", "species_unclear"),
    (verification(endpoint="unclear"), "review", "endpoint_unclear"),
    (verification(flags=(flag("negation_lost"),)), "review", "negation_lost"),
    (verification(flags=(flag("thin_quotation", "entailed"),)), "review", "thin_quotation"),
    # what is critical counts before what can be mended, and that before doubt
    (verification("contradicted", flags=(flag(),), scope="unclear"), "reject", "contradicted"),
    (verification("ambiguous", negation="failed", scope="failed"), "reject", "negation_failed"),
    (verification("ambiguous", scope="failed"), "retry", "scope_failed"),
    (verification("partly", flags=(flag("direction_opposed"),)), "retry", "partly"),
    (verification("partly", flags=(flag("thin_effect", "entailed"),), species="unclear"), "retry", "partly"),
]


@pytest.mark.parametrize(("found", "action", "kind"), CASES)
def test_where_a_record_goes(found: Verification, action: Action, kind: str) -> None:
    said = verdict(found)
    assert (said[0], said[2]) == (action, kind)
    assert said[1]


def test_nothing_but_a_clean_verification_is_accepted() -> None:
    accepted = [
        (said, outcome, name)
        for said, name, outcome in product(LABELS, CHECKS, get_args(Outcome))
        if verdict(verification(said, **{name: outcome}))[0] == "accept"
    ]
    assert accepted == [("entailed", "passed", name) for name in CHECKS]


def test_the_detail_of_what_decided_is_told() -> None:
    found = verification(flags=(flag("number_missing"),))
    assert verdict(found)[1] == f"{ROWS['number_missing'].reason}: what was found"
