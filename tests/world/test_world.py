"""Branches, hashes, locks, loading, and what holds over any sequence of calls."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mempa_gym.world
from mempa_gym.errors import ArgumentError, DataError, UnknownNameError
from mempa_gym.tools import specs
from mempa_gym.world import Lock, World
from mempa_gym.world.base import build_base
from mempa_gym.world.check import check_base
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.entry import tombstone_mark
from mempa_gym.world.locks import LOCKED

NOW = "2026-03-04T09:00"


# Branches


def test_a_branch_is_isolated_both_ways(world: World) -> None:
    before = world.state_hash()
    branch = world.branch()
    assert branch.call("message_send", {"to": "con_ada", "text": "branch"}).ok
    assert world.state_hash() == before
    assert world.record("message_new_0001") is None
    assert world.log == ()
    assert world.call("message_send", {"to": "con_ben", "text": "parent"}).ok
    found = branch.record("message_new_0001")
    assert found is not None
    assert found["text"] == "branch"
    assert [entry.tool for entry in branch.log] == ["message_send"]


def test_a_branch_of_a_branch_keeps_what_came_before(world: World) -> None:
    worlds = [world]
    for number in range(40):
        worlds.append(worlds[-1].branch())
        assert worlds[-1].call("message_send", {"to": "con_ada", "text": f"number {number}"}).ok
    for depth, each in enumerate(worlds):
        assert len(each.records("messages")) == 2 + depth
    assert len({each.state_hash() for each in worlds}) == len(worlds)


def test_a_branch_starts_an_empty_log_and_a_copy_keeps_it(world: World) -> None:
    world.call("contact_search", {})
    assert world.branch().log == ()
    kept = world.copy()
    kept.call("contact_search", {})
    assert (len(kept.log), len(world.log)) == (2, 1)


def test_time_belongs_to_the_branch(world: World) -> None:
    branch = world.branch()
    branch.now = "2026-05-01T00:00"
    assert (world.now, branch.now) == (NOW, "2026-05-01T00:00")


@pytest.mark.parametrize("now", ["2026-03-04", "2026-03-04T9:00", "2026-13-04T09:00", "", None])
def test_story_times_are_checked(world: World, now: Any) -> None:
    with pytest.raises(ArgumentError, match="now"):
        world.now = now
    assert world.now == NOW


@pytest.mark.parametrize("duplicate", [copy.deepcopy, copy.copy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_keep_everything_and_stand_alone(world: World, duplicate: Any) -> None:
    world.set_locks([Lock("final", "message_send", {"to": "con_ben"})])
    world.call("document_delete", {"path": "doc_rules"})
    twin = duplicate(world)
    assert twin.state_hash() == world.state_hash()
    assert twin.now == world.now
    assert [entry.arguments for entry in twin.log] == [{"path": "doc_rules"}]
    assert twin.call("message_send", {"to": "con_ben", "text": "x"}).error == LOCKED
    assert twin.call("message_send", {"to": "con_ada", "text": "x"}).ok
    assert twin.record("message_new_0001") is not None
    assert world.record("message_new_0001") is None
    assert len(world.log) == 1


# Hashes


def test_equal_records_have_equal_hashes_whatever_the_way(world: World) -> None:
    first, second = world.branch(), world.branch()
    a = ("calendar_event_update", {"event_id": "ev_soon", "notes": "a"})
    b = ("calendar_event_update", {"event_id": "ev_far", "notes": "b"})
    for call in (a, b):
        first.call(*call)
    for call in (b, a):
        second.call(*call)
    assert first.state_hash() == second.state_hash() != world.state_hash()


def test_undoing_a_change_restores_the_hash(world: World) -> None:
    before = world.state_hash()
    world.call("contact_update", {"contact_id": "con_ada", "phone": "0"})
    assert world.state_hash() != before
    world.call("contact_update", {"contact_id": "con_ada", "phone": "555-1"})
    assert world.state_hash() == before


def test_time_and_locks_are_not_hashed(world: World) -> None:
    before = world.state_hash()
    world.now = "2026-05-01T00:00"
    world.set_locks([Lock("final", "message_send", {})])
    assert world.state_hash() == before


def test_a_spent_id_shows_in_the_hash(world: World) -> None:
    before = world.state_hash()
    world.call("document_create", {"path": "a.md", "title": "t", "text": "x"})
    world.call("document_delete", {"path": "a.md"})
    assert world.state_hash() != before


# Locks


def test_a_lock_refuses_what_it_matches_until_it_is_open(world: World) -> None:
    world.set_locks([Lock("final", "email_message_send", {"to": ["con_ada"]})])
    guarded = {"to": ["con_ada"], "subject": "s", "body": "b"}
    before = world.state_hash()
    branch = world.branch()
    for each in (world, branch):
        assert each.call("email_message_send", guarded).error == LOCKED
        assert each.log[-1].error == LOCKED
    assert world.state_hash() == before
    assert world.call("email_message_send", guarded | {"to": ["con_ben"]}).ok
    assert world.call("email_draft_create", guarded).ok
    branch.open_lock("final")
    branch.open_lock("final")
    assert branch.call("email_message_send", guarded).ok
    assert world.call("email_message_send", guarded).error == LOCKED


def test_a_lock_compares_checked_arguments(world: World) -> None:
    world.set_locks([Lock("final", "shopping_order_create", {"quantity": 1})])
    assert world.call("shopping_order_create", '{"product_id": "pr_bulb"}').error == LOCKED
    assert world.call("shopping_order_create", {"product_id": "pr_bulb", "quantity": 2}).ok
    refusal = world.call("shopping_order_create", {"product_id": " x"})
    assert refusal.error != LOCKED


def test_locks_that_could_never_hold_are_refused(world: World) -> None:
    with pytest.raises(UnknownNameError, match="tool"):
        world.set_locks([Lock("final", "massage_send", {})])
    with pytest.raises(ArgumentError, match="no such argument"):
        world.set_locks([Lock("final", "message_send", {"contact": "con_ada"})])
    with pytest.raises(ArgumentError, match="two locks"):
        world.set_locks([Lock("final", "message_send", {}), Lock("final", "message_send", {})])
    with pytest.raises(UnknownNameError, match="unknown lock 'final'"):
        world.open_lock("final")


# Loading


@pytest.mark.parametrize(
    ("records", "key", "reason"),
    [
        ({"contact": []}, "contact", "unknown collection"),
        ({"contacts": [{"id": "con_a"}]}, "contacts[0] (con_a).name", "Field required"),
        ({"contacts": [{"id": "con_a", "name": "A", "age": 3}]}, "contacts[0] (con_a).age", "Extra inputs"),
        ({"contacts": [{"id": "Con A", "name": "A"}]}, "contacts[0] (Con A).id", "lower-case"),
        ({"contacts": [{"id": "contact_new_0001", "name": "A"}]}, "contacts[0] (contact_new_0001).id", "kept for"),
        (
            {"contacts": [{"id": "con_a", "name": "A", "enters": "2026-03-04"}]},
            "contacts[0] (con_a).enters",
            "YYYY-MM-DDTHH",
        ),
        (
            {
                "contacts": [{"id": "con_a", "name": "A"}],
                "places": [{"id": "con_a", "name": "A", "kind": "k", "city": "c"}],
            },
            "places[0] (con_a)",
            "given twice",
        ),
        (
            {
                "bills": [
                    {"id": "b", "provider": "p", "period": "q", "amount": "5", "due": "2026-03-04", "status": "open"}
                ]
            },
            "bills[0] (b).amount",
            "valid",
        ),
        ({"documents": [{"id": "d", "path": "../d", "title": "t", "sections": []}]}, "documents[0] (d).path", "dot"),
        (
            {
                "documents": [
                    {"id": "d", "path": "d", "title": "t", "sections": [{"heading": "h", "text": "t", "from": "soon"}]}
                ]
            },
            "documents[0] (d).sections.0.from",
            "YYYY-MM-DDTHH",
        ),
        (
            {"emails": [{"id": "e", "folder": "spam", "from": "me", "to": [], "at": "2026-03-04T09:00"}]},
            "emails[0] (e).folder",
            "inbox",
        ),
        ({"contacts": ["con_a"]}, "contacts[0]", "valid dictionary"),
    ],
)
def test_faulty_records_are_named(records: Any, key: str, reason: str) -> None:
    with pytest.raises(DataError) as caught:
        World.from_records(records, NOW)
    assert caught.value.file == "records"
    assert caught.value.key.startswith(key)
    assert reason in str(caught.value)


def test_the_given_records_stay_the_callers_own() -> None:
    records: dict[str, Any] = {"messages": [{"id": "m", "with": "c", "sender": "me", "text": "x", "at": NOW}]}
    world = World.from_records(records, NOW)
    records["messages"][0]["text"] = "changed"
    found = world.record("m")
    assert found is not None
    assert found["text"] == "x"


def test_unknown_personas_are_named() -> None:
    with pytest.raises(UnknownNameError, match="persona with a world"):
        mempa_gym.world.open("user_z", NOW)
    with pytest.raises(UnknownNameError):
        mempa_gym.world.open("../user_b", NOW)


def test_the_small_world_is_sound(pristine: World) -> None:
    assert check_base(pristine._base) == []


def test_check_finds_what_the_schema_cannot_see() -> None:
    base = build_base(
        {
            "contacts": [{"id": "con_late", "name": "L", "enters": "2026-04-01T00:00"}],
            "messages": [
                {"id": "msg_probe_1", "with": "con_none", "sender": "con_x", "text": "x", "at": NOW},
                {
                    "id": "msg_early",
                    "with": "con_late",
                    "sender": "me",
                    "text": "x",
                    "at": NOW,
                    "enters": "2026-03-01T00:00",
                },
            ],
            "events": [
                {"id": "ev_topic_management", "title": "x", "start": NOW, "end": NOW, "attendees": ["con_none"]}
            ],
            "documents": [
                {"id": "doc_a", "path": "a.md", "title": "a", "sections": []},
                {"id": "doc_b", "path": "A.md", "title": "b", "sections": []},
            ],
            "room_slots": [
                {
                    "id": "rs",
                    "place": "plc_none",
                    "room": "A",
                    "start": NOW,
                    "end": "2026-03-04T10:00",
                    "price": 1,
                    "enters": NOW,
                }
            ],
            "orders": [
                {
                    "id": "o",
                    "product": "pr_none",
                    "quantity": -1,
                    "store": "s",
                    "total": 1,
                    "status": "placed",
                    "placed": NOW,
                }
            ],
            "emails": [{"id": "em_full_narration", "folder": "sent", "from": "con_late", "to": [], "at": NOW}],
        },
        "faulty",
    )
    text = "\n".join(check_base(base))
    for fault in (
        "msg_probe_1: the id tells what the record is for: 'probe'",
        "msg_probe_1: with refers to 'con_none', which is no id of the contacts",
        "msg_probe_1: sender 'con_x' is neither",
        "msg_early: with refers to 'con_late', which enters later",
        "msg_early: it enters at 2026-03-01T00:00, before its own time",
        "ev_topic_management: the id tells what the record is for: 'topic_management'",
        "ev_topic_management: end 2026-03-04T09:00 is not later",
        "doc_b: path 'A.md' is also that of doc_a",
        "rs: place refers to 'plc_none'",
        "rs: it enters at 2026-03-04T09:00, when it has started already",
        "o: product refers to 'pr_none'",
        "o: quantity is negative",
        "em_full_narration: the id tells",
        "em_full_narration: it is in folder sent but not from 'me'",
        "em_full_narration: it has no recipient",
    ):
        assert fault in text


# Any sequence of calls

# What an argument may be: values that often fit, so that most calls get past the checks.
_VALUES: dict[str, list[Any]] = {
    "email_id": ["em_plan", "em_draft", "email_new_0001"],
    "draft_id": ["em_draft", "email_new_0001"],
    "message_id": ["msg_one", "message_new_0001"],
    "contact_id": ["con_ada", "con_late", "contact_new_0001"],
    "event_id": ["ev_soon", "ev_hidden", "event_new_0001"],
    "path": ["rules/swaps.md", "doc_list", "drafts/a.md", "document_new_0001", "plans/later.md", "../x"],
    "product_id": ["pr_lamp", "pr_bulb"],
    "order_id": ["ord_lamp", "order_new_0001"],
    "case_id": ["ret_open", "ret_over"],
    "address_id": ["addr_cabin", "addr_home"],
    "method_id": ["pm_debit"],
    "package_id": ["pkg_bulb"],
    "bill_id": ["bill_power"],
    "account_id": ["acct_power"],
    "payment_id": ["bill_payment_new_0001"],
    "appointment_id": ["appt_teeth", "appointment_new_0001", "slot_teeth"],
    "reservation_id": ["res_mill", "reservation_new_0001"],
    "slot_id": ["slot_teeth", "slot_teeth_late", "rslot_mill", "rmslot_north"],
    "booking_id": ["room_north", "room_booking_new_0001", "hotel_booking_new_0001"],
    "hotel_id": ["hot_quay"],
    "flight_id": ["fl_dawn"],
    "showtime_id": ["show_sea"],
    "exhibition_id": ["exh_glass"],
    "service_id": ["svc_reel"],
    "start": ["2026-03-12T10:00", "2026-03-05T10:00", "2026-03-20"],
    "end": ["2026-03-12T12:00", "2026-03-22"],
    "date": ["2026-03-05", "2026-03-20", "2026-02-30"],
    "target_format": ["MP4", "wav"],
    "city": ["Ansel", "Oslo"],
    "origin": ["Home", "Ansel"],
    "destination": ["The Old Mill", "Oslo"],
    "query": ["garden", "rehearsal ada", ""],
    "amount": [10, 40.5, 1000],
}
_OWN = {
    "hotel_book": {"start": ["2026-03-20"], "end": ["2026-03-22", "2026-03-19"]},
    "hotel_booking_update": {"booking_id": ["hotel_booking_new_0001"], "start": ["2026-03-21"], "end": ["2026-03-24"]},
    "room_booking_create": {"slot_id": ["rmslot_north"]},
    "restaurant_reservation_create": {"slot_id": ["rslot_mill"]},
    "appointment_create": {"slot_id": ["slot_teeth", "slot_teeth_late"]},
    "appointment_update": {"slot_id": ["slot_teeth", "slot_teeth_late"]},
}
_BAD: list[Any] = ["nothing", " con_ada", "", "con_late", 7, "2", float("nan"), None, ["con_ada"], "\ud800", True]
_WRITES = [tool.name for tool in specs().values() if tool.kind == "write" and tool.available]


def _fitting(tool: str, name: str, node: dict[str, Any]) -> list[Any]:
    known = _OWN.get(tool, {}).get(name) or _VALUES.get(name)
    if "enum" in node:
        return list(node["enum"])
    if node["type"] == "array":
        return [["con_ada"], ["con_ben", "con_ada"], ["con_late"]]
    if known:
        return known
    if node["type"] in {"integer", "number"}:
        return [1, 2, 4]
    return ["con_ada", "con_ben"] if name == "to" else ["x", "Some words"]


def _call(dice: Random) -> tuple[str, Any]:
    tool = dice.choice(_WRITES) if dice.random() < 0.7 else dice.choice(list(specs()))
    parameters = specs()[tool].schema()["function"]["parameters"]
    arguments: dict[str, Any] = {}
    for name, node in parameters["properties"].items():
        if name in parameters["required"] or dice.random() < 0.35:
            arguments[name] = dice.choice(_fitting(tool, name, node))
    if dice.random() < 0.15:
        arguments[dice.choice([*parameters["properties"], "extra"])] = dice.choice(_BAD)
    return tool, arguments


def _sequence(seed: int) -> list[Any]:
    """Draws 40 steps, each a call or a step forward in time.

    Drawn from a seed rather than structurally: structural draws stay so short that late states are never reached.
    """
    dice = Random(seed)
    times = ["2026-03-05T09:00", "2026-03-10T08:00"]
    return [times.pop(0) if times and dice.random() < 0.05 else _call(dice) for _ in range(40)]


_STEPS = st.integers(0, 2**32 - 1).map(_sequence)


@settings(max_examples=120)
@given(steps=_STEPS)
def test_any_sequence_is_isolated_traced_and_repeatable(pristine: World, steps: list[Any]) -> None:
    start = pristine.state_hash()
    world = pristine.branch()
    script: list[Any] = []
    for step in steps:
        if isinstance(step, str):
            if step > world.now:
                world.now = step
                script.append(step)
            continue
        before = world.state_hash()
        result = world.call(*step)
        entry = world.log[-1]
        assert (entry.tool, entry.ok, entry.error) == (step[0], result.ok, result.error)
        if result.ok:
            script.append((entry.tool, entry.arguments))
            assert entry.changes or world.state_hash() == before
        else:
            assert entry.changes == ()
            assert result.text().startswith("Error")
            assert world.state_hash() == before
        if specs()[step[0]].kind == "read":
            assert world.state_hash() == before
    assert pristine.state_hash() == start
    assert pristine.log == ()

    again = pristine.branch()
    for step in script:
        if isinstance(step, str):
            again.now = step
        else:
            assert again.call(*step).ok
    assert again.state_hash() == world.state_hash()
    assert [again.records(name) for name in COLLECTIONS] == [world.records(name) for name in COLLECTIONS]


@settings(max_examples=40)
@given(steps=_STEPS, now=st.sampled_from(["2026-02-21T00:00", NOW, "2026-03-10T07:59", "2026-03-10T08:00"]))
def test_nothing_visible_enters_later(pristine: World, steps: list[Any], now: str) -> None:
    world = pristine.branch()
    for step in steps:
        if isinstance(step, str):
            world.now = max(world.now, step)
        else:
            world.call(*step)
    world.now = now
    for name in COLLECTIONS:
        for record in world.records(name):
            collected = world._state.get(name, record["id"])
            entry = collected if hasattr(collected, "enters") else world._base.tables[name].entries[record["id"]]
            assert entry.enters <= now
            assert "enters" not in record
            if name == "documents":
                assert (
                    all("zebra" not in section["text"] for section in record["sections"]) or now >= "2026-03-10T08:00"
                )
    hits = world.call("email_message_search", {}).value["hits"]
    assert all(hit["at"] <= now for hit in hits)


@settings(max_examples=40)
@given(steps=_STEPS)
def test_the_hash_is_that_of_the_records(pristine: World, steps: list[Any]) -> None:
    world = pristine.branch()
    for step in steps:
        if not isinstance(step, str):
            world.call(*step)
    total = world._base.total
    for name in COLLECTIONS:
        for id, entry in world._state.changed(name):
            old = world._base.tables[name].entries.get(id)
            total -= old.mark if old else 0
            if entry is not None:
                total += entry.mark
            elif old is None:
                total += tombstone_mark(name, id)
    assert total % (1 << 256) == (world._base.total + world._state.total) % (1 << 256)
