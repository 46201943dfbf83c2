"""Reads are remembered across worlds of one base; nobody may notice but by the clock."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.world import World
from mempa_gym.world.answers import Answers

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


def test_true_is_not_one() -> None:
    keys = [Answers.key("t", {"n": value}, NOW, (0, 0)) for value in (1, True, 1.0)]
    assert len(set(keys)) == 3
    assert Answers.key("t", {"n": [1]}, NOW, (0, 0)) is None


def test_the_oldest_answers_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mempa_gym.world.answers._MOST", 2)
    answers = Answers()
    for name in "abc":
        answers.put((name,), True, name)
    assert answers.get(("a",)) is None
    assert answers.get(("c",)) == (True, "c")
