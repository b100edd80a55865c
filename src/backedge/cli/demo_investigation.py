"""What `backedge demo evidence` shows of an investigation: a request becomes an approved design, by people."""

from __future__ import annotations

from collections.abc import Callable

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations, inquiry_key
from backedge.assembling.verifying import verified_again
from backedge.cli.lines import plain
from backedge.demo.evidence import APPROVES, ENDPOINTS, REJECTED, REQUEST, REVIEWER, STANDS
from backedge.evidence.designs import ApproachDecision, Approval
from backedge.evidence.exporting.design_markdown import to_markdown
from backedge.evidence.exporting.design_view import design_view
from backedge.evidence.exporting.reverified import reverified_text
from backedge.evidence.facets import CommandKind, FacetCommand, FacetName
from backedge.evidence.views import candidates_view, facets_view
from backedge.kernel.drive import OfferRefused
from backedge.kernel.journal import Refused
from backedge.kernel.run import Run

Pause = Callable[[str], None]
SETTLED: tuple[FacetName, ...] = ("objective", "condition", "model_system", "intervention", "endpoint")


async def investigated(app: EvidenceApp, pause: Pause) -> Run:
    """The whole of it; the run, which has ended in an approved design where all went as it should.

    `pause` is told what a person does next, and returns when it is to be done.
    """
    investigations = Investigations(app)
    run = await investigations.drive(await investigations.start(REQUEST, by=REVIEWER))
    click.echo(f"investigation {run.id}: {REQUEST}")
    await _print_sent_back(app, run, "ExtractingFacets")
    run = await _reviewed(app, investigations, run, pause)
    run = await _judged(investigations, run, pause)
    run = await _resumed(app, investigations, run, pause)
    run = await _decided(app, investigations, run, pause)
    return await _approved(app, investigations, run, pause)


async def _print_sent_back(app: EvidenceApp, run: Run, stage: str) -> None:
    for stored in await app.store.read(run.id):
        if isinstance(stored.entry, Refused) and stored.entry.stage == stage:
            for defect in stored.entry.defects:
                click.echo(f"refused and sent back ({defect.kind}): {plain(defect.message)}")


async def _reviewed(app: EvidenceApp, investigations: Investigations, run: Run, pause: Pause) -> Run:
    view = await facets_view(run, app.library)
    for facet in view.facets:
        values = "; ".join(f"{value.text} [{value.origin}]" for value in facet.values) or "not stated"
        click.echo(f"  {facet.name:<13} {plain(values)}")
    trip = view.round_trip
    for what, texts in (("left out", trip.omissions), ("added", trip.additions)) if trip else ():
        for text in texts:
            click.echo(f"  round trip: {what}: {plain(text)}")
    await _refused(investigations, run)
    pause(f"{REVIEWER} splits the endpoint in two, and confirms what is mandatory")
    run = await _command(investigations, run, "split", "endpoint", ENDPOINTS)
    for name in SETTLED:
        run = await _command(investigations, run, "confirm_facet", name)
    return await _command(investigations, run, "confirm")


async def _refused(investigations: Investigations, run: Run) -> None:
    """What comes of confirming too early: it is refused, and kept as refused."""
    try:
        await _command(investigations, run, "confirm")
    except OfferRefused as error:
        click.echo(f"confirmed at once, that is refused: {plain(str(error))}")


async def _command(
    investigations: Investigations,
    run: Run,
    kind: CommandKind,
    facet: FacetName | None = None,
    texts: tuple[str, ...] = (),
) -> Run:
    seen = (await investigations.named(run.id)).state.changes
    return await investigations.command(run, FacetCommand(kind, REVIEWER, seen, facet, texts=texts))


async def _judged(investigations: Investigations, run: Run, pause: Pause) -> Run:
    for inquiry in await investigations.waiting_inquiries():
        question, judged = inquiry.state.inquiry.question, inquiry.state.sufficiency
        click.echo(f"{inquiry_key(inquiry)}: {plain(question.text)}")
        click.echo(f"  {judged.status}: {plain(judged.coverage)}; record {judged.only_affirmative} alone affirms it")
        pause(f"{REVIEWER} says that it stands: {STANDS}")
        await investigations.judge(inquiry, stands=True, by=REVIEWER, reason=STANDS)
    return await investigations.named(run.id)


async def _resumed(app: EvidenceApp, investigations: Investigations, run: Run, pause: Pause) -> Run:
    """Candidates that state a chance of success are refused, and the run pauses until somebody has seen that."""
    if run.stopped is None:
        return run
    for defect in (await candidates_view(run, app.library)).defects:
        click.echo(f"candidates refused, and the run paused ({defect.kind}): {plain(defect.message)}")
    pause(f"{REVIEWER} has seen it, and lets the investigation go on")
    await investigations.retry(run, by=REVIEWER)
    return await investigations.drive(run.id)


async def _decided(app: EvidenceApp, investigations: Investigations, run: Run, pause: Pause) -> Run:
    candidates = (await candidates_view(run, app.library)).candidates
    assert candidates is not None
    for approach in candidates.approaches:
        rated = ", ".join(f"{each.criterion} {each.rating}" for each in approach.ratings)
        click.echo(f"  {approach.key}: {plain(approach.title)}: {rated}")
    chosen, *others = (approach.key for approach in candidates.approaches)
    pause(f"{REVIEWER} chooses {chosen}, and rejects the other because {REJECTED}")
    return await investigations.decide(
        run, ApproachDecision(chosen, REVIEWER, tuple((key, REJECTED) for key in others))
    )


async def _approved(app: EvidenceApp, investigations: Investigations, run: Run, pause: Pause) -> Run:
    await _print_sent_back(app, run, "Designing")
    view = await design_view(run.id, app.library, app.contents)
    click.echo(f"version {view.version} of the design is a {view.mark}")
    pause(f"{REVIEWER} approves it because {APPROVES}")
    run = await investigations.approve(run, Approval(view.version, True, REVIEWER, APPROVES))
    click.echo()
    click.echo(plain(to_markdown(await design_view(run.id, app.library, app.contents))))
    click.echo(plain(reverified_text(await verified_again(run.id, app))), nl=False)
    return run
