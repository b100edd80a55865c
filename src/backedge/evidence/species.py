"""Which species an excerpt states, by a lexicon of our own: what was studied, not what reagents are made of."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

UNKNOWN = frozenset({"", "unknown", "not stated", "none", "n/a", "not applicable", "various", "other"})

# Behind the word of an animal or of a human: what it names then is a reagent, a virus, a unit or a part of a name.
_REAGENT_AFTER = re.compile(
    r"""[-\s]+(?:
        (?:poly|mono)clonal | anti(?=[-\s]) | anti\w+ | (?:\w+[-\s]+){0,2}(?:antibod(?:y|ies)|antiser(?:um|a))
      | Ig[GMAE]\b | (?:immuno|gamma|γ|alpha|α)[-\s]?globulins? | (?:\w+[-\s]+){0,3}\w*virus(?:es)?\b | \w*papilloma
      | (?:\w+[-\s]+)?(?:lethal\s+doses?|LD\s?50|infective\s+doses?) | units?\b | reticulocyte\s+lysates?
      | immunodeficiency | T[-\s](?:cell\s+)?lymphotropic | serum\s+albumin | albumin | genom\w+ | bioassays?\b
      | embryo\s+extract | myelomas? | plasmacytomas? | plasma\s+cell\s+tumou?rs? | hyperimmune | (?:\w+\s+)?ascit\w+
      | (?:\w+\s+)?antigens? | L[-\s]cells? | lethality | satellite | derived | origin
      | protein\s+(?:database|atlas) | leu[ck]ocyte\s+interferon | (?:re)?combinant
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Behind the word of an animal that reagents are made of.
_PRODUCT_AFTER = re.compile(
    r"""(?:['’]s)?[-\s]+(?:\w+[-\s]+){0,1}?(?:
        ser(?:um|a)\b | thymus | red\s+(?:blood\s+)?cells? | erythrocytes? | rbcs?\b
      | eggs?\b | egg[-\s]\w+ | oviduct | milk
      | insulin | trypsin\w* | chymotrypsin\w* | ribonuclease\w* | rnase | dnase | deoxyribonuclease | thrombin
      | fibrinogen | gelatin | collagen | hemoglobin | haemoglobin | myoglobin | cytochrome | catalase | colostrum
      | rhodopsin | lysozyme | ovalbumin | intestinal\s+(?:alkaline\s+)?phosphatase | neurophysins? | corticotropin
      | parathyroid\s+hormone | ACTH | TSH | LH\b | FSH | prolactin | growth\s+hormone | gonadotrop\w+ | calcitonin
      | carboxypeptidase | pepsin | lactoglobulin | casein | lactalbumin | globulins? | heparin | spleen\s+DNA | plasma
      | (?:lung|ileum|pancrea\w+|pituitary|heart|liver|brain|kidney)\s+(?:extracts?|inhibitors?|kallikrein)
      | testicular\s+hyaluronidase | factor\s+[IVX]+ | meat | manure | feed\b | feces | dung
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REAGENT_ANIMALS = frozenset({"cattle", "sheep", "goat", "horse", "chicken", "pig", "donkey", "rabbit", "duck"})
_CALF = re.compile(r"[-\s]+(?:muscle|blood\s+flow|circumference|vein|plethysmograph|pain|raise|size|girth)", re.I)
_HUMAN_PRODUCT = re.compile(
    r"""[-\s]+(?:(?:\w+[-\s]+)?(?:chorionic|menopausal|urinary)\s+(?:\w+\s+)?gonadotrop\w+
      | growth\s+hormone | insulin\b
      | placental\s+lactogen | rights | resources? | factors\b | errors?\b | nature\b | beings?\b | -to-
      | recombinant | herpes\w* | rhinovir\w* | cytomegalo\w*
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REAGENT_BEFORE = re.compile(
    r"""(?: \banti[-\s] | \brecombinant\s
      | \b(?:raised|produced|prepared|elicited|induced|obtained|generated|made)\sin\s
      | \binto\s | \bimmuni[sz]ed\s | \bimmuni[sz](?:ation|ing)\s+(?:of\s+)? | \bhumanized\s )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
# What others saw in another species, which this excerpt only compares with.
_COMPARED_BEFORE = re.compile(
    r"""(?:
        \b(?:similar|analogous|comparable|homologous|identical|corresponding|contrast|unlike)\s(?:to|with)?[^.;:]{0,50}
      | \b(?:unlike|than)\s(?:that\s|those\s)?(?:in\s|of\s)?(?:the\s)?
      | \b(?:reported|described|known|published|documented)\s(?:previously\s|earlier\s)?(?:in|for|by)\s(?:the\s)?
      | \b(?:applicab\w+|relevan\w+|extrapolat\w+|implications?)\s(?:to|for|in)[^.;:]{0,30} | -to- )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_ANTIBODY = re.compile(r"antibod|antiser|antigen|immuni[sz]", re.IGNORECASE)
_REFERENCES = re.compile(r"^\s*(?:references|bibliography|literature cited|works cited)\s*:?\s*$", re.I | re.M)
_ASIDE = 2  # a species that is named so much less often than another is mentioned, not studied
_LOOKING_BACK = 60  # characters before a word that say whether it names a reagent


@dataclass(frozen=True)
class _Lexicon:
    """Names by the words that state them; the groups that each name belongs to, itself among them."""

    names: dict[str, str]
    groups: dict[str, frozenset[str]]
    pattern: re.Pattern[str]


def species_stated(text: str) -> frozenset[str]:
    """The species whose subjects an excerpt states, by the lexicon's names; empty where none is: unknown.

    Words for reagents ("rabbit anti-", "calf thymus", "hen eggs") and a list of references do not count. Of a group
    ("rodents") and a species of it only the species is given.
    """
    references = _REFERENCES.search(text)
    text = text[: references.start()] if references else text
    lexicon = _lexicon()
    words = [match for match in lexicon.pattern.finditer(text) if not _reagent(text, match, lexicon)]
    told = Counter(lexicon.names[_key(match.group(), lexicon)] for match in words)
    above = {group for name in told for group in lexicon.groups[name] - {name}}
    named = {name: count for name, count in told.items() if name not in above}
    most = max(named.values(), default=0)
    return frozenset(name for name, count in named.items() if count * _ASIDE > most)


def same_species(one: str, other: str) -> bool | None:
    """Whether two descriptions ("male Wistar rats", "rodents") are of one species; None where one is unknown.

    A group is the same as any species of it. Of several species one in common is enough.
    """
    if {one.strip().casefold(), other.strip().casefold()} & UNKNOWN:
        return None
    return related(species_stated(one), species_stated(other))


def related(ones: frozenset[str], others: frozenset[str]) -> bool | None:
    """Whether one of these names is one of those, or a group of it or in it; None where either are none."""
    if not ones or not others:
        return None
    groups = _lexicon().groups
    return any(one in groups[other] or other in groups[one] for one in ones for other in others)


def only_wider(wanted: str, stated: str) -> bool:
    """Whether what is stated ("rodents") names only groups of what is wanted ("rat"): it may be another of them."""
    groups = _lexicon().groups
    ones, others = species_stated(wanted), species_stated(stated)
    if not ones or not others:
        return False
    return all(other not in ones and not groups[other] & ones for other in others) and any(
        other in groups[one] for one in ones for other in others
    )


def _reagent(text: str, match: re.Match[str], lexicon: _Lexicon) -> bool:
    """Whether a word that could state a species names a reagent, a virus, a unit or an acronym here."""
    word = match.group()
    name = lexicon.names[_key(word, lexicon)]
    if word.isupper() and word.isalpha() and _key(word, lexicon) != word and not _loud(text):
        return True
    before = text[max(0, match.start() - _LOOKING_BACK) : match.start()]
    if _REAGENT_AFTER.match(text, match.end()):
        return True
    if _COMPARED_BEFORE.search(before):
        return True
    if name == "human":
        return bool(_HUMAN_PRODUCT.match(text, match.end()) or re.search(r"\brecombinant\s\Z", before, re.I))
    if _REAGENT_BEFORE.search(before) and (name in _REAGENT_ANIMALS or "anti" in before.casefold()[-6:]):
        return True
    if name == "cattle" and word.casefold() == "calf" and _CALF.match(text, match.end()):
        return True
    if name == "rabbit" and _ANTIBODY.search(text, max(0, match.start() - 60), match.end() + 40):
        return True
    return name in _REAGENT_ANIMALS and _PRODUCT_AFTER.match(text, match.end()) is not None


def _loud(text: str) -> bool:
    """Whether a text is written in capitals, so that they say nothing."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter.isupper() for letter in letters) > len(letters) * 0.7


def _key(word: str, lexicon: _Lexicon) -> str:
    spaced = re.sub(r"\s+", " ", word)
    return spaced if spaced in lexicon.names else spaced.casefold()


@cache
def _lexicon() -> _Lexicon:
    lines = (files("backedge.evidence") / "lexicon" / "species.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    names = {word: name for name, _, words in rows for word in words.split("; ")}
    parents = {name: [group for group in groups.split(", ") if group] for name, groups, _ in rows}
    exact = [word for word in names if word != word.lower()]
    loose = [word for word in names if word == word.lower()]
    pattern = re.compile(rf"(?<![\w-])(?:{_either(exact)}|(?i:{_either(loose)}))(?!\w|-like|-derived\s+growth)")
    return _Lexicon(names, {name: _above(name, parents) for name in parents}, pattern)


def _either(words: list[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)


def _above(name: str, parents: dict[str, list[str]]) -> frozenset[str]:
    return frozenset({name}).union(*(_above(parent, parents) for parent in parents[name]))
