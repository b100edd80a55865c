"""A small project for tests of the command line, and a way to call it as a user does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from backedge.cli.app import main

ORDERS = """id,region,status,amount,ordered
1,North,paid,10.50,2025-01-03
2,North,paid,20.25,2025-01-09
3,South,open,5.00,2025-02-01
4,,paid,7.75,2025-02-11
5,South,paid,100.00,2026-03-05
"""
VIEW = """name: orders
description: Orders of the shop
datasource: local
table: orders.csv
entities:
  - {name: order, type: primary, key: id}
dimensions:
  - {name: id, type: number, expr: id}
  - {name: region, type: string, expr: region, synonyms: [area]}
  - {name: status, type: string, expr: status}
  - {name: ordered, type: date, expr: ordered}
measures:
  - {name: total_amount, type: sum, expr: amount, synonyms: [sales]}
  - {name: paid_amount, type: sum, expr: amount, filters: [{expr: "status = 'paid'"}], synonyms: [income]}
  - {name: open_amount, type: sum, expr: amount, filters: [{expr: "status = 'open'"}], synonyms: [income]}
  - {name: order_count, type: count, synonyms: [number of orders]}
"""
CONFIG = """databases:
  - {name: local, type: duckdb, dataset: data/}
defaults: {database: local}
"""
VERIFIED = """/* oxy:
  database: local
  description: Orders without a region
  embed: [Which orders have no region]
*/
SELECT id, amount FROM 'orders.csv' WHERE region IS NULL
"""


def make_project(folder: Path) -> Path:
    """Write it and give its folder."""
    for name, text in {
        "config.yml": CONFIG,
        "semantics/orders.view.yml": VIEW,
        "data/orders.csv": ORDERS,
        "queries/no_region.sql": VERIFIED,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


def backedge(*args: str | Path, given: str = "") -> Ended:
    """Run a command in this process, as a user would type it. Anything that is not an exit is a bug and surfaces."""
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=given, prog_name="backedge")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


def started(*args: str, stdin: int | None, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Start a command that Ctrl-C reaches, even where the tests run in the background, which ignores it."""
    command = [sys.executable, "-m", "backedge", *args]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, preexec_fn=heard)


def backedge_process(*args: str | Path, given: str = "") -> Ended:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "backedge", *map(str, args)]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)
