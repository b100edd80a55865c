"""Writes a verified query as a new file of a project: SQL under an `oxy:` header, read back before it stays."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from backedge.ask.catalog import Verified
from backedge.config.problem import Problem
from backedge.config.sql_file import read_sql
from backedge.kernel.defect import Permanent

FOLDER = "queries"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


def write_verified(root: Path, query: Verified) -> str:
    """Write `queries/NAME.sql`; its path from the project's folder.

    Raises `Permanent` where the name cannot be a file's, the file exists, or what would be written reads as another
    query. Nothing is ever overwritten.
    """
    if not _NAME.fullmatch(query.name):
        raise Permanent(
            f"{query.name!r} is no name for a query", mend="use small letters, digits and _, as in net_sales"
        )
    name = f"{FOLDER}/{query.name}.sql"
    text = _text(query)
    problems: list[Problem] = []
    read = read_sql(name, text, problems)
    same = isinstance(read, Verified) and (read.sql, read.embed, read.description) == (
        query.sql.strip(),
        tuple(line.strip() for line in query.embed),
        query.description.strip(),
    )
    if problems or not same:
        raise Permanent(
            "this query cannot be kept as a file: its header would be read otherwise", mend="change its text"
        )
    try:
        (root / FOLDER).mkdir(exist_ok=True)
        with (root / name).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Permanent(f"{name} exists already", mend="choose another name") from None
    except OSError as error:
        raise Permanent(f"{name} cannot be written: {error.strerror}", mend="make the folder writable") from error
    return name


def _text(query: Verified) -> str:
    header: dict[str, object] = {"database": query.database} if query.database else {}
    header |= {"description": query.description, "embed": list(query.embed)}
    block = yaml.safe_dump({"oxy": header}, allow_unicode=True, sort_keys=False, width=10_000)
    return f"/*\n{block}*/\n{query.sql.strip()}\n"
