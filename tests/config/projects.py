"""A small project to vary: one view over one CSV file, and its configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

Write = Callable[[Mapping[str, str]], Path]

VIEW = """\
name: orders
datasource: local
table: orders.csv
entities:
  - {name: order, key: id}
dimensions:
  - {name: id, type: number}
  - {name: status, type: string}
  - {name: placed, type: date}
  - {name: paid, type: boolean}
measures:
  - {name: revenue, type: sum, expr: amount}
"""
CONFIG = """\
databases:
  - {name: local, type: duckdb, dataset: data/}
"""
