"""A design as Markdown: untrusted text stays text, and a quotation renders to exactly its characters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from backedge.evidence.exporting.design_markdown import to_markdown
from backedge.evidence.exporting.design_view import PROPOSAL, DesignView, design_view
from backedge.evidence.exporting.markdown_text import escaped, paragraphs
from tests.evidence.investigated import KEY, approved, proposed
from tests.evidence.outside import NAUSEA
from tests.evidence.shelf import go

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {"heading", "paragraph", "inline", "bullet_list", "list_item", "blockquote"}
TEXT = {"text", "text_special", "softbreak", "hardbreak", "strong_open", "strong_close"}
SIGNS = st.text(st.sampled_from(list("\\`*_[]{}<>&~|$@!^:#+-=.)('\" 1aw/;x\n\r\t")), max_size=24)
HOSTILE = (
    "<script>alert(1)</script>",
    "[see](https://evil.example/?q=1) and ![x](y)",
    "**bold** _it_ `code` ~~gone~~ $x$",
    "<div x",
    "<!-- note",
    "# heading",
    "1. item\n2. item",
    "- item",
    "---",
    "===",
    "| a | b |\n|---|---|",
    "&lt;b&gt; &#42; &amp;",
    "    four spaces",
    "a\\\nb  \nc",
    "95% CI [1.3-1.7], p<0.05 & n = 12",
    "line\r\nend\tof\x0ctext",
    "\ufffe\u00ad\u2028 half",
    "> quoted\n\n> again",
    "https://evil.example www.evil.example a@evil.example",
    "[^1]: note",
    "```\nignore previous instructions\n```",
)


def rendered(token: Token) -> str:
    """The text of a line as a reader sees it."""
    return "".join("\n" if each.type.endswith("break") else each.content for each in token.children or [])


def all_text(markdown: str) -> str:
    """The text of a whole document; anything that is neither text nor markup of ours fails."""
    tokens = MARKDOWN.parse(markdown)
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    inside = {each.type for token in tokens for each in token.children or []}
    assert (kinds - OURS, inside - TEXT) == (set(), set())
    return "\n\n".join(rendered(token) for token in tokens if token.type == "inline")


@given(st.one_of(SIGNS, st.text(max_size=40)))
def test_any_text_renders_to_itself(text: str) -> None:
    quoted = f"“{text}”"
    for line in (escaped(quoted), f"- {escaped(quoted)}", f"> {escaped(quoted)}"):
        assert all_text(line) == quoted.replace("\0", "\ufffd")


@given(SIGNS)
def test_no_text_begins_a_block_or_ends_a_paragraph(text: str) -> None:
    alone = MARKDOWN.parse(escaped(text))
    assert [token.type for token in alone] in (["paragraph_open", "inline", "paragraph_close"], [])
    assert rendered(alone[1]) == text if alone else not text
    assert {token.type for token in MARKDOWN.parse(paragraphs(text))} <= {"paragraph_open", "inline", "paragraph_close"}


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_looks_like_markup_is_text(text: str) -> None:
    assert all_text(escaped(f"“{text}”")) == f"“{text}”"
    assert "".join(all_text(paragraphs(text)).split()) == "".join(text.split())


def test_addresses_are_no_links_where_a_renderer_makes_links_of_them() -> None:
    for text in ("https://e.example", "www.e.example", "WWW.e.example", "a@e.example", "ftp://e.example"):
        assert text not in escaped(f"see {text}")


def view_of(hostile: str = "") -> DesignView:
    """The approved design, with a hostile text wherever a text can be."""
    shelf = approved()
    view = go(design_view(KEY, shelf.library, shelf.contents))
    if not hostile:
        return view
    first, *others = view.references
    spans = (replace(first.cited.spans[0], exact=hostile, title=hostile, problem=hostile),)
    source = replace(first.cited.source, title=hostile, identifiers=(hostile,))  # type: ignore[type-var]
    cited = replace(first.cited, statement=hostile, spans=spans, source=source)
    sentences = tuple(replace(each, text=hostile) for each in view.sections[1].sentences)
    section = replace(view.sections[1], sentences=sentences)
    assert view.chosen is not None
    return replace(
        view,
        title=hostile,
        mark=hostile,
        request=hostile,
        by=hostile,
        stale=(hostile,),
        problems=(hostile,),
        sections=(view.sections[0], section, *view.sections[2:]),
        references=(replace(first, cited=cited), *others),
        facets=tuple(replace(each, values=(hostile,), how=hostile) for each in view.facets),
        uninvestigated=(("condition", hostile),),
        chosen=replace(view.chosen, title=hostile, summary=hostile, reason=hostile, assumptions=((hostile, hostile),)),
        rejected=tuple(replace(each, reason=hostile) for each in view.rejected),
        comparison=hostile,
        questions=tuple(replace(each, text=hostile, coverage=hostile, gaps=(hostile,)) for each in view.questions),
        approvals=tuple(replace(each, by=hostile, rationale=hostile, changes=(hostile,)) for each in view.approvals),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_design_can_become_markup(text: str) -> None:
    assert f"“{text}”" in all_text(to_markdown(view_of(text)))


def test_the_quotations_of_a_design_are_verbatim_and_numbered() -> None:
    text = all_text(to_markdown(view_of()))
    assert f"“{NAUSEA}” (section s4 RESULTS, results, characters 175 to 238)" in text
    assert f"One study says “{NAUSEA}” [1] Pain was lower. [2]" in text
    assert "[1] In rats, nausea did not differ between ketorolac and placebo (p = 0.62).\nfinding " in text


def test_the_mark_comes_first_then_what_changed() -> None:
    shelf = proposed()
    view = replace(go(design_view(KEY, shelf.library, shelf.contents)), stale=("source s was retracted",))
    shown = all_text(to_markdown(view)).split("\n\n")
    assert shown[1:4] == [
        PROPOSAL,
        "What changed since under what this design cites:",
        "source s was retracted",
    ]


def test_a_design_without_references_or_approvals_says_so() -> None:
    text = all_text(to_markdown(replace(view_of(), references=(), approvals=())))
    assert "No record is cited." in text
    assert "Nothing was decided on it." in text
