"""A project over SQLite or PostgreSQL is asked, tested and synced as one over files; its runs may be elsewhere."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.projects import backedge
from tests.shops import postgres_shop, shop_project, shop_rows, sqlite_shop


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def other(
    request: pytest.FixtureRequest, postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    folder, rows = tmp_path_factory.mktemp("other") / "shop", shop_rows(every=50)
    if request.param == "sqlite":
        return "sqlite", sqlite_shop(folder, rows)
    return "postgres", postgres_shop(folder, rows, postgres_server, "told")


def test_a_question_is_answered_in_the_sql_of_the_database(other: tuple[str, Path]) -> None:
    kind, project = other
    ended = backedge("ask", "top 3 countries by order count in 2024", "--project", project, "--json", "--no-input")
    assert ended.code == 0, ended.err
    found = ended.json
    orders, customers = shop_rows(every=50)["orders"], shop_rows(every=50)["customers"]
    country = {row[0]: row[1] for row in customers}
    in_2024 = [country[row[1]] for row in orders if str(row[2]).startswith("2024")]
    assert [row[1] for row in found["rows"]] == [in_2024.count(row[0]) for row in found["rows"]]
    assert (len(found["rows"]), '"orders.csv"' in found["sql"]) == (3, False)
    assert backedge("compile", _spec(project), "--project", project).out.count("DATE(") == (
        3 if kind == "sqlite" else 0
    )


def _spec(project: Path) -> Path:
    file = project / "spec.json"
    file.write_text('{"measures": ["orders.order_count"], "dimensions": ["orders.order_date.month"]}')
    return file


def test_a_value_is_found_in_the_database_and_a_misspelt_one_is_named(other: tuple[str, Path]) -> None:
    _, project = other
    assert backedge("ask", "order count in germany", "--project", project, "--no-input").code == 0
    ended = backedge("ask", "order count in Germny", "--project", project, "--no-input")
    assert (ended.code, "Germany" in ended.out) == (4, True)


def test_what_the_database_cannot_do_is_refused_and_said(other: tuple[str, Path]) -> None:
    kind, project = other
    ended = backedge("ask", "median order value", "--project", project, "--no-input")
    assert (ended.code, "sqlite has no" in ended.out) == ((4, True) if kind == "sqlite" else (0, False))


def test_databases_are_listed_tested_and_synced(other: tuple[str, Path]) -> None:
    kind, project = other
    listed = backedge("db", "list", "--project", project, "--json").json
    assert [(row["name"], row["type"], row["default"]) for row in listed] == [("shop", kind, True)]
    tested = backedge("db", "test", "--project", project)
    assert (tested.code, tested.out) == (0, "ok   database shop: 3 tables, reads, refuses to write\n")
    first = backedge("db", "sync", "--project", project, "--json").json
    assert (first[0]["tables"], first[0]["columns"], first[0]["changes"]) == (3, 19, [])
    kept = json.loads(Path(first[0]["file"]).read_text())
    assert {table["name"]: table["key"] for table in kept["tables"]}["orders"] == ["order_id"]
    again = backedge("db", "sync", "shop", "--project", project)
    assert "nothing has changed" in again.out


def test_doctor_covers_the_database(other: tuple[str, Path]) -> None:
    _, project = other
    assert "ok   database shop: 3 tables" in backedge("doctor", "--project", project).out


def test_a_changed_schema_is_told(tmp_path: Path) -> None:
    project = shop_project(tmp_path / "p", "    type: sqlite\n    path: shop.db\n")
    with sqlite3.connect(project / "shop.db") as connection:
        connection.execute("create table a (x integer, y text)")
        backedge("db", "sync", "--project", project)
        connection.executescript("drop table a; create table a (x real, z text); create table b (x)")
    connection.close()
    changes = backedge("db", "sync", "--project", project, "--json").json[0]["changes"]
    assert changes == [
        "column a.z is new (TEXT)",
        "column a.y is gone",
        "column a.x was INTEGER and is REAL",
        "table b is new",
    ]


UNREACHABLE = """    type: postgres
    host: 127.0.0.1
    port: 1
    user: me
    password_var: BACKEDGE_TEST_SECRET
    database: shop
"""


@pytest.mark.slow
def test_what_is_wrong_is_said_with_exit_code_5_and_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = shop_project(tmp_path / "p", UNREACHABLE)
    listed = backedge("db", "list", "--project", project)
    assert "127.0.0.1:1/shop" in listed.out
    assert "BACKEDGE_TEST_SECRET not set" in listed.out
    unset = backedge("db", "test", "--project", project)
    assert (unset.code, "export BACKEDGE_TEST_SECRET" in unset.out) == (5, True)
    monkeypatch.setenv("BACKEDGE_TEST_SECRET", "hunter2")
    for command in (("db", "list"), ("db", "test"), ("db", "sync"), ("doctor",)):
        ended = backedge(*command, "--project", project)
        assert "hunter2" not in ended.out + ended.err
        assert ended.code == (0 if command == ("db", "list") else 5), command
    assert "Connection refused" in backedge("db", "test", "--project", project).out


def test_a_misspelt_database_is_named(tmp_path: Path) -> None:
    project = shop_project(tmp_path / "p", UNREACHABLE)
    ended = backedge("db", "test", "shpo", "--project", project)
    assert (ended.code, "did you mean `shop`" in ended.err) == (2, True)


@pytest.mark.slow
def test_a_role_that_may_write_is_advised_against(postgres_server: str, tmp_path: Path) -> None:
    project = postgres_shop(tmp_path / "p", shop_rows(every=1000), postgres_server, "advised")
    config = project / "config.yml"
    config.write_text(config.read_text().replace("advised_reader", "postgres"))
    ended = backedge("db", "test", "--project", project)
    assert ended.code == 5
    assert "MEND database shop: role: the role postgres is a superuser" in ended.out
    assert "GRANT SELECT ON ALL TABLES" in ended.out


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("{type: postgres, url: postgresql://u:p@h/d}", "name the variable"),
        ("{type: postgres}", "needs `url_var`"),
        ("{type: sqlite, url_var: X}", "of a postgres `store`"),
        ("{type: mysql}", "cannot be `mysql`"),
    ],
)
def test_a_store_that_is_set_wrongly_is_refused(shop: Path, tmp_path: Path, store: str, said: str) -> None:
    project = _with_store(tmp_path, store)
    ended = backedge("runs", "list", "--project", project)
    assert (ended.code, said in ended.err) == (5, True)


def test_runs_are_kept_in_the_database_that_store_names(
    postgres_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _with_store(tmp_path, "{type: postgres, url_var: BACKEDGE_TEST_STORE}")
    unset = backedge("runs", "list", "--project", project)
    assert (unset.code, "export BACKEDGE_TEST_STORE" in unset.err) == (5, True)
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("create schema told_runs")
    monkeypatch.setenv("BACKEDGE_TEST_STORE", f"{postgres_server}&options=-csearch_path%3Dtold_runs")
    assert backedge("ask", "order count", "--project", project, "--no-input").code == 0
    assert not (project / ".backedge" / "runs.db").exists()
    assert len(backedge("runs", "list", "--project", project, "--json").json) == 1
    with psycopg.connect(postgres_server) as connection:
        assert connection.execute("select count(*) from told_runs.run").fetchone() == (1,)


def _with_store(folder: Path, store: str) -> Path:
    project = sqlite_shop(folder / "shop", shop_rows(every=1000))
    with (project / "config.yml").open("a", encoding="utf-8") as config:
        config.write(f"\nstore: {store}\n")
    return project


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_no_answer_to_the_question_set_is_wrong(kind: str, postgres_server: str, tmp_path: Path) -> None:
    made = sqlite_shop(tmp_path / "p", shop_rows()) if kind == "sqlite" else None
    project = made or postgres_shop(tmp_path / "p", shop_rows(), postgres_server, "questioned")
    found = backedge("test", "--project", project, "--json").json
    assert found["wrong"] == []
    assert found["right"] == found["answered"] >= 125
    # what fails is gold SQL that only DuckDB reads
    assert all("the gold does not run" in line["why"] for line in found["failed"])
