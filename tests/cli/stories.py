"""A project with every trap that the stories of the command line need: one for each sort of question and of refusal."""

from __future__ import annotations

from pathlib import Path

VISITS = """visit,guest,channel,mood,paid,seen,booked
1,10,web,open,10.50,2025-01-03,2024-12-30
2,10,store,done,20.25,2025-01-09,2025-01-02
3,11,web,done,5.00,2025-02-01,2025-01-15
4,12,app,open,7.75,2025-02-11,2025-02-01
"""
GUESTS = "guest,town,home,grade\n10,Lyon,Open,1\n11,Bonn,Closed,2\n12,Lyon,Open,2\n"
ROOMS = "room,floor\n1,ground\n2,first\n"
TWINS = "twin,label\n10,old\n10,new\n11,old\n"
VIEWS = {
    "visits": """name: visits
datasource: local
table: visits.csv
entities:
  - {name: visit, type: primary, key: visit}
  - {name: guest, type: foreign, key: guest}
  - {name: twin, type: foreign, key: guest}
dimensions:
  - {name: visit, type: number, expr: visit}
  - {name: guest, type: number, expr: guest}
  - {name: channel, type: string, expr: channel, synonyms: [way]}
  - {name: mood, type: string, expr: mood, synonyms: [way]}
  - {name: seen, type: date, expr: seen}
  - {name: booked, type: date, expr: booked}
measures:
  - {name: total_paid, type: sum, expr: paid, synonyms: [takings]}
  - {name: total_twice, type: sum, expr: paid * 2, synonyms: [takings]}
  - {name: visit_count, type: count}
  - {name: month_count, type: count}
  - {name: done_visits, type: count, filters: [{expr: "mood <> 'open'"}]}
  - {name: visits_by_channel, type: count_distinct, expr: channel}
  - {name: broken_rate, type: custom, expr: "SUM(paid) / (SUM(paid) - SUM(paid))"}
""",
    "guests": """name: guests
datasource: local
table: guests.csv
entities: [{name: guest, type: primary, key: guest}]
dimensions:
  - {name: guest, type: number, expr: guest}
  - {name: town, type: string, expr: town}
  - {name: home, type: string, expr: home}
measures:
  - {name: guest_count, type: count}
""",
    "rooms": """name: rooms
datasource: local
table: rooms.csv
entities: [{name: room, type: primary, key: room}]
dimensions:
  - {name: room, type: number, expr: room}
  - {name: floor, type: string, expr: floor}
measures:
  - {name: room_count, type: count}
""",
    "twins": """name: twins
datasource: local
table: twins.csv
entities: [{name: twin, type: primary, key: twin}]
dimensions:
  - {name: twin, type: number, expr: twin}
  - {name: label, type: string, expr: label}
""",
}
QUERIES = {
    "spent": ("What was spent", "SELECT SUM(paid) AS spent FROM 'visits.csv'"),
    "spent_twice": ("What was spent", "SELECT SUM(paid) * 2 AS spent FROM 'visits.csv'"),
    "torn": ("What was torn", "SELECT torn FROM 'visits.csv'"),
    "wiped": ("Wipe it", "DELETE FROM 'visits.csv'"),
    "ways": ("Which ways", "SELECT channel FROM 'visits.csv'"),
}
AUTOMATION = """name: mood_report
retrieval: {include: [Report on the mood]}
variables:
  mood: {type: string, enum: [open, done], description: which visits}
tasks:
  - name: visits
    type: execute_sql
    database: local
    sql_query: SELECT COUNT(*) AS visits FROM 'visits.csv' WHERE mood = '{{ mood }}'
"""
CROWD = 16  # measures that share four names: more readings than are looked through
CONFIG = "databases:\n  - {name: local, type: duckdb, dataset: data/}\ndefaults: {database: local}\n"


def make_stories(folder: Path) -> Path:
    """Write the project and give its folder."""
    files = {"config.yml": CONFIG, "mood.automation.yml": AUTOMATION}
    files |= {f"semantics/{name}.view.yml": text for name, text in (VIEWS | {"zoo": _crowd()}).items()}
    files |= {f"data/{name}.csv": text for name, text in _tables().items()}
    files |= {
        f"queries/{name}.sql": f"/* oxy:\n  database: local\n  description: {name}\n  embed: [{asked}]\n*/\n{sql}\n"
        for name, (asked, sql) in QUERIES.items()
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def make_undated(folder: Path) -> Path:
    """A project in which nothing has a date."""
    (folder / "data").mkdir()
    (folder / "semantics").mkdir()
    (folder / "data" / "rooms.csv").write_text(ROOMS, encoding="utf-8")
    (folder / "semantics" / "rooms.view.yml").write_text(VIEWS["rooms"], encoding="utf-8")
    (folder / "config.yml").write_text(CONFIG, encoding="utf-8")
    return folder


def _tables() -> dict[str, str]:
    return {"visits": VISITS, "guests": GUESTS, "rooms": ROOMS, "twins": TWINS, "zoo": "n\n1\n2\n"}


def _crowd() -> str:
    """Measures of which each has all names but one, so that no two names stand for the same."""
    every = ["aaa", "bbb", "ccc", "ddd"]
    names = "\n".join(
        f"  - {{name: m{n}, type: sum, expr: n * {n}, synonyms: [{', '.join(every[:n] + every[n + 1 :])}]}}"
        for n in range(CROWD)
    )
    return f"name: zoo\ndatasource: local\ntable: zoo.csv\nmeasures:\n{names}\n"
