"""Sources as RIS and BibTeX: one reference for each version that is not superseded."""

from __future__ import annotations

import re

from backedge.evidence.exporting.exported import Exported, ExportedVersion

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
}
_SPECIAL |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def ris(exported: Exported) -> str:
    """The sources as RIS; what forbids or qualifies their use stands in notes."""
    found = []
    for each in newest(exported):
        m = each.metadata
        lines = [("TY", "JOUR" if m.journal else "GEN"), ("ID", each.version.source), ("TI", m.title)]
        lines += [("AU", _surname_first(author)) for author in m.authors]
        lines += [
            ("JO", m.journal),
            ("PY", str(m.year or "")),
            ("DO", m.identifiers.doi),
            ("UR", m.url),
            ("LA", m.language),
        ]
        lines += [("AN", m.identifiers.pmid), ("C2", m.identifiers.pmcid), ("N1", _note(each))]
        found.append("".join(f"{tag}  - {_line(text)}\r\n" for tag, text in lines if text) + "ER  - \r\n")
    return "\r\n".join(found)


def bibtex(exported: Exported) -> str:
    """The sources as BibTeX, keyed by their ids."""
    found = []
    for each in newest(exported):
        m = each.metadata
        fields = (
            ("title", f"{{{_escaped(m.title)}}}"),
            ("author", " and ".join(_escaped(_surname_first(author)) for author in m.authors)),
            ("journal", _escaped(m.journal)),
            ("year", str(m.year or "")),
            ("doi", m.identifiers.doi),
            ("url", m.url),
            ("note", _escaped(_note(each))),
        )
        body = "".join(f"  {name} = {{{text}}},\n" for name, text in fields if text and text != "{}")
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


def _note(each: ExportedVersion) -> str:
    judgement = each.judgement
    if judgement is None:
        return "not judged"
    told = [f"{reason.kind} ({reason.by})" for reason in (*judgement.reasons, *judgement.warnings)]
    return f"{'may be used' if judgement.eligible else 'MAY NOT BE USED'}: {'; '.join(told)}" if told else ""


def _surname_first(author: str) -> str:
    given, _, surname = author.strip().rpartition(" ")
    return f"{surname}, {given}" if given and "," not in author else author.strip()


def _line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return re.sub(r"[\\{}&%$#_~^]", lambda found: _SPECIAL[found[0]], _line(text))
