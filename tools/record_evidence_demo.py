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
from backedge.assembling.investigation_models import all_models
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.demo_investigation import investigated
from backedge.config.evidence_file import load_evidence
from backedge.demo.evidence import PAPERS, QUERY

HERE = Path(__file__).parent
FILES = HERE.parent / "src" / "backedge" / "demo" / "evidence_files"
MADE = ("kept", "vectors.json")
SETTINGS = ModelSettings("recorded", "scripted:story")


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
    finally:
        await app.close()


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
