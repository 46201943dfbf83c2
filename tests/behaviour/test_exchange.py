from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any

import pytest

from mempa_gym.behaviour import criteria, observe
from mempa_gym.errors import DataError, UnknownNameError

GOOD: dict[str, Any] = {
    "user_message": "Is the room free?",
    "event": None,
    "task": None,
    "turns": [
        {
            "reply": "Yes, until noon.",
            "executed": [{"tool": "room_booking_search", "kind": "read", "args_summary": "room 4", "ok": True}],
            "held": [],
            "user_next": None,
        }
    ],
}


def changed(path: str, value: Any = None, drop: bool = False) -> dict[str, Any]:
    exchange = copy.deepcopy(GOOD)
    place: Any = exchange
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in way:
        place = place[part]
    if drop:
        del place[last]
    else:
        place[last] = value
    return exchange


@pytest.mark.parametrize(
    ("exchange", "key"),
    [
        (changed("user_message", drop=True), "user_message"),
        (changed("user_message", 3), "user_message"),
        (changed("event", 3), "event"),
        (changed("task", []), "task"),
        (changed("turns", drop=True), "turns"),
        (changed("turns", "none"), "turns"),
        (changed("turns.0", "none"), "turns[0]"),
        (changed("turns.0.reply", drop=True), "turns[0].reply"),
        (changed("turns.0.reply", None), "turns[0].reply"),
        (changed("turns.0.executed", {}), "turns[0].executed"),
        (changed("turns.0.executed.0", "read"), "turns[0].executed[0]"),
        (changed("turns.0.executed.0.tool", drop=True), "turns[0].executed[0].tool"),
        (changed("turns.0.executed.0.kind", drop=True), "turns[0].executed[0].kind"),
        (changed("turns.0.executed.0.kind", "write"), "turns[0].executed[0].kind"),
        (changed("turns.0.executed.0.ok", "yes"), "turns[0].executed[0].ok"),
        (changed("turns.0.executed.0.args_summary", {}), "turns[0].executed[0].args_summary"),
        (changed("turns.0.held", [1]), "turns[0].held"),
        (changed("turns.0.user_next", 1), "turns[0].user_next"),
        (changed("task", {"fields": [3]}), "task.fields[0]"),
        (changed("task", {"terms": 3}), "task.terms"),
        (changed("task", {"blocked": 3}), "task.blocked"),
        ([], ""),
    ],
)
def test_a_malformed_exchange_is_refused_with_its_place(exchange: Any, key: str) -> None:
    with pytest.raises(DataError) as error:
        observe("verbosity", exchange)
    assert error.value.key == key


def test_an_unknown_action_class_is_answered_with_the_near_one() -> None:
    with pytest.raises(DataError, match="Did you mean 'routine_record'"):
        observe("verbosity", changed("turns.0.executed.0.kind", "routine_records"))


def test_what_may_be_left_out_may_be_left_out() -> None:
    short = {"user_message": "Is the room free?", "turns": [{"reply": "Yes, until noon."}]}
    assert observe("verbosity", short).setting == "Terse"


def test_frozen_mappings_and_tuples_are_read_as_well() -> None:
    turn = MappingProxyType(
        {**GOOD["turns"][0], "executed": tuple(map(MappingProxyType, GOOD["turns"][0]["executed"]))}
    )
    frozen = MappingProxyType({**GOOD, "turns": (turn,), "task": MappingProxyType({"terms": ("room",)})})
    assert observe("verbosity", frozen) == observe("verbosity", GOOD)


def test_fields_and_topics_may_be_bare_names() -> None:
    task = {"fields": ["day", "number of guests"], "topics": ["Rent", "Keys"]}
    asked = {**GOOD, "task": task, "turns": [{"reply": "1. Which day?\n2. What number of guests?"}]}
    assert observe("information_elicitation", asked).setting == "Structured"


def test_tools_keep_their_meaning_under_the_servers_prefix() -> None:
    turn = {
        "reply": "That did not work, the seat is gone.",
        "executed": [
            {"tool": "mcp_state_flight_book", "kind": "outward", "args_summary": "9:00", "ok": False},
            {"tool": "mcp_state_flight_search", "kind": "read", "args_summary": "10:00"},
        ],
    }
    assert observe("capability_boundary", {**GOOD, "turns": [turn]}).setting == "Suggest alternatives"


def test_an_unknown_name_is_answered_with_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'verbosity'"):
        observe("verbositi", GOOD)
    with pytest.raises(UnknownNameError, match="Did you mean 'Terse'"):
        criteria("verbosity", "terse", GOOD)


def test_without_a_turn_nothing_shows() -> None:
    shown = observe("verbosity", {**GOOD, "turns": []})
    assert shown.setting is None
    assert set(shown.scores.values()) == {0.0}
    assert criteria("verbosity", "Terse", {**GOOD, "turns": []}) == ()


def test_criteria_name_each_requirement_and_add_up_to_the_score() -> None:
    for label in ("Terse", "Detailed"):
        rows = criteria("verbosity", label, GOOD)
        assert all(row.name and 0 <= row.weight <= 1 for row in rows)
        lost = sum(row.weight for row in rows if not row.met)
        assert observe("verbosity", GOOD).scores[label] == pytest.approx(max(0.0, 1 - lost))
