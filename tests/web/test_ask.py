"""The pages of questions by a client: asking, the question back, the answer, files, feedback, shares, examples."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from fastapi.testclient import TestClient

from backedge.assemble import open_app
from backedge.demo.shop import make_shop
from tests.web.kit import client, rested

MONTHLY = "Monthly net revenue in 2025"
TRAP = '<script>alert("x")</script> שלום'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("asked")
    make_shop(made)
    return made


@pytest.fixture(scope="module")
def pages(folder: Path) -> Iterator[TestClient]:
    with client(folder) as made:
        yield made


@pytest.fixture(scope="module")
def monthly(pages: TestClient) -> str:
    """An answered run."""
    return asked(pages, MONTHLY)


def asked(pages: TestClient, text: str, **more: str) -> str:
    answer = pages.post("/ask", data={"text": text, **more})
    assert answer.status_code == 303, answer.text
    run_id = answer.headers["location"].removeprefix("/runs/")
    rested(pages, run_id)
    return run_id


def shown(pages: TestClient, run_id: str, **params: str) -> dict:  # type: ignore[type-arg]
    found: dict = pages.get(f"/runs/{run_id}.json", params=params).json()  # type: ignore[type-arg]
    return found


def test_the_ask_page_offers_samples_and_the_catalog(pages: TestClient) -> None:
    found = pages.get("/ask.json").json()
    text = html.unescape(pages.get("/ask").text)
    names = [member["name"] for view in found["catalog"]["views"] for member in view["measures"]]
    assert len(found["samples"]) > 3
    assert "net_revenue" in names
    assert [each["text"] for each in found["samples"] if each["text"] not in text] == []
    assert [name for name in names if name not in text] == []


def test_a_form_that_is_sent_twice_asks_once(pages: TestClient) -> None:
    sent = [pages.post("/ask", data={"text": "How many orders are there?", "once": "w1"}) for _ in range(2)]
    other = pages.post("/ask", data={"text": "How many orders are there?", "once": "w2"})
    assert sent[0].headers["location"] == sent[1].headers["location"] != other.headers["location"]


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        ({"text": "  "}, 422, "nothing is asked"),
        ({"text": "x" * 4001}, 422, "at most 4,000"),
        ({"text": "How many orders?", "agent": "nosuch"}, 422, "there is no agent"),
        ({"text": "and in 2024?", "after": "nosuchrun"}, 422, "there is no run"),
    ],
)
def test_a_refused_question_stays_in_the_box(pages: TestClient, data: dict[str, str], status: int, said: str) -> None:
    answer = pages.post("/ask", data=data)
    assert answer.status_code == status
    assert said in answer.text
    assert "<textarea" in answer.text
    assert data["text"].strip() in answer.text


def test_the_figures_of_the_answer_point_at_their_cells(pages: TestClient, monthly: str) -> None:
    text, found = pages.get(f"/runs/{monthly}").text, shown(pages, monthly)
    pointed = [piece for piece in found["prose"] if piece["cells"]]
    assert "".join(piece["text"] for piece in found["prose"]) == found["form"]["answer"]
    assert len(pointed) > 4
    assert all(f'id="{cell}"' in text for piece in pointed for cell in piece["cells"])
    single = next(piece for piece in pointed if piece["text"] == "101,633.27")
    assert single["cells"] == ["c-0-1"]
    assert re.search(r'id="c-0-1"[^>]*>101633.27<', text)


def test_the_page_without_scripts_holds_the_whole_answer(pages: TestClient, monthly: str) -> None:
    text, found = html.unescape(pages.get(f"/runs/{monthly}").text), shown(pages, monthly)
    wanted = [found["sql"], *found["form"]["notes"], found["form"]["receipt"]["journal"], found["form"]["reading"]]
    assert [each for each in wanted if each not in text] == []
    assert [line["text"] for line in found["trace"] if line["text"] not in text] == []


def test_a_stream_that_is_cut_at_any_event_goes_on_behind_it(pages: TestClient, monthly: str) -> None:
    whole = re.findall(r"^id: (\d+)$", pages.get(f"/runs/{monthly}/events").text, re.MULTILINE)
    assert len(whole) > 5
    assert whole == [str(n) for n in range(len(whole))]
    for at in range(len(whole)):
        rest = pages.get(f"/runs/{monthly}/events?after=-1", headers={"Last-Event-ID": str(at)}).text
        assert re.findall(r"^id: (\d+)$", rest, re.MULTILINE) == whole[at + 1 :]
        assert rest.endswith("event: done\ndata: {}\n\n")


def test_a_stream_of_no_run_is_refused_before_it_begins(pages: TestClient) -> None:
    assert pages.get("/runs/nosuchrun/events").status_code == 404


def test_a_question_back_is_answered_in_place(pages: TestClient) -> None:
    run_id = asked(pages, "Revenue by country")
    open_ = shown(pages, run_id)["form"]["questions"][0]
    text = html.unescape(pages.get(f"/runs/{run_id}").text)
    assert [o["label"] for o in open_["options"] if o["label"] not in text] == []
    wrong = pages.post(f"/runs/{run_id}/answers", data={"seq": str(open_["seq"]), "value-0": "nonsense"})
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text
    assert "value-0" in wrong.text
    sent = {"seq": str(open_["seq"]), "value-0": "order_items.net_revenue"}
    assert pages.post(f"/runs/{run_id}/answers", data=sent).status_code == 303
    assert "Germany" in str(rested(pages, run_id)["form"])
    late = pages.post(f"/runs/{run_id}/answers", data={**sent, "value-0": "order_items.gross_revenue"})
    assert late.status_code == 409
    assert 'role="alert"' in late.text


def test_edited_sql_is_a_new_run_through_the_guard(pages: TestClient, monthly: str) -> None:
    sql = shown(pages, monthly)["sql"]
    edited = pages.post(f"/runs/{monthly}/sql", data={"sql": sql.replace("2025-01-01", "2025-11-01")})
    run_id = edited.headers["location"].removeprefix("/runs/")
    form = rested(pages, run_id)["form"]
    assert run_id != monthly
    assert isinstance(form, dict)
    assert (form["status"], form["row_count"], form["notes"]) == ("answered", 2, ["SQL edited by ann"])


@pytest.mark.parametrize(
    ("sql", "said"),
    [("drop table orders", "only SELECT"), ("select read_text('x')", "read_text"), ("select * from nosuch", "nosuch")],
)
def test_edited_sql_that_the_guard_refuses_is_not_run(pages: TestClient, monthly: str, sql: str, said: str) -> None:
    edited = pages.post(f"/runs/{monthly}/sql", data={"sql": sql})
    form = rested(pages, edited.headers["location"].removeprefix("/runs/"))["form"]
    assert isinstance(form, dict)
    assert form["status"] == "cannot_answer"
    assert said in form["answer"]
    assert "Solving" not in form["states"]


def test_the_files_hold_the_rows_exactly(pages: TestClient, monthly: str, tmp_path: Path) -> None:
    rows = shown(pages, monthly)["cells"]
    lines = pages.get(f"/runs/{monthly}/result.csv").text.splitlines()
    assert lines == ['"sale_date_month","net_revenue"', *(",".join(row) for row in rows)]
    file = tmp_path / "rows.parquet"
    file.write_bytes(pages.get(f"/runs/{monthly}/result.parquet").content)
    with duckdb.connect() as connection:
        read = connection.execute(f"select sale_date_month, net_revenue from '{file}'").fetchall()
    assert [[str(cell) for cell in row] for row in read] == rows
    assert len(rows) == 12


def test_a_chart_is_shown_in_the_kinds_that_hold(pages: TestClient, monthly: str) -> None:
    assert shown(pages, monthly)["kinds"] == ["line", "bar", "point"]
    bars = pages.get(f"/runs/{monthly}/chart.json?kind=bar").json()
    assert bars["mark"] == {"type": "bar"}
    assert "url" not in str(bars["data"])
    refused = pages.get(f"/runs/{monthly}/chart.json?kind=pie")
    assert (refused.status_code, refused.json()["next_step"]) == (422, "it can be: line, bar, point")


def test_a_follow_up_stands_in_its_thread(pages: TestClient, monthly: str) -> None:
    run_id = asked(pages, "and in 2024?", after=monthly)
    assert [each["id"] for each in shown(pages, run_id)["thread"]] == [monthly, run_id]


def test_markup_in_a_question_is_text(pages: TestClient) -> None:
    run_id = asked(pages, TRAP)
    for path in (f"/runs/{run_id}", "/runs", f"/compare?a={run_id}&b={run_id}", f"/runs/{run_id}/replay"):
        assert "<script>alert" not in pages.get(path).text
    assert html.escape(TRAP).replace("&#x27;", "'").replace("&quot;", "&#34;") in pages.get(f"/runs/{run_id}").text


def test_feedback_is_kept_and_a_wrong_answer_needs_a_reason(pages: TestClient, monthly: str) -> None:
    refused = pages.post(f"/runs/{monthly}/feedback", data={"verdict": "wrong"})
    assert refused.status_code == 422
    assert "needs the reason" in refused.text
    pages.post(f"/runs/{monthly}/feedback", data={"verdict": "wrong", "because": "refunds are missing"})
    said = shown(pages, monthly)["feedback"][-1]
    assert (said["verdict"], said["because"], said["by"]) == ("wrong", "refunds are missing", "ann")


def test_an_approved_example_answers_its_question(pages: TestClient, folder: Path) -> None:
    run_id = asked(pages, "Units sold by category in 2024")
    pages.post(f"/runs/{run_id}/feedback", data={"verdict": "right"})
    key = pages.get("/examples.json").json()["candidates"][0]["key"]
    before = (folder / "queries/repeat_customers.sql").read_bytes()
    for name in ("repeat_customers", "../x", ""):
        refused = pages.post("/examples", data={"key": key, "decision": "approve", "name": name})
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text
    assert (folder / "queries/repeat_customers.sql").read_bytes() == before
    sent = {"key": key, "decision": "approve", "name": "units_by_category"}
    assert pages.post("/examples", data=sent).status_code == 303
    assert pages.post("/examples", data=sent).status_code == 409
    query = open_app(folder).project.catalog.query("units_by_category")
    assert query is not None
    assert query.embed == ("Units sold by category in 2024",)
    assert "$" not in query.sql


def test_a_link_reads_the_answer_until_it_is_taken_back(pages: TestClient, monthly: str) -> None:
    made = pages.post(f"/runs/{monthly}/share").text
    found = re.search(r"http://testserver(/shared/[\w-]+)", made)
    assert found is not None
    link, token = found[1], found[1].rpartition("/")[2]
    text = pages.get(link).text
    assert '<h2 id="answer"' in text
    assert "/feedback" not in text
    assert 'action="/runs' not in text
    assert pages.get(f"{link}/chart.json").status_code == 200
    assert pages.get(link[:-1] + ("A" if link[-1] != "A" else "B")).status_code == 404
    assert token not in pages.get(f"/runs/{monthly}.json").text
    key = shown(pages, monthly)["shares"][0]["key"]
    assert pages.post(f"/runs/{monthly}/unshare", data={"key": key}).status_code == 303
    assert (pages.get(link).status_code, pages.get(f"{link}/chart.json").status_code) == (404, 404)


def test_runs_are_compared_and_replayed(pages: TestClient, monthly: str) -> None:
    other = asked(pages, "Monthly net revenue in 2024")
    found = pages.get(f"/compare.json?a={monthly}&b={other}").json()
    differing = {row["name"] for row in found["rows"] if not row["same"]}
    assert {"Asked", "Spec", "SQL", "Answer"} <= differing
    assert "States" not in differing
    steps = pages.get(f"/runs/{monthly}/replay.json?at=2").json()
    assert (steps["at"], len(steps["before"]), steps["of"]) == (2, 1, len(shown(pages, monthly)["trace"]))


def test_a_large_result_is_shown_page_by_page(pages: TestClient, monthly: str) -> None:
    sql = 'select a.order_id, row_number() over () as n from "order_items.csv" a order by 1, 2 limit 1000'
    edited = pages.post(f"/runs/{monthly}/sql", data={"sql": sql})
    run_id = edited.headers["location"].removeprefix("/runs/")
    form = rested(pages, run_id)["form"]
    assert isinstance(form, dict)
    assert form["row_count"] == 1000
    last = pages.get(f"/runs/{run_id}?page=10").text
    assert last.count("<tr>") == 101
    assert 'id="c-999-0"' in last
    assert "page 10 of 10" in last
    assert len(pages.get(f"/runs/{run_id}/result.csv").text.splitlines()) == 1001


def test_what_is_kept_is_not_listed_among_the_runs(pages: TestClient, monthly: str) -> None:
    pages.post(f"/runs/{monthly}/feedback", data={"verdict": "right"})
    assert {run["workflow"] for run in pages.get("/runs.json").json()["runs"]} == {"ask"}
    assert {run["workflow"] for run in pages.get("/runs.json?workflow=keep").json()["runs"]} == {"keep"}
