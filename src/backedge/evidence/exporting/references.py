"""Sources as RIS and BibTeX: one reference for each source, of its newest version."""

from __future__ import annotations

import re

from backedge.evidence.exporting.exported import Exported, ExportedVersion

# BibTeX counts braces even behind a backslash, so one that stands alone would end the field: they get names.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_OF_ADDRESSES = {"\\": "%5C", "{": "%7B", "}": "%7D"}
_GROUP = re.compile(
    r"\b(?:group|consortium|collaborat\w+|investigators?|committee|network|team|society|association|organi[sz]ation"
    r"|foundation|institute|university|initiative|study|trial|project|and)\b",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|II|III|IV")
_PARTICLES = frozenset({"al", "da", "de", "del", "della", "den", "der", "des", "di", "dos", "du", "el", "la", "le"})
_PARTICLES |= {"af", "av", "bin", "ten", "ter", "van", "von", "zu", "zum", "zur"}


def ris(exported: Exported) -> str:
    """The sources as RIS; what forbids or qualifies their use stands in notes."""
    found = []
    for each in newest(exported):
        m, named = each.metadata, each.metadata.identifiers
        lines = [
            ("TY", "JOUR" if m.journal else "GEN"),
            ("ID", each.version.source),
            ("TI", each.title),
            *(("AU", ", ".join(part for part in parted(author) if part)) for author in m.authors),
            ("JO", m.journal),
            ("PY", str(m.year or "")),
            ("DO", named.doi),
            ("UR", m.url or (f"https://arxiv.org/abs/{named.arxiv}" if named.arxiv else "")),
            ("LA", m.language),
            ("AN", named.pmid),
            ("C2", named.pmcid),
            ("N1", _note(each)),
        ]
        found.append("".join(f"{tag}  - {_line(text)}\r\n" for tag, text in lines if text) + "ER  - \r\n")
    return "\r\n".join(found)


def bibtex(exported: Exported) -> str:
    """The sources as BibTeX, keyed by their ids; in UTF-8, as biber reads it."""
    found = []
    for each in newest(exported):
        m, named = each.metadata, each.metadata.identifiers
        fields = (
            ("title", f"{{{_escaped(each.title)}}}"),
            ("author", " and ".join(_author(author) for author in m.authors)),
            ("journal", _escaped(m.journal)),
            ("year", str(m.year or "")),
            ("doi", _address(named.doi)),
            ("eprint", named.arxiv),
            ("archiveprefix", "arXiv" if named.arxiv else ""),
            ("pmid", named.pmid),
            ("pmcid", named.pmcid),
            ("url", _address(m.url)),
            ("note", _escaped(_note(each))),
        )
        body = "".join(f"  {name} = {{{text}}},\n" for name, text in fields if text)
        found.append(f"@{'article' if m.journal else 'misc'}{{{each.version.source},\n{body}}}\n")
    return "\n".join(found)


def newest(exported: Exported) -> tuple[ExportedVersion, ...]:
    """The newest version of each source, in the order of the sources."""
    found: dict[str, ExportedVersion] = {}
    for each in exported.versions:
        kept = found.get(each.version.source)
        if kept is None or kept.version.number < each.version.number:
            found[each.version.source] = each
    return tuple(found[source] for source in sorted(found))


def parted(author: str) -> tuple[str, str, str]:
    """Surname, given names and suffix (Jr, III) of an author whose given names come first; a group is one name.

    A particle belongs to the surname: `Jan van der Berg` is `van der Berg`, `Jan`.
    """
    name = _line(author)
    if _GROUP.search(name):
        return name, "", ""
    if "," in name:
        surname, _, given = name.partition(",")
        return surname.strip(), given.strip(), ""
    words = name.split(" ")
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    at = len(words) - 1
    while at > 0 and words[at - 1] in _PARTICLES:
        at -= 1
    return " ".join(words[at:]), " ".join(words[:at]), suffix


def _author(author: str) -> str:
    surname, given, suffix = (_escaped(part) for part in parted(author))
    if not given:
        return f"{{{surname}}}"
    return ", ".join(part for part in (surname, suffix, given) if part)


def _note(each: ExportedVersion) -> str:
    judgement = each.judgement
    if judgement is None:
        return "not judged"
    told = [f"{reason.kind} ({reason.by})" for reason in (*judgement.reasons, *judgement.warnings)]
    return f"{'may be used' if judgement.eligible else 'MAY NOT BE USED'}: {'; '.join(told)}" if told else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return re.sub(r"[\\{}&%$#_~^]", lambda found: _SPECIAL[found[0]], _line(text))


def _address(text: str) -> str:
    return re.sub(r"[\\{}]", lambda found: _OF_ADDRESSES[found[0]], _line(text))
