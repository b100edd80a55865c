"""Sentences and chunks on SciFact: against its given sentences, and against what the embedder really reads."""

from __future__ import annotations

import statistics
from itertools import islice

import pytest

from backedge.adapters.models.minilm import TOKENIZER
from backedge.evidence.chunking import chunked
from backedge.evidence.reading import Reading, Section
from backedge.evidence.sentences import sentences
from tests.real.scifact import DATA, REASON, Abstract, abstracts

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=REASON)
SOME = 400


def given(abstract: Abstract) -> set[tuple[int, int]]:
    found, at = set(), 0
    for sentence in abstract.sentences:
        found.add((at, at + len(sentence)))
        at += len(sentence) + 1
    return found


def test_sentences_are_those_that_were_given() -> None:
    true = found = right = 0
    for abstract in islice(abstracts(), SOME):
        wanted, told = given(abstract), set(sentences(abstract.text))
        true, found, right = true + len(wanted), found + len(told), right + len(wanted & told)
    precision, recall = right / found, right / true
    f1 = 2 * precision * recall / (precision + recall)
    print(f"{true} sentences: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}")
    assert true > 2_500
    assert f1 >= 0.95


def test_what_the_embedder_reads_of_a_chunk_is_all_of_it() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = []
    for abstract in islice(abstracts(), SOME):
        section = Section("s1", "abstract", "", 0, len(abstract.text))
        reading = Reading(abstract.text, (section,), "test/1")
        texts += [abstract.text[c.start : c.end] for c in chunked(reading, abstract.id)]
    sizes = [len(encoded.ids) for encoded in tokenizer.encode_batch(texts)]
    print(f"{len(sizes)} chunks: median {statistics.median(sizes)} tokens, most {max(sizes)}")
    assert len(sizes) > SOME
    assert max(sizes) <= 256
    assert statistics.median(sizes) > 100
