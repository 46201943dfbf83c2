"""Calls are remembered across worlds of one base; nobody may notice but by the clock."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.world import Lock, World
from mempa_gym.world.answers import Answer, Answers
from mempa_gym.world.state import EMPTY

from .conftest import LATE, NOW, RECORDS

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("contact_search", {"query": "ada"}),
    ("contact_read", {"contact_id": "con_ada"}),
    ("contact_read", {"contact_id": "con_late"}),
    ("email_search", {"query": "garden"}),
    ("email_search", {"query": "ada"}),
    ("contact_update", {"contact_id": "con_ada", "name": "Ada Cole"}),
    ("contact_update", {"contact_id": "con_ben", "notes": "garden"}),
    ("message_send", {"to": "con_ada", "text": "The garden is dug."}),
    ("message_search", {"query": "brandt"}),
    ("message_search", {"query": "garden"}),
]


def test_an_answer_given_before_belongs_to_who_asks(world: World) -> None:
    first = world.call("contact_read", {"contact_id": "con_ada"})
    first.value["name"] = "spoilt"
    again = world.call("contact_read", {"contact_id": "con_ada"})
    again.value["name"] = "spoilt, too"
    assert world.call("contact_read", {"contact_id": "con_ada"}).value["name"] == "Ada Brandt"


def test_a_write_a_later_hour_and_another_branch_are_answered_anew(world: World) -> None:
    branch = world.branch()
    assert not world.call("contact_read", {"contact_id": "con_late"}).ok
    world.now = LATE
    assert world.call("contact_read", {"contact_id": "con_late"}).ok
    assert not branch.call("contact_read", {"contact_id": "con_late"}).ok
    branch.call("contact_update", {"contact_id": "con_ada", "name": "Ada Cole"})
    assert branch.call("contact_read", {"contact_id": "con_ada"}).value["name"] == "Ada Cole"
    assert world.call("contact_read", {"contact_id": "con_ada"}).value["name"] == "Ada Brandt"


def test_a_refused_read_is_refused_again_with_the_same_words_and_logged(world: World) -> None:
    refusals = [world.call("contact_read", {"contact_id": "con_none"}) for _ in range(2)]
    assert refusals[0].error == refusals[1].error
    assert refusals[0].text().startswith("Error")
    assert [entry.ok for entry in world.log] == [False, False]


def test_the_name_a_message_was_written_under_depends_on_the_order_of_writes(world: World) -> None:
    renamed = world.branch()
    rename = ("contact_update", {"contact_id": "con_ada", "name": "Ada Cole"})
    send = ("message_send", {"to": "con_ada", "text": "Hello there."})
    for call in (send, rename):
        assert world.call(*call).ok
    for call in (rename, send):
        assert renamed.call(*call).ok
    assert world.state_hash() == renamed.state_hash()
    search = ("message_search", {"query": "cole hello"})
    assert [len(w.call(*search).value["hits"]) for w in (world, renamed)] == [0, 1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(range(len(CALLS))), max_size=12), st.lists(st.booleans(), max_size=12))
def test_worlds_that_share_answers_read_as_worlds_that_do_not(order: list[int], branches: list[bool]) -> None:
    shared = World.from_records(RECORDS, NOW)
    for _ in range(2):
        used, fresh = shared.branch(), World.from_records(RECORDS, NOW)
        for place, number in enumerate(order):
            if place < len(branches) and branches[place]:
                used = used.branch()
            mine, theirs = used.call(*CALLS[number]), fresh.call(*CALLS[number])
            assert mine.text() == theirs.text()
            assert mine == theirs
        assert used.state_hash() == fresh.state_hash()


def test_a_write_made_before_is_made_again_and_logged_with_its_changes(world: World) -> None:
    call = ("contact_update", {"contact_id": "con_ada", "name": "Ada Cole"})
    one, two = world.branch(), world.branch()
    assert one.call(*call) == two.call(*call)
    assert one.state_hash() == two.state_hash() != world.state_hash()
    for branch in (one, two):
        (entry,) = branch.log
        (change,) = entry.changes
        assert (change.before["name"], change.after["name"]) == ("Ada Brandt", "Ada Cole")
    one.call("contact_update", {"contact_id": "con_ada", "name": "Ada Dell"})
    assert two.call("contact_read", {"contact_id": "con_ada"}).value["name"] == "Ada Cole"


def test_a_lock_refuses_a_call_that_was_answered_before_it_was_set(world: World) -> None:
    call = ("message_send", {"to": "con_ada", "text": "Hello."})
    locked = world.branch()
    assert world.call(*call).ok
    locked.set_locks((Lock("lock", "message_send", {}),))
    assert not locked.call(*call).ok
    locked.open_lock("lock")
    assert locked.call(*call).ok


def test_lists_that_a_caller_changes_later_change_no_record(world: World) -> None:
    people = ["con_ada"]
    arguments = {"title": "Tea", "start": "2026-03-05T10:00", "end": "2026-03-05T11:00", "attendees": people}
    made = world.branch().call("calendar_event_create", arguments)
    people.append("con_ben")
    again = world.branch()
    again.call("calendar_event_create", {**arguments, "attendees": ["con_ada"]})
    assert again.call("calendar_event_read", {"event_id": made.value["id"]}).value["attendees"] == ["con_ada"]


def test_true_is_not_one() -> None:
    keys = [Answers.key("t", {"n": value}, NOW, EMPTY) for value in (1, True, 1.0, [1], (1,))]
    assert len(set(keys)) == 5


def test_the_oldest_answers_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mempa_gym.world.answers._MOST", 2)
    answers = Answers()
    for name in "abc":
        answers.put((name,), Answer(True, name, EMPTY, ()))
    assert answers.get(("a",)) is None
    assert answers.get(("c",)) == Answer(True, "c", EMPTY, ())
