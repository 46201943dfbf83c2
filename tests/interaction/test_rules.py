"""Each attribute under each setting (paper 000, E.3 and Table 4; the readings in the design notes)."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.tools import tool_name
from mempa_gym.interaction.wrapper import Delivered, UseError
from mempa_gym.taxonomy import attribute, attributes

R = "  The desk is booked, reference 20.\n"
PASS_THROUGH = [entry.id for entry in attributes() if entry.mechanisms == ("pass-through",)]


def parts(delivered: Delivered) -> list[str]:
    return [row.text for row in delivered.withheld]


# Mechanism 1: pass-through.


@pytest.mark.parametrize("name", PASS_THROUGH)
def test_pass_through_leaves_every_word(play: Any, name: str) -> None:
    for label in attribute(name).labels:
        game = play(name)
        assert game.select(name, label).ok
        assert not game.send(name, text="x").ok
        assert game.do("message_send", to="con_x", text="Hi").ran
        delivered = game.deliver(R)
        assert delivered.text == R
        assert delivered.withheld == ()
        assert delivered.missing == ()


def test_there_are_six_pass_through_attributes() -> None:
    assert len(PASS_THROUGH) == 6


# Mechanism 2: selective rendering.


@pytest.mark.parametrize(("label", "text"), [("Show", f"The log decided it.\n\n{R}"), ("Hide", R)])
def test_reasoning(play: Any, label: str, text: str) -> None:
    game = play("reasoning_visibility")
    game.select("reasoning_visibility", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    assert game.send("reasoning_visibility", rationale=" The log decided it. ").ok
    delivered = game.deliver(R)
    assert delivered.text == text
    assert parts(delivered) == ([] if label == "Show" else ["The log decided it."])
    assert delivered.missing == ()


@pytest.mark.parametrize(
    ("label", "text"),
    [("Express", f"{R}\n\n- It rains. (confidence: low)\n- It is cold. (confidence: high)"), ("Hide", R)],
)
def test_uncertainty(play: Any, label: str, text: str) -> None:
    game = play("uncertainty_expression")
    game.select("uncertainty_expression", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    rows = [{"claim": "It rains.", "confidence": "low"}, {"claim": "It is cold.", "confidence": "high"}]
    assert game.send("uncertainty_expression", statements=rows).ok
    delivered = game.deliver(R)
    assert delivered.text == text
    assert len(delivered.withheld) == (0 if label == "Express" else 2)
    assert not game.send("uncertainty_expression", statements=[{"claim": "It rains.", "confidence": "sure"}]).ok
    assert game.deliver(R).text == text


@pytest.mark.parametrize(
    ("label", "text", "withheld"),
    [
        ("Silent", R, ["Booking a desk.", "I read the list.", "I took desk 4.", "That is done."]),
        ("Bookend", f"Booking a desk.\n\n{R}\n\nThat is done.", ["I read the list.", "I took desk 4."]),
        ("Full narration", f"I read the list.\nI took desk 4.\n\n{R}\n\nThat is done.", ["Booking a desk."]),
    ],
)
def test_process(play: Any, label: str, text: str, withheld: list[str]) -> None:
    game = play("process_visibility")
    game.select("process_visibility", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    notices = ["I read the list.", "I took desk 4."]
    assert game.send("process_visibility", opening="Booking a desk.", notices=notices, closing="That is done.").ok
    delivered = game.deliver(R)
    assert delivered.text == text
    assert parts(delivered) == withheld


@pytest.mark.parametrize("label", attribute("process_visibility").labels)
def test_process_parts_may_be_left_out(play: Any, label: str) -> None:
    game = play("process_visibility")
    game.select("process_visibility", label)
    assert game.send("process_visibility", opening="", closing=None).ok
    assert game.deliver(R).text == R
    assert game.wrapper.missing() == ()


# Mechanism 3: delivery control.


@pytest.mark.parametrize(
    ("label", "text", "withheld"),
    [
        ("Organize", f"{R}\n\nRent: Due Friday.\n\nCat: Fed.\n\nCar: Fixed.", []),
        (
            "One-at-a-time",
            f"{R}\n\nRent: Due Friday.\n\nStill waiting: Cat, Car. Shall I go on with Cat?",
            ["Cat: Fed.", "Car: Fixed."],
        ),
    ],
)
def test_topics(play: Any, label: str, text: str, withheld: list[str]) -> None:
    game = play("topic_management")
    game.select("topic_management", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    rows = [{"label": "Rent", "text": "Due Friday."}, {"label": "Cat", "text": "Fed."}]
    rows.append({"label": "Car", "text": "Fixed."})
    assert game.send("topic_management", topics=rows).ok
    delivered = game.deliver(R)
    assert delivered.text == text
    assert parts(delivered) == withheld
    game.turn()
    assert game.wrapper.missing() == ()
    assert game.send("topic_management", topics=rows[2:]).ok
    assert game.deliver(R).text == f"{R}\n\nCar: Fixed."


@pytest.mark.parametrize(
    ("label", "payload", "reply", "text", "withheld"),
    [
        ("High", {"decision": "send", "text": "The train is off."}, "", "The train is off.", []),
        ("High", {"decision": "send", "text": "The train is off."}, R, f"The train is off.\n\n{R}", []),
        ("High", {"decision": "suppress", "text": "The train is off."}, "", "", ["The train is off."]),
        ("Low", {"decision": "send", "text": "The train is off."}, "", "", ["The train is off."]),
        ("Low", {"decision": "suppress"}, "", "", []),
        ("Low", {"decision": "suppress"}, R, R, []),
    ],
)
def test_outreach(play: Any, label: str, payload: dict[str, Any], reply: str, text: str, withheld: list[str]) -> None:
    game = play("proactive_outreach")
    game.turn(event="The 9:10 train was cancelled.")
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.SELECTION_MISSING]
    game.select("proactive_outreach", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.NO_OUTREACH_DECISION]
    assert game.send("proactive_outreach", **payload).ok
    delivered = game.deliver(reply)
    assert delivered.text == text
    assert parts(delivered) == withheld
    assert delivered.missing == ()


def test_outreach_is_decided_at_every_event_and_at_nothing_else(play: Any) -> None:
    game = play("proactive_outreach")
    game.turn(event="The 9:10 train was cancelled.")
    game.select("proactive_outreach", "High")
    game.send("proactive_outreach", decision="suppress")
    game.turn()
    assert game.wrapper.missing() == ()
    refused = game.send("proactive_outreach", decision="send", text="By the way.")
    assert not refused.ok
    assert game.deliver(R).text == R
    game.turn(event="It runs again.")
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.NO_OUTREACH_DECISION]


@pytest.mark.parametrize(
    ("label", "text", "withheld"),
    [
        ("Infer", R, ["Until when?", "Who?"]),
        ("Structured", f"{R}\n\n1. Until when?\n2. Who?", []),
        ("Iterative", f"{R}\n\nUntil when?", ["Who?"]),
    ],
)
def test_questions(play: Any, label: str, text: str, withheld: list[str]) -> None:
    game = play("information_elicitation")
    game.select("information_elicitation", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    assert game.send("information_elicitation", questions=["Until when?", "Who?"]).ok
    delivered = game.deliver(R)
    assert delivered.text == text
    assert parts(delivered) == withheld


# Mechanism 4: execution control.


@pytest.mark.parametrize(
    ("label", "held"),
    [
        ("Reactive", {"email_draft_create", "contact_update", "document_delete", "message_send"}),
        ("Self-directed", {"document_delete", "message_send"}),
        ("Autonomous", set()),
    ],
)
def test_autonomy(play: Any, label: str, held: set[str]) -> None:
    game = play("autonomy_level")
    assert game.do("message_send", to="con_x", text="before the selection").ran
    game.select("autonomy_level", label)
    for tool in ("message_read", "place_search", "email_draft_create", "contact_update", "document_delete"):
        step = game.do(tool, path="a")
        assert step.ok
        assert step.ran == (tool not in held)
    step = game.do("message_send", to="con_x", text="Hi")
    assert step.ran == (label == "Autonomous")
    assert {item.tool for item in game.wrapper.held} == held
    assert {item.tool for item in game.wrapper.held_now} == held
    assert [row.cause for row in game.wrapper.missing()] == ([FloorCause.HELD_UNASKED] if held else [])
    asked = game.send("autonomy_level", confirm="Shall I?")
    assert asked.ok == bool(held)
    delivered = game.deliver(R)
    assert delivered.text == (f"{R}\n\nShall I?" if held else R)
    assert delivered.missing == ()
    game.turn()
    assert game.wrapper.missing() == (), "only newly held actions have to be asked about"


def test_a_call_that_one_rule_lets_run_is_still_held_by_another(play: Any) -> None:
    game = play("autonomy_level", "capability_boundary", "information_elicitation")
    game.select("autonomy_level", "Reactive")
    game.select("capability_boundary", "Suggest alternatives")
    game.select("information_elicitation", "Infer")
    step = game.do("message_send", to="con_x", text="Hi")
    assert (step.ok, step.ran) == (True, False)
    game = play("autonomy_level", "information_elicitation")
    game.select("autonomy_level", "Reactive")
    game.select("information_elicitation", "Iterative")
    assert not game.do("message_send", to="con_x", text="Hi").ok
    assert game.wrapper.held == (), "a call that is kept back is not held as well"


def test_a_held_call_is_not_an_error_and_says_what_to_do(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Reactive")
    step = game.do("message_send", to="con_x", text="Hi")
    assert step.ok
    assert '"status": "held", "item_id": "h1"' in step.text
    assert "IX_release" in step.text
    assert game.wrapper.held[0].description == "message_send to con_x: 'Hi'"


@pytest.mark.parametrize(("label", "tries"), [("Suggest alternatives", True), ("Find and hand off", False)])
def test_capability(play: Any, label: str, tries: bool) -> None:
    game = play("capability_boundary")
    game.refuses = {"message_send"}
    assert game.do("message_send", to="con_x", text="Hi").text.startswith("Error")
    game.select("capability_boundary", label)
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.PAYLOAD_MISSING]
    assert game.do("message_read", message_id="m").ran
    for tool in ("place_search", "contact_update", "email_draft_create"):
        step = game.do(tool, query="a")
        assert step.ran == tries
        assert step.ok == tries
        assert tries or step.text.startswith("Error")
    assert game.wrapper.held == ()
    assert game.send("capability_boundary", limit="It is sold out.", next_step="You could ring them.").ok
    assert game.deliver(R).text == f"It is sold out.\n\n{R}\n\nYou could ring them."
    assert game.send("capability_boundary", limit="It is sold out.").ok
    assert game.deliver(R).text == f"It is sold out.\n\n{R}"
    game.turn()
    assert game.do("place_search", query="a").ran, "the next turn is free again"


@pytest.mark.parametrize("label", attribute("capability_boundary").labels)
def test_capability_keeps_nothing_back_while_the_direct_way_is_open(play: Any, label: str) -> None:
    game = play("capability_boundary")
    game.select("capability_boundary", label)
    assert game.do("place_search", query="a").ran
    assert game.do("message_send", to="con_x", text="Hi").ran


@pytest.mark.parametrize("label", ["Structured", "Iterative"])
def test_an_asking_turn_runs_no_task_call(play: Any, label: str) -> None:
    game = play("information_elicitation")
    game.select("information_elicitation", label)
    assert game.do("message_read", message_id="m").ran
    assert not game.do("email_draft_create", body="a").ok, "before the payload"
    game.send("information_elicitation", questions=["Until when?"])
    assert not game.do("email_draft_create", body="a").ok, "in a turn that asks"
    assert game.do("place_search", query="a").ran
    game.turn()
    assert game.wrapper.missing() == ()
    step = game.do("message_send", to="con_x", text="Hi")
    assert step.text.startswith("Error")
    assert game.send("information_elicitation", questions=[]).ok
    assert game.do("message_send", to="con_x", text="Hi").ran
    assert not game.send("information_elicitation", questions=["And who?"]).ok, "a turn that acted asks nothing"
    assert game.deliver(R).text == R
    assert [tool for tool, _ in game.ran] == ["message_read", "place_search", "message_send"]


def test_infer_runs_task_calls_in_its_first_turn(play: Any) -> None:
    game = play("information_elicitation")
    game.select("information_elicitation", "Infer")
    assert game.do("contact_update", contact_id="c").ran
    assert game.send("information_elicitation", questions=[]).ok
    assert game.deliver(R).text == R
    assert game.wrapper.missing() == ()


def test_a_refused_task_call_leaves_the_turn_free_to_ask(play: Any) -> None:
    game = play("information_elicitation")
    game.refuses = {"message_send"}
    game.select("information_elicitation", "Iterative")
    game.send("information_elicitation", questions=[])
    assert not game.do("message_send", to="con_x", text="Hi").ok
    assert game.send("information_elicitation", questions=["Until when?"]).ok
    assert game.deliver(R).text == f"{R}\n\nUntil when?"


def test_task_calls_before_the_selection_do_not_bind_it(play: Any) -> None:
    game = play("information_elicitation")
    assert game.do("contact_update", contact_id="c").ran
    game.select("information_elicitation", "Structured")
    assert game.send("information_elicitation", questions=["Until when?"]).ok


# The selection itself (paper 000, E.2).


def test_before_the_selection_everything_passes_unchanged(play: Any) -> None:
    for entry in attributes():
        game = play(entry.id)
        for tool in ("message_read", "email_draft_create", "document_delete", "message_send"):
            assert game.do(tool, path="a").ran
        assert game.deliver(R).text == R
        assert game.deliver("").text == ""


def test_a_second_selection_changes_nothing(play: Any) -> None:
    for entry in attributes():
        game = play(entry.id)
        first, other = entry.labels[0], entry.labels[-1]
        game.select(entry.id, first)
        before = game.wrapper.get_state()
        for label in (other, first):
            outcome = game.wrapper.use(tool_name(entry.id), {"setting": label})
            assert outcome.error is UseError.ALREADY_SELECTED
            assert outcome.text.startswith("Error")
        assert game.wrapper.get_state() == before
        assert dict(game.wrapper.selected) == {entry.id: first}


def test_the_setting_holds_in_later_turns(play: Any) -> None:
    game = play("reasoning_visibility")
    game.select("reasoning_visibility", "Hide")
    game.turn()
    assert game.wrapper.missing() == ()
    assert game.send("reasoning_visibility", rationale="Because.").ok
    assert game.deliver(R).text == R
    assert game.wrapper.offered == ()


def test_a_payload_belongs_to_its_turn(play: Any) -> None:
    game = play("reasoning_visibility")
    game.select("reasoning_visibility", "Show")
    game.send("reasoning_visibility", rationale="Because.")
    game.turn()
    assert game.deliver(R).text == R


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("reasoning_visibility", {"rationale": ""}),
        ("uncertainty_expression", {"statements": []}),
        ("process_visibility", {}),
        ("information_elicitation", {"questions": []}),
        ("topic_management", {"topics": []}),
    ],
)
def test_an_empty_payload_is_sent_and_shows_nothing(play: Any, name: str, payload: dict[str, Any]) -> None:
    for label in attribute(name).labels:
        game = play(name)
        game.select(name, label)
        assert game.send(name, **payload).ok
        assert game.deliver(R) == Delivered(R)


def test_the_last_payload_of_a_turn_counts(play: Any) -> None:
    game = play("reasoning_visibility")
    game.select("reasoning_visibility", "Show")
    game.send("reasoning_visibility", rationale="First.")
    game.send("reasoning_visibility", rationale="Second.")
    assert game.deliver("R").text == "Second.\n\nR"


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("IX_verbosity", {"setting": "Terse"}, UseError.NOT_OFFERED),
        ("IX_reasoning_visibility", {"payload": {"rationale": "Because."}}, UseError.NOT_SELECTED),
        ("IX_reasoning_visibility", {"setting": "Shown"}, UseError.BAD_ARGUMENTS),
        ("IX_reasoning_visibility", '{"setting": "Show"', UseError.BAD_ARGUMENTS),
        ("IX_reasoning", {"setting": "Show"}, UseError.UNKNOWN_TOOL),
        ("IX_Reasoning_Visibility", {"setting": "Show"}, UseError.UNKNOWN_TOOL),
        ("IX_", "", UseError.UNKNOWN_TOOL),
        ("IX_release", {"item_id": "h1"}, UseError.UNKNOWN_ITEM),
        ("IX_release", {"item": "h1"}, UseError.BAD_ARGUMENTS),
    ],
)
def test_a_bad_call_is_an_error_result_without_effect(
    play: Any, tool: str, arguments: dict[str, Any] | str, error: UseError
) -> None:
    game = play("reasoning_visibility")
    outcome = game.wrapper.use(tool, arguments)
    assert (outcome.ok, outcome.error, outcome.release) == (False, error, None)
    assert outcome.text.startswith("Error: ")
    assert dict(game.wrapper.selected) == {}
    assert game.wrapper.items == ()
    assert game.deliver(R).text == R


def test_offering_is_in_order_and_once(play: Any) -> None:
    game = play("verbosity", "tone_formality", "verbosity")
    assert game.wrapper.offered == ("verbosity", "tone_formality")
    game.select("verbosity", "Terse")
    game.wrapper.offer("verbosity")
    assert game.wrapper.offered == ("tone_formality",)
    assert [row.attribute for row in game.wrapper.missing()] == ["tone_formality"]


def test_a_tried_selection_is_incorrect_and_not_floored(play: Any) -> None:
    game = play("verbosity")
    assert [row.cause for row in game.wrapper.missing()] == [FloorCause.SELECTION_MISSING]
    game.select("verbosity", "Short")
    (missing,) = game.wrapper.missing()
    assert missing.cause is None
    assert "IX_verbosity" in missing.text
    game.select("verbosity", "Terse")
    assert game.wrapper.missing() == ()


def test_several_attributes_compose_in_published_order(play: Any) -> None:
    game = play("topic_management", "reasoning_visibility", "process_visibility", "capability_boundary")
    game.select("topic_management", "Organize")
    game.select("capability_boundary", "Suggest alternatives")
    game.select("process_visibility", "Bookend")
    game.select("reasoning_visibility", "Show")
    game.send("topic_management", topics=[{"label": "Rent", "text": "Due."}])
    game.send("capability_boundary", limit="Limit.", next_step="Next.")
    game.send("process_visibility", opening="Opening.", closing="Closing.")
    game.send("reasoning_visibility", rationale="Rationale.")
    assert game.deliver("R").text.split("\n\n") == [
        "Rationale.",
        "Opening.",
        "Limit.",
        "R",
        "Closing.",
        "Next.",
        "Rent: Due.",
    ]


@pytest.mark.parametrize(
    ("cause", "rerun"),
    [
        (FloorCause.SELECTION_MISSING, True),
        (FloorCause.PAYLOAD_MISSING, True),
        (FloorCause.HELD_UNASKED, True),
        (FloorCause.NO_OUTREACH_DECISION, False),
        (FloorCause.INTERACTION_TEXT, False),
    ],
)
def test_which_floors_are_run_again(cause: FloorCause, rerun: bool) -> None:
    assert cause.rerun is rerun
