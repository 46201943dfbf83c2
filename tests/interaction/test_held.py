"""Held items: consent means one exact call, and one call means one effect."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.errors import ArgumentError, UnknownNameError
from mempa_gym.interaction.held import HeldState, call_key
from mempa_gym.interaction.wrapper import UseError


def holding(play: Any, *texts: str, to: str = "con_ana") -> Any:
    game = play("autonomy_level")
    game.select("autonomy_level", "Self-directed")
    for text in texts:
        assert not game.do("message_send", to=to, text=text).ran
    game.send("autonomy_level", confirm="Shall I send them?")
    return game


def sent(game: Any) -> list[str]:
    return [arguments["text"] for tool, arguments in game.ran if tool == "message_send"]


def test_three_calls_two_held_approved_out_of_order(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Self-directed")
    assert game.do("contact_update", contact_id="con_ana", notes="moved").ran
    assert not game.do("message_send", to="con_ana", text="one").ran
    assert not game.do("message_send", to="con_ben", text="two").ran
    game.send("autonomy_level", confirm="Shall I send both?")
    assert [tool for tool, _ in game.ran] == ["contact_update"]
    assert [item.id for item in game.wrapper.held] == ["h1", "h2"]

    game.turn(consent={"h2": True})
    assert not game.do("IX_release", item_id="h1").ok
    assert game.do("IX_release", item_id="h2").ok
    assert [item.id for item in game.wrapper.held] == ["h1"]
    game.turn(consent={"h1": True})
    assert game.do("IX_release", item_id="h1").ok
    assert sent(game) == ["two", "one"]

    for _ in range(2):
        game.turn(consent={"h1": True, "h2": True})
        for item_id in ("h1", "h2"):
            outcome = game.wrapper.use("IX_release", {"item_id": item_id})
            assert (outcome.ok, outcome.error, outcome.release) == (False, UseError.ALREADY_RELEASED, None)
    assert sent(game) == ["two", "one"]
    assert [tool for tool, _ in game.ran].count("contact_update") == 1
    assert game.wrapper.held == ()


def test_approval_is_bound_to_the_exact_call(play: Any) -> None:
    game = holding(play, "10:00")
    game.turn()
    game.do("message_send", to="con_ana", text="11:00")
    assert [item.id for item in game.wrapper.held] == ["h1", "h2"]
    game.turn(consent={"h1": True})
    assert game.wrapper.use("IX_release", {"item_id": "h2"}).error is UseError.NOT_CONSENTED
    assert game.do("IX_release", item_id="h1").ok
    assert sent(game) == ["10:00"]
    assert [(item.id, item.state) for item in game.wrapper.held] == [("h2", HeldState.HELD)]


def test_reissuing_a_pending_call_gives_the_same_item(play: Any) -> None:
    game = holding(play, "10:00")
    again = game.do("message_send", text="10:00", to="con_ana")
    assert '"item_id": "h1"' in again.text
    game.turn(consent={"h1": True})
    after_consent = game.do("message_send", to="con_ana", text="10:00")
    assert (after_consent.ran, after_consent.ok) == (False, True)
    assert '"item_id": "h1"' in after_consent.text
    assert len(game.wrapper.items) == 1
    assert game.wrapper.held_now == ()
    assert game.wrapper.missing() == ()
    assert game.do("IX_release", item_id="h1").ok
    assert sent(game) == ["10:00"]


@pytest.mark.parametrize("end", ["released", "denied"])
def test_an_identical_call_after_the_end_of_an_item_is_a_new_one(play: Any, end: str) -> None:
    game = holding(play, "10:00")
    game.turn(consent={"h1": end == "released"})
    game.do("IX_release", item_id="h1")
    step = game.do("message_send", to="con_ana", text="10:00")
    assert (step.ran, '"item_id": "h2"' in step.text) == (False, True)
    assert not game.do("IX_release", item_id="h2").ok


def test_values_that_only_look_equal_are_other_calls() -> None:
    keys = [call_key({"a": value}) for value in (1, True, "1", 1.5, None, ["1"], {"1": 1}, "é", "e\u0301")]
    assert len(set(keys)) == len(keys)
    assert call_key({"a": 1, "b": 2}) == call_key({"b": 2, "a": 1})


def test_what_runs_is_what_was_held(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Reactive")
    people = ["con_ana"]
    arguments: dict[str, Any] = {"to": people, "subject": "Rota", "body": "Ten o'clock."}
    game.wrapper.gate("email_draft_create", arguments, "draft")
    people.append("con_boss")
    arguments["body"] = "Never."
    (item,) = game.wrapper.held
    item.arguments["to"].append("con_boss")
    assert item.arguments == {"to": ["con_ana"], "subject": "Rota", "body": "Ten o'clock."}
    assert "Ten o'clock." in item.description


@pytest.mark.parametrize(
    ("item_id", "error"),
    [
        ("h9", UseError.UNKNOWN_ITEM),
        ("H1", UseError.UNKNOWN_ITEM),
        (" h1", UseError.UNKNOWN_ITEM),
        ("", UseError.UNKNOWN_ITEM),
        ("h1", UseError.NOT_CONSENTED),
        ("h2", UseError.DENIED),
    ],
)
def test_a_wrong_release_is_a_typed_error_without_effect(play: Any, item_id: str, error: UseError) -> None:
    game = holding(play, "one", "two")
    game.turn(consent={"h2": False})
    items = game.wrapper.items
    outcome = game.wrapper.use("IX_release", {"item_id": item_id})
    assert (outcome.ok, outcome.error, outcome.release) == (False, error, None)
    assert outcome.text.startswith("Error: ")
    assert game.wrapper.items == items
    assert game.ran == []


def test_items_of_another_session_are_unknown(play: Any) -> None:
    holding(play, "one")
    assert play().wrapper.use("IX_release", {"item_id": "h1"}).error is UseError.UNKNOWN_ITEM


def test_a_release_is_spent_even_when_the_world_refuses_it(play: Any) -> None:
    game = holding(play, "one")
    game.refuses = {"message_send"}
    game.turn(consent={"h1": True})
    assert game.do("IX_release", item_id="h1").text == "Error: sold out."
    game.refuses = set()
    assert game.wrapper.use("IX_release", {"item_id": "h1"}).error is UseError.ALREADY_RELEASED
    assert game.ran == []


def test_a_consent_can_be_taken_back_until_the_release(play: Any) -> None:
    game = holding(play, "one")
    game.turn(consent={"h1": True})
    game.turn(consent={"h1": False})
    assert game.wrapper.use("IX_release", {"item_id": "h1"}).error is UseError.DENIED
    game.turn(consent={"h1": True})
    assert game.wrapper.use("IX_release", {"item_id": "h1"}).error is UseError.DENIED


def test_decisions_on_nothing_are_refused_as_a_whole(play: Any) -> None:
    game = holding(play, "one")
    with pytest.raises(UnknownNameError, match="h1"):
        game.wrapper.apply_consent({"h1": True, "h7": True})
    with pytest.raises(ArgumentError, match="True or False"):
        game.wrapper.apply_consent({"h1": "yes"})
    assert [item.state for item in game.wrapper.items] == [HeldState.HELD]


def test_a_release_waits_for_a_turn_that_asks_nothing(play: Any) -> None:
    game = play("autonomy_level", "information_elicitation")
    game.select("autonomy_level", "Self-directed")
    game.do("message_send", to="con_ana", text="one")
    game.turn(consent={"h1": True})
    game.select("information_elicitation", "Structured")
    game.send("information_elicitation", questions=["When?"])
    assert game.wrapper.use("IX_release", {"item_id": "h1"}).error is UseError.NOT_NOW
    game.turn()
    game.send("information_elicitation", questions=[])
    assert game.do("IX_release", item_id="h1").ok
    assert sent(game) == ["one"]


def test_notices_are_what_the_agent_may_see(play: Any) -> None:
    game = holding(play, "one")
    (notice,) = [item.notice() for item in game.wrapper.held]
    assert (notice.item_id, notice.tool, notice.description) == ("h1", "message_send", "message_send to con_ana: 'one'")
