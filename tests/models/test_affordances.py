"""What each kind of file in an agent's `context` gives to which stage, and that other files give nothing."""

from __future__ import annotations

from pathlib import Path

from tests.cli.projects import backedge
from tests.models.minds import AGENT, FakeModel, Scene
from tests.models.test_delegating import TOTALS, project

CONTEXT = "context: ['semantics/*', 'queries/*', 'known/**/*']\n"
FILES = {
    "known/shop.topic.yml": "name: shop\ndescription: all of the shop\nviews: [orders]\n",
    "known/half.sql": 'SELECT MEDIAN(amount) AS half FROM "orders.csv" -- the example\n',
    "known/fiscal.md": "The fiscal year begins in April.\n",
    "known/totals.automation.yml": TOTALS,
    "other/secret.md": "Nobody reads this.\n",
    "other/hidden.automation.yml": TOTALS.replace("region_totals", "hidden"),
    "other/more.sql": "SELECT 'unseen'\n",
}


def world(shop: Path, folder: Path, **models: FakeModel) -> Scene:
    made = project(shop, folder, none=TOTALS)
    (made / "none.automation.yml").unlink()
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    (made / "shop.agentic.yml").write_text(AGENT + CONTEXT)
    return Scene(made, models)


def test_each_kind_of_file_reaches_its_stages(shop: Path, tmp_path: Path) -> None:
    clarifying = FakeModel([{"kind": "data", "intent": "the half", "members": ["orders.total_amount"]}])
    specifying = FakeModel([{"kind": "beyond", "reason": "no median"}])
    solving = FakeModel([{"sql": 'SELECT MEDIAN(amount) AS half FROM "orders.csv"'}])
    interpreting = FakeModel([{"text": "The half is 10.50."}])
    scene = world(
        shop, tmp_path, clarifying=clarifying, specifying=specifying, solving=solving, interpreting=interpreting
    )
    _, found = scene.asked("gimme the midpoint of all of the shop, which lacks no region totals in a fiscal sense")
    assert (found["status"], found["path"]) == ("answered", "written"), found["answer"]
    triaged = clarifying.prompts[0]
    for told in ("topic shop | all of the shop", "verified query no_region", "automation region_totals"):
        assert told in triaged.user
    for prompt in (triaged, interpreting.prompts[0]):
        assert "The fiscal year begins in April." in prompt.system
    assert "the example" in solving.prompts[0].user
    assert "fiscal year" not in specifying.prompts[0].system + solving.prompts[0].system
    everything = "".join(
        prompt.system + prompt.user
        for model in (clarifying, specifying, solving, interpreting)
        for prompt in model.prompts
    )
    assert not any(word in everything for word in ("Nobody reads this", "automation hidden", "unseen"))


def test_what_is_not_in_the_context_is_not_delegated_to(shop: Path, tmp_path: Path) -> None:
    folder = world(shop, tmp_path).folder
    (folder / "shop.agentic.yml").write_text("context: ['semantics/*', 'queries/*']\n")
    found = backedge("ask", "how do the regions fare", "--project", folder, "--quiet", "--no-input", "--json").json
    assert found["path"] is None
