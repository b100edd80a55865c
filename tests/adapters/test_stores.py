"""What every store must do, on SQLite (inline and grouped) and on PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from backedge.adapters.stores.sql_store import SqlStore
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Moved, Parent, Proposed, Ref, Stored
from backedge.kernel.ports import Conflict, Taken, UnknownRun
from backedge.kernel.stage import Record
from tests.adapters.journals import Place, at, begun, change, new_run, outcomes, said
from tests.kernel.deaths import in_another_process
from tests.kernel.letters import COPY, LETTERS, Desk, Draft, Posted, Verdict, Wish
from tests.kernel.memory import StillClock
from tests.kernel.scenes import GOOD, TODAY, bind_all

RUN = "a1b2c3"


async def snapshot(store: SqlStore) -> object:
    """All that a store holds of its runs."""
    heads = await store.heads()
    journals = [await store.read(head.id) for head in heads]
    return heads, journals, await store.records("letter"), await store.accepted("key")


def test_a_begun_run_is_read_back_as_it_was(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        new = new_run(RUN)
        await store.begin(new)
        assert await store.head(RUN) == new.head
        assert await store.read(RUN) == (new.started,)

    place.tell(story)


def test_an_id_is_begun_once(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        await store.begin(new_run(RUN))
        before = await snapshot(store)
        with pytest.raises(Taken):
            await store.begin(new_run(RUN, 5))
        assert await snapshot(store) == before
        with pytest.raises(Permanent, match="cannot have the id"):
            await store.begin(new_run("a\x00b"))

    place.tell(story)


def test_an_append_moves_the_head_and_keeps_the_moment_of_creation(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        east = at(90).astimezone(timezone(timedelta(hours=2)))
        await store.append(change(RUN, 1, token, said(1), said(2), minutes=3, status="waiting", wake_at=east))
        head = await store.head(RUN)
        assert (head.created, head.updated, head.wake_at) == (at(0), at(3), at(90))
        assert (head.state, head.status, head.seq) == ("Approving", "waiting", 3)
        assert (head.labels, head.workflow) == (new_run(RUN).head.labels, "letters")
        assert [stored.seq for stored in await store.read(RUN)] == [0, 1, 2]
        await store.append(change(RUN, 3, token))
        assert (await store.head(RUN)).wake_at is None

    place.tell(story)


def test_only_the_holder_appends_and_only_at_the_next_place(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        await store.begin(new_run(RUN))
        before = await snapshot(store)
        records = (Record("letter", "k", {}),)
        with pytest.raises(Taken):
            await store.append(change(RUN, 1, "", records=records))
        token = await store.take(RUN)
        for wrong in (change(RUN, 1, "other", records=records), change(RUN, 0, token), change(RUN, 2, token)):
            with pytest.raises(Taken):
                await store.append(wrong)
        assert await snapshot(store) == before
        await store.append(change(RUN, 1, token))

    place.tell(story)


def test_of_two_takers_the_second_holds_the_run(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        await store.begin(new_run(RUN))
        first, second = await store.take(RUN), await store.take(RUN)
        with pytest.raises(Taken):
            await store.append(change(RUN, 1, first))
        await store.append(change(RUN, 1, second))

    place.tell(story)


def test_a_run_that_moved_on_is_not_taken_by_who_read_it_before(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        await store.append(change(RUN, 1, token))
        for old in (0, 1, 3):
            with pytest.raises(Taken):
                await store.take(RUN, at=old)
        await store.append(change(RUN, 2, token))
        second = await store.take(RUN, at=3)
        with pytest.raises(Taken):
            await store.append(change(RUN, 3, token))
        await store.append(change(RUN, 3, second))
        with pytest.raises(UnknownRun):
            await store.take("a1b2zz", at=1)

    place.tell(story)


def test_who_loses_the_race_to_answer_never_takes_the_run_from_the_winner(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        await store.begin(new_run(RUN))

        async def answer(text: str) -> None:
            for _ in range(100):
                if (await store.head(RUN)).seq != 1:
                    raise Taken(RUN)
                try:
                    await store.append(change(RUN, 1, await store.take(RUN, at=1), said(1, text)))
                except Taken:
                    continue
                break
            held = await store.take(RUN)
            for seq in range(2, 6):
                await store.append(change(RUN, seq, held))

        won = await outcomes(*(answer(str(n)) for n in range(8)))
        assert won.count(True) == 1
        assert (await store.head(RUN)).seq == 6

    place.tell(story)


def test_of_appends_at_one_place_exactly_one_wins(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        won = await outcomes(*(store.append(change(RUN, 1, token, said(1, str(n)))) for n in range(10)))
        assert won.count(True) == 1
        assert (await store.read(RUN, 0)) == (said(1, str(won.index(True))),)

    place.tell(story)


def test_twenty_runs_at_once(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        async def live(run_id: str) -> None:
            token = await begun(store, run_id)
            for seq in range(1, 9):
                await store.append(change(run_id, seq, token, said(seq, f"{run_id} {seq}")))

        await asyncio.gather(*(live(f"run-{n}") for n in range(20)))
        for n in range(20):
            assert (await store.read(f"run-{n}", 0)) == tuple(said(seq, f"run-{n} {seq}") for seq in range(1, 9))

    place.tell(story)


def test_entries_behind_a_place(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        await store.append(change(RUN, 1, token, said(1), said(2), said(3)))
        assert await store.read(RUN, 1) == (said(2), said(3))
        assert await store.read(RUN, 3) == ()

    place.tell(story)


def test_what_names_no_run_says_which_ids_are_near(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        await store.begin(new_run(RUN))
        for asked in (
            store.read("a1b2zz"),
            store.take("a1b2zz"),
            store.append(change("a1b2zz", 1, "t")),
            store.head("a1b2zz"),
            store.heads(before="a1b2zz"),
            store.records("letter", "a1b2zz"),
        ):
            with pytest.raises(UnknownRun, match=rf"did you mean {RUN}\?") as caught:
                await asked
            assert caught.value.near == (RUN,)
        for odd in ("", "\x00", "zzzz", "a1b2c3\x00", "\ud800"):
            with pytest.raises(UnknownRun) as caught:
                await store.head(odd)
            assert caught.value.near == ()

    place.tell(story)


def test_a_beginning_of_an_id_is_enough_where_it_is_unique(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        child = new_run(f"{RUN}.1.0", parent=Parent(RUN, 1, 0, 1))
        await store.append(change(RUN, 1, token, children=(child,)))
        for other in ("a1b2c4", "a1bXc3", "A1B2C3", "50%xy", "50%xy.1.0", "50y", "wow!y", "wow!y.1.0"):
            await store.begin(new_run(other))
        with pytest.raises(UnknownRun) as caught:
            await store.head("a1b2")
        assert caught.value.near == ("a1b2c3", "a1b2c4")
        found = [
            (await store.head(asked)).id
            for asked in ("a1b2c3", "a1bX", "A1B2", f"{RUN}.1.", f"{RUN}.1.0", "50%x", "wow!")
        ]
        assert found == ["a1b2c3", "a1bXc3", "A1B2C3", f"{RUN}.1.0", f"{RUN}.1.0", "50%xy", "wow!y"]
        for short_or_pattern in ("a1b", "wow", "a1b_", "50%_", "A1%."):
            with pytest.raises(UnknownRun):
                await store.head(short_or_pattern)

    place.tell(story)


def test_runs_are_listed_newest_first_page_by_page(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        for n, run_id in enumerate(["run-b", "run-a", "run-d", "run-c"]):
            new = new_run(run_id, minutes=n // 2)
            zone = timezone(timedelta(hours=2 - n))
            await store.begin(replace(new, head=replace(new.head, created=new.head.created.astimezone(zone))))
        newest = ["run-d", "run-c", "run-b", "run-a"]
        assert [head.id for head in await store.heads()] == newest
        pages: list[str] = []
        while page := await store.heads(limit=3, before=pages[-1] if pages else None):
            pages += [head.id for head in page]
        assert pages == newest

    place.tell(story)


def test_runs_are_listed_by_status_and_workflow(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        for n, (workflow, status) in enumerate([("letters", "running"), ("letters", "waiting"), ("copy", "running")]):
            await store.begin(new_run(f"run-{n}", n, workflow=workflow, status=status))  # type: ignore[arg-type]
        assert [h.id for h in await store.heads(status="running")] == ["run-2", "run-0"]
        assert [h.id for h in await store.heads(workflow="letters")] == ["run-1", "run-0"]
        assert [h.id for h in await store.heads(workflow="copy", status="running")] == ["run-2"]
        assert [h.id for h in await store.heads(status="running", before="run-2")] == ["run-0"]
        assert await store.heads(status="ended") == ()

    place.tell(story)


def test_the_first_accepted_reply_stays(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        assert await store.accepted("key") is None
        for run_id in (RUN, "later"):
            token = await begun(store, run_id)
            await store.append(change(run_id, 1, token, accepted=("key", 1)))
        assert await store.accepted("key") == Ref(RUN, 1)

    place.tell(story)


def test_records_come_back_in_the_order_of_their_keys(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        odd = [
            Record("letter", key, {"key": key, "n": [1.5, None, {"b": 1, "a": 2}]}) for key in ("b", 'ä"\\', "a\x00")
        ]
        token = await begun(store)
        await store.append(change(RUN, 1, token, records=(*odd, Record("other", "b", {}))))
        token = await begun(store, "later")
        await store.append(change("later", 1, token, records=(Record("letter", "c", {}),)))
        assert [r.key for r in await store.records("letter")] == ["a\x00", "b", "c", 'ä"\\']
        assert await store.records("letter", RUN) == (odd[2], odd[0], odd[1])
        assert list((await store.records("letter", RUN))[0].body) == ["key", "n"]
        assert await store.records("letter", "later") == (Record("letter", "c", {}),)
        assert await store.records("nothing") == ()

    place.tell(story)


def test_records_are_found_by_how_their_keys_begin(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        keys = ("a", "a/1", "a/2", "a/\x7f", "a/\U0010ffff", "a0", "b/1", "A/1")
        await store.append(change(RUN, 1, token, records=tuple(Record("letter", key, {}) for key in keys)))
        assert [r.key for r in await store.records("letter", under="a/")] == ["a/1", "a/2", "a/\x7f", "a/\U0010ffff"]
        assert [r.key for r in await store.records("letter", RUN, "b/")] == ["b/1"]
        assert await store.records("letter", under="c") == ()
        assert await store.records("other", under="a") == ()

    place.tell(story)


def test_an_equal_record_is_written_once(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        for run_id, body in ((RUN, {"a": 1, "b": "x"}), ("later", {"b": "x", "a": 1})):
            token = await begun(store, run_id)
            record = Record("letter", "k", body)  # type: ignore[arg-type]
            await store.append(change(run_id, 1, token, records=(record, Record("letter", run_id, {}))))
        assert [r.key for r in await store.records("letter")] == [RUN, "k", "later"]
        assert [r.key for r in await store.records("letter", "later")] == ["later"]

    place.tell(story)


@pytest.mark.parametrize("body", [{"a": 2}, {"a": True}, {}])
def test_a_record_with_another_body_refuses_the_whole_change(place: Place, body: dict[str, int]) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        await store.append(change(RUN, 1, token, records=(Record("letter", "k", {"a": 1}),)))
        before = await snapshot(store)
        new = Record("letter", "a", {})
        with pytest.raises(Conflict, match=f"letter k was already written by run {RUN}"):
            await store.append(change(RUN, 2, token, records=(new, Record("letter", "k", {**body}))))
        assert await snapshot(store) == before
        await store.append(change(RUN, 2, token, records=(new,)))

    place.tell(story)


def test_children_begin_with_the_move_that_starts_them(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        children = tuple(new_run(f"{RUN}.1.{n}", 1, workflow="copy", parent=Parent(RUN, 1, n, 2)) for n in range(2))
        await store.append(change(RUN, 1, token, children=children))
        for child in children:
            assert await store.head(child.head.id) == child.head
            assert await store.read(child.head.id) == (child.started,)
            assert await store.take(child.head.id)

    place.tell(story)


def test_a_child_whose_id_exists_refuses_the_whole_change(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        await store.begin(new_run("taken"))
        before = await snapshot(store)
        with pytest.raises(Permanent, match="exist already"):
            await store.append(change(RUN, 1, token, children=(new_run("fresh"), new_run("taken", 7))))
        assert await snapshot(store) == before

    place.tell(story)


def test_a_change_that_breaks_at_its_end_leaves_nothing(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        before = await snapshot(store)
        whole = change(RUN, 1, token, records=(Record("letter", "k", {}),), children=(new_run("child"),))
        with pytest.raises(Permanent, match="contradicts"):
            await store.append(replace(whole, accepted=("key", 99)))
        assert await snapshot(store) == before
        await store.append(replace(whole, accepted=("key", 1)))
        assert await store.accepted("key") == Ref(RUN, 1)

    place.tell(story)


def test_one_broken_change_does_not_touch_those_beside_it(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        tokens = [await begun(store, f"run-{n}") for n in range(6)]
        changes = [change(f"run-{n}", 1, token) for n, token in enumerate(tokens)]
        changes[2] = replace(changes[2], token="lost")
        changes[4] = replace(changes[4], accepted=("key", 99))
        results = await asyncio.gather(*map(store.append, changes), return_exceptions=True)
        assert [type(r) for r in results] == [type(None), type(None), Taken, type(None), Permanent, type(None)]
        assert [len(await store.read(f"run-{n}")) for n in range(6)] == [2, 2, 1, 2, 1, 2]

    place.tell(story)


@pytest.mark.parametrize(
    "text",
    ["Zoë 東京 \U0001f9ed a\u0301 \u200f", "a\x00b\x01\x1f", "\\u0000 \\ '\" :name %(name)s $1", "x" * 1_000_000],
)
def test_what_is_written_comes_back_to_the_letter(place: Place, text: str) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        entry = Stored(1, at(1), Proposed("Drafting", text, details={text[:50]: text}))
        await store.append(change(RUN, 1, token, entry, records=(Record("letter", text[:50], {"text": text}),)))
        assert await store.read(RUN, 0) == (entry,)
        assert await store.records("letter") == (Record("letter", text[:50], {"text": text}),)

    place.tell(story)


def test_a_lone_surrogate_in_a_record_comes_back(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        record = Record("letter", "k\ud800", {"text": "\udfff"})
        await store.append(change(RUN, 1, token, records=(record,)))
        assert await store.records("letter") == (record,)

    place.tell(story)


def test_a_journal_outlives_its_store(place: Place) -> None:
    async def write(store: SqlStore) -> None:
        token = await begun(store)
        await store.append(change(RUN, 1, token, records=(Record("letter", "k", {}),), accepted=("key", 1)))

    async def read(store: SqlStore) -> None:
        assert (await store.read(RUN, 0), await store.accepted("key")) == ((said(1),), Ref(RUN, 1))

    place.tell(write)
    place.tell(read)


def test_a_journal_is_read_and_fenced_across_processes(place: Place) -> None:
    held: list[str] = []

    async def begin(store: SqlStore) -> None:
        held.append(await begun(store))

    async def take_over(store: SqlStore) -> None:
        await store.append(change(RUN, 1, await store.take(RUN)))

    async def find(store: SqlStore) -> None:
        assert await store.read(RUN, 0) == (said(1),)
        with pytest.raises(Taken):
            await store.append(change(RUN, 2, held[0]))

    place.tell(begin)
    assert in_another_process(lambda: place.tell(take_over)) == 0
    place.tell(find)


def test_a_whole_life_of_a_run_with_a_person_and_children(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        desk = Desk(lambda state, lesson: GOOD, bind_all, Draft)
        driver = Driver(store, {"letters": Bound(LETTERS, desk), "copy": Bound(COPY, desk)}, StillClock())
        run_id = await driver.start("letters", Wish("Bo", "rain"), TODAY)
        assert (await driver.drive(run_id)).status == "waiting"
        await driver.offer(run_id, Verdict(True), by="ann")
        assert (await driver.drive(run_id)).state == Posted("0:Dear Bo, it rains. 1:Dear Bo, it rains.")
        again = await driver.start("letters", Wish("Bo", "rain"), TODAY)
        await driver.drive(again)
        reused = [s.entry.reused for s in await store.read(again) if isinstance(s.entry, Proposed)]
        assert reused == [Ref(run_id, 1)]
        moved = next(s.entry for s in await store.read(run_id) if isinstance(s.entry, Moved) and s.entry.children)
        assert [(await store.head(child)).status for child in moved.children] == ["ended", "ended"]
        assert [record.body for record in await store.records("letter", run_id)] == [{"ok": True}]

    place.tell(story)
