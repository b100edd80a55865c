"""Articles in JATS: each rule of reading on a small written file."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import jats
from backedge.evidence.reading import Reading
from tests.adapters.reading.readings import outline, reading_of, unparsed

DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.0//EN" "JATS-archivearticle1.dtd">'
NAMES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def article(body: str = "", *, meta: str = "", back: str = "", rest: str = "", more: str = "") -> Reading:
    """An article of these parts, read."""
    front = f"<front><article-meta>{meta}</article-meta></front>" if meta else ""
    end = f"<back>{back}</back>" if back else ""
    return reading_of(jats.read, f"{DOCTYPE}<article {NAMES} {more}>{front}<body>{body}</body>{end}{rest}</article>")


def paragraph(inner: str) -> str:
    """The text of one paragraph."""
    return article(f"<p>{inner}</p>").text


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("a <italic>b</italic>c<bold> d</bold>", "a bc d"),
        ("in\n   vivo\t x", "in vivo x"),
        ("a<!-- not --><?nor this?>b", "ab"),
        ("&amp;&lt;5 &#945;&#x3b2; &gamma;&nbsp;x", "&<5 αβ γ\u00a0x"),
        ("as shown [<xref ref-type='bibr' rid='r1'>12</xref>,<xref>13</xref>].", "as shown [12,13]."),
        ("a<break/>b", "a\nb"),
        ("<![CDATA[p < 0.05 & q]]>", "p < 0.05 & q"),
        ("10<sup>2</sup>", "10^2"),
        ("10<sup>−5</sup> M, 3 × 10<sup>-3</sup>", "10^−5 M, 3 × 10^-3"),
        ("1.73 m<sup>2</sup> body, kg·m<sup>−2</sup>", "1.73 m2 body, kg·m−2"),
        ("CD4<sup>+</sup> and Ca<sup>2+</sup>, 5<sup>th</sup>, 12.3<sup>a,b</sup>", "CD4+ and Ca2+, 5th, 12.3a,b"),
        ("in 2010<sup><xref>12</xref></sup>", "in 2010^12"),
        ("log<sub>10</sub>5.2 and TiF<sub>4</sub> 3", "log10 5.2 and TiF4 3"),
        ("χ<sub>3</sub><sup>2</sup> = 5", "χ32 = 5"),
        ("1<sub>2</sub>", "1_2"),
        ("x<inline-graphic/>y<alternatives><graphic/><textual-form>z</textual-form></alternatives>", "xyz"),
    ],
)
def test_mixed_content(inner: str, text: str) -> None:
    assert paragraph(inner) == text


@pytest.mark.parametrize(
    ("math", "text"),
    [
        ("<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup>", "x^2"),
        (
            "<mml:mfrac><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:mrow><mml:mi>c</mml:mi></mml:mfrac>",
            "(a+b)/c",
        ),
        ("<mml:msubsup><mml:mi>x</mml:mi><mml:mi>i</mml:mi><mml:mn>2</mml:mn></mml:msubsup>", "x_i^2"),
        ("<mml:semantics><mml:mi>k</mml:mi><mml:annotation>k_0</mml:annotation></mml:semantics>", "k"),
        ("<mml:msqrt><mml:mi>a</mml:mi><mml:mo>-</mml:mo><mml:mn>1</mml:mn></mml:msqrt>", "√(a-1)"),
        ("<mml:mfenced><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfenced>", "(a,b)"),
        ("<mml:mfenced open='{' close=''><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfenced>", "{a,b"),
        ("<mml:mfenced open='' close=']'><mml:mi>a</mml:mi></mml:mfenced>", "a]"),
    ],
)
def test_a_formula_is_read_once_whatever_forms_it_has(math: str, text: str) -> None:
    mathml = f"<mml:math>{math}</mml:math>"
    tex = r"<tex-math>\documentclass{minimal}\begin{document}$$T$$\end{document}</tex-math>"
    assert paragraph(f"is <inline-formula>{mathml}</inline-formula> here") == f"is {text} here"
    assert (
        paragraph(f"is <inline-formula><alternatives>{tex}{mathml}<graphic/></alternatives></inline-formula>.")
        == f"is {text}."
    )
    assert paragraph(f"is <inline-formula>{mathml}{tex}</inline-formula>.") == f"is {text}."
    assert paragraph(f"is <inline-formula>{tex}</inline-formula>.") == "is T."
    words = f"<alternatives><textual-form>tee</textual-form>{tex}</alternatives>"
    assert paragraph(f"is <inline-formula>{words}</inline-formula>.") == "is T."


def test_blocks_stand_on_lines_of_their_own() -> None:
    inner = (
        "One:<list><list-item><label>a)</label><p>first</p></list-item><list-item><p>second</p><p>more</p></list-item></list>"
        "then<disp-formula><label>(1)</label><mml:math><mml:mi>y</mml:mi></mml:math></disp-formula>and"
        "<disp-quote><p>said</p></disp-quote>end"
    )
    assert paragraph(inner) == "One:\n\na) first\nsecond\nmore\n\nthen\n(1) y\nand\n\nsaid\n\nend"


def test_roles_by_type_by_heading_and_by_what_holds_a_section() -> None:
    def sec(title: str, inner: str = "<p>x</p>", kind: str = "") -> str:
        return f"<sec{kind and f' sec-type={kind!r}'}><title>{title}</title>{inner}</sec>"

    reading = article(
        sec("Why", kind="intro")
        + sec("<bold>2.</bold> Materials &amp; <italic>Methods</italic>", sec("Animals") + sec("Results"))
        + sec("Experiment 1", sec("Method") + sec("Results and Discussion"))
        + sec("Conclusions")
        + sec("Yeast", sec("Flies"))
        + sec("Statistics", kind="results|stats")
    )
    assert [(s.title, s.role) for s in reading.sections] == [
        ("Why", "introduction"),
        ("2. Materials & Methods", "methods"),
        ("Animals", "methods"),
        ("Results", "results"),
        ("Experiment 1", "other"),
        ("Method", "methods"),
        ("Results and Discussion", "results"),
        ("Conclusions", "discussion"),
        ("Yeast", "other"),
        ("Flies", "other"),
        ("Statistics", "results"),
    ]


def test_what_stands_before_the_first_heading_is_the_introduction_where_methods_or_results_follow() -> None:
    fig = "<fig><label>Fig. 1</label></fig>"
    methods, results = (
        "<sec><title>Methods</title><p>m</p></sec>",
        "<sec sec-type='results'><title>What</title><p>r</p></sec>",
    )
    for follows in (methods, results):
        reading = article(f"<p>Why.</p>{fig}<p>So.</p>{follows}")
        assert outline(reading)[:2] == [("introduction", "", "Why.\n\nSo."), ("caption", "Fig. 1", "Fig. 1")]
    assert outline(article(f"<p>See.</p><sec><title>Introduction</title><p>i</p></sec>{methods}"))[0][0] == "other"
    assert outline(article("<p>See.</p><sec><title>Yeast</title><p>y</p></sec>"))[0][0] == "other"


def test_titles_and_abstracts_with_their_labels() -> None:
    reading = article(
        "<p>B</p>",
        meta="<title-group><article-title>Of <italic>mice</italic><xref>*</xref></article-title>"
        "<subtitle>A trial</subtitle>"
        "<trans-title-group xml:lang='de'><trans-title>Von Mäusen</trans-title></trans-title-group></title-group>"
        "<abstract><sec><title>Background:</title><p>b</p></sec><sec><title>Results</title><p>r</p></sec></abstract>"
        "<abstract abstract-type='toc'><p>short</p></abstract>"
        "<abstract><p><bold>Methods:</bold> we did</p><p><bold>Mice</bold> lived</p></abstract>"
        "<trans-abstract xml:lang='de'><p>kurz</p></trans-abstract>"
        "<kwd-group><kwd>one</kwd><kwd>two</kwd></kwd-group>",
    )
    assert outline(reading) == [
        ("title", "", "Of mice*\nA trial"),
        ("title", "de", "Von Mäusen"),
        ("abstract", "BACKGROUND", "Background:\n\nb"),
        ("abstract", "RESULTS", "Results\n\nr"),
        ("abstract", "toc", "short"),
        ("abstract", "METHODS", "Methods: we did"),
        ("abstract", "Abstract", "Mice lived"),
        ("abstract", "de", "kurz"),
        ("other", "Keywords", "one\ntwo"),
        ("other", "", "B"),
    ]


TABLE = (
    "<table-wrap><label>Table 1</label><caption><title>Weights</title><p>In g.</p></caption><table><thead>"
    "<tr><th rowspan='2'/><th colspan='2'>Dose</th></tr><tr><th>low</th><th>high</th></tr></thead><tbody>"
    "<tr><td>mice<sup>a</sup></td><td>12<break/>± 1</td><td><p>13</p><p>n = 4</p></td></tr></tbody></table>"
    "<table-wrap-foot><fn><label>a</label><p>male</p></fn></table-wrap-foot></table-wrap>"
)


def test_a_table_has_its_caption_its_rows_and_its_notes() -> None:
    reading = article(f"<sec sec-type='results'><title>Results</title><p>As in it.</p>{TABLE}</sec>")
    assert outline(reading)[1:] == [
        ("caption", "Table 1", "Table 1 Weights\nIn g."),
        ("table", "Weights", "\tDose\nlow\thigh\nmicea\t12 ± 1\t13 n = 4\n\na male".strip()),
    ]
    (table,) = reading.tables
    assert (table.label, table.caption) == ("Table 1", "Table 1 Weights\nIn g.")
    assert [[cell.text for cell in row] for row in table.head] == [["", "Dose", "Dose"], ["", "low", "high"]]
    assert [[cell.text for cell in row] for row in table.rows] == [["micea", "12 ± 1", "13 n = 4"]]


def test_what_floats_does_not_divide_the_paragraph_that_holds_it() -> None:
    fig = "<fig><label>Fig. 1</label><caption><p>Mice.</p></caption><graphic/></fig>"
    reading = article(f"<sec><title>Results</title><p>It rose{fig} by<fn><p>note</p></fn> 5 g.</p><p>Then.</p></sec>")
    assert outline(reading) == [
        ("results", "Results", "Results\n\nIt rose by 5 g."),
        ("caption", "Fig. 1", "Fig. 1\nMice."),
        ("results", "Results", "note\n\nThen."),
    ]


def test_floats_between_paragraphs_stand_behind_them_and_before_sub_sections() -> None:
    fig = "<fig><label>Fig. 1</label><caption><title>Mice</title></caption></fig>"
    reading = article(
        f"<sec><title>Results</title><p>One.</p>{fig}<p>Two.</p><sec><title>More</title><p>3</p></sec></sec>"
    )
    assert [text for _, _, text in outline(reading)] == ["Results\n\nOne.\n\nTwo.", "Fig. 1 Mice", "More\n\n3"]


def test_boxes_supplements_back_matter_and_floats_group() -> None:
    reading = article(
        "<p>Loose.</p><boxed-text><caption><title>Box 1</title></caption><p>boxed</p></boxed-text>"
        "<sec sec-type='supplementary-material'><title>Supporting information</title><supplementary-material>"
        "<label>S1</label>"
        "<caption><p>Data.</p></caption></supplementary-material></sec>",
        back="<ack><p>Thanks.</p></ack><app-group><app><title>Appendix A</title><p>more</p></app></app-group>"
        "<fn-group><fn><p>No conflict.</p></fn></fn-group><glossary><def-list><def-item><term>BW</term><def>"
        "<p>body weight</p></def></def-item></def-list></glossary>"
        "<ref-list><title>References</title><ref><label>1.</label><element-citation><person-group><name><surname>Doe</surname>"
        "<given-names>J</given-names></name></person-group><article-title>On it</article-title><year>2001</year>"
        "</element-citation></ref>"
        "<ref><mixed-citation><name><surname>Roe</surname><given-names>A</given-names>"
        "</name>, <source>J</source>. 5:<fpage>6</fpage></mixed-citation></ref></ref-list>",
        rest="<floats-group><fig><label>Fig. 9</label><caption><p>f</p></caption></fig></floats-group>",
    )
    assert outline(reading) == [
        ("other", "", "Loose."),
        ("other", "Box 1", "Box 1\n\nboxed"),
        ("caption", "S1", "S1\nData."),
        ("other", "", "Thanks."),
        ("other", "Appendix A", "Appendix A\n\nmore"),
        ("other", "", "No conflict."),
        ("other", "", "BW body weight"),
        ("references", "References", "References\n1. Doe J On it 2001\nRoe A, J. 5:6"),
        ("caption", "Fig. 9", "Fig. 9\nf"),
    ]


def test_names_in_a_reference_are_divided_and_what_touches_them_is_not() -> None:
    name = "<name><surname>Roe</surname><given-names>A</given-names></name>"
    reading = article(back=f"<ref-list><ref><mixed-citation>({name}: x) {name}.</mixed-citation></ref></ref-list>")
    assert reading.text == "(Roe A: x) Roe A."


def test_a_review_within_the_file_is_no_result_of_this_article() -> None:
    sub = (
        "<sub-article article-type='referee-report'><front-stub><title-group><article-title>Review 1</article-title>"
        "</title-group><abstract><p>short</p></abstract></front-stub><body><sec><title>Results</title><p>weak</p>"
        f"{TABLE}</sec></body></sub-article>"
    )
    reading = article("<sec><title>Results</title><p>5 g</p></sec>", rest=sub)
    assert [(role, text) for role, _, text in outline(reading)] == [
        ("results", "Results\n\n5 g"),
        ("other", "Review 1"),
        ("other", "short"),
        ("other", "Results\n\nweak"),
        ("other", "Table 1 Weights\nIn g."),
        ("other", "Dose\nlow\thigh\nmicea\t12 ± 1\t13 n = 4\n\na male"),
    ]
    assert reading.tables == ()


def test_a_note_in_a_title_is_read_even_where_nothing_follows() -> None:
    reading = article(meta="<title-group><article-title>Of mice<fn><p>Funded.</p></fn></article-title></title-group>")
    assert reading.text == "Of mice\nFunded."
    words = "<kwd-group><kwd>mice<fn><p>Note.</p></fn></kwd></kwd-group>"
    last = reading_of(jats.read, f"<article><front><article-meta>{words}</article-meta></front></article>")
    assert last.text == "mice\n\nNote."


def test_a_namespace_and_a_wrapper_change_nothing() -> None:
    inner = "<article xmlns='https://jats.nlm.nih.gov/ns/archiving/1.3/'><body><p>x<sup>2</sup></p></body></article>"
    assert reading_of(jats.read, f"<record><metadata>{inner}</metadata></record>").text == "x2"


def test_named_characters_that_nothing_knows_are_kept_and_counted() -> None:
    reading = article("<p>5 &mgr;g of &alpha; and &nosuch;, &xyz;</p>")
    assert reading.text == "5 μg of α and &nosuch;, &xyz;"
    assert [(issue.kind, issue.count) for issue in reading.issues] == [("damaged", 2)]
    assert reading.completeness.value == 0.5


def test_what_is_no_article_is_refused_with_what_to_do() -> None:
    assert "'PubmedArticleSet'" in unparsed(jats.read, "<PubmedArticleSet/>").message
    two = unparsed(jats.read, "<set><article><body/></article><article><body/></article></set>")
    assert (two.why, "2 articles" in two.message) == ("unknown_format", True)
    empty = unparsed(jats.read, "<article article-type='retraction'><body><p> </p></body></article>")
    assert (empty.why, empty.metadata.kind) == ("no_text", "retraction")
