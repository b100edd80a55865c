"""Questions about time at the command line: what is asked back, refused, and said of periods that are not over."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from backedge.adapters.clock import SystemClock
from tests.cli.projects import CONFIG, Ended, backedge, make_project

ORDERS = """id,region,amount,ordered,placed
1,North,10,2025-11-01,2025-11-01T12:00:00
2,South,20,2026-10-31,2026-10-31T12:00:00
3,North,40,2026-11-02,2026-11-02T12:00:00
4,South,80,2026-11-17,2026-11-17T12:00:00
5,North,160,2026-11-05,2026-10-31T23:30:00
"""
VIEW = """name: orders
datasource: local
table: orders.csv
dimensions:
  - {name: id, type: number, expr: id}
  - {name: region, type: string, expr: region}
  - {name: ordered, type: date, expr: ordered}
measures:
  - {name: total_amount, type: sum, expr: amount}
"""
POLICY = """row_policies:
  - {name: tenant, expr: "region = {{user.region}}", except: {role: [admin]}}
"""
ADMIN = ("--as", "role=admin", "--as", "region=x")


@pytest.fixture(autouse=True)
def the_thirtieth_of_november(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _clock: datetime(2026, 11, 30, 9, tzinfo=UTC))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("shop"), VIEW + POLICY, CONFIG + "calendar: {fiscal_year_start: april}\n")


def project(folder: Path, view: str, config: str) -> Path:
    make_project(folder)
    (folder / "semantics" / "orders.view.yml").write_text(view, encoding="utf-8")
    (folder / "data" / "orders.csv").write_text(ORDERS, encoding="utf-8")
    (folder / "config.yml").write_text(config, encoding="utf-8")
    (folder / "queries" / "no_region.sql").unlink()
    return folder


def ask(folder: Path, question: str, *options: str) -> Ended:
    return backedge("ask", "--project", folder, question, "--json", *(options or ADMIN))


def test_a_month_that_is_not_over_is_said_in_the_answer_and_kept_with_the_run(shop: Path) -> None:
    ended = ask(shop, "total amount this month")
    assert ended.json["rows"] == [[280]]
    assert ended.json["answer"].endswith("is 280. November 2026 so far: data to 17 November 2026.")
    assert ended.json["notes"] == ["November 2026 so far: data to 17 November 2026"]
    shown = backedge("runs", "show", ended.json["run_id"], "--project", shop)
    assert "November 2026 so far: data to 17 November 2026" in " ".join(shown.out.split())


def test_of_a_series_the_group_that_is_not_over_is_said(shop: Path) -> None:
    answer = ask(shop, "total amount by month in 2026").json["answer"]
    assert answer.endswith("November 2026 is not over: data to 17 November 2026.")


def test_the_days_are_those_that_the_asker_may_see(shop: Path) -> None:
    answer = ask(shop, "total amount this month", "--as", "region=North").json["answer"]
    assert answer.endswith("November 2026 so far: data to 5 November 2026.")
    assert "17" not in answer


@pytest.mark.parametrize("words", ["in November 2025 by region", "last month", "in October 2026 by month"])
def test_of_a_period_that_is_over_and_whole_nothing_is_said(shop: Path, words: str) -> None:
    assert ask(shop, f"total amount {words}").json["notes"] == []


def test_a_period_outside_the_data_is_refused_with_the_days_there_are(shop: Path) -> None:
    ended = ask(shop, "total amount next month")
    assert ended.code == 4
    said = "there is no data for next month: ordered runs from 2025-11-01 to 2026-11-17"
    assert ended.json["answer"] == said


def test_a_slashed_date_is_asked_about_and_answered(shop: Path) -> None:
    asked = ask(shop, "total amount on 02/11/2026")
    assert asked.code == 3
    question = asked.json["question"]
    assert question["prompt"] == "Which days does '02/11/2026' mean?"
    assert [o["label"] for o in question["options"]] == [
        "ordered in 2026-11-02, in orders",
        "ordered in 2026-02-11, in orders",
    ]
    answered = backedge("answer", asked.json["run_id"], "1", "--project", shop, "--json")
    assert (answered.code, answered.json["rows"]) == (0, [[40]])


def test_a_month_without_a_year_is_the_one_that_has_data_or_is_asked_about(shop: Path) -> None:
    only = ask(shop, "total amount in October")
    assert only.json["rows"] == [[20]]
    assert "read 'October' as October 2026: there is data of no other" in only.json["assumptions"][0]
    both = ask(shop, "total amount in November").json["question"]["options"]
    assert [o["label"].partition(",")[0] for o in both] == ["ordered in November 2026", "ordered in November 2025"]


def test_how_days_were_chosen_is_said(shop: Path) -> None:
    whole, rolling = (ask(shop, f"total amount in the {words} 1 month") for words in ("last", "trailing"))
    assert (whole.json["rows"], rolling.json["rows"]) == ([[20]], [[280]])
    assert whole.json["assumptions"] == ["last 1 month is 2026-10-01 to 2026-10-31 (whole months, this month left out)"]
    assert rolling.json["assumptions"] == ["trailing 1 month is 2026-11-01 to 2026-11-30 (up to and including today)"]


def test_fiscal_years_go_by_the_calendar_of_the_project(shop: Path) -> None:
    assert ask(shop, "total amount this fiscal year").json["rows"] == [[300]]
    assert ask(shop, "total amount last fiscal year").json["rows"] == [[10]]
    assert ask(shop, "total amount in FY2026").code == 3
    by_year = ask(shop, "total amount by fiscal year")
    assert [row[1] for row in by_year.json["rows"]] == [10, 300]
    assert by_year.json["reading"] == "total_amount by ordered.fiscal_year"
    assert by_year.json["answer"].endswith("The fiscal year of 1 April 2026 is not over: data to 17 November 2026.")


def test_from_a_month_without_a_year_offers_in_and_since(shop: Path) -> None:
    options = ask(shop, "total amount from November").json["question"]["options"]
    assert [o["label"] for o in options] == [
        "ordered in November 2026",
        "ordered in November 2025",
        "ordered since November 2026",
        "ordered since November 2025",
    ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("on 31 November 2026", "November 2026 has 30 days, so there is no 31 November 2026"),
        ("at Christmas", "no holidays are known here"),
        ("last summer", "has no fixed days"),
        ("in the last 24 hours", "the time of day at which you ask is not looked at"),
    ],
)
def test_what_no_calendar_says_is_refused_by_name(shop: Path, words: str, reason: str) -> None:
    ended = ask(shop, f"total amount {words}")
    assert ended.code == 4
    assert reason in ended.json["answer"]


def test_moments_go_by_the_clocks_of_the_question(tmp_path: Path) -> None:
    view = VIEW.replace("{name: ordered, type: date, expr: ordered}", "{name: placed, type: datetime, expr: placed}")
    folder = project(tmp_path, view, CONFIG + "timezone: Europe/Paris\n")
    ended = ask(folder, "total amount in November 2026", "--quiet")
    assert ended.json["rows"] == [[280]]
    assert ask(folder, "total amount last month", "--quiet").json["rows"] == [[20]]
    outside = ask(folder, "total amount in 2027", "--quiet").json["answer"]
    assert outside == "there is no data for 2027: placed runs from 2025-11-01 to 2026-11-17"


def test_the_first_day_of_moments_is_that_of_the_clocks(tmp_path: Path) -> None:
    view = VIEW.replace("{name: ordered, type: date, expr: ordered}", "{name: placed, type: datetime, expr: placed}")
    late = "id,region,amount,placed\n1,North,10,2026-10-31T23:30:00\n"
    folder = project(tmp_path, view, CONFIG + "timezone: Europe/Paris\n")
    (folder / "data" / "orders.csv").write_text(late, encoding="utf-8")
    ended = ask(folder, "total amount this month", "--quiet")
    assert ended.json["rows"] == [[10]]
    assert ended.json["answer"].endswith("November 2026 so far: data to 1 November 2026.")
    gone = "there is no data for last month: placed runs from 2026-11-01 to 2026-11-01"
    assert ask(folder, "total amount last month", "--quiet").json["answer"] == gone
