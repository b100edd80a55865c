"""Species: what an excerpt states, what reagents do not state, and whether two descriptions are of one species."""

from __future__ import annotations

from importlib.resources import files

import pytest

from backedge.evidence.species import same_species, species_stated

STATED = [
    ("Male C57BL/6 mice were used.", {"mouse"}),
    ("Sprague-Dawley animals were killed.", {"rat"}),
    ("Wistar rats and Lewis rats", {"rat"}),
    ("New Zealand white does", {"rabbit"}),
    ("Sixty women were randomised.", {"human"}),
    ("children and adolescents", {"human"}),
    ("healthy volunteers", {"human"}),
    ("HEK293 cells were transfected", {"human"}),
    ("HeLa cells", {"human"}),
    ("CHO cells were grown", {"hamster"}),
    ("NIH 3T3 fibroblasts", {"mouse"}),
    ("Mus musculus and Homo sapiens", {"mouse", "human"}),
    ("Danio rerio larvae", {"zebrafish"}),
    ("C. elegans and Drosophila melanogaster", {"nematode", "fruit fly"}),
    ("a human family and their mice", {"human", "mouse"}),
    ("guinea-pig ileum", {"guinea pig"}),
    ("rhesus\nmonkeys were trained", {"macaque"}),
    ("MICE WERE KEPT IN CAGES", {"mouse"}),
    ("Rodents, namely rats, were fed", {"rat"}),
    ("laboratory animals were used", {"animal"}),
    ("calves were weaned", {"cattle"}),
    ("laying hens were housed", {"chicken"}),
    ("rabbits were given the diet", {"rabbit"}),
    ("S. cerevisiae was grown", {"baker's yeast"}),
]
REAGENTS = [
    "hen eggs were bought",
    "sheep red blood cells were added",
    "calf thymus DNA",
    "rabbit anti-mouse IgG",
    "goat anti-mouse antibody",
    "fetal bovine serum",
    "fetal calf serum",
    "bovine serum albumin",
    "mouse monoclonal antibody",
    "a horse serum",
    "horseradish peroxidase",
    "mouse lethal doses",
    "antibodies raised in rabbits",
    "recombinant human insulin",
    "human chorionic gonadotropin",
    "human immunodeficiency virus",
    "feline leukaemia virus",
    "egg-white lysozyme",
    "rabbit reticulocyte lysate",
    "CAT activity was measured",
    "calf muscle pain",
    "similar to those reported in man",
    "catalogue and concatenate",
    "rational categories",
    "References\nSmith J. Curcumin in mice. Nature 2001.",
    "",
]
SAME = [
    ("male Wistar rats", "rats", True),
    ("male Wistar rats", "rodents", True),
    ("rodents", "mouse", True),
    ("mammals", "human", True),
    ("animals", "mouse", True),
    ("animals", "human", False),
    ("human", "patients with sepsis", True),
    ("mouse", "rat", False),
    ("human", "mice", False),
    ("monkeys", "rhesus monkeys", True),
    ("mice and rats", "rat", True),
    ("unknown", "mouse", None),
    ("mouse", "", None),
    ("mouse", "not stated", None),
    ("mouse", "a thing of no known kind", None),
]


@pytest.mark.parametrize(("text", "names"), STATED)
def test_what_is_studied_is_stated(text: str, names: set[str]) -> None:
    assert species_stated(text) == names


@pytest.mark.parametrize("text", REAGENTS)
def test_what_a_reagent_is_made_of_is_not(text: str) -> None:
    assert species_stated(text) == frozenset()


def test_a_reagent_does_not_hide_what_is_studied() -> None:
    assert species_stated("Rats were killed; sections were stained with goat anti-rabbit IgG.") == {"rat"}


def test_a_species_that_is_only_mentioned_beside_another_is_not_stated() -> None:
    assert species_stated("Mice were fed. The mice gained weight, and mice slept, as rats do.") == {"mouse"}


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_two_descriptions_are_of_one_species(one: str, other: str, same: bool | None) -> None:
    assert (same_species(one, other), same_species(other, one)) == (same, same)


def test_the_lexicon_is_large_and_whole() -> None:
    lines = (files("backedge.evidence") / "lexicon" / "species.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    names = {row[0] for row in rows}
    words = [word for row in rows for word in row[2].split("; ")]
    groups = {group for row in rows for group in row[1].split(", ") if group}
    assert ({len(row) for row in rows}, len(names), groups <= names, len(names) >= 60) == ({3}, len(rows), True, True)
    assert len(words) == len(set(words))
