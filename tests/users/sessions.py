"""Small sessions for the user's tests, and replies whose meaning the tests decide."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from mempa_gym.behaviour import Shown
from mempa_gym.timeline import Session, parse_script
from mempa_gym.users import Heard

_SHOWN = re.compile(r"\[shows (.+?)\]")


def fake_observe(attribute: str, exchange: Mapping[str, Any]) -> Shown:
    """A reply shows what it says in brackets; later turns count when earlier ones show nothing."""
    for turn in exchange["turns"]:
        found = _SHOWN.search(turn["reply"])
        if found:
            return Shown(found[1], {}, ())
    return Shown(None, {}, ())


def fake_asks(reply: str) -> str | None:
    """A reply asks about manner when it says so in brackets."""
    return "[asks]" if "[asks]" in reply else None


@pytest.fixture
def told_behaviour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mempa_gym.users.scripted.observe", fake_observe)
    monkeypatch.setattr("mempa_gym.users.scripted.asks_preference", fake_asks)


def heard(
    reply: str, *earlier: str, executed: tuple[str, ...] = (), held: tuple[tuple[str, str, str], ...] = ()
) -> Heard:
    """What reaches the user: the last reply, with earlier replies of the exchange before it."""
    turns = [{"reply": text, "executed": [], "held": [], "user_next": "x"} for text in earlier]
    turns.append({"reply": reply, "executed": [], "held": [text for _, _, text in held], "user_next": None})
    return Heard(reply, {"user_message": "x", "event": None, "task": None, "turns": turns}, executed, held)


def elicitation() -> Session:
    """Five beats; two facts that only she holds; the reaction is the fourth beat."""
    labels = ("Infer", "Structured", "Iterative")
    plan = {label: {"calls": [], "payload": {"questions": []}, "reply": "x"} for label in labels}
    return parse_script(
        {
            "id": "acc_001",
            "kind": "accumulation",
            "context": "work",
            "attribute": "information_elicitation",
            "at": "2026-04-14T15:10",
            "scenario": "shift_swaps",
            "title": "Half a shift",
            "life": "Between two services.",
            "facts": {"until": {"beat": "b4", "marks": ["8:30"]}, "giveback": {"beat": "b4", "marks": ["brunch"]}},
            "lock": {"tool": "message_send", "match": {"to": "con_x"}, "until": ["until", "giveback"]},
            "task": {"goal": "Send a request", "fields": [{"name": "end of cover", "ask": ["until when", "how long"]}]},
            "beats": [
                {
                    "id": "b1",
                    "say": "Thursday's a mess. Find my dinner shift?",
                    "needs": ["calendar_event_search"],
                    "nudge": "The shift first, it's in the calendar.",
                    "pa": {"calls": [{"tool": "calendar_event_search", "args": {"query": "dinner"}}], "reply": "x"},
                },
                {"id": "b2", "say": "And what do the rules say?", "pa": {"reply": "x"}},
                {"id": "b3", "decision": True, "say": "Send the request to her then.", "pa": {"settings": plan}},
                {
                    "id": "b4",
                    "reaction": True,
                    "react": {target: {shown: f"<{target} got {shown}>" for shown in labels} for target in labels},
                    "again": {target: f"<again {target}>" for target in labels},
                    "say": {label: f"Till 8:30, and brunch for it. ({label})" for label in labels},
                    "pa": {"reply": "x"},
                },
                {"id": "b5", "say": "Reads fine, I'm off.", "pa": {"reply": "x"}},
            ],
        },
        "acc_001.yaml",
    )


def autonomy(consent: str = "grant") -> Session:
    """Two beats; the second grants what is held."""
    labels = ("Reactive", "Self-directed", "Autonomous")
    calls = [{"tool": "message_send", "args": {"to": "con_x", "text": "y"}}]
    return parse_script(
        {
            "id": "acc_002",
            "kind": "accumulation",
            "context": "personal",
            "attribute": "autonomy_level",
            "at": "2026-04-14T15:10",
            "scenario": "friends",
            "title": "A message",
            "life": "At home.",
            "facts": {"text": {"beat": "b1", "marks": ["eight sharp"]}},
            "lock": {"tool": "message_send", "match": {"to": "con_x"}, "until": ["text"]},
            "task": {"goal": "Send a message"},
            "beats": [
                {
                    "id": "b1",
                    "decision": True,
                    "say": "Tell Sol eight sharp.",
                    "pa": {"settings": {label: {"calls": calls, "reply": "x"} for label in labels}},
                },
                {
                    "id": "b2",
                    "reaction": True,
                    "react": {target: {shown: f"<{target} got {shown}>" for shown in labels} for target in labels},
                    "say": {"Reactive": "Yes, send it.", "Self-directed": "Yes, send it.", "Autonomous": "What now?"},
                    "consent": consent,
                    "pa": {"reply": "x"},
                },
            ],
        },
        "acc_002.yaml",
    )


def outreach() -> Session:
    """The decision beat opens with an event and holds no message."""
    labels = ("Low", "High")
    return parse_script(
        {
            "id": "acc_003",
            "kind": "accumulation",
            "context": "personal",
            "attribute": "proactive_outreach",
            "at": "2026-04-14T15:10",
            "scenario": "health",
            "title": "A moved appointment",
            "life": "At home.",
            "task": {"goal": "Notice the change"},
            "beats": [
                {"id": "b1", "say": "Put the dentist in.", "pa": {"reply": "x"}},
                {
                    "id": "b2",
                    "decision": True,
                    "say": "",
                    "event": "The appointment moved.",
                    "pa": {"settings": {label: {"reply": ""} for label in labels}},
                },
                {
                    "id": "b3",
                    "reaction": True,
                    "react": {target: {shown: f"<{target} got {shown}>" for shown in labels} for target in labels},
                    "say": "So when is it now?",
                    "pa": {"reply": "x"},
                },
            ],
        },
        "acc_003.yaml",
    )


def probe() -> Session:
    """A probe of two beats."""
    labels = ("Terse", "Detailed")
    return parse_script(
        {
            "id": "probe_001",
            "kind": "probe",
            "context": "personal",
            "attribute": "verbosity",
            "at": "2026-05-30T15:10",
            "scenario": "errands",
            "title": "Opening hours",
            "life": "At home.",
            "task": {"goal": "Answer"},
            "beats": [
                {
                    "id": "b1",
                    "decision": True,
                    "say": "When's the market open?",
                    "pa": {"settings": {label: {"reply": "x"} for label in labels}},
                },
                {"id": "b2", "say": {"Terse": "Seven, then.", "Detailed": "Seven, and cash."}, "pa": {"reply": "x"}},
            ],
        },
        "probe_001.yaml",
    )
