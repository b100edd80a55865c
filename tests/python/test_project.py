"""`backedge.open`: asked with and without `await`, in a running loop, with follow-ups, replies and errors that help."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import backedge


def refused(call: Callable[[], object]) -> backedge.BackedgeError:
    with pytest.raises(backedge.BackedgeError) as error:
        call()
    return error.value


def test_a_question_is_answered_by_its_asker(project: backedge.Project, monthly: backedge.Answer) -> None:
    assert (monthly.status, monthly.needs_input, monthly.questions) == ("answered", False, ())
    assert monthly.text.startswith("Net revenue by month")
    assert project.answer(monthly.run_id[:10]).form == monthly.form


def test_a_waiting_question_is_answered_and_followed(project: backedge.Project) -> None:
    waiting = project.ask("Revenue by country")
    (asks,) = waiting.questions
    assert (waiting.status, waiting.needs_input, asks.answers, len(asks.options)) == ("needs_input", True, "choice", 2)
    assert waiting.text == asks.prompt
    answered = waiting.reply(asks.options[1].label)
    assert (answered.status, answered.run_id, answered.columns) == (
        "answered",
        waiting.run_id,
        ("country", "net_revenue"),
    )
    later = answered.ask("and in 2024?")
    assert (later.form["after"], later.columns) == (answered.run_id, answered.columns)
    assert sum(row[1] for row in later.rows) < sum(row[1] for row in answered.rows)


def test_an_answer_that_is_no_option_is_refused_and_the_question_stays(project: backedge.Project) -> None:
    waiting = project.ask("Revenue by country")
    error = refused(lambda: waiting.reply("the blue one"))
    assert (error.kind, error.run_id, [d.kind for d in error.defects]) == ("refused", waiting.run_id, ["not_an_option"])
    assert "answer with a number or a label" in str(error)
    assert project.answer(waiting.run_id).needs_input


def test_another_answer_to_an_answered_question_is_refused(project: backedge.Project) -> None:
    waiting = project.ask("Revenue by country")
    first = waiting.reply("1")
    assert waiting.reply("1").form == first.form  # the same again changes nothing
    assert refused(lambda: waiting.reply("2")).kind == "not_asked"


def test_what_is_not_answered_has_no_rows(project: backedge.Project) -> None:
    waiting = project.ask("Revenue by country")
    error = refused(lambda: waiting.rows)
    assert (error.kind, error.next_step) == ("needs_input", "answer.reply(…)")
    unknown = project.ask("Net revenue by warehouse")
    assert (unknown.status, "warehouse" in unknown.text) == ("cannot_answer", True)
    assert [refused(call).kind for call in (unknown.to_arrow, lambda: unknown.columns)] == ["cannot_answer"] * 2


def test_it_works_with_await_and_at_once(project: backedge.Project) -> None:
    async def both() -> tuple[backedge.Answer, ...]:
        asked = (project.ask_async("How many orders are there?"), project.ask_async("Revenue by country"))
        count, waiting = await asyncio.gather(*asked)
        return count, await waiting.reply_async("2"), await count.ask_async("in 2024")

    count, chosen, later = asyncio.run(both())
    assert (count.rows, chosen.status, later.status) == (((48,),), "answered", "answered")


def test_without_await_it_works_in_a_running_loop(project: backedge.Project) -> None:
    """As in a cell of a notebook."""

    async def cell() -> backedge.Answer:
        return project.ask("How many orders are there?")

    assert asyncio.run(cell()).rows == ((48,),)


def test_a_cancelled_await_leaves_a_run_that_goes_on(shop: Path) -> None:
    with backedge.open(shop) as project:

        async def given_up() -> None:
            asked = asyncio.ensure_future(project.ask_async("How many customers are there?"))
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked

        asyncio.run(given_up())
        assert project.ask("How many customers are there?").rows == ((3,),)


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda p: p.answer("nothing"), "not_found", "there is no run nothing"),
        (lambda p: p.ask("and in 2024?", after=p.ask("Revenue by country")), "cannot_follow", "another answer"),
        (lambda p: p.retry(p.ask("How many orders are there?").run_id), "cannot_retry", "it has ended"),
        (lambda p: p.search("glucose"), "cannot_be_done", "write evidence.yml"),
        (lambda p: p.record("x"), "cannot_be_done", "write evidence.yml"),
    ],
)
def test_an_error_says_what_to_do(
    project: backedge.Project, call: Callable[[backedge.Project], object], kind: str, said: str
) -> None:
    error = refused(lambda: call(project))
    assert (error.kind, said in str(error)) == (kind, True), str(error)


def test_a_folder_that_is_no_project_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    error = refused(lambda: backedge.open(tmp_path / "nowhere"))
    assert (error.kind, "backedge validate" in error.next_step, threading.active_count()) == (
        "configuration",
        True,
        before,
    )


def test_a_closed_project_says_so_and_can_be_closed_again(shop: Path) -> None:
    project = backedge.open(shop)
    project.close()
    project.close()
    error = refused(lambda: project.ask("How many orders are there?"))
    assert (error.kind, error.next_step) == ("closed", "open it again")


def test_a_forgotten_project_is_closed(shop: Path) -> None:
    before = threading.active_count()
    project = backedge.open(shop)
    assert project.ask("How many orders are there?").rows == ((48,),)
    assert threading.active_count() > before
    del project
    gc.collect()
    assert threading.active_count() == before


def test_an_agent_that_is_not_there_is_a_configuration_error(shop: Path) -> None:
    assert refused(lambda: backedge.open(shop, agent="nobody")).kind == "configuration"


def test_row_policies_read_who_asks(shop: Path) -> None:
    with backedge.open(shop, by="bo", attributes={"region": ["EU", "US"], "team": "sales"}) as project:
        form = project.ask("How many orders are there?").form
    assert {name: sorted(values) for name, values in form["asked_as"].items()} == {
        "region": ["EU", "US"],
        "team": ["sales"],
    }
