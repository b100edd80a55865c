"""Where sentences of scientific prose end: own rules, since an abbreviation, a name or a number ends none."""

from __future__ import annotations

import re

# What looks like an end: marks, what closes behind them, and white space or the end of the text. Chinese and Japanese
# marks need no space. An empty line ends a sentence, whatever stands before it.
_CANDIDATE = re.compile(
    r"""(?P<mark>[.!?…]{1,6})(?P<close>["'”’»)\]]{0,4})(?P<cited>(?:\[\d[\d,;\s–-]{0,40}\])?)(?=\s|$)"""
    r"""|(?P<wide>[。！？｡]{1,6}[」』）”’]{0,4})"""
    r"""|(?P<blank>\n[^\S\n]{0,40}\n)"""
)
_TOKEN_BEFORE = re.compile(r"[^\s()\[\]{}“”‘\"/,;:]{1,40}\Z")
_TOKEN_AFTER = re.compile(r"\s*[(\[“‘\"'«]{0,3}(?P<token>[^\s,;:)\]]{1,40})")
_DOTTED = re.compile(r"(?:\w\.){1,5}\w\Z")
_LISTED = re.compile(r"\(?(?:\d{1,3}|[ivx]{1,4}|[a-zA-Z])\Z")
_NAME_WITH_CAPITAL = re.compile(r"[a-zα-ω]{1,4}[-‐–]?[A-Z0-9]|[α-ω]-|[a-z]{1,2}\d")
_WORD = re.compile(r"[^\W\d_]{3,}\Z|\d+(?:\.\d+)?%?\Z|[A-Za-z]*\d+[A-Za-z]?\Z")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# No sentence ends at these, whatever follows.
_NEVER = _words(
    """fig figs eq eqs ref refs tab tabs vs cf resp approx ca i.e e.g ie eg dr prof mr mrs ms st mt sp spp subsp var cv
    ser ver vol pp nr viz ed eds suppl ext chap sect dept univ aff incl excl nos tel temp conc gen"""
)
# None ends at these, unless a word follows that begins sentences.
_SELDOM = _words(
    """al etc no inc ltd co corp jr sr min max hr hrs h wk wks mo yr yrs d s sec mol wt avg std dev est jan feb mar apr
    jun jul aug sept sep oct nov dec"""
)
_STARTERS = _words(
    """a after all also although among an analyses analysis and as at based because both but by compared conclusion
    conclusions consistent data despite during each finally findings first following for from further furthermore given
    he here his how however if in increased indeed interestingly is it its like many mean more moreover most mice
    no none of on one only other our overall participants patients recent recently results second several she since
    six some such studies study subjects surprisingly taken than that the their then there therefore these they this
    those three thus to together treatment two under unlike until up upon using was we were what when where whereas
    whether which while with within without yet importantly notably additionally similarly consequently nevertheless
    objective objectives methods method background interpretation design setting purpose aim aims"""
)


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text as half-open stretches without white space around them, in their order.

    All that is not white space lies in one of them. Work is linear in the length of the text.
    """
    found: list[tuple[int, int]] = []
    start = 0
    for candidate in _CANDIDATE.finditer(text):
        if candidate["mark"] and not _ends(text, start, candidate):
            continue
        _add(found, text, start, candidate.end())
        start = candidate.end()
    _add(found, text, start, len(text))
    return tuple(found)


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        first = start + len(piece) - len(piece.lstrip())
        found.append((first, first + len(bare)))


def _ends(text: str, start: int, candidate: re.Match[str]) -> bool:
    """Whether a sentence ends at a mark that white space follows."""
    after = _TOKEN_AFTER.match(text, candidate.end())
    if after is None:
        return True
    token = after["token"]
    starts = token.lower().rstrip(".") in _STARTERS and token[0].isupper()
    if token[0].islower() and not _named(token):
        return False
    if candidate["mark"] != "." or candidate["close"]:
        return True
    return _full_stop(text, start, candidate, token, starts)


def _full_stop(text: str, start: int, candidate: re.Match[str], token: str, starts: bool) -> bool:
    """Whether a single full stop ends a sentence before a word that could begin one."""
    near = max(start, candidate.start() - 40)
    found = _TOKEN_BEFORE.search(text, near, candidate.start())
    if found is None:  # dots that lead through a table of contents end nothing
        return token[0] != "." and not text[near : candidate.start()].rstrip().endswith(".")
    before = found.group()
    low = before if len(before) > 1 and before.isupper() else before.lower()  # MS is no Ms
    if low in _NEVER:
        return False
    if low in _SELDOM or _DOTTED.match(before):
        return starts
    if _LISTED.match(before) and not text[start : found.start()].strip():
        return False  # the number of a heading or of an item of a list
    if len(before) == 1 and before.isalpha() and before.isupper():
        return starts  # an initial: E. coli, J. Smith
    if before == "0" and token[0].isdigit():
        return False  # a number that lost its place: 0. 05
    return bool(not token[0].islower() or _WORD.search(before))


def _named(token: str) -> bool:
    """Whether a word in lower case is a name that may begin a sentence: mRNA, p53, miR-21, α-synuclein."""
    return _NAME_WITH_CAPITAL.match(token) is not None
