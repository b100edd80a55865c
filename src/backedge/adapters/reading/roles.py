"""The role of a section, told by its declared type or by its heading; all readers share these tables."""

from __future__ import annotations

import re

from backedge.evidence.reading import Role

TYPES: dict[str, Role] = {
    "intro": "introduction",
    "introduction": "introduction",
    "background": "introduction",
    "objective": "introduction",
    "objectives": "introduction",
    "methods": "methods",
    "materials": "methods",
    "materialsmethods": "methods",
    "materials and methods": "methods",
    "subjects": "methods",
    "results": "results",
    "cases": "results",
    "discussion": "discussion",
    "conclusion": "discussion",
    "conclusions": "discussion",
    "supplementary-material": "other",
    "coi-statement": "other",
    "conflict": "other",
    "data-availability": "other",
    "ack": "other",
}
"""Values of `sec-type` in JATS, lower case; several may stand in one, divided by `|`."""

_HEADINGS: tuple[tuple[Role, str], ...] = (
    ("abstract", "abstract|summary|synopsis|author summary|structured abstract|plain language summary"),
    (
        "introduction",
        "introduction|background|objectives?|aims?|purpose|rationale|hypothes[ie]s|context|literature review"
        "|aims? of the study|purpose of the study|statement of the problem|state of the art|related work",
    ),
    (
        "methods",
        "methods?|materials?|methodology|methodologies|procedures?|experimental|experimental (?:section|procedures?)"
        "|design|study design|trial design|study population|setting|participants?|subjects?|patients?|animals?"
        "|interventions?|outcomes?|outcome measures|measurements?|statistics|statistical analys[ie]s|data analys[ie]s"
        "|analys[ie]s|data collection|data sources?|search strategy|protocol|sample size|randomi[sz]ation|blinding"
        "|ethics|techniques?|population|models?|theory",
    ),
    ("results", "results?|findings?|observations?|case|cases|case (?:report|reports|presentation|description|series)"),
    (
        "discussion",
        "discussions?|conclusions?|concluding remarks|limitations?|strengths and limitations|implications?"
        "|interpretation|summary and conclusions?|future directions|perspectives?|outlook",
    ),
    ("references", "references?|bibliography|literature cited|works cited|literature|cited literature"),
    (
        "other",
        "acknowledge?ments?|funding|conflicts? of interests?|competing interests?|author contributions?|abbreviations"
        "|authors?['’] contributions?|data availability|supporting information|supplementary (?:materials?|information)"
        "|supplemental (?:materials?|data)|supplementary data|appendix|appendices|declarations?|disclosures?|keywords?"
        "|key words|ethics (?:statement|approval)|pre-publication history",
    ),
)
_WHOLE: tuple[tuple[Role, re.Pattern[str]], ...] = tuple((role, re.compile(words)) for role, words in _HEADINGS)
_NUMBERING = re.compile(
    r"^(?:section|part)?\s*(?:\d+(?:\.\d+)*\s*[.):–—-]?\s*(?!\d)|(?:[ivx]+|[a-h])\s*[.):–—-]\s*)(?=\S)"
)
_PARTS = re.compile(r"\s*(?:,?\s+and\s+|&|/|,|\+|;)\s*")
_DECORATION = re.compile(
    r"^(?:main|general|overall|preliminary|brief|detailed|online|study|experimental|statistical)\s+"
)
_FIRST: tuple[Role, ...] = ("results", "methods", "discussion", "introduction", "abstract", "references", "other")
_LONGEST = 80


_CORE = re.compile(
    "introduction|background|(?:materials? and )?methods?|results?|findings|discussion|conclusions?|references"
)


def role_within(heading: str, declared: str, outer: Role | None) -> Role | None:
    """The role of a section within one of the role `outer`, which it shares unless it says clearly that it does not."""
    if outer in (None, "other"):
        return role_of(heading, declared) or outer
    clear = role_of("", declared) or (role_of(heading) if _CORE.fullmatch(_bare(heading)) else None)
    return clear or outer


def role_of(heading: str, declared: str = "") -> Role | None:
    """The role of a section by its declared type and its heading; None where neither tells.

    The type counts where the two contradict each other.

    A heading tells only as a whole: "Results", "2. Materials and Methods", "RESULTS & DISCUSSION:" do, "Results of
    earlier trials" does not. Of several roles that it names the one nearest to what was observed counts.
    """
    told = [TYPES[word] for part in declared.lower().split("|") if (word := part.strip()) in TYPES]
    named = _named(_bare(heading)) if len(heading) <= _LONGEST else []
    if told and not set(told) & set(named):
        named = told
    return next((role for role in _FIRST if role in named), None)


def _bare(heading: str) -> str:
    return _NUMBERING.sub("", " ".join(heading.lower().split())).strip(" .:–—-*#")


def _named(heading: str) -> list[Role]:
    """The roles that a heading names; none where any part of it names none."""
    if whole := _role(heading):
        return [whole]
    found = [_role(part) for part in _PARTS.split(heading)]
    roles = [role for role in found if role]
    return roles if len(roles) == len(found) else []


def _role(words: str) -> Role | None:
    for tried in (words, _DECORATION.sub("", words)):
        for role, pattern in _WHOLE:
            if pattern.fullmatch(tried):
                return role
    return None
