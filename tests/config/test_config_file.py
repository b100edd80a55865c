"""`config.yml` loads with every database type and key of Oxygen's; no secret is kept, no mistake is silent."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import Project, load_project
from backedge.config.validate import check_project
from tests.config.projects import CONFIG, VIEW, Write

EVERYTHING = """\
defaults: {database: local, agent: default.agent.yml}
timezone: America/New_York
models:
  - {name: a, vendor: openai, model_ref: g, key_var: K, api_url: u, headers: {X-Team: t, X-Key: {env_var: H}}}
  - {name: b, vendor: openai, model_ref: g, key_var: K, azure_deployment_id: d, azure_api_version: "2024-01-01"}
  - {name: c, vendor: google, model_ref: g, key_var: K}
  - {name: d, vendor: ollama, model_ref: g, api_key: ollama, api_url: http://localhost:11434/v1}
  - {name: e, vendor: anthropic, model_ref: claude, key_var: ANTHROPIC_API_KEY}
databases:
  - {name: local, type: duckdb, dataset: data/}
  - {name: file, type: duckdb, path: data/orders.csv, options: {threads: 2}}
  - {name: search, type: duckdb, file_search_path: ./data/}
  - {name: variable, type: duckdb, dataset: "${DATA}/x"}
  - name: lake
    type: duckdb
    catalog_path: DUCKLAKE_CATALOG_PATH
    data_path: s3://b/p
    schema_name: s
    s3_secret_type: config
    key_id: minio
    secret: DUCKLAKE_S3_SECRET
    region: us-east-1
    endpoint_url: http://localhost
    url_style: path
    use_ssl: false
  - {name: pg, type: postgres, host: h, port: 5432, user_var: PGUSER, password_var: PGPASSWORD, database: d}
  - {name: rs, type: redshift, host_var: H, port_var: P, user: u, password: "${PGPASSWORD}", database_var: D}
  - {name: my, type: mysql, host: h, port: "3306", user: u, password_var: P, database: d}
  - {name: bq, type: bigquery, key_path: keys/k.json, dataset: x, datasets: {a: [b]}, dry_run_limit: 100}
  - {name: bv, type: bigquery, key_path_var: K, project_var: P, access_token_var: T, dataset: x}
  - {name: sf, type: snowflake, account: a, username: u, warehouse: w, database: d, schema: s, role: r, password_var: P}
  - {name: sk, type: snowflake, account: a, username: u, warehouse: w, private_key_path: k.p8, filters: {t: {}}}
  - {name: sb, type: snowflake, account: a, username: u, warehouse: w, browser_timeout_secs: 60, cache_dir: .c}
  - {name: ch, type: clickhouse, host: h, user: u, database: d, schemas: {d: [t]}, role: r, settings_prefix: s}
  - {name: md, type: motherduck, token_var: T, database: d, schemas: {main: [t]}}
  - {name: do, type: domo, instance: i, developer_token_var: T, dataset_id: x}
  - {name: ah, type: airhouse, host: h, port: 5445, user: u, password_var: P, database: d}
  - {name: am, type: airhouse_managed}
builder_agent: {model: e}
integrations:
  - {name: o, type: omni, base_url: u, api_key_var: K, topics: [{name: t, model_id: m}], arrow_threshold_rows: 10}
  - {name: l, type: looker, base_url: u, client_id_var: I, client_secret_var: S, explores: [{model: m, name: n}]}
mcp: {tools: ["procedures/*.yml"]}
a2a: {agents: [{ref: default.agent.yml, name: x}]}
protected_branches: [main]
base_branch: main
repositories: [{name: r, git_url: g, branch: b}, {name: q, path: ../q}]
health_check: {interval: 1h, smoke_test: {interval: 6h, connections: true, max_targets: 5}}
pre_aggregations: {schema: AIRLAYER, database: local, refresh_worker: {enabled: true, heartbeat: 1m}}
"""


def loaded(write: Write, config: str) -> Project:
    return load_project(write({"config.yml": config, "a.view.yml": VIEW}))


def refused(write: Write, config: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(write, config)
    return str(caught.value)


def test_every_key_of_every_type_loads(write: Write) -> None:
    project = loaded(write, EVERYTHING)
    assert [problem for problem in project.problems if problem.severity != "note"] == []
    assert len(project.databases) == 18
    assert (project.default_database, project.timezone) == ("local", "America/New_York")
    assert [model.vendor for model in project.models] == ["openai", "openai", "google", "ollama", "anthropic"]
    assert project.models[0].headers == (("X-Team", "t"), ("X-Key", "${H}"))
    assert project.models[4].key_var == "ANTHROPIC_API_KEY"


def test_paths_are_resolved_against_the_project_and_variables_stay_names(write: Write) -> None:
    project = loaded(write, EVERYTHING)
    by_name = {database.name: database for database in project.databases}
    assert by_name["local"].path == by_name["search"].path == project.root / "data"
    assert by_name["file"].path == project.root / "data/orders.csv"
    assert by_name["variable"].path is None
    assert by_name["variable"].setting("dataset") == "${DATA}/x"
    assert by_name["bq"].setting("key_path") == str(project.root / "keys/k.json")
    assert by_name["pg"].setting("password_var") == "PGPASSWORD"
    assert by_name["rs"].setting("password") == "${PGPASSWORD}"
    assert by_name["lake"].setting("secret") == "DUCKLAKE_S3_SECRET"
    assert by_name["pg"].at == "config.yml:26"


def test_types_that_are_not_served_are_noted(write: Write) -> None:
    report = check_project(write({"config.yml": EVERYTHING, "a.view.yml": VIEW}))
    said = "\n".join(str(problem) for problem in report.problems if problem.severity == "note")
    assert report.ok
    assert "config.yml:27: databases of type `redshift` are not supported yet" in said
    assert "DuckLake is not supported yet" in said
    for key in ("integrations", "mcp", "a2a", "builder_agent", "health_check", "pre_aggregations", "repositories"):
        assert f"`{key}` is not used yet" in said


def test_literal_secrets_are_reported_and_not_kept(write: Write) -> None:
    config = (
        CONFIG
        + "  - {name: pg, type: postgres, password: hunter2}\n"
        + "  - {name: md, type: motherduck, token: hunter3}\n"
        + "models:\n  - {name: m, vendor: openai, model_ref: g, headers: {Authorization: Bearer hunter4}}\n"
    )
    project = loaded(write, config)
    assert "hunter" not in repr(project)
    said = "\n".join(map(str, project.problems))
    assert "config.yml:3: `password` holds the secret itself and is not read" in said
    assert "config.yml:4: `token`" in said
    assert "config.yml:6: `Authorization`" in said


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("databases:\n  - {name: local, type: duckdb}", "config.yml:2: DuckDB database `local` needs `dataset`"),
        ("databases:\n  - {name: local, type: duckdb, dataset: a, path: b}", "has `dataset` and `path`"),
        (
            "databases:\n  - {name: local, type: duckdb, dataset: nope/}",
            "config.yml:2: `dataset` of database `local` does not exist",
        ),
        (
            "databases:\n  - {name: local, type: duckdb, datset: data}",
            "unknown key `datset` in a DuckDB database (did you mean `dataset`?)",
        ),
        ("databases:\n  - {name: local, type: postgress}", "has the unknown type `postgress`: write one of duckdb"),
        ("databases:\n  - {name: local, type: postgress}", "(did you mean `postgres`?)"),
        ("databases:\n  - {name: local}", "database `local` needs `type`"),
        ("databases:\n  - {type: postgres}", "a PostgreSQL database needs `name`"),
        ("databases: local", "`databases` of config.yml must be a list"),
        ("databases:\n  - local", "item 1 of `databases` of config.yml must be a mapping"),
        (
            CONFIG + "  - {name: local, type: duckdb, dataset: data}",
            "database name `local` stands twice (first at config.yml:2)",
        ),
        (CONFIG + "defaults:\n  database: loca", "config.yml:4: `defaults.database` names `loca`"),
        (CONFIG + "defaults: {databse: local}", "unknown key `databse` in `defaults` (did you mean `database`?)"),
        (CONFIG + "models:\n  - {name: m, vendor: antropic, model_ref: x}", "(did you mean `anthropic`?)"),
        (CONFIG + "models:\n  - {name: m, vendor: openai}", "a model needs `model_ref`"),
        (CONFIG + "timezone: Mars", "unknown time zone `Mars`"),
        (CONFIG + "modles: []", "unknown key `modles` in config.yml (did you mean `models`?)"),
        (
            CONFIG + "builder_agent: {model: e, x: 1}",
            "(1 problem):\n  config.yml:3: unknown key `x` in `builder_agent`",
        ),
        (
            "databases:\n  - {name: other, type: duckdb, dataset: data}",
            "view `orders` reads database `local`, which is not among",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(write: Write, config: str, said: str) -> None:
    assert said in refused(write, config)


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("{name: a, type: sqlite}", "a SQLite database needs `path`"),
        ("{name: a, type: sqlite, path: no.db}", "`path` of database `a` is no file: `no.db`"),
        ("{name: a, type: sqlite, dataset: data}", "unknown key `dataset` in a SQLite database"),
        ("{name: a, type: postgres, port: many}", "`port` must be a number from 1 to 65535, not `many`"),
        ("{name: a, type: postgres, port: 70000}", "`port` must be a number from 1 to 65535, not `70000`"),
        ("{name: a, type: postgres, pasword_var: X}", "unknown key `pasword_var` in a PostgreSQL database"),
    ],
)
def test_a_database_that_is_declared_wrongly_is_refused(write: Write, database: str, said: str) -> None:
    assert said in refused(write, f"databases: [{database}]\n")


def test_views_speak_the_sql_of_their_database(write: Write) -> None:
    config = "databases: [{name: pg, type: postgres, port_var: P}, {name: files, type: duckdb, dataset: data}]\n"
    of_pg = VIEW.replace("datasource: local", "datasource: pg")
    of_files = VIEW.replace("orders", "other", 1).replace("datasource: local", "datasource: files\ndialect: postgres")
    root = write({"config.yml": config, "a.view.yml": of_pg, "b.view.yml": of_files, "data/x.csv": "a\n1\n"})
    project = load_project(root)
    assert [(view.datasource, view.dialect) for view in project.catalog.model.views] == [
        ("pg", "postgres"),
        ("files", "duckdb"),
    ]
