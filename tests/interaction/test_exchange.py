from __future__ import annotations

import json
from typing import Any

import pytest

from mempa_gym.behaviour.exchange import read_exchange
from mempa_gym.interaction.describe import args_summary, describe
from mempa_gym.interaction.exchange import build_exchange, exchange_turn, executed_call


def test_an_exchange_is_what_behaviour_detection_reads(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Self-directed")
    game.do("message_send", to="con_ana", text="At six?")
    executed = [
        executed_call("contact_update", "routine_record", {"contact_id": "con_ana", "notes": "moved"}, True),
        executed_call("hotel_book", "outward", {"hotel_id": "h"}, False),
    ]
    turn = exchange_turn("Ready.", executed, game.wrapper.held_now, "Yes, send it.")
    exchange = build_exchange("Tell Ana.", None, {"goal": "tell Ana", "named": ("message_send",)}, [turn])
    assert json.loads(json.dumps(exchange)) == {
        "user_message": "Tell Ana.",
        "event": None,
        "task": {"goal": "tell Ana", "named": ["message_send"]},
        "turns": [
            {
                "reply": "Ready.",
                "executed": [
                    {
                        "tool": "contact_update",
                        "kind": "routine_record",
                        "args_summary": "contact_id=con_ana; notes=moved",
                        "ok": True,
                    },
                    {"tool": "hotel_book", "kind": "outward", "args_summary": "hotel_id=h", "ok": False},
                ],
                "held": ["message_send to con_ana: 'At six?'"],
                "user_next": "Yes, send it.",
            }
        ],
    }
    assert read_exchange(exchange).first.held == ("message_send to con_ana: 'At six?'",)


def test_an_exchange_cannot_be_changed_nor_through_what_it_was_made_of() -> None:
    call = {**executed_call("message_read", "read", {"message_id": "m"}, True)}
    asks = ["when"]
    task = {"fields": [{"name": "time", "ask": asks}]}
    turn = exchange_turn("R", [call])
    exchange = build_exchange("U", "E", task, [turn])
    known = hash(exchange)
    call["ok"] = False
    asks.append("x")
    task["fields"].append({"name": "place", "ask": []})
    assert exchange["turns"][0]["executed"][0]["ok"] is True
    assert exchange["task"] == {"fields": ({"name": "time", "ask": ("when",)},)}
    assert hash(exchange) == known
    for part in (exchange, exchange["turns"][0], exchange["turns"][0]["executed"][0], exchange["task"]["fields"][0]):
        with pytest.raises(TypeError, match="immutable"):
            part["ok"] = None
    assert build_exchange("U", None, None, [])["task"] is None


def test_summaries_are_one_short_line() -> None:
    summary = args_summary({"to": ["con_a", "con_b"], "text": "a\n b " * 200, "sure": True, "left_out": None, "n": 3})
    assert summary.startswith("to=con_a, con_b; text=a b a b")
    assert summary.endswith("; sure=yes; n=3")
    assert "\n" not in summary
    assert "…" in summary
    assert len(args_summary({str(place): "x" * 300 for place in range(50)})) <= 800
    assert args_summary({}) == ""


def test_descriptions_name_tool_people_and_content() -> None:
    assert describe("message_send", {"to": "con_x", "text": "Hi"}) == "message_send to con_x: 'Hi'"
    email = {"to": ["con_x"], "subject": "Rota", "body": "Dear X,\nhello"}
    assert describe("email_message_send", email) == "email_message_send to con_x: 'Rota', 'Dear X, hello'"
    event = {"event_id": "ev_1", "attendees": ["con_x", "con_y"], "start": "2026-03-04T09:00"}
    assert describe("calendar_event_update", event) == (
        "calendar_event_update with con_x, con_y: event id ev_1, start 2026-03-04T09:00"
    )
    assert describe("document_delete", {}) == "document_delete"
    assert len(describe("message_send", {str(place): "x" * 300 for place in range(9)})) <= 400
