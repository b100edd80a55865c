"""A small shop with automations, and a way to run them as a user does."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.cli.projects import Ended, backedge

REPORT = """\
name: report
description: Amounts of each region
variables:
  status: {type: string, enum: [paid, open], default: paid, description: which orders}
tasks:
  - name: regions
    type: execute_sql
    database: local
    sql_query: SELECT DISTINCT region FROM orders.csv WHERE region IS NOT NULL ORDER BY 1
  - name: each
    type: loop_sequential
    values: "{{ regions.region }}"
    concurrency: 2
    tasks:
      - name: amount
        type: execute_sql
        database: local
        sql_query: |
          SELECT SUM(amount) AS total FROM orders.csv WHERE region = '{{ each.value }}' AND status = '{{ status }}'
        export: {path: "out/{{ each.value }}.csv", format: csv}
  - name: big
    type: conditional
    conditions:
      - if: "{{ each | length > 1 }}"
        tasks:
          - {name: said, type: formatter, template: several}
    else:
      - {name: said, type: formatter, template: one}
  - name: model
    type: semantic_query
    measures: [orders.order_count]
    filters: [{field: orders.status, op: eq, value: "{{ status }}"}]
  - name: text
    type: formatter
    template: |
      {{ said }}
      {% for item in each %}{{ item.value }}: {{ item.amount.total[0] }}
      {% endfor %}{{ model.order_count[0] }} orders
"""


def project(shop: Path, folder: Path, **files: str) -> Path:
    """The shop with automations, each a keyword: its name and its text."""
    shutil.copytree(shop, folder / "shop", ignore=shutil.ignore_patterns(".backedge"))
    for name, text in files.items():
        (folder / "shop" / f"{name}.automation.yml").write_text(text)
    return folder / "shop"


def ran(folder: Path, name: str, *options: str) -> Ended:
    """How a run ended."""
    return backedge("automation", "run", name, "--project", folder, "--quiet", *options)


def outputs(ended: Ended) -> dict[str, Any]:
    """What each task gave, as JSON."""
    return {output["task"]: output["data"] for output in ended.json["outputs"]}
