"""The rules of candidates: labelled assumptions, eight ratings each, packaged records, and no chance of success."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from backedge.evidence.chances import chances_in
from backedge.evidence.designs import CRITERIA, Approach, Candidates
from backedge.evidence.quoting import quoted_elsewhere
from backedge.kernel.defect import Defect

RATINGS = ("strong", "adequate", "weak", "unknown")
NEEDS_RECORDS = ("strong", "adequate")
FEWEST_COMMON = 2
COVERED = 0.5  # share of the telling words of a sentence, or of its label where that is shorter, that both have
_SENTENCE = re.compile(r"(?:[^.!?;\n]|(?<=\d)\.(?=\d))+")
_WORD = re.compile(r"[^\W_]{3,}")
_ASSUMES = re.compile(
    r"\b(?:(?:we|is|are|was|be|it|been|i) (?:\w+ )?(?:assum|presum|presuppos|suppos)\w+|assum(?:es?|ing|ption)\b"
    r"|presum(?:ably|ing|es?|ption)\b|presuppos(?:es?|ing)\b|suppos(?:ing|edly)\b"
    r"|taken? (?:it )?(?:for granted|as given)"
    r"|provid(?:ing|ed) (?:that|the|there|it|we|our)|on (?:the )?(?:premise|condition|understanding) that"
    r"|if (?:[\w-]+ ){1,8}?(?:holds?|allows?|permits?|suffices?|is (?:available|correct|true|right|valid|feasible))"
    r"|(?:should|ought to) (?:\w+ )?(?:be (?:\w+ )?(?:feasible|possible|enough|sufficient|available|adequate|achievable"
    r"|attainable|comparable|representative|transferable)|suffice|hold|transfer|generalise|generalize|translate)"
    r"|we (?:believe|trust|hope|expect that|think)|in all likelihood)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:no|not|nothing|never|without|neither) (?:\w+ ){0,2}(?:assum|presum|suppos)\w*", re.IGNORECASE
)
_EMPTY = frozenset(
    {
        "that",
        "this",
        "with",
        "from",
        "the",
        "and",
        "for",
        "are",
        "was",
        "has",
        "its",
        "our",
        "not",
        "can",
        "assume",
        "assumes",
        "assumed",
        "assuming",
        "assumption",
        "presumably",
        "presumed",
        "should",
        "would",
        "will",
        "feasible",
        "have",
        "been",
        "which",
        "their",
        "there",
        "then",
        "than",
        "given",
        "taken",
        "provided",
        "believe",
        "expect",
        "holds",
    }
)


def prose_of(candidates: Candidates) -> Iterator[tuple[str, str]]:
    """Every prose of the candidates with where it stands, such as `approaches.a.ratings.cost`."""
    for approach in candidates.approaches:
        at = f"approaches.{approach.key}"
        yield f"{at}.title", approach.title
        yield f"{at}.summary", approach.summary
        for number, assumption in enumerate(approach.assumptions, 1):
            yield f"{at}.assumptions.{number}", assumption.text
            yield f"{at}.assumptions.{number}.rests_on", assumption.rests_on
        for rated in approach.ratings:
            yield f"{at}.ratings.{rated.criterion}", rated.rationale
    yield "comparison", candidates.comparison


def chance_of_success(candidates: Candidates) -> Defect | None:
    """A probability of success in any wording, wherever it stands; it is not asked for again but shown to a person."""
    found = [(where, chance.words) for where, text in prose_of(candidates) for chance in chances_in(text)]
    if not found:
        return None
    said = "; ".join(f'"{words}" in {where}' for where, words in found)
    hint = "rate the criteria in words and leave the outcome open; then `backedge investigate retry`"
    return Defect("chance_of_success", f"a chance of success is stated: {said}", found[0][0], hint, retryable=False)


def unlabelled(candidates: Candidates) -> Defect | None:
    """Something taken for granted in the prose that no assumption covers, or an assumption that rests on nothing."""
    for approach in candidates.approaches:
        for number, each in enumerate(approach.assumptions, 1):
            where = f"approaches.{approach.key}.assumptions.{number}"
            if not each.text.strip():
                return Defect("assumption_empty", "an assumption has no text", where, "say what is assumed")
            if not each.rests_on.strip():
                said = f'nothing is said of what "{each.text}" rests on'
                return Defect(
                    "assumption_without_ground", said, where, "name the record, the practice, or that it is open"
                )
    labels = {approach.key: tuple(each.text for each in approach.assumptions) for approach in candidates.approaches}
    everyone = tuple(text for texts in labels.values() for text in texts)
    for where, sentence in _assuming(candidates):
        _, _, rest = where.partition("approaches.")
        its = labels.get(rest.split(".")[0], ()) if rest else everyone
        if not any(_covers(label, sentence) for label in its):
            said = f'"{sentence}" takes something for granted that no assumption of it names'
            hint = "add it to the assumptions, with what it rests on"
            return Defect("assumption_unlabelled", said, where, hint, near=its)
    return None


def _assuming(candidates: Candidates) -> Iterator[tuple[str, str]]:
    """The sentences of the prose that take something for granted, with where they stand."""
    for where, text in prose_of(candidates):
        if ".assumptions." in where:
            continue
        for sentence in _SENTENCE.findall(text):
            if _ASSUMES.search(_NEGATED.sub(" ", sentence)):
                yield where, sentence.strip()


def _covers(label: str, sentence: str) -> bool:
    """Whether an assumption says what a sentence takes for granted: half of the telling words of the shorter, or more.

    One word in common is too little, unless the sentence has no other.
    """
    ones, others = _telling(label), _telling(sentence)
    needed = max(min(FEWEST_COMMON, len(others)), COVERED * min(len(ones), len(others)))
    return len(ones & others) >= needed > 0


def _telling(text: str) -> set[str]:
    return {word[:6] for word in _WORD.findall(text.casefold()) if word not in _EMPTY}


def unrated(candidates: Candidates) -> Defect | None:
    """Each approach is rated once on each criterion, in one of four words, with a rationale; support names records."""
    for approach in candidates.approaches:
        if defect := _unrated(approach):
            return defect
    if not candidates.comparison.strip():
        return Defect("comparison_missing", "the approaches are not compared", "comparison", "say how they differ")
    return None


def _unrated(approach: Approach) -> Defect | None:
    at = f"approaches.{approach.key}.ratings"
    names = [rated.criterion for rated in approach.ratings]
    wrong = [row.name for row in CRITERIA if names.count(row.name) != 1]
    if wrong:
        said = f"{approach.key} is not rated once on: {', '.join(wrong)}"
        return Defect("criteria_unrated", said, at, "rate each criterion once; `unknown` is a rating")
    for rated in approach.ratings:
        where = f"{at}.{rated.criterion}"
        if rated.criterion not in {row.name for row in CRITERIA}:
            return Defect("unknown_criterion", f"there is no criterion {rated.criterion!r}", where)
        if rated.rating not in RATINGS:
            said = f"{rated.rating!r} is no rating"
            return Defect("unknown_rating", said, where, "use one of the four words", near=RATINGS)
        if not rated.rationale.strip():
            said = f"{approach.key} is rated {rated.rating} on {rated.criterion} without a rationale"
            return Defect("rationale_missing", said, where, "say what the rating rests on")
        if rated.criterion == "evidence_support" and rated.rating in NEEDS_RECORDS and not rated.records:
            said = f"{approach.key} has {rated.rating} evidence and names no record"
            return Defect("support_without_records", said, where, "name the records, or rate it weak or unknown")
    return None


def unsupported(candidates: Candidates, records: tuple[str, ...]) -> Defect | None:
    """A record that is named and stands in none of the packages."""
    for approach in candidates.approaches:
        named = [(f"approaches.{approach.key}.records", key) for key in approach.records]
        for rated in approach.ratings:
            named += [(f"approaches.{approach.key}.ratings.{rated.criterion}", key) for key in rated.records]
        for where, key in named:
            if key not in records:
                near = tuple(get_close_matches(key, records, n=5, cutoff=0.6))
                said = f"record {key!r} is in none of the packages"
                return Defect("record_not_packaged", said, where, "name records of the packages only", near=near)
    return None


def quotes(candidates: Candidates) -> Defect | None:
    """Words that a prose of the approaches quotes: quotations stand in the design, where each is held to its record."""
    found = [(where, words) for where, text in prose_of(candidates) for words in quoted_elsewhere(text, ())]
    if not found:
        return None
    said = "; ".join(f"{words[:60]!r} in {where}" for where, words in found)
    hint = "say it in words of your own, and name the records; the design quotes"
    return Defect("candidates_quote", f"quoted: {said}", found[0][0], hint)
