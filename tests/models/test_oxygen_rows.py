"""Where Oxygen's code breaks its page's promises: a test for each row of that table, and for W1 to W10 and W34."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.config.stage_models import stage_models
from backedge.kernel.budget import Spent
from backedge.kernel.defect import RateLimited, Transient
from backedge.kernel.run import Run
from tests.cli.projects import backedge
from tests.models.minded import QUESTION, Minded, minded
from tests.models.test_model_edges import COUNT, COUNTED, NOTHING, NOWHERE, PARTS, REQUEST, UNKNOWN, WORDS, WRONG
from tests.models.wire_table import BEYOND, GOOD, INVENTED, good
from tests.models.wired import NAMES, STAGES, StageWire, configured, surroundings, wired

HALF: dict[str, Any] = {"no": "such form"}


@pytest.fixture(scope="module")
def house(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Minded]:
    with minded(shop, tmp_path_factory.mktemp("rows")) as found:
        yield found


@pytest.fixture(scope="module")
def frugal(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Minded]:
    """An agent that sets the retries of its stages."""
    states = "states: {clarifying: {max_retries: 0}, specifying: {max_retries: 4}, interpreting: {max_retries: 1}}"
    with minded(shop, tmp_path_factory.mktemp("frugal"), agent=states) as found:
        yield found


def answered(house: Minded, run: Run) -> bool:
    return bool(house.found(run)["status"] == "answered")


class TestTheSeedsTable:
    """Section 1.15: what the page promises that Oxygen's code does not do."""

    def test_every_stage_has_its_own_retry_budget_set_per_state(self, frugal: Minded) -> None:
        assert frugal.asked(QUESTION, clarifying=[HALF]).spent_of("Clarifying").refused == 1
        run = frugal.asked(QUESTION, specifying=[*[HALF] * 4, REQUEST])
        assert (answered(frugal, run), run.spent_of("Specifying").refused) == (True, 4)
        run = frugal.asked(QUESTION, interpreting=[WRONG])
        assert (run.trail[-4:], frugal.calls["interpreting"]) == (
            ("Interpreting", "Diagnosing", "Interpreting", "Done"),
            2,
        )

    @pytest.mark.parametrize("stage", STAGES)
    def test_transient_and_rate_limit_errors_have_separate_budgets_in_every_stage(
        self, house: Minded, stage: str
    ) -> None:
        lost = [*[RateLimited("slow")] * 5, *[Transient("lost")] * 2, *[HALF] * 2]
        script = usual(stage)
        run = house.asked(QUESTION, **script | {stage: [*lost, *script[stage]]})
        assert answered(house, run)
        assert run.spent_of(stage.capitalize()) == Spent(refused=2, transient=2, rate_limited=5)

    def test_retry_context_carries_the_errors_and_the_attempt_forward(self, house: Minded) -> None:
        house.asked(QUESTION, specifying=[HALF, UNKNOWN, NOWHERE, REQUEST])
        told = [prompt.user for prompt in house.prompts("specifying")]
        assert ["attempt" in text for text in told] == [False, True, True, True]
        assert "attempt 4" in told[3]
        assert all(word in told[3] for word in ("reply_form", "orders.turnover", "no row fulfils all"))

    def test_executing_validates_and_an_empty_result_is_specified_or_solved_again(self, house: Minded) -> None:
        run = house.asked(QUESTION, specifying=[NOWHERE, REQUEST])
        assert run.trail[2:5] == ("Executing", "Diagnosing", "Specifying")
        run = house.asked(QUESTION, specifying=[BEYOND], solving=[NOTHING, COUNTED], interpreting=[COUNT])
        assert run.trail[3:6] == ("Executing", "Diagnosing", "Solving")

    def test_a_measure_that_specifying_cannot_find_goes_back_to_clarifying_for_detail(self, house: Minded) -> None:
        run = house.asked(QUESTION, specifying=[UNKNOWN])
        assert run.trail[1:4] == ("Specifying", "Diagnosing", "Clarifying")
        assert "orders.turnover" in house.prompts("clarifying")[1].user

    def test_solving_has_a_model_of_its_own(self, shop: Path, tmp_path: Path) -> None:
        with wired(shop, tmp_path, "chat") as house:
            house.asked(QUESTION, good("solving"))
            asked = [body["model"] for body in house.server.requests]
            assert asked == [NAMES["openai"][stage] for stage in STAGES]

    def test_an_answer_resumes_without_running_the_earlier_stages_again(self, house: Minded) -> None:
        which = {"slot": "turnover", "prompt": "Which?", "suggestions": ["by region", "by state"]}
        asks = {"kind": "ask", "questions": [which]}
        run = house.asked(QUESTION, "by region", specifying=[asks, REQUEST])
        assert (answered(house, run), house.calls["clarifying"], house.calls["specifying"]) == (True, 1, 2)
        assert "by region" in house.prompts("specifying")[1].user


@pytest.mark.slow
class TestStateMachineAndRetries:
    """Section 6.2, W1 to W10."""

    def test_w1_max_retries_limits_retries_also_in_clarifying(self, frugal: Minded) -> None:
        run = frugal.asked(QUESTION, clarifying=[INVENTED["clarifying"], GOOD["clarifying"]])
        assert (run.trail, frugal.calls["clarifying"]) == (("Clarifying", "Diagnosing", "Done"), 1)

    @pytest.mark.parametrize(
        "says",
        [
            {"specifying": [NOWHERE]},
            {"specifying": [BEYOND], "solving": [NOTHING]},
            {"specifying": [BEYOND], "solving": [{"sql": 'SELECT turnover FROM "orders.csv"'}]},
        ],
        ids=["rows of the model", "rows of written SQL", "the text of written SQL"],
    )
    def test_w2_rows_and_sql_are_validated_on_every_path_and_never_interpreted(
        self, house: Minded, says: dict[str, Any]
    ) -> None:
        run = house.asked(QUESTION, **says)
        assert (house.found(run)["status"], house.calls["interpreting"]) == ("cannot_answer", 0)

    def test_w3_written_sql_that_fails_is_written_again(self, house: Minded) -> None:
        broken = {"sql": 'SELECT CAST(status AS INTEGER) AS n FROM "orders.csv"'}
        run = house.asked(QUESTION, specifying=[BEYOND], solving=[broken, COUNTED], interpreting=[COUNT])
        assert (answered(house, run), house.calls["solving"]) == (True, 2)
        assert "status" in house.prompts("solving")[1].user.partition("<<data lesson")[2]

    @pytest.mark.parametrize("failure", [RateLimited("slow", 7.0), Transient("lost")])
    def test_w4_a_call_of_solving_that_is_put_off_is_made_again_in_solving(
        self, house: Minded, failure: Exception
    ) -> None:
        run = house.asked(QUESTION, specifying=[BEYOND], solving=[failure, COUNTED], interpreting=[COUNT])
        assert (answered(house, run), run.trail.count("Solving"), house.calls["solving"]) == (True, 1, 2)

    @pytest.mark.parametrize("stage", STAGES)
    @pytest.mark.parametrize("wrong", [HALF, Transient("cut")], ids=["malformed", "transport"])
    def test_w5_malformed_replies_and_lost_calls_are_never_fatal(
        self, house: Minded, stage: str, wrong: dict[str, Any] | Exception
    ) -> None:
        script = usual(stage)
        run = house.asked(QUESTION, **script | {stage: [wrong, *script[stage]]})
        assert (answered(house, run), house.calls[stage]) == (True, 2)
        if not isinstance(wrong, Exception):
            assert "reply_form" in house.prompts(stage)[1].user

    def test_w6_a_loop_across_stages_sees_its_errors_is_counted_and_ends(self, house: Minded) -> None:
        run = house.asked(QUESTION, specifying=[NOWHERE])
        assert run.trail[-2:] == ("Diagnosing", "Done")
        assert house.calls["specifying"] <= 3
        assert "no row fulfils all" in house.prompts("specifying")[-1].user

    def test_w7_clarifying_and_interpreting_are_told_why_they_were_refused(self, house: Minded) -> None:
        house.asked(
            QUESTION,
            clarifying=[INVENTED["clarifying"], GOOD["clarifying"]],
            interpreting=[WRONG, WORDS],
        )
        assert "there is no orders.turnover" in house.prompts("clarifying")[1].user
        assert "106" in house.prompts("interpreting")[1].user.partition("<<data lesson")[2]

    def test_w8_parts_keep_their_order_and_a_failed_one_is_said(self, house: Minded) -> None:
        parts = {"kind": "parts", "parts": ["order count by planet", *PARTS["parts"]]}
        unanswerable = {"kind": "unanswerable", "reason": "there is no planet"}
        run = house.asked(
            QUESTION,
            clarifying=[GOOD["clarifying"], unanswerable],
            specifying=[parts],
            interpreting=[HALF],
        )
        assert answered(house, run)
        told = str(house.found(run)["answer"]).splitlines()
        assert [line.partition(":")[0] for line in told] == parts["parts"]
        assert told[0] == "order count by planet: no answer (there is no planet)"
        assert "105.00" in told[1]

    def test_w9_a_part_that_was_refused_learns_from_it(self, house: Minded) -> None:
        parts = {"kind": "parts", "parts": ["how turnover fares by region", "order count by status"]}
        house.asked(QUESTION, specifying=[parts, UNKNOWN, REQUEST], interpreting=[HALF])
        (lesson,) = [p.user for p in house.prompts("specifying") if "orders.turnover" in p.user]
        assert "how turnover fares by region" in lesson
        assert "attempt 2" in lesson

    def test_w10_a_follow_up_is_told_what_the_question_before_was_read_as(self, house: Minded) -> None:
        before = house.asked(QUESTION)
        house.followed(before, "how did it spread over the states, then")
        assert QUESTION in house.prompts("clarifying")[0].user
        assert "orders.region" in house.prompts("clarifying")[0].user


@pytest.mark.slow
class TestOperations:
    """Section 6.2, W34."""

    def test_w34_each_stage_may_have_another_vendors_model(self, shop: Path, tmp_path: Path) -> None:
        ours, other = NAMES["anthropic"], NAMES["openai"]["solving"]
        with StageWire({**ours, "solving": other}) as server, surroundings("anthropic"):
            project = configured(shop, tmp_path, "anthropic", server.url)
            config = project / "config.yml"
            theirs = f"vendor: openai, model_ref: {other}, api_url: '{server.url}/v1'"
            here = f"vendor: anthropic, model_ref: {ours['solving']}, api_url: '{server.url}'"
            config.write_text(config.read_text().replace(here, theirs))
            server.script(good("solving"))
            assert backedge("ask", QUESTION, "--project", project).code == 0
            assert [body["model"] for body in server.requests] == [
                ours["clarifying"],
                ours["specifying"],
                other,
                ours["interpreting"],
            ]
            assert ["chat/completions" in path for path in server.paths] == [False, False, True, False]

    def test_w34_gemini_and_ollama_are_vendors_like_any_other(self, shop: Path, tmp_path: Path) -> None:
        states = "states: {clarifying: {model: gemini-2.5-pro}, solving: {model: 'ollama:qwen3:8b'}}"
        project = load_project(configured(shop, tmp_path, "anthropic", "http://127.0.0.1:9", agent=states))
        assert project.agent is not None
        found = {s.stage: s.choice for s in stage_models(project.agent, project.models)}
        assert [(c.vendor, c.model) for s in ("clarifying", "solving", "specifying") if (c := found[s])] == [
            ("google", "gemini-2.5-pro"),
            ("ollama", "qwen3:8b"),
            ("anthropic", NAMES["anthropic"]["clarifying"]),
        ]

    @pytest.mark.parametrize(
        ("written", "near"), [("clarifyng: {max_retries: 3}", "clarifying"), ("solving: {modle: x}", "model")]
    )
    def test_w34_a_misspelt_stage_or_key_is_an_error_with_its_line(
        self, shop: Path, tmp_path: Path, written: str, near: str
    ) -> None:
        project = configured(shop, tmp_path, "chat", "http://127.0.0.1:9", agent=f"states:\n  {written}")
        with pytest.raises(ConfigError) as refused:
            load_project(project)
        assert "shop.agentic.yml:3" in str(refused.value)
        assert near in str(refused.value)


def usual(stage: str) -> dict[str, list[Any]]:
    """What each model says where nothing goes wrong, so that the stage is reached."""
    if stage != "solving":
        return {name: [reply] for name, reply in GOOD.items()}
    return {"clarifying": [GOOD["clarifying"]], "specifying": [BEYOND], "solving": [COUNTED], "interpreting": [COUNT]}
