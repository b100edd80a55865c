"""Other people's projects, unchanged: every file loads, or is refused with a true reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from backedge.config.problem import ConfigError
from backedge.config.project import Project, load_project
from backedge.config.validate import check_project

DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")

# Folders of `airlayer-models` whose files belong together, with their views, topics and what cannot be served yet.
MODELS = {
    "benches": (4, 0, []),
    "examples/bigquery": (1, 1, []),
    "examples/bootstrapping": (1, 0, []),
    "examples/clickhouse": (3, 2, []),
    "examples/config-yml": (3, 0, ["databases of type `bigquery`"]),
    "examples/domo": (1, 0, ["dialect `domo`"]),
    "examples/duckdb": (1, 1, []),
    "examples/join-hints": (4, 0, []),
    "examples/measure-refs": (1, 0, []),
    "examples/multi-dialect": (1, 1, []),
    "examples/rolling-windows": (1, 0, []),
    "examples/segments": (1, 0, []),
    "examples/shared": (1, 0, []),
    "examples/snowflake": (4, 1, []),
    "examples/subquery-dims": (2, 0, []),
    "tests/integration/views": (1, 0, []),
    "tests/integration/views-databricks": (1, 0, []),
    "tests/integration/views-ecommerce": (5, 0, []),
    "tests/integration/views-motherduck": (1, 0, []),
}


def load(name: str) -> Project:
    return load_project(DATA / name)


def test_oxygen_demo_loads_through_its_only_agent() -> None:
    project = load("oxygen-demo")
    assert project.agent is not None
    assert (project.agent.name, project.agent.stage("specifying").max_retries) == ("analytics", 10)
    assert project.default_database == "local"
    assert [(d.name, d.path) for d in project.databases] == [("local", DATA.resolve() / "oxygen-demo/.db")]
    assert [view.name for view in project.catalog.model.views] == [
        "economic_factors",
        "oxymart",
        "store_performance",
        "time_analysis",
    ]
    assert len(project.catalog.model.topics) == 4
    query = project.catalog.query("total_number_of_store")
    assert query is not None
    assert query.embed == ("How many stores do I have",)
    assert project.problems == ()


def test_oxygen_demo_checks_out_and_its_other_files_are_noted() -> None:
    report = check_project(DATA / "oxygen-demo")
    assert report.ok
    assert (report.views, report.topics, report.verified, report.agents) == (4, 4, 3, 1)
    assert {problem.file for problem in report.problems} == {
        "config.yml",
        "default.agent.yml",
        "insights.app.yml",
        "workflows/external-factors-correlation.procedure.yml",
        "workflows/store-deep-dive-analysis.procedure.yml",
    }


def test_oxygen_examples_load_without_config_or_agent() -> None:
    project = load("oxygen-examples")
    assert project.agent is None
    assert [(d.name, d.path) for d in project.databases] == [("local", DATA.resolve() / "oxygen-examples/.db")]
    assert (len(project.catalog.model.views), len(project.catalog.model.topics)) == (9, 1)
    assert check_project(DATA / "oxygen-examples").ok


@pytest.mark.parametrize("name", MODELS)
def test_airlayers_models_load(name: str) -> None:
    views, topics, unserved = MODELS[name]
    report = check_project(DATA / "airlayer-models" / name)
    assert report.ok
    assert (report.views, report.topics) == (views, topics)
    notes = [problem.message for problem in report.problems if problem.severity == "note"]
    assert len(notes) == len(unserved)
    assert all(note.startswith(start) for note, start in zip(notes, unserved, strict=True))


def test_every_model_of_airlayer_is_in_the_list_above() -> None:
    folder = DATA / "airlayer-models"
    views = {str(path.relative_to(folder)) for path in folder.rglob("*.view.yml")}
    assert views == {path for path in views if any(path.startswith(f"{name}/") for name in MODELS)}


@pytest.mark.parametrize("name", ["motifs", "queries"])
def test_a_link_that_was_checked_out_as_text_is_said_to_be_one(name: str) -> None:
    with pytest.raises(ConfigError, match="a symbolic link checked out as text"):
        load(f"airlayer-models/examples/{name}")


def test_topics_of_airlayer_keep_their_filters() -> None:
    clickhouse = load("airlayer-models/examples/clickhouse").catalog.model.topic("warehouse_shipments")
    events = load("airlayer-models/examples/multi-dialect").catalog.model.topic("product_analytics")
    assert clickhouse is not None
    assert events is not None
    assert [(f.field, f.op, f.values) for f in clickhouse.default_filters] == [
        ("shipments.is_returned", "equals", (False,)),
        ("shipments.is_cancelled", "equals", (False,)),
    ]
    assert [(f.field, f.op, f.values) for f in events.default_filters] == [
        ("events.platform", "in", ("web", "ios", "android"))
    ]


def test_many_projects_in_one_folder_are_refused_by_the_names_they_share() -> None:
    with pytest.raises(
        ConfigError, match=r"view name `orders` stands twice \(first at benches/views/orders.view.yml:1\)"
    ):
        load("airlayer-models")


def sample(schema: dict[str, object]) -> object:
    """Some value that fits a property of a JSON schema."""
    kinds = schema.get("type")
    kind = kinds if isinstance(kinds, str) else next(iter(kinds)) if isinstance(kinds, list) else "string"
    values: dict[str, object] = {"integer": 5, "boolean": True, "array": [], "object": {}}
    return values.get(kind, "x")


def properties(schema: object, definitions: dict[str, Any]) -> dict[str, object]:
    """A sample for every property of a schema, its alternatives and what it refers to, one level deep."""
    found: dict[str, object] = {}
    for part in (schema, *(schema.get("anyOf", ()) if isinstance(schema, dict) else ())):
        if isinstance(part, dict) and "$ref" in part:
            found |= variants(definitions[part["$ref"].rsplit("/", 1)[1]], definitions)[0]
        elif isinstance(part, dict):
            found |= {key: sample(value) for key, value in part.get("properties", {}).items()}
            found |= {key: value["enum"][0] for key, value in part.get("properties", {}).items() if "enum" in value}
    return found


def variants(schema: dict[str, Any], definitions: dict[str, Any]) -> list[dict[str, object]]:
    own = properties(schema, definitions)
    return [own | properties(variant, definitions) for variant in schema.get("oneOf", ())] or [own]


@pytest.mark.parametrize(
    ("definition", "key"), [("Database", "databases"), ("Model", "models"), ("Integration", "integrations")]
)
def test_every_key_of_oxygens_config_schema_is_known(tmp_path: Path, definition: str, key: str) -> None:
    definitions = json.loads((DATA / "oxygen-schemas/config.json").read_text())["definitions"]
    items = variants(definitions[definition], definitions)
    assert len(items) > 1
    (tmp_path / "config.yml").write_text(yaml.safe_dump({key: items}))
    said = [str(problem) for problem in check_project(tmp_path).problems if problem.file == "config.yml"]
    assert [text for text in said if "unknown" in text] == []


def test_every_key_of_oxygens_schemas_is_known_at_the_top(tmp_path: Path) -> None:
    for file, name in (("config", "config.yml"), ("agentic", "x.agentic.yml")):
        schema = json.loads((DATA / f"oxygen-schemas/{file}.json").read_text())
        assert len(schema["properties"]) > 5
        (tmp_path / name).write_text(yaml.safe_dump(dict.fromkeys(schema["properties"], "x")))
    assert [str(problem) for problem in check_project(tmp_path).problems if "unknown key" in problem.message] == []


@pytest.mark.parametrize(
    ("definition", "path"),
    [
        ("LlmConfigYaml", "llm"),
        ("StateConfig", "states.solving"),
        ("ExtendedThinkingConfigYaml", "llm.extended_thinking"),
        ("RuleSetConfig", "validation.rules"),
        ("SemanticEngineConfig", "semantic_engine"),
    ],
)
def test_every_key_of_oxygens_agent_schema_is_known(tmp_path: Path, definition: str, path: str) -> None:
    definitions = json.loads((DATA / "oxygen-schemas/agentic.json").read_text())["definitions"]
    tree: object = properties(definitions[definition], definitions)
    for key in reversed(path.split(".")):
        tree = {key: tree}
    (tmp_path / "x.agentic.yml").write_text(yaml.safe_dump(tree))
    assert [str(problem) for problem in check_project(tmp_path).problems if "unknown key" in problem.message] == []
