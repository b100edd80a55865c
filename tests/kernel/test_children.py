"""Fan-out: children are started in the move, each end is offered to the parent once, in the order of the starts."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.journal import Moved, Proposed
from backedge.kernel.stage import Lesson
from tests.kernel.letters import Binding, Draft, Posted, Verdict
from tests.kernel.scenes import Scene, go


def approved(scene: Scene) -> str:
    run_id = scene.start()
    scene.drive(run_id)
    scene.offer(run_id, Verdict(True))
    return run_id


def children(scene: Scene, run_id: str) -> tuple[str, ...]:
    return next(s.entry.children for s in scene.journal(run_id) if isinstance(s.entry, Moved) and s.entry.children)


def test_children_are_started_in_the_transaction_of_the_move() -> None:
    scene = Scene()
    run_id = approved(scene)
    ids = children(scene, run_id)
    assert len(ids) == 2
    assert [scene.store.rows[child].status for child in ids] == ["running", "running"]
    parents = [scene.store.rows[child].parent for child in ids]
    assert [(p.run_id, p.index, p.of) for p in parents if p] == [(run_id, 0, 2), (run_id, 1, 2)]


def test_results_come_in_the_order_of_the_starts_whatever_the_order_of_the_ends() -> None:
    scene = Scene(copy=lambda text: Draft(text))
    run_id = approved(scene)
    for child in reversed(children(scene, run_id)):
        scene.drive(child)
    run = scene.drive(run_id)
    assert run.state == Posted("0:Dear Bo, it rains. 1:Dear Bo, it rains.")


def test_each_child_is_offered_once() -> None:
    scene = Scene()
    run_id = approved(scene)
    for child in children(scene, run_id):
        scene.drive(child)
        scene.drive(child)
    scene.drive(run_id)
    offers = [
        s.entry.by for s in scene.journal(run_id) if isinstance(s.entry, Proposed) and s.entry.by.startswith("run:")
    ]
    assert len(offers) == len(set(offers)) == 2


def test_a_failed_child_is_a_stated_part_and_no_gap() -> None:
    replies: Iterator[Draft | Permanent] = iter([Draft("one"), Permanent("the ink is dry")])

    def copy(text: str) -> Draft:
        reply = next(replies)
        if isinstance(reply, Permanent):
            raise reply
        return reply

    scene = Scene(copy=copy)
    run = scene.drive(approved(scene))
    assert run.state == Posted("0:one 1:the ink is dry")


def test_a_paused_child_keeps_its_parent_waiting_until_it_is_retried() -> None:
    broken = [True]

    def copy(text: str) -> Draft:
        if broken[0]:
            raise Transient("jam")
        return Draft("copy")

    scene = Scene(copy=copy)
    run_id = approved(scene)
    assert scene.drive(run_id).status == "waiting"
    broken[0] = False
    for child in children(scene, run_id):
        go(scene.driver.retry(child, by="ann"))
    assert scene.drive(run_id).state == Posted("0:copy 1:copy")


def test_a_cancelled_child_is_told_to_its_parent() -> None:
    scene = Scene()
    run_id = approved(scene)
    first, _ = children(scene, run_id)
    go(scene.driver.cancel(first, by="ann", reason="not that one"))
    run = scene.drive(run_id)
    assert run.state == Posted("0:not that one 1:Dear Bo, it rains.")


def test_a_child_that_ended_unheard_is_heard_when_the_parent_is_driven() -> None:
    scene = Scene()
    run_id = approved(scene)
    first, _ = children(scene, run_id)
    go(scene.driver._segment(first, 0))
    assert scene.store.rows[first].status == "ended"
    assert isinstance(scene.drive(run_id).state, Posted)


def test_the_bound_copies_are_sorted_by_start() -> None:
    seen: list[Binding] = []

    def bind(state: Binding, lesson: Lesson) -> Draft:
        seen.append(state)
        return Draft(" ".join(state.copies))

    scene = Scene(bind=bind)
    scene.drive(approved(scene))
    assert [copy[0] for copy in seen[0].copies] == ["0", "1"]


def test_cancelling_a_run_cancels_the_children_that_it_waits_for() -> None:
    scene = Scene()
    run_id = approved(scene)
    go(scene.driver.cancel(run_id, by="ann"))
    assert [scene.store.rows[child].status for child in children(scene, run_id)] == ["stopped", "stopped"]
    assert scene.drive(run_id).status == "stopped"
