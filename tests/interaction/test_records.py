"""What a memory may keep: canaries in everything that is held, refused, withheld or replaced must not come through."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from mempa_gym.interaction.views import Step


def dump(steps: tuple[Step, ...]) -> str:
    return json.dumps([asdict(step) for step in steps], default=dict)


def test_calls_that_ran_and_the_selection_are_kept_whole(play: Any) -> None:
    game = play("verbosity")
    game.select("verbosity", "Terse")
    game.do("message_send", to="con_x", text="Hi")
    game.refuses = {"contact_update"}
    game.do("contact_update", contact_id="con_x")
    assert game.wrapper.record_steps(game.steps) == tuple(game.steps)


def test_a_held_call_leaves_its_name_and_its_state(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Reactive")
    game.do("message_send", to="con_x", text="ZEBRA-17")
    game.send("autonomy_level", confirm="Shall I send it?")
    record = game.wrapper.record_steps(game.steps)
    assert record[1] == Step("message_send", {}, True, '{"status": "held"}', False)
    assert record[2].arguments == {"payload": {"confirm": "Shall I send it?"}}
    assert "ZEBRA-17" not in dump(record)

    game.turn(consent={"h1": True})
    game.do("IX_release", item_id="h1")
    game.do("IX_release", item_id="h1")
    record = game.wrapper.record_steps(game.steps)
    assert record[0] == Step("message_send", {"to": "con_x", "text": "ZEBRA-17"}, True, '{"id": "x"}', True)
    assert (record[1].tool, record[1].arguments, record[1].ok) == ("IX_release", {}, False)


def test_a_denied_call_never_comes_through(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Reactive")
    game.do("message_send", to="con_x", text="ZEBRA-17")
    texts = [dump(game.wrapper.record_steps(game.steps))]
    game.turn(consent={"h1": False})
    game.do("IX_release", item_id="h1")
    game.do("message_send", to="con_x", text="ZEBRA-17")
    texts.append(dump(game.wrapper.record_steps(game.steps)))
    assert not any("ZEBRA-17" in text for text in texts)


def test_a_call_kept_back_leaves_no_arguments(play: Any) -> None:
    game = play("information_elicitation")
    game.select("information_elicitation", "Iterative")
    game.do("message_send", to="con_x", text="ZEBRA-17")
    record = game.wrapper.record_steps(game.steps)
    assert (record[1].tool, record[1].arguments, record[1].ok, record[1].ran) == ("message_send", {}, False, False)
    assert "ZEBRA-17" not in dump(record)


def test_of_a_payload_only_what_was_delivered(play: Any) -> None:
    cases: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        ("reasoning_visibility", "Hide", {"rationale": "ZEBRA-17"}, {}),
        ("reasoning_visibility", "Show", {"rationale": "a"}, {"rationale": "a"}),
        ("uncertainty_expression", "Hide", {"statements": [{"claim": "ZEBRA-17", "confidence": "low"}]}, {}),
        (
            "process_visibility",
            "Bookend",
            {"opening": "a", "notices": ["ZEBRA-17"], "closing": "b"},
            {"opening": "a", "closing": "b"},
        ),
        ("process_visibility", "Silent", {"opening": "ZEBRA-17", "notices": ["ZEBRA-17"]}, {}),
        ("information_elicitation", "Infer", {"questions": ["ZEBRA-17"]}, {"questions": []}),
        ("information_elicitation", "Iterative", {"questions": ["a", "ZEBRA-17"]}, {"questions": ["a"]}),
        (
            "topic_management",
            "One-at-a-time",
            {"topics": [{"label": "a", "text": "b"}, {"label": "c", "text": "ZEBRA-17"}]},
            {"topics": [{"label": "a", "text": "b"}], "waiting": ["c"]},
        ),
        ("proactive_outreach", "Low", {"decision": "send", "text": "ZEBRA-17"}, {"decision": "send"}),
        ("proactive_outreach", "High", {"decision": "suppress", "text": "ZEBRA-17"}, {"decision": "suppress"}),
    ]
    for attribute, label, payload, kept in cases:
        game = play(attribute)
        game.turn(event="It rains.")
        game.select(attribute, label)
        game.send(attribute, **payload)
        record = game.wrapper.record_steps(game.steps)
        assert record[0] == game.steps[0], "the selection call is kept"
        assert record[1].arguments == {"payload": kept}
        assert "ZEBRA-17" not in dump(record)
        assert "ZEBRA-17" not in game.deliver("R").text


def test_a_replaced_or_rejected_payload_leaves_nothing(play: Any) -> None:
    game = play("reasoning_visibility")
    game.send("reasoning_visibility", rationale="ZEBRA-17")
    game.select("reasoning_visibility", "ZEBRA-17")
    game.select("reasoning_visibility", "Show")
    game.send("reasoning_visibility", rationale="ZEBRA-17")
    game.send("reasoning_visibility", rationale="shown")
    game.send("reasoning_visibility", rationale="ZEBRA-17", more="x")
    game.send("reasoning_visibility", rationale=["ZEBRA-17"])
    record = game.wrapper.record_steps(game.steps)
    assert "ZEBRA-17" not in dump(record)
    assert [step.ok for step in record] == [step.ok for step in game.steps]
    assert record[3].arguments == {"payload": {}}
    assert record[4].arguments == {"payload": {"rationale": "shown"}}


def test_a_release_refused_now_and_run_later_in_the_turn(play: Any) -> None:
    game = play("autonomy_level", "information_elicitation")
    game.select("autonomy_level", "Self-directed")
    game.do("message_send", to="con_x", text="one")
    game.turn(consent={"h1": True})
    game.select("information_elicitation", "Structured")
    game.do("IX_release", item_id="h1")
    game.send("information_elicitation", questions=[])
    game.do("IX_release", item_id="h1")
    record = game.wrapper.record_steps(game.steps)
    assert [step.tool for step in record] == [
        "IX_information_elicitation",
        "IX_release",
        "IX_information_elicitation",
        "message_send",
    ]
