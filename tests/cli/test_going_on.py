"""What a command prints to go on with is what can be typed: with any folder, after Ctrl-C, in any terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import shlex
import signal
import subprocess
from datetime import date
from pathlib import Path

import pytest

from backedge.ask.states import Question
from backedge.assemble import open_app
from backedge.kernel.budget import Limits
from backedge.kernel.journal import Context
from tests.cli.projects import VIEW, Ended, backedge, make_project, started


def typed(printed: str) -> Ended:
    """Run the command that stands at the end of a line, with the first option for NUMBER."""
    command = shlex.split(printed.strip().splitlines()[-1].partition(": backedge ")[2].replace("NUMBER", "1"))
    return backedge(*command)


def prompted(shop: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A question that waits at a terminal for a choice, and the other side of that terminal."""
    main, side = pty.openpty()
    process = started("ask", "--project", str(shop), "-q", "income", stdin=side, stdout=subprocess.PIPE, stderr=side)
    os.close(side)
    seen = b""
    while b"Which one?" not in seen:
        seen += os.read(main, 4096)
    return process, main


def ended(process: subprocess.Popen[bytes], main: int) -> tuple[int, str]:
    process.communicate(timeout=30)
    said = os.read(main, 4096).decode()
    os.close(main)
    return process.returncode, said


@pytest.mark.slow
def test_ctrl_c_at_the_prompt_ends_at_once_and_says_how_to_answer(shop: Path) -> None:
    process, main = prompted(shop)
    process.send_signal(signal.SIGINT)
    code, said = ended(process, main)
    assert code == 130
    assert typed(said).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("key", [b"\x04", b"\n"])
def test_no_answer_at_the_prompt_leaves_the_run_waiting(shop: Path, key: bytes) -> None:
    process, main = prompted(shop)
    os.write(main, key)
    code, said = ended(process, main)
    assert code == 3
    assert "none of the options" not in said
    assert typed(said).code == 0


def test_ctrl_c_before_a_command_is_loaded_is_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_module: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("backedge.cli.app.importlib.import_module", interrupted)
    told = backedge("ask", "total amount")
    assert (told.code, told.err) == (130, "backedge: interrupted\n")


def test_the_printed_command_names_a_folder_as_a_shell_reads_it(tmp_path: Path) -> None:
    shop = make_project(tmp_path / "mein 'Lädchen' $HOME 📦")
    asked = backedge("ask", "--project", shop, "--no-input", "-q", "income")
    assert asked.code == 3
    assert typed(asked.err).code == 0


def test_a_waiting_run_is_shown_with_the_command_that_answers_it(shop: Path) -> None:
    run = backedge("ask", "--project", shop, "-q", "income", "--json").json["run_id"]
    assert typed(backedge("runs", "show", "--project", shop, run).out).code == 0


def test_an_answer_needs_no_quotes_and_a_refused_one_gives_the_form_again(shop: Path) -> None:
    run = backedge("ask", "--project", shop, "-q", "income", "--json").json["run_id"]
    refused = backedge("answer", "--project", shop, "-q", run, "1", "2", "--json")
    assert (refused.code, refused.json["status"], refused.json["run_id"]) == (3, "needs_input", run)
    done = backedge("answer", "--project", shop, "-q", run, "open", "amount", "--json")
    assert (done.code, done.json["reading"]) == (0, "open_amount")


def test_runs_are_listed_with_what_was_asked(shop: Path) -> None:
    backedge("ask", "--project", shop, "-q", "order\ncount [bold]")
    assert "order count [bold]" in backedge("runs", "list", "--project", shop, "--limit", "1").out


@pytest.mark.parametrize("command", [["list"], ["show", "abcd"], ["retry", "abcd"], ["cancel", "abcd"]])
def test_looking_for_runs_leaves_no_store_behind(tmp_path: Path, command: list[str]) -> None:
    backedge("runs", *command, "--project", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_receipt_names_the_model_that_was_read_and_not_the_present_one(tmp_path: Path) -> None:
    shop = make_project(tmp_path)
    before = backedge("ask", "--project", shop, "-q", "order count", "--json").json
    (shop / "semantics/orders.view.yml").write_text(VIEW.replace("Orders of", "Orders in"), encoding="utf-8")
    shown = backedge("runs", "show", "--project", shop, before["run_id"], "--json").json
    after = backedge("ask", "--project", shop, "-q", "order count", "--json").json
    assert shown["receipt"] == before["receipt"]
    assert after["receipt"]["model"] != before["receipt"]["model"]


def test_a_run_that_goes_on_after_the_model_changed_is_of_the_model_that_was_compiled(tmp_path: Path) -> None:
    shop = make_project(tmp_path)
    day = date(2026, 11, 30)

    async def stopped() -> str:
        app = open_app(shop)
        asked = Question("order count", day)
        run_id = await app.driver.start("ask", asked, Context(day), limits=Limits(steps=1))
        assert (await app.driver.drive(run_id)).trail == ("Clarifying", "Specifying")
        await app.close()
        return run_id

    async def went_on(run_id: str) -> tuple[object, str]:
        app = open_app(shop)
        await app.driver.retry(run_id, by="ann", limits=Limits())
        found = await app.answer(await app.driver.drive(run_id))
        await app.close()
        return found["receipt"]["model"], app.project.catalog.hash

    run_id = asyncio.run(stopped())
    (shop / "semantics/orders.view.yml").write_text(VIEW.replace("Orders of", "Orders in"), encoding="utf-8")
    compiled, present = asyncio.run(went_on(run_id))
    assert compiled == present
