"""The one table that says where a record goes: by its label, its checks, its flags, and every defect it can have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.evidence.records import Check, Flag, Label, Verification

Action = Literal["accept", "reject", "review", "retry", "quarantine"]

# From what speaks least for a record to what speaks most for it; lowering goes to the left.
LABELS: tuple[Label, ...] = ("contradicted", "not_enough", "ambiguous", "partly", "entailed")
# The first one that anything asks for is taken.
STRICTEST: tuple[Action, ...] = ("reject", "quarantine", "retry", "review", "accept")


@dataclass(frozen=True)
class Row:
    """Where a kind sends a record, and why. `gate` is what finds the kind: a label, a check, a flag, or a stage."""

    gate: str
    kind: str
    action: Action
    reason: str


TABLE: tuple[Row, ...] = (
    Row("label", "entailed", "accept", "the passages say all of the record"),
    Row("label", "partly", "retry", "the record says more than its passages: the source can mend it"),
    Row("label", "contradicted", "reject", "the passages say the opposite"),
    Row("label", "not_enough", "retry", "the passages do not speak of it: other words of the source may"),
    Row("label", "ambiguous", "review", "the passages can be read both ways: a person decides"),
    Row("check", "negation_passed", "accept", "nothing was negated or turned round"),
    Row("check", "negation_failed", "reject", "a negation or a direction was turned round: that is critical"),
    Row("check", "negation_unclear", "review", "whether something is negated is unclear: a person decides"),
    Row("check", "scope_passed", "accept", "the record is as wide and as strong as its passages"),
    Row("check", "scope_failed", "retry", "the record is wider or stronger than its passages: it can be narrowed"),
    Row("check", "scope_unclear", "review", "how far the passages go is unclear: a person decides"),
    Row("check", "species_passed", "accept", "the species is the one that is stated"),
    Row("check", "species_failed", "retry", "the species is another one: it can be corrected or left unknown"),
    Row("check", "species_unclear", "review", "which species is meant is unclear: a person decides"),
    Row("check", "treatment_passed", "accept", "treatment and comparator are those of the passages"),
    Row("check", "treatment_failed", "retry", "treatment or comparator are others: they can be corrected"),
    Row("check", "treatment_unclear", "review", "which treatment is meant is unclear: a person decides"),
    Row("check", "endpoint_passed", "accept", "the same thing was measured"),
    Row("check", "endpoint_failed", "retry", "something else was measured: it can be corrected"),
    Row("check", "endpoint_unclear", "review", "what was measured is unclear: a person decides"),
    # A rule may be wrong where the model is right, and it never learns: it only calls a person.
    Row("flag", "negation_lost", "review", "the passages negate what the record says without a negation"),
    Row("flag", "negation_added", "review", "the record negates what the passages say without a negation"),
    Row("flag", "negation_doubtful", "review", "the passages leave open whether it is so"),
    Row("flag", "negation_outside", "review", "the sentence denies what is quoted of it, in words that are not"),
    Row("flag", "hedge_lost", "review", "the passages say that it may be or is expected, the record that it is"),
    Row("flag", "direction_opposed", "review", "the passages state the opposite direction"),
    Row("flag", "direction_unstated", "review", "the passages state no such direction"),
    Row("flag", "direction_inconsistent", "review", "the record's own direction and statement disagree"),
    Row("flag", "number_missing", "review", "a number of the record does not occur in its passages"),
    Row("flag", "number_sign", "review", "a number occurs only with the other sign"),
    Row("flag", "number_comparison", "review", "a number occurs only with another of <, >, ≤, ≥, ="),
    Row("flag", "number_unit", "review", "a number occurs only with another unit"),
    Row("flag", "number_role", "review", "the number of subjects occurs only as something that counts none"),
    Row("flag", "values_swapped", "review", "two numbers stand with each other's group"),
    Row("flag", "words_inserted", "review", "the record has words in brackets that are not the source's"),
    Row("flag", "comparator_missing", "review", "what it is compared with is not in what was shown"),
    Row("flag", "comparator_swapped", "review", "treatment and comparator stand the other way round"),
    Row("flag", "species_other", "review", "what was shown states another species"),
    Row("flag", "species_inconsistent", "review", "the record's own fields name different species"),
    Row("flag", "species_unstated", "review", "what was shown does not state this species"),
    Row("flag", "small_model", "review", "the model that said so is small, and passes what it should not"),
    Row("flag", "thin_quotation", "review", "so few words are quoted that they say little by themselves"),
    Row("flag", "thin_place", "review", "only a title is quoted, which is no observation"),
    Row("flag", "thin_effect", "review", "an effect is claimed without a number"),
    Row("extract", "quote_empty", "retry", "a quotation is empty: other words can be quoted"),
    Row("extract", "quote_too_short", "retry", "a quotation is too short to mean something: more can be quoted"),
    Row("extract", "quote_not_found", "retry", "the words stand nowhere in the section: they can be quoted truly"),
    Row("extract", "quote_wrong_section", "retry", "the words stand in another section: its key can be named"),
    Row("extract", "quote_misattributed", "retry", "the words stand in another source: others can be quoted"),
    Row("extract", "quote_stale", "retry", "the words stand in an older version: others can be quoted"),
    Row("extract", "quote_ambiguous", "retry", "the words stand there several times: what is around them can be told"),
    Row("extract", "quote_cut", "retry", "the words begin or end inside a word: it can be quoted whole"),
    Row("extract", "quote_section_unknown", "retry", "there is no such section: its key can be named"),
    Row("extract", "quote_elision", "retry", "what is left out cannot be placed: the pieces can be quoted apart"),
    Row("extract", "quote_context", "retry", "its prefix or suffix do not stand there: they can be told truly"),
    Row("extract", "quote_unreadable", "retry", "it holds half a character: whole ones can be quoted"),
    Row("extract", "nothing_said", "retry", "neither records nor a reason came: the part is asked for again"),
    Row("verify", "checks_missing", "retry", "a check is missing: the verifier is asked again, then a person"),
    Row("verify", "check_without_reason", "retry", "a check has no reason: the verifier is asked again, then a person"),
    Row("verify", "entailed_with_failed_check", "retry", "a failed check forbids it: asked again, then a person"),
    Row("retry", "not_mended", "quarantine", "the source cannot mend it"),
    Row("verify", "ineligible", "quarantine", "its version may not be used any more: no model is asked"),
    Row("validate", "quotation_missing", "quarantine", "a record without a quotation is an assertion of a model"),
    Row("validate", "span_missing", "quarantine", "a quotation was never found in its section"),
    Row("validate", "quotation_repeated", "quarantine", "one quotation is given twice"),
    Row("validate", "span_other_words", "quarantine", "a span is not where the words of its quotation are found"),
    Row("validate", "span_stale", "quarantine", "a span is of another text than the one that is stored"),
    Row("validate", "span_out_of_range", "quarantine", "a span reaches beyond the text"),
    Row("validate", "span_differs", "quarantine", "the stored text is not what the span says"),
    Row("validate", "span_other_version", "quarantine", "a span is of another version than its record"),
    Row("validate", "field_missing", "quarantine", "a field that its kind needs is empty"),
    Row("validate", "direction_unknown", "quarantine", "its direction is none of the list"),
    Row("validate", "status_asserted", "quarantine", "a record says nothing of its own status"),
    Row("validate", "background", "quarantine", "what others observed is no finding of this source"),
    Row("validate", "references_quoted", "quarantine", "the title of a work that is cited supports nothing"),
    Row("validate", "statement_too_short", "quarantine", "its statement is too short to be understood by itself"),
    Row("validate", "statement_too_long", "quarantine", "its statement is more than one record's"),
    Row("validate", "duplicate", "quarantine", "the version has this record already"),
)
ROWS: dict[str, Row] = {row.kind: row for row in TABLE}


def lowered(said: Label, checks: tuple[Check, ...], flags: tuple[Flag, ...]) -> Label:
    """The label that is left of what a model said: a failed check forbids "entailed", an unclear one "partly" too."""
    bounds: list[Label] = [flag.at_most for flag in flags]
    outcomes = {check.outcome for check in checks}
    if "failed" in outcomes:
        bounds.append("partly")
    if "unclear" in outcomes:
        bounds.append("ambiguous")
    return min((said, *bounds), key=LABELS.index)


def verdict(verification: Verification) -> tuple[Action, str, str]:
    """Where a record goes, why, and the kind that sent it there (empty where it is accepted).

    Of all that speaks of it (the model's label and the lowered one, each check, each flag) the strictest row counts.
    """
    checks = [(f"{check.name}_{check.outcome}", check.reason) for check in verification.checks]
    flags = [(flag.kind, flag.message) for flag in verification.flags]
    labels = [(verification.said, verification.reason), (verification.label, verification.reason)]
    told = [(ROWS[kind], detail) for kind, detail in (*checks, *flags, *labels)]
    row, detail = min(told, key=lambda each: STRICTEST.index(each[0].action))
    if row.action == "accept":
        return "accept", ROWS["entailed"].reason, ""
    return row.action, f"{row.reason}: {detail}" if detail else row.reason, row.kind
