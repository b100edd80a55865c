"""`backedge runs retry` of any run: a question, an automation and what is of evidence go on as they were started."""

from __future__ import annotations

from pathlib import Path

from backedge.assemble import EVIDENCE, head_of
from backedge.cli.automating import Automating
from backedge.cli.driving import Driving, Manner


class Retrying:
    """One run that goes on."""

    def __init__(self, folder: Path, run_id: str, manner: Manner) -> None:
        self._folder = folder
        self._run_id = run_id
        self._manner = manner
        self._way: Driving | Automating | None = None

    def how_to_resume(self) -> str:
        """What to type to go on after an interruption."""
        return self._way.how_to_resume() if self._way else ""

    async def go_on(self) -> int:
        """Its exit code."""
        head = await head_of(self._folder, self._run_id)
        manner = self._manner
        if head.workflow in EVIDENCE:
            from backedge.cli.evidence_run_page import retry_evidence_run

            top = await head_of(self._folder, head.id.partition(".")[0])
            return await retry_evidence_run(self._folder, top.id, top.workflow, manner.as_json)
        if head.workflow == "automation":
            self._way = Automating(self._folder, None, manner.as_json, manner.quiet)
        else:
            self._way = Driving(self._folder, None, manner)
        return await self._way.retry(head.id)
