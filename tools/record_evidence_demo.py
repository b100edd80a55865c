"""Makes the kept replies and vectors of `backedge demo evidence` from its story: run after changing paper or story."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from backedge.adapters.models.embedder_recorded import RecordedEmbedder
from backedge.adapters.models.minilm import MiniLMEmbedder
from backedge.adapters.models.recorded import RecordedAgent
from backedge.adapters.models.scripted import ScriptedAgent, read_script
from backedge.agent.ports import ModelSettings
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigation_models import all_models
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.reviewing import reviews_of
from backedge.cli.demo_investigation import investigated
from backedge.config.evidence_file import load_evidence
from backedge.demo.evidence import PAPERS, QUERY

HERE = Path(__file__).parent
FILES = HERE.parent / "src" / "backedge" / "demo" / "evidence_files"
MADE = ("kept", "vectors.json")
SETTINGS = ModelSettings("recorded", "scripted:story")
MENDED = "Velorin may act on hepatic glucose output."


async def record(folder: Path) -> None:
    """Go through the demo once, with the story behind its recorded model and MiniLM behind its vectors."""
    script = read_script(HERE / "evidence_demo_story.yml")
    agent = RecordedAgent(SETTINGS, folder / "kept", ScriptedAgent(SETTINGS, script))
    models = all_models(load_evidence(folder), {}, lambda _role: agent)
    app = open_evidence(folder, models=models, embedder=RecordedEmbedder(folder / "vectors.json", MiniLMEmbedder()))
    try:
        named = await app.named([f"papers/{paper}" for paper in PAPERS])
        for asked in named.asked:
            await app.drive_all(
                await app.begin([asked], by="tools"),
                lambda told: print(told.run.labels["wanted"], told.status, told.why),
            )
        await app.search(QUERY, 5)
        run = await investigated(app, lambda does: None)
        assert run.status == "ended", run
        await mended(app)
    finally:
        await app.close()


async def mended(app: EvidenceApp) -> None:
    """The record that waits, mended as the page of the demo says: it is verified again."""
    reviews = reviews_of(app)
    (waits,) = await reviews.queue(2)
    key = waits.state.record.key
    run = await reviews.decide(key, "fix", by="rita", reason="the may", changes={"statement": MENDED})
    assert type(run.state).__name__ == "Accepted", run


def main() -> None:
    """Put what was said beside the demo's files."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "demo"
        shutil.copytree(FILES, folder, ignore=shutil.ignore_patterns(*MADE))
        asyncio.run(record(folder))
        shutil.rmtree(FILES / "kept", ignore_errors=True)
        shutil.copytree(folder / "kept", FILES / "kept")
        shutil.copy(folder / "vectors.json", FILES / "vectors.json")


if __name__ == "__main__":
    main()
