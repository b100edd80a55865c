"""Whatever stands in a file, reading it gives content or problems, and never another exception."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from backedge.config.validate import check_project
from tests.config.projects import CONFIG, VIEW

TOPIC = "name: t\nviews: [orders]\nbase_view: orders\ndefault_filters:\n  - {field: status, in: {values: [a]}}\n"
AGENT = (
    "databases: [local]\ncontext: ['**/*']\nllm: {ref: m, thinking: adaptive}\nstates: {solving: {max_retries: 2}}\n"
    "validation: {rules: {solved: [{name: non_empty}]}}\ntimezone: UTC\n"
)
WHOLE = CONFIG + (
    "defaults: {database: local, agent: x.agentic.yml}\n"
    "models: [{name: m, vendor: openai, model_ref: x, headers: {A: b}}]\n"
    "builder_agent: {model: m}\na2a: {agents: [{ref: x, name: y}]}\ntimezone: UTC\n"
)
QUERY = "/*\noxy:\n  database: local\n  embed: [a]\n*/ SELECT 1"
FILES = {"a.view.yml": VIEW, "t.topic.yml": TOPIC, "x.agentic.yml": AGENT, "config.yml": WHOLE, "q.sql": QUERY}
WORDS = sorted({word for text in FILES.values() for word in text.replace(":", " ").split() if word.isidentifier()})
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=8)
TREES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner),
    max_leaves=12,
)


def check(name: str, text: str) -> None:
    with TemporaryDirectory() as folder:
        for path, valid in FILES.items():
            (Path(folder) / path).write_text(text if path == name else valid, encoding="utf-8")
        (Path(folder) / "data").mkdir()
        report = check_project(Path(folder))
        assert all(str(problem) for problem in report.problems)


def test_the_files_are_right_before_they_are_changed() -> None:
    with TemporaryDirectory() as folder:
        for path, valid in FILES.items():
            (Path(folder) / path).write_text(valid, encoding="utf-8")
        (Path(folder) / "data").mkdir()
        assert check_project(Path(folder)).ok


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_a_file_with_one_place_changed(name: str, data: st.DataObject) -> None:
    text = FILES[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    middle = data.draw(st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8"), max_size=4))
    check(name, text[:start] + middle + text[end:])


@settings(max_examples=50, deadline=None)
@given(st.sampled_from([name for name in FILES if name.endswith("yml")]), st.sampled_from(WORDS), TREES)
def test_a_file_with_any_value_under_a_key(name: str, key: str, tree: object) -> None:
    valid = yaml.safe_load(FILES[name])
    check(name, yaml.safe_dump({**valid, key: tree}, allow_unicode=True))
