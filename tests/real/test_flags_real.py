"""Rules alone, on the data of other people: claims and counterclaims, directions that doctors read, MeSH species."""

from __future__ import annotations

import ast
import csv
import difflib
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from backedge.evidence.flags import flags_of
from backedge.evidence.numerals import numbers
from backedge.evidence.opposition import About, directions
from backedge.evidence.polarity import content, stem
from backedge.evidence.records import CHECKS, Check, Verification
from backedge.evidence.species import species_stated
from backedge.evidence.verdicts import lowered, verdict
from tests.evidence.judged import passage, proposal, shown

DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"), pytest.mark.slow]
ENTAILED = tuple(Check(name, "passed", "the model says so") for name in CHECKS)

# Words in which two claims may differ and still differ only in a negation.
NEGATING = frozenset(
    ("not", "no", "do", "does", "did", "don't", "doesn't", "didn't", "is", "are", "never", "cannot", "without")
)
LABELS = {"1": "increase", "-1": "decrease", "0": "no_difference"}
# MeSH's headings of species, by the lexicon's names. Groups (Haplorhini) are left out, as in the reference.
HEADINGS = {
    "Humans": "human", "Mice": "mouse", "Rats": "rat", "Rabbits": "rabbit", "Dogs": "dog", "Cats": "cat",
    "Swine": "pig", "Cattle": "cattle", "Sheep": "sheep", "Goats": "goat", "Horses": "horse",
    "Guinea Pigs": "guinea pig",
    "Cricetinae": "hamster", "Mesocricetus": "hamster", "Cricetulus": "hamster", "Chickens": "chicken",
    "Chick Embryo": "chicken", "Macaca": "macaque", "Macaca mulatta": "macaque", "Macaca fascicularis": "macaque",
    "Zebrafish": "zebrafish", "Turkeys": "turkey", "Ducks": "duck", "Gerbillinae": "gerbil", "Coturnix": "quail",
    "Columbidae": "pigeon", "Caenorhabditis elegans": "nematode", "Drosophila": "fruit fly",
    "Drosophila melanogaster": "fruit fly", "Anura": "frog", "Xenopus": "frog", "Xenopus laevis": "frog",
    "Rana pipiens": "frog", "Rana temporaria": "frog", "Ranidae": "frog", "Escherichia coli": "E. coli",
    "Saccharomyces cerevisiae": "baker's yeast", "Papio": "baboon", "Saimiri": "squirrel monkey", "Ferrets": "ferret",
    "Salmon": "salmon", "Trout": "trout", "Carps": "carp", "Callithrix": "marmoset", "Pan troglodytes": "chimpanzee",
    "Swine, Miniature": "pig",
}  # fmt: skip


def table(path: str, delimiter: str = ",") -> list[dict[str, str]]:
    csv.field_size_limit(10**8)
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@cache
def abstracts() -> dict[str, str]:
    return {row["doc_id"]: f"{row['title']}\n{row['abstract']}" for row in table("scifact/corpus_train.csv")}


def accepted(claim: str, pair: dict[str, str]) -> bool:
    """Whether a claim is accepted beside its rationale where the model says that every one is entailed."""
    around = (shown(abstracts()[pair["doc_id"]], role="abstract"),)
    quoted = (passage(pair["rationale_text"], role="abstract"),)
    flags = flags_of(proposal(claim, kind="claim"), quoted, around)
    label = lowered("entailed", ENTAILED, flags)
    return verdict(Verification(label, ENTAILED, "the model says so", "entailed", flags))[0] == "accept"


def words(claim: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’/.-][^\W_]+)*|\$", claim.lower().replace("’", "'"))


def differ_only_in_negation(one: str, other: str) -> bool:
    ones, others = ([stem(word) for word in words(claim) if word not in NEGATING] for claim in (one, other))
    negations = [[word for word in words(claim) if word in NEGATING] for claim in (one, other)]
    return ones == others and negations[0] != negations[1]


def differ_only_in_numbers(one: str, other: str) -> bool:
    """What differs has numbers on both sides, and no word that is none or names no size of one."""
    ones, others = words(one), words(other)
    parts = difflib.SequenceMatcher(None, ones, others, autojunk=False).get_opcodes()
    changed = [(" ".join(ones[a:b]), " ".join(others[c:d])) for kind, a, b, c, d in parts if kind != "equal"]
    sizes = {"million", "billion", "thousand", "in", "$"}
    bare = all(numbers(word) or word in sizes for pair in changed for part in pair for word in part.split())
    return bool(changed) and bare and all(numbers(part) for pair in changed for part in pair)


def test_counterclaims_with_a_model_that_says_entailed_always(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = table("scifact/counterclaim_pairs.tsv", "\t")
    wrong = [pair for pair in pairs if accepted(pair["contradicted_claim"], pair)]
    lowered_true = [pair for pair in pairs if not accepted(pair["supported_claim"], pair)]
    strict = [
        pair
        for pair in pairs
        for rule in (differ_only_in_negation, differ_only_in_numbers)
        if rule(pair["supported_claim"], pair["contradicted_claim"])
    ]
    with capsys.disabled():
        print(
            f"\n{len(pairs)} pairs: {len(wrong)} contradicted claims pass, {len(lowered_true)} true ones are lowered,"
        )
        print(f"{len(strict)} differ only in a number or a negation: {sum(p in wrong for p in strict)} of them pass")
    assert (len(pairs), len(strict) >= 9) == (192, True)
    assert [pair["contradicted_claim"] for pair in strict if pair in wrong] == []
    assert len(wrong) <= 58
    assert len(lowered_true) <= 76


def sentences(written: str) -> list[str]:
    """The sentences of an abstract that is written as numpy writes a list of them."""
    quoted = re.finditer(r"""(?:(?<=\[)|(?<=\s))('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?=\s|\])""", written, re.DOTALL)
    return [ast.literal_eval(found[1].replace("\n", " ")) for found in quoted]


def test_claims_that_the_rules_were_not_made_with(capsys: pytest.CaptureFixture[str]) -> None:
    """The pairs were read while the rules were made. These claims were not: what they show is the rules' true reach."""
    pairs = table("scifact/counterclaim_pairs.tsv", "\t")
    known = {pair[name] for pair in pairs for name in ("supported_claim", "contradicted_claim")}
    parts = {row["doc_id"]: sentences(row["abstract"]) for row in table("scifact/corpus_train.csv")}
    assert sum(map(len, parts.values())) == 45_952
    seen: Counter[str] = Counter()
    for row in table("scifact/claims_validation.csv"):
        if row["evidence_label"] in ("SUPPORT", "CONTRADICT") and row["claim"] not in known:
            document = row["evidence_doc_id"]
            quoted = " ".join(parts[document][int(at)] for at in re.findall(r"\d+", row["evidence_sentences"]))
            passes = accepted(row["claim"], {"doc_id": document, "rationale_text": quoted})
            seen[f"{row['evidence_label']} {'passes' if passes else 'is lowered'}"] += 1
    with capsys.disabled():
        print(f"\n{dict(seen)}")
    assert seen.total() == 158
    assert seen["CONTRADICT is lowered"] >= 15
    assert seen["SUPPORT is lowered"] <= 47


def test_directions_as_doctors_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    prompts = {row["PromptID"]: row for row in table("evidence_inference/prompts_merged.csv")}
    seen: Counter[str] = Counter()
    for row in table("evidence_inference/v2_annotations.csv"):
        if row["Valid Reasoning"] != "True" or not row["Annotations"].strip() or row["PromptID"] not in prompts:
            continue
        prompt = prompts[row["PromptID"]]
        about = About(*(content(prompt[name]) for name in ("Outcome", "Intervention", "Comparator")))
        found = directions(row["Annotations"], about)
        label = LABELS[row["Label Code"]]
        seen["all"] += 1
        seen["nothing" if not found else "right" if found == {label} else "among" if label in found else "other"] += 1
    told = seen["all"] - seen["nothing"]
    with capsys.disabled():
        right, other = seen["right"] / told, seen["other"] / told
        print(f"\n{dict(seen)}: of {told} with a direction {right:.3f} right, {other:.3f} wrong")
    assert seen["all"] == 4_676
    assert seen["right"] / told >= 0.74
    assert seen["other"] / told <= 0.17


def articles() -> Iterator[tuple[int, str, set[str]]]:
    root = etree.fromstring(gzip.decompress((DATA / "medline" / "medline_subset.xml.gz").read_bytes()))
    for article in root.iter("PubmedArticle"):
        text = " ".join(whole(part) for part in article.iter("ArticleTitle"))
        abstract = " ".join(whole(part) for part in article.iter("AbstractText"))
        headings = {heading.text or "" for heading in article.iter("DescriptorName")}
        if abstract and headings:
            yield int(article.findtext(".//PMID") or 0), f"{text}\n{abstract}", named(headings)


def whole(element: etree._Element) -> str:
    return "".join(str(text) for text in element.itertext())


def named(headings: set[str]) -> set[str]:
    strains = {re.sub(r"^(Mice|Rats), .*", r"\1", heading) for heading in headings}
    return {HEADINGS[heading] for heading in strains if heading in HEADINGS}


def test_species_against_mesh(capsys: pytest.CaptureFixture[str]) -> None:
    """The lexicon was made with the even PMIDs. Of the odd ones no article was read; their figure was, twice."""
    counts = {0: Counter[str](), 1: Counter[str]()}
    for pmid, text, wanted in articles():
        found = {name for name in species_stated(text) if name in HEADINGS.values()}
        told = {
            "right": len(found & wanted),
            "wrong": len(found - wanted),
            "missed": len(wanted - found),
            "articles": 1,
        }
        counts[pmid % 2].update(told)
    for half, count in counts.items():
        precision = count["right"] / (count["right"] + count["wrong"])
        recall = count["right"] / (count["right"] + count["missed"])
        with capsys.disabled():
            name = "odd PMIDs, held out" if half else "even PMIDs, tuned on"
            print(f"\n{name}: {count['articles']} articles, precision {precision:.3f}, recall {recall:.3f}")
        assert (count["articles"] > 400, precision >= 0.95, recall >= 0.6) == (True, True, True)
