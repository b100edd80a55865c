"""Which agent, which files, which databases: what `load_project` makes of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from tests.config.projects import CONFIG, VIEW, Write

QUERY = "/* oxy: {description: all} */ SELECT 1"
TWO = {"a.view.yml": VIEW, "sales/big.agentic.yml": "instructions: a", "small.agentic.yml": "instructions: b"}


def chosen(folder: Path, agent: str | None = None) -> str:
    found = load_project(folder, agent).agent
    return found.file if found else ""


def refused(folder: Path, agent: str | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load_project(folder, agent)
    return str(caught.value)


@pytest.mark.parametrize("asked", ["big", "big.agentic.yml", "sales/big.agentic.yml", "./sales/big.agentic.yml"])
def test_an_agent_is_found_by_name_and_by_path(write: Write, asked: str) -> None:
    assert chosen(write(TWO), asked) == "sales/big.agentic.yml"


def test_an_agent_is_found_by_absolute_path(write: Write) -> None:
    folder = write(TWO)
    assert chosen(folder, str(folder / "small.agentic.yml")) == "small.agentic.yml"


def test_an_unknown_agent_is_refused_with_the_nearest(write: Write) -> None:
    said = refused(write(TWO), "bigg")
    assert "no agent `bigg`: it has sales/big.agentic.yml, small.agentic.yml (did you mean `big`?)" in said
    assert "not supported yet" in refused(write(TWO), "default.agent.yml")
    assert "it has no `.agentic.yml` file" in refused(write({"a.view.yml": VIEW}) / "data", "x")


def test_two_agents_of_one_name_need_a_path(write: Write) -> None:
    folder = write({"a.view.yml": VIEW, "a/x.agentic.yml": "databases: []", "b/x.agentic.yml": "databases: []"})
    assert "several agents are called `x`: a/x.agentic.yml, b/x.agentic.yml" in refused(folder, "x")


def test_the_default_of_the_config_is_taken(write: Write) -> None:
    folder = write({**TWO, "config.yml": CONFIG + "defaults: {agent: ./sales/big.agentic.yml}"})
    assert chosen(folder) == "sales/big.agentic.yml"


def test_a_default_that_does_not_exist_is_an_error(write: Write) -> None:
    folder = write({**TWO, "config.yml": CONFIG + "defaults:\n  agent: bgi.agentic.yml"})
    assert "config.yml:4: `defaults.agent` names `bgi.agentic.yml`" in refused(folder)


def test_a_classic_default_is_passed_over(write: Write) -> None:
    config = CONFIG + "defaults: {agent: default.agent.yml}"
    folder = write({"a.view.yml": VIEW, "x.agentic.yml": "databases: [local]", "config.yml": config})
    assert chosen(folder) == "x.agentic.yml"


def test_several_agents_must_be_chosen_from(write: Write) -> None:
    said = refused(write(TWO))
    assert "several agents: sales/big.agentic.yml, small.agentic.yml: choose one with `--agent NAME`" in said


def test_a_wrong_config_is_told_beside_the_agent_that_it_should_have_chosen(write: Write) -> None:
    said = refused(write({**TWO, "config.yml": "defaults: {agnet: big.agentic.yml}"}))
    assert "unknown key `agnet`" in said
    assert "several agents" in said


def test_without_an_agent_the_whole_folder_is_the_catalog(write: Write) -> None:
    files = {"v/a.view.yml": VIEW, "q/all.sql": QUERY, "q/seed.sql": "DROP TABLE x", "README.md": "# Hello"}
    project = load_project(write(files))
    assert project.agent is None
    assert [view.name for view in project.catalog.model.views] == ["orders"]
    assert [query.name for query in project.catalog.verified] == ["all"]
    assert (project.catalog.examples, project.catalog.notes) == ((), ())


def test_an_agent_reads_only_what_its_context_takes(write: Write) -> None:
    files = {
        "agents/x.agentic.yml": "context: ['../s/**/*', './docs/*.md', '../q/e*.sql']",
        "s/a.view.yml": VIEW,
        "s/deep/er/b.view.yml": VIEW.replace("name: orders", "name: b"),
        "other/c.view.yml": "name: c\nbroken: true",
        "agents/docs/one.md": "One",
        "agents/docs/deep/two.md": "Two",
        "q/ex.sql": "SELECT 1",
        "q/all.sql": QUERY,
    }
    catalog = load_project(write(files)).catalog
    assert [view.name for view in catalog.model.views] == ["orders", "b"]
    assert catalog.notes == (("agents/docs/one.md", "One"),)
    assert catalog.examples == (("q/ex.sql", "SELECT 1"),)
    assert catalog.verified == ()


def test_a_glob_that_takes_nothing_is_a_warning(write: Write) -> None:
    project = load_project(write({"s/a.view.yml": VIEW, "x.agentic.yml": "context:\n  - s/**/*\n  - nope/*\n  - ./s"}))
    assert [str(problem) for problem in project.problems] == [
        "x.agentic.yml:3: `nope/*` in `context` matches no file",
        "x.agentic.yml:4: `./s` in `context` matches no file: write `./s/**/*` for all of the folder",
    ]


def test_hidden_folders_and_node_modules_are_not_searched(write: Write) -> None:
    broken = "nonsense: true"
    hidden = {f"{name}/b.view.yml": broken for name in (".git", ".venv", ".backedge", "node_modules", "a/.cache")}
    assert len(load_project(write({"a.view.yml": VIEW, **hidden})).catalog.model.views) == 1


def test_without_a_config_the_data_folder_is_the_database_of_the_views(write: Write) -> None:
    folder = write({"a.view.yml": VIEW.replace("datasource: local", "datasource: shop")})
    project = load_project(folder)
    assert [(d.name, d.type, d.path) for d in project.databases] == [("shop", "duckdb", folder.resolve() / "data")]
    assert project.default_database == "shop"


def test_dot_db_goes_before_data(write: Write) -> None:
    folder = write({"a.view.yml": VIEW, ".db/orders.csv": "id\n1\n"})
    assert load_project(folder).databases[0].path == folder.resolve() / ".db"


@pytest.mark.parametrize(("name", "path"), [("o.csv", "."), ("o.parquet", "."), ("o.duckdb", "o.duckdb")])
def test_data_files_in_the_folder_itself_are_a_database(tmp_path: Path, name: str, path: str) -> None:
    (tmp_path / name).write_text("")
    (tmp_path / "a.view.yml").write_text("name: v\ntable: t\n")
    project = load_project(tmp_path)
    assert [(d.name, d.path) for d in project.databases] == [("local", (tmp_path / path).resolve())]
    assert project.catalog.model.views[0].datasource == "local"


def test_an_agent_may_read_only_its_databases(write: Write) -> None:
    config = CONFIG + "  - {name: b, type: duckdb, dataset: data/}\n"
    files = {"config.yml": config, "a.view.yml": "name: v\ntable: t\n", "x.agentic.yml": "databases: [b]"}
    project = load_project(write(files))
    assert [database.name for database in project.databases] == ["b"]
    assert project.default_database == project.catalog.model.views[0].datasource == "b"
    files["a.view.yml"] = VIEW
    assert "view `orders` reads database `local`, which is not among the databases of agent `x`" in refused(
        write(files)
    )


def test_verified_sql_of_an_unknown_database_is_an_error(write: Write) -> None:
    query = "/*\noxy:\n  database: lokal\n  description: d\n*/ SELECT 1"
    said = refused(write({"config.yml": CONFIG, "a.view.yml": VIEW, "q.sql": query}))
    assert "q.sql:2: verified query `q` reads database `lokal`, which is not among the databases of config.yml" in said


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("view", {"a.view.yml": VIEW, "b.view.yml": VIEW}),
        (
            "topic",
            {"a.topic.yml": "name: t\nviews: [orders]", "b.topic.yml": "name: t\nviews: [orders]", "a.view.yml": VIEW},
        ),
        ("verified query", {"a/q.sql": QUERY, "b/q.sql": QUERY}),
    ],
)
def test_a_name_that_stands_twice_is_an_error(write: Write, kind: str, files: dict[str, str]) -> None:
    assert f"{kind} name" in refused(write(files))
    assert "stands twice (first at a" in refused(write(files))


def test_the_errors_of_all_files_are_told_together(write: Write) -> None:
    files = {
        "a.view.yml": "name: a\ntabel: x",
        "b.view.yml": "name: [",
        "config.yml": "databases: 3",
        "t.topic.yml": "nam: x",
    }
    said = refused(write(files))
    assert all(name in said for name in files)


def test_the_hash_follows_every_file_that_made_the_catalog(write: Write) -> None:
    files = {
        "config.yml": CONFIG,
        "x.agentic.yml": "context: ['s/**/*']",
        "s/a.view.yml": VIEW,
        "s/n.md": "note",
        "s/e.sql": "SELECT 1",
        "s/q.sql": QUERY,
        "s/t.topic.yml": "name: t\nviews: [orders]",
        "other.md": "note",
    }

    def hash_with(**changes: str) -> str:
        return load_project(write({**files, **changes})).catalog.hash

    first = hash_with()
    assert hash_with() == first
    for name in files:
        changed = hash_with(**{name: files[name] + "\n"})
        assert (changed == first) == (name == "other.md"), name


def test_an_empty_folder_is_refused_and_data_alone_is_a_warning(tmp_path: Path) -> None:
    assert "has nothing to answer from" in refused(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    assert "has nothing to answer from" in str(load_project(tmp_path).problems[0])


def test_views_without_any_data_load_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.view.yml").write_text("name: v\ntable: t\ndialect: postgres\n")
    project = load_project(tmp_path)
    assert (project.databases, project.default_database) == ((), "")
    assert "no database" in str(project.problems[0])
