"""A project in which everything that may be kept from a model holds a mark, and the questions that could betray it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.models.minds import FakeModel, Scene

MARK = "zq7"
CUSTOMERS = f"""id,email,phone,city,spend
1,{MARK}ann@x.org,{MARK}-111,Bern,10
2,{MARK}bob@x.org,{MARK}-222,Bern,20
3,{MARK}cem@y.org,{MARK}-333,Genf,5
"""
VIEW = f"""name: customers
datasource: local
table: customers.csv
entities: [{{name: customer, type: primary, key: id}}]
dimensions:
  - {{name: id, type: number, expr: id}}
  - {{name: email, type: string, expr: email, samples: [{MARK}ann@x.org]}}
  - {{name: phone, type: string, expr: phone, SENSITIVE samples: [{MARK}-111]}}
  - {{name: mailbox, type: string, expr: "split_part(email, '@', 1)"}}
  - {{name: city, type: string, expr: city}}
measures:
  - {{name: total_spend, type: sum, expr: spend, synonyms: [spend]}}
  - {{name: customer_count, type: count}}
  - {{name: first_email, type: min, expr: email}}
  - {{name: last_phone, type: max, expr: "{{{{phone}}}}"}}
"""
CONFIG = """databases:
  - {name: local, type: duckdb, dataset: data/}
defaults: {database: local}
"""
AGENT = """llm: {ref: "scripted:one"}
context: ["*.view.yml", "*.md", "*.sql"]
PRIVACY
"""
PRIVACY = 'privacy: {notes: false, examples: false, hidden: ["*.email"]}'
READS = {"kind": "data", "intent": "what is asked", "members": ["customers.total_spend"]}
SPEND = {"kind": "request", "measures": ["customers.total_spend"]}
BEYOND = {"kind": "beyond", "reason": "no construct"}
SAID = {"text": "It is as it is."}


def project(folder: Path, privacy: str = PRIVACY, sensitive: bool = True) -> Path:
    """Write the project and give its folder."""
    for name, text in {
        "config.yml": CONFIG,
        "customers.view.yml": VIEW.replace("SENSITIVE", "sensitive: true," if sensitive else ""),
        "a.agentic.yml": AGENT.replace("PRIVACY", privacy),
        f"{MARK}.md": f"A note of {MARK} kind.",
        "example.sql": f"SELECT 1 AS {MARK}",
        "data/customers.csv": CUSTOMERS,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def world(folder: Path, **replies: Sequence[Any]) -> Scene:
    """The project with a model in each of the four stages, and nothing asked before: what was paid for is reused."""
    forget(folder)
    said: Mapping[str, Sequence[Any]] = {
        "clarifying": [READS],
        "specifying": [SPEND],
        "solving": [{"reason": "no"}],
        "interpreting": [SAID],
        **replies,
    }
    return Scene(folder, {stage: FakeModel(given) for stage, given in said.items()})


def forget(folder: Path) -> None:
    """Remove the runs of a project; the tables that are loaded stay."""
    for path in folder.glob(".backedge/runs.db*"):
        path.unlink()


def sent(scene: Scene, *stages: str) -> str:
    """Everything that the models of these stages (all, where none is named) were sent."""
    models = [scene.models[stage] for stage in stages or scene.models]
    return "\n".join(f"{prompt.system}\n{prompt.user}" for model in models for prompt in model.prompts)
