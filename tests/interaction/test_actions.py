from __future__ import annotations

import json
from typing import Any

import pytest

from mempa_gym.errors import UnknownNameError
from mempa_gym.interaction import actions
from mempa_gym.interaction.payloads import ConfirmPayload
from mempa_gym.interaction.policies import Reply, ToolUse
from mempa_gym.interaction.views import PublicTurn, Step


def test_actions_from_names_and_models() -> None:
    assert actions.call("message_send", to="con_x", text="Hi") == ToolUse("message_send", {"to": "con_x", "text": "Hi"})
    assert actions.call("message_send", {"to": "con_x"}, text="Hi") == actions.call(
        "message_send", to="con_x", text="Hi"
    )
    assert actions.call("place_search") == ToolUse("place_search", {})
    assert actions.call("place_search", '{"query": ') == ToolUse("place_search", '{"query": ')
    assert actions.select("autonomy_level", "Reactive") == ToolUse("IX_autonomy_level", {"setting": "Reactive"})
    assert actions.send_payload("autonomy_level", ConfirmPayload(confirm="Shall I?")) == ToolUse(
        "IX_autonomy_level", {"payload": {"confirm": "Shall I?"}}
    )
    assert actions.release("h1") == ToolUse("IX_release", {"item_id": "h1"})
    assert actions.reply("Done.") == Reply("Done.")
    with pytest.raises(UnknownNameError, match="autonomy_level"):
        actions.select("autonomy", "Reactive")


def test_a_message_with_several_calls_is_several_actions_in_order() -> None:
    message = {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "place_search", "arguments": '{"query": "x"}'}},
            {"id": "b", "type": "function", "function": {"name": "weather_forecast_read", "arguments": ""}},
            {"id": "c", "type": "function", "function": {"name": "IX_verbosity", "arguments": {"setting": "Terse"}}},
        ],
    }
    assert actions.from_openai(message) == (
        ToolUse("place_search", '{"query": "x"}'),
        ToolUse("weather_forecast_read", {}),
        ToolUse("IX_verbosity", {"setting": "Terse"}),
    )


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "assistant", "content": "Done."}, Reply("Done.")),
        ({"content": "Done.", "tool_calls": []}, Reply("Done.")),
        ({"content": "Done.", "tool_calls": None}, Reply("Done.")),
        (
            {"content": [{"type": "text", "text": "Do"}, {"type": "image"}, {"type": "text", "text": "ne."}]},
            Reply("Done."),
        ),
        ({"content": None, "refusal": "I can't."}, Reply("I can't.")),
        ({}, Reply("")),
        (None, Reply("")),
        ("Done.", Reply("")),
        ({"content": 3}, Reply("")),
        ({"tool_calls": "x", "content": "Done."}, Reply("Done.")),
        ({"tool_calls": [{}]}, ToolUse("", {})),
        ({"tool_calls": [None]}, ToolUse("", {})),
        ({"tool_calls": [{"function": {"name": 3, "arguments": "{}"}}]}, ToolUse("", "{}")),
        ({"tool_calls": [{"function": {"name": "a", "arguments": "{"}}]}, ToolUse("a", "{")),
        ({"tool_calls": [{"function": {"name": "a", "arguments": [1]}}]}, ToolUse("a", "[1]")),
        ({"function_call": {"name": "a", "arguments": "{}"}}, ToolUse("a", "{}")),
    ],
)
def test_whatever_a_model_sends_becomes_an_action(message: Any, expected: Reply | ToolUse) -> None:
    assert actions.from_openai(message) == (expected,)


def test_a_clients_object_is_read_like_its_mapping() -> None:
    class Message:
        def model_dump(self) -> dict[str, Any]:
            return {"content": "Done."}

    assert actions.from_openai(Message()) == (Reply("Done."),)


def test_malformed_output_ends_as_error_results(play: Any) -> None:
    game = play("verbosity")
    sent = [
        '{"setting": ',
        "[1]",
        '{"setting": "Terse", "setting": "Detailed"}',
        '"Terse"',
        '{"setting": null}',
        "\ud800",
    ]
    for arguments in sent:
        message = {"tool_calls": [{"function": {"name": "IX_verbosity", "arguments": arguments}}]}
        (action,) = actions.from_openai(message)
        assert isinstance(action, ToolUse)
        assert not game.wrapper.use(action.tool, action.arguments).ok
    assert dict(game.wrapper.selected) == {}


def test_actions_come_back_from_their_message() -> None:
    given = (ToolUse("place_search", {"query": "é"}), ToolUse("IX_release", {"item_id": "h1"}))
    message = actions.assistant_message(given, first=7)
    assert [row["id"] for row in message["tool_calls"]] == ["call_0007", "call_0008"]
    assert message["content"] is None
    json.dumps(message)
    back = actions.from_openai(message)
    assert [(use.tool, json.loads(use.arguments)) for use in back] == [(use.tool, use.arguments) for use in given]  # type: ignore[union-attr,arg-type]
    assert actions.from_openai(actions.assistant_message(Reply("Done."))) == (Reply("Done."),)
    assert actions.assistant_message([]) == {"role": "assistant", "content": ""}
    assert actions.assistant_message(ToolUse("a", "{broken"))["tool_calls"][0]["function"]["arguments"] == "{broken"


def check_history(messages: list[dict[str, Any]]) -> None:
    """Every call id is new, has exactly one result, and the result follows before anything else is said."""
    open_ids: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_ids
            open_ids.remove(message["tool_call_id"])
            continue
        assert open_ids == []
        for entry in message.get("tool_calls", ()):
            assert entry["id"] not in seen
            seen.add(entry["id"])
            open_ids.append(entry["id"])
    assert open_ids == []


def test_a_history_stays_valid_across_hold_and_release(play: Any) -> None:
    game = play("autonomy_level")
    turns: list[PublicTurn] = []

    def close(user: str, reply: str) -> None:
        delivered = game.deliver(reply)
        turns.append(PublicTurn("2026-03-04T09:00", user, None, tuple(game.steps), delivered.text))

    game.select("autonomy_level", "Self-directed")
    game.do("contact_update", contact_id="con_ana")
    game.do("message_send", to="con_ana", text="one")
    game.do("message_send", to="con_ben", text="two")
    game.send("autonomy_level", confirm="Shall I send both?")
    close("Tell them.", "Noted.")
    game.turn(consent={"h1": True, "h2": True})
    game.do("IX_release", item_id="h2")
    game.do("IX_release", item_id="h1")
    game.do("IX_release", item_id="h1")
    close("Yes.", "Sent.")

    messages: list[dict[str, Any]] = []
    number = 1
    for turn in turns:
        messages.extend(actions.turn_messages(turn, number))
        number += len(turn.steps)
    check_history(messages)
    results = [message["content"] for message in messages if message["role"] == "tool"]
    assert len(results) == sum(len(turn.steps) for turn in turns)
    assert [text for text in results if '"id": "x"' in text] == ['{"id": "x"}'] * 3
    # Trimming whole turns leaves a valid history.
    check_history(actions.turn_messages(turns[1], 6))
    assert len(game.ran) == 3


def test_event_and_silent_turns_as_messages() -> None:
    turn = PublicTurn("2026-03-04T09:00", "", "The train is off.", (Step("a", {}, True, "{}", True),), "")
    messages = actions.turn_messages(turn)
    assert [message["role"] for message in messages] == ["user", "assistant", "tool"]
    assert messages[0]["content"] == "[event] The train is off."
    check_history(messages)
