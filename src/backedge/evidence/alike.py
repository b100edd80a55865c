"""Whether two descriptions are of one endpoint, treatment, comparator or population, by their words alone."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+(?:-\d[^\W_]*)?")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_WHEN = re.compile(
    r"\b(?:at|after|on|by|over|within|during|from|for|until|through|measured|assessed|determined|using|via)\s+"
    r"(?:the\s+)?(?:day|days|week|weeks|month|months|year|years|hour|hours|baseline|end|admission|discharge|\d).*",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*(?:,|;|/|\+|\band/or\b|\band\b|\bor\b)\s*", re.IGNORECASE)
_OF = re.compile(r"\b(?:of|in|from|for|to|by|due)\b", re.IGNORECASE)
_EMPTY = frozenset(
    {"a", "an", "the", "and", "or", "of", "in", "on", "at", "to", "for", "from", "by", "with", "without", "its"}
    | {"level", "levels", "rate", "rates", "score", "scores", "measured", "change", "changes", "mean", "median"}
    | {"value", "values", "concentration", "concentrations", "incidence", "reduction", "increase", "decrease"}
    | {"improvement", "primary", "secondary", "outcome", "outcomes", "endpoint", "endpoints", "total", "any", "all"}
    | {"cause", "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "due", "use"}
)
# What a treatment is called beside its agent: how, how much, and words for whatever was given.
_GIVEN = frozenset(
    {
        "treatment",
        "treatments",
        "therapy",
        "treated",
        "intervention",
        "experimental",
        "group",
        "groups",
        "drug",
        "drugs",
    }
    | {"agent", "compound", "dose", "doses", "dosing", "daily", "oral", "orally", "intravenous", "iv", "ip", "sc", "po"}
    | {"intraperitoneal", "subcutaneous", "injection", "injections", "infusion", "administered", "administration"}
    | {
        "mg",
        "kg",
        "ml",
        "ug",
        "µg",
        "mcg",
        "mm",
        "µm",
        "nm",
        "inhibitor",
        "inhibitors",
        "agonist",
        "agonists",
        "blocker",
    }
    | {"antagonist", "antagonists", "blockers", "acid", "low", "high", "acute", "chronic", "single", "once", "twice"}
    | {"supplementation", "supplement", "diet", "combination", "plus", "versus", "study", "active", "test", "h", "d"}
)
_SAME = {
    "area": "size",
    "died": "death",
    "glycemia": "glucose",
    "lethality": "death",
    "mass": "weight",
    "mortality": "death",
    "survival": "death",
    "volume": "size",
}
_INACTIVE = re.compile(
    r"\b(?:placebos?|vehicles?|saline|pbs|sham|untreated|no (?:treatment|intervention|drug)|controls?|water"
    r"|dmso|dummy)\b",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"\b(?:standard of care|standard care|usual care|standard (?:treatment|therapy)|soc)\b", re.IGNORECASE
)
_BEFORE = re.compile(r"\b(?:baseline|before|pre-?treatment|pre-?intervention)\b", re.IGNORECASE)
_SEXES = {
    "male": ("male", "males", "men", "man", "boys", "boy"),
    "female": ("female", "females", "women", "woman", "girls"),
}
_AGES = {
    "newborn": ("newborn", "newborns", "neonatal", "neonate", "neonates", "neonat", "preterm", "infant", "infants"),
    "young": ("juvenile", "juveniles", "child", "children", "paediatric", "pediatric", "adolescent", "adolescents"),
    "adult": ("adult", "adults"),
    "old": ("aged", "elderly", "older", "geriatric", "senescent"),
}
_AGED = re.compile(r"\baged\s+(?:\d|between|from|over|under|at)", re.IGNORECASE)  # "aged 8 weeks" is not old


def same_endpoint(wanted: str, stated: str) -> bool:
    """Whether two endpoints are one: all telling words of the shorter stand in the other, and both measure one thing.

    "Blood pressure" and "systolic blood pressure" are; "systolic blood pressure" and "blood glucose", "creatinine" and
    "creatinine clearance" are not. Of several endpoints one in common is enough.
    """
    if _plain(wanted) == _plain(stated):
        return True
    return any(_one_endpoint(one, other) for one in _parts(wanted) for other in _parts(stated))


def _one_endpoint(one: str, other: str) -> bool:
    ones, others = set(_telling(one)), set(_telling(other))
    return bool(ones and others) and (ones <= others or others <= ones) and _head(one) == _head(other)


def same_treatment(wanted: str, stated: str) -> bool | None:
    """Whether two treatments have an agent in common; None where one names no agent ("the experimental group")."""
    ones, others = _agents(wanted), _agents(stated)
    if not ones or not others:
        return True if _plain(wanted) == _plain(stated) else None
    return bool(ones & others)


def same_comparator(wanted: str, stated: str) -> bool | None:
    """Whether two comparators are of one sort: inactive, usual care, before the treatment, or one agent."""
    sorts, others = _sorts(wanted), _sorts(stated)
    if sorts or others:
        return bool(sorts & others)
    return same_treatment(wanted, stated)


def other_population(wanted: str, stated: str) -> str:
    """What speaks against one population: another sex or another age; empty where nothing does."""
    for what, classes in (("sex", _SEXES), ("age", _AGES)):
        ones, others = _classes(wanted, classes), _classes(stated, classes)
        if ones and others and not ones & others:
            return what
    return ""


def _sorts(text: str) -> set[str]:
    found = {"usual care": _USUAL, "before": _BEFORE, "inactive": _INACTIVE}
    return {sort for sort, pattern in found.items() if pattern.search(text)}


def _classes(text: str, classes: dict[str, tuple[str, ...]]) -> set[str]:
    words = set(_TOKEN.findall(_AGED.sub(" ", text).casefold()))
    return {name for name, its in classes.items() if words & set(its)}


def _agents(text: str) -> set[str]:
    return {word for word in _telling(text) if word not in _GIVEN}


def _parts(text: str) -> list[str]:
    """The endpoints that a text names, without asides and without when and how they are measured."""
    return [part for part in _PARTS.split(_WHEN.sub(" ", _ASIDE.sub(" ", text))) if part.strip()]


def _head(text: str) -> str:
    """What is measured: the last telling word before an "of"."""
    words = _telling(_OF.split(text.strip())[0]) or _telling(text)
    return words[-1] if words else ""


def _telling(text: str) -> list[str]:
    words = (_stem(word) for word in _TOKEN.findall(text.casefold()) if word not in _EMPTY)
    return [_SAME.get(word, word) for word in words if len(word) > 1 and not word.isdigit() and word not in _EMPTY]


def _stem(word: str) -> str:
    word = word.replace("aemia", "emia").replace("oedema", "edema").replace("tumour", "tumor").replace("haem", "hem")
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
