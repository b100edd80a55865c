"""The databases of a project: every type and key that Oxygen knows, and what is implied where no `config.yml` is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from backedge.config.problem import Problem, nearest
from backedge.config.secret import is_reference, is_secret
from backedge.config.shape import Name, Shape, Text, read_shape
from backedge.config.yaml_file import Block, Scalar

SERVED = frozenset({"duckdb", "postgres", "sqlite"})
_FOLDER_KEYS = ("dataset", "file_search_path", "path")
DATA_SUFFIXES = (".csv", ".tsv", ".parquet", ".duckdb")


@dataclass(frozen=True)
class Database:
    """One database of a project. It is not opened here.

    `path` is the absolute folder or file of a DuckDB or SQLite database. `settings` are the other keys as written,
    paths made absolute; `*_var` and `${NAME}` stay names of environment variables, and a literal secret is not kept.
    """

    name: str
    type: str
    path: Path | None = None
    settings: tuple[tuple[str, str], ...] = ()
    at: str = ""

    def setting(self, key: str) -> str:
        """The setting of that key, or ""."""
        return dict(self.settings).get(key, "")


def check_port(text: str) -> str:
    """A port: a number, or the variable that holds it."""
    if not is_reference(text) and not (text.isdecimal() and 0 < int(text) < 65_536):
        raise ValueError(f"`port` must be a number from 1 to 65535, not `{text}`")
    return text


class _Database(Shape):
    what: ClassVar[str] = "a database"
    name: Name
    type: str


class _DuckDB(_Database):
    what: ClassVar[str] = "a DuckDB database"
    dataset: Text | None = None
    file_search_path: Text | None = None
    path: Text | None = None
    options: object = None
    catalog_path: str | None = None
    data_path: str | None = None
    schema_name: str | None = None
    s3_secret_type: Literal["config", "credential_chain"] | None = None
    key_id: str | None = None
    secret: str | None = None
    endpoint_url: str | None = None
    region: str | None = None
    url_style: str | None = None
    use_ssl: bool = False
    chain: str | None = None


class _SQLite(_Database):
    what: ClassVar[str] = "a SQLite database"
    path: Text


class _Server(_Database):
    what: ClassVar[str] = "a database"
    host: str | None = None
    host_var: str | None = None
    port: str | None = None
    port_var: str | None = None
    user: str | None = None
    user_var: str | None = None
    password: str | None = None
    password_var: str | None = None
    database: str | None = None
    database_var: str | None = None


class _Postgres(_Server):
    what: ClassVar[str] = "a PostgreSQL database"
    port: Annotated[str, AfterValidator(check_port)] | None = None


class _ClickHouse(_Server):
    what: ClassVar[str] = "a ClickHouse database"
    schemas: dict[str, tuple[str, ...]] | None = None
    role: str | None = None
    settings_prefix: str | None = None
    filters: dict[str, object] | None = None


class _BigQuery(_Database):
    what: ClassVar[str] = "a BigQuery database"
    key_path: str | None = None
    key_path_var: str | None = None
    project: str | None = None
    project_var: str | None = None
    access_token: str | None = None
    access_token_var: str | None = None
    dataset: str | None = None
    dataset_var: str | None = None
    datasets: dict[str, tuple[str, ...]] | None = None
    dry_run_limit: int | None = None


class _Snowflake(_Database):
    what: ClassVar[str] = "a Snowflake database"
    account: str | None = None
    account_var: str | None = None
    username: str | None = None
    username_var: str | None = None
    warehouse: str | None = None
    warehouse_var: str | None = None
    database: str | None = None
    database_var: str | None = None
    schema_: str | None = Field(None, alias="schema")
    schema_var: str | None = None
    role: str | None = None
    role_var: str | None = None
    password: str | None = None
    password_var: str | None = None
    private_key_path: str | None = None
    private_key_path_var: str | None = None
    browser_timeout_secs: int | None = None
    cache_dir: str | None = None
    datasets: dict[str, tuple[str, ...]] | None = None
    filters: dict[str, object] | None = None


class _MotherDuck(_Database):
    what: ClassVar[str] = "a MotherDuck database"
    token: str | None = None
    token_var: str | None = None
    database: str | None = None
    database_var: str | None = None
    schemas: dict[str, tuple[str, ...]] | None = None


class _Domo(_Database):
    what: ClassVar[str] = "a Domo database"
    instance: str | None = None
    instance_var: str | None = None
    developer_token: str | None = None
    developer_token_var: str | None = None
    dataset_id: str | None = None
    dataset_id_var: str | None = None


_SHAPES: dict[str, type[_Database]] = {
    "duckdb": _DuckDB,
    "sqlite": _SQLite,
    "postgres": _Postgres,
    "redshift": _Server,
    "mysql": _Server,
    "airhouse": _Server,
    "airhouse_managed": _Database,
    "clickhouse": _ClickHouse,
    "bigquery": _BigQuery,
    "snowflake": _Snowflake,
    "motherduck": _MotherDuck,
    "domo": _Domo,
}


def read_database(root: Path, file: str, tree: Block, found: list[Problem]) -> Database | None:
    """One item of `databases`, or None with every problem in `found`."""
    kind = str(tree.get("type") or "")
    if kind not in _SHAPES:
        said = f"has the unknown type `{kind}`" if kind else "needs `type`"
        message = f"database `{tree.get('name')}` {said}: write one of {', '.join(_SHAPES)}"
        found.append(Problem(file, tree.lines.get("type", tree.line), message, near=nearest(kind, _SHAPES)))
        return None
    raw = read_shape(_SHAPES[kind], tree, file, found)
    if raw is None:
        return None
    path = _path(root, file, raw, found)
    if kind not in SERVED:
        message = f"databases of type `{kind}` are not supported yet: nothing can be asked of `{raw.name}`"
        found.append(Problem(file, raw.line, message, "note"))
    return Database(raw.name, kind, path, tuple(_settings(root, tree)), f"{file}:{raw.line}")


def _path(root: Path, file: str, raw: _Database, found: list[Problem]) -> Path | None:
    if isinstance(raw, _DuckDB):
        return _duckdb_path(root, file, raw, found)
    if not isinstance(raw, _SQLite) or _has_variable(raw.path):
        return None
    path: Path = (root / raw.path).resolve()
    if not path.is_file():
        said = f"`path` of database `{raw.name}` is no file: `{raw.path}` (relative to the project folder)"
        found.append(Problem(file, raw.line, said))
    return path


def _duckdb_path(root: Path, file: str, raw: _DuckDB, found: list[Problem]) -> Path | None:
    written = [(key, text) for key in _FOLDER_KEYS if (text := getattr(raw, key))]
    if raw.data_path or raw.schema_name:
        message = f"DuckLake is not supported yet: nothing can be asked of `{raw.name}`"
        found.append(Problem(file, raw.line, message, "note"))
        return None
    if len(written) != 1:
        said = "needs `dataset`" if not written else f"has {' and '.join(f'`{key}`' for key, _ in written)}"
        message = f"DuckDB database `{raw.name}` {said}: write one folder (`dataset: data/`) or one `.duckdb` file"
        found.append(Problem(file, raw.line, message))
        return None
    key, text = written[0]
    if _has_variable(text):
        return None
    path: Path = (root / text).resolve()
    if not path.exists():
        message = f"`{key}` of database `{raw.name}` does not exist: `{text}` (relative to the project folder)"
        found.append(Problem(file, raw.line, message))
    return path


def _settings(root: Path, tree: Block) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if key in ("name", "type") or not isinstance(value, Scalar) or value.value is None:
            continue
        if key in _FOLDER_KEYS and tree.get("type") in ("duckdb", "sqlite") and not _has_variable(value):
            continue
        literal_path = key in ("key_path", "private_key_path", "cache_dir") and not _has_variable(value)
        variable = key == "secret"
        if variable or not is_secret(key, value):
            yield key, str((root / value).resolve()) if literal_path else str(value)


def _has_variable(text: str) -> bool:
    return "${" in text


def implied_databases(root: Path, names: tuple[str, ...]) -> tuple[Database, ...]:
    """DuckDB over the folder's `.db/`, `data/` or own data files, once for each name; none where it has no data."""
    path = _implied_path(root)
    return tuple(Database(name, "duckdb", path) for name in names or ("local",)) if path else ()


def _implied_path(root: Path) -> Path | None:
    for folder in (root / ".db", root / "data"):
        if folder.is_dir():
            return folder.resolve()
    own = sorted(path for path in root.iterdir() if path.suffix.lower() in DATA_SUFFIXES and path.is_file())
    if len(own) == 1 and own[0].suffix.lower() == ".duckdb":
        return own[0].resolve()
    return root.resolve() if own else None
